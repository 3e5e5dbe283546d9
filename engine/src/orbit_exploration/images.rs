//! Canonical images of many states, found on several cores.

use crate::base::parallel;
use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::group::permutation::Permutation;
use crate::orbit_exploration::canonical_state::{Canonical, Scratch};
use crate::orbit_exploration::orbit_table::{Orbits, View};
use std::sync::Mutex;

/// States that a thread takes at a time.
const CHUNK: usize = 64;

/// What is found of a state while nothing may be changed.
pub enum Image {
    /// Its orbit was met before; and the element that leads to the image, if it was wanted.
    Met(u32, Option<Permutation>),
    /// Its canonical image, and what looking for that has found.
    Least(Least, View),
    /// Something is to be learned first.
    Missing,
}

/// Whether the elements that lead to images are wanted where orbits were met before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Elements {
    Wanted,
    Unwanted,
}

/// Work in pieces that are done besides: how many there are, and one of them.
pub type Pieces<'a> = (usize, &'a (dyn Fn(usize) + Sync));

/// No work besides.
pub const NOTHING: Pieces<'static> = (0, &|_| {});

/// Images of states, in their order.
#[derive(Default)]
pub struct Images {
    chunks: Vec<Mutex<Vec<Image>>>,
}

impl Images {
    /// The canonical images of so many states, which stand one behind the other. This thread does
    /// something `meanwhile`, and helps then.
    pub fn find<R>(
        canonical: &Canonical,
        states: &[Term],
        count: usize,
        threads: usize,
        meanwhile: impl FnOnce() -> R,
    ) -> (Self, R) {
        let width = states.len() / count.max(1);
        let chunks: Vec<Mutex<Vec<_>>> =
            (0..count.div_ceil(CHUNK)).map(|_| Mutex::new(Vec::new())).collect();
        let worker = |claim: parallel::Claim| {
            let mut scratch = Scratch::default();
            while let Some(task) = claim() {
                let mut found = chunks[task].lock().expect("its own");
                for state in task * CHUNK..count.min((task + 1) * CHUNK) {
                    let state = &states[state * width..(state + 1) * width];
                    found.push(match canonical.find(state, &mut scratch) {
                        Ok(least) => Image::Least(least, View::default()),
                        Err(_) => Image::Missing,
                    });
                }
            }
        };
        let others = if count <= CHUNK { 0 } else { threads - 1 };
        let result = parallel::tasks(chunks.len(), others, worker, meanwhile);
        (Self { chunks }, result)
    }

    /// Looks for those that are in orbits `met`, if given, where the elements may be `wanted`; the
    /// pieces `besides` are done at the same time.
    pub fn look_up(&self, met: Option<&Orbits>, wanted: Elements, threads: usize, besides: Pieces) {
        let count = if met.is_some() { self.chunks.len() } else { 0 };
        let worker = |claim: parallel::Claim| {
            let mut view = View::default();
            while let Some(task) = claim() {
                let Some(met) = met.filter(|_| task < count) else {
                    besides.1(task - count);
                    continue;
                };
                for image in self.chunks[task].lock().expect("its own").iter_mut() {
                    let Image::Least(least, own) = image else { continue };
                    match met.look_up(least, &mut view) {
                        None => own.clone_from(&view),
                        Some(orbit) => {
                            let element = std::mem::take(&mut least.element);
                            let element = (wanted == Elements::Wanted).then_some(element);
                            *image = Image::Met(orbit, element);
                        }
                    }
                }
            }
        };
        let others = if self.chunks.len() + besides.0 <= 1 { 0 } else { threads - 1 };
        parallel::tasks(count + besides.0, others, worker, || ());
    }

    /// Puts something in the place of each that could not be found, given which one it is.
    pub fn complete<E>(
        &mut self,
        mut find: impl FnMut(usize) -> Result<Image, E>,
    ) -> Result<(), E> {
        for (place, chunk) in self.chunks.iter_mut().enumerate() {
            for (at, image) in chunk.get_mut().expect("nobody has it").iter_mut().enumerate() {
                if matches!(image, Image::Missing) {
                    *image = find(place * CHUNK + at)?;
                }
            }
        }
        Ok(())
    }
}

impl IntoIterator for Images {
    type Item = Image;
    type IntoIter = Box<dyn Iterator<Item = Image>>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.chunks.into_iter().flat_map(|chunk| chunk.into_inner().expect("done")))
    }
}
