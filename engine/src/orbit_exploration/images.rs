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

/// The canonical images of so many states, which stand one behind the other, in order; of states in
/// the orbits `met`, if given, the number of their orbit instead, and the element if that is `Wanted`.
/// The pieces `besides` are done at the
/// same time.
pub fn images(
    canonical: &Canonical,
    met: Option<(&Orbits, Elements)>,
    states: &[Term],
    count: usize,
    threads: usize,
    besides: Pieces,
) -> Vec<Image> {
    let width = states.len() / count.max(1);
    let chunks: Vec<Mutex<Vec<_>>> =
        (0..count.div_ceil(CHUNK)).map(|_| Mutex::new(Vec::new())).collect();
    let worker = |claim: parallel::Claim| {
        let (mut scratch, mut view) = (Scratch::default(), View::default());
        while let Some(task) = claim() {
            let Some(chunk) = chunks.get(task) else {
                besides.1(task - chunks.len());
                continue;
            };
            let mut found = chunk.lock().expect("its own");
            for state in task * CHUNK..count.min((task + 1) * CHUNK) {
                let state = &states[state * width..(state + 1) * width];
                found.push(match canonical.find(state, &mut scratch) {
                    Err(_) => Image::Missing,
                    Ok(least) => {
                        let known = met.and_then(|(met, _)| met.look_up(&least, &mut view));
                        match (known, met) {
                            (Some(orbit), Some((_, Elements::Wanted))) => {
                                Image::Met(orbit, Some(least.element))
                            }
                            (Some(orbit), _) => Image::Met(orbit, None),
                            (None, _) => Image::Least(least, view.clone()),
                        }
                    }
                });
            }
        }
    };
    let others = if count <= CHUNK { 0 } else { threads - 1 };
    parallel::tasks(chunks.len() + besides.0, others, worker, || ());
    chunks.into_iter().flat_map(|chunk| chunk.into_inner().expect("done")).collect()
}
