//! Canonical images of many states, found on several cores.

use crate::base::ids::NONE;
use crate::base::parallel;
use crate::data::terms::Term;
use crate::group::action::NoAction;
use crate::group::canonical_image::Least;
use crate::group::permutation::Permutation;
use crate::orbit_exploration::canonical_state::{Canonical, Scratch};
use crate::orbit_exploration::orbit_table::{Canon, Orbits, View};
use std::sync::Mutex;

/// States that a thread takes at a time.
const CHUNK: usize = 64;

/// Instead of an orbit: something is to be learned before the image is found; the image is known; and
/// the image was looked for, and is in no orbit that was met.
const MISSING: u32 = NONE;
const FOUND: u32 = NONE - 1;
const FRESH: u32 = NONE - 2;

/// The orbits that there may be.
pub const MOST: usize = FRESH as usize - 1;

/// What was found of a state.
pub enum Image<'i> {
    /// Its orbit was met before; the element that leads to the image.
    Met(u32, &'i [u32]),
    /// Its canonical image.
    Found(Canon<'i>),
    /// The same, with what looking for it has found in a table of this shape.
    Fresh(Canon<'i>, &'i [u32], u32),
    /// Something is to be learned first.
    Missing,
}

impl<'i> Image<'i> {
    /// The orbit, which may be a new one, and the element; none if something is missing.
    pub fn place(&self, orbits: &mut Orbits) -> Result<Option<(u32, &'i [u32])>, NoAction> {
        Ok(Some(match *self {
            Self::Met(orbit, element) => (orbit, element),
            Self::Found(canon) => (orbits.place(canon)?, canon.element),
            Self::Fresh(canon, nodes, shape) => {
                (orbits.place_looked_up(canon, nodes, shape)?, canon.element)
            }
            Self::Missing => return Ok(None),
        }))
    }
}

/// Work in pieces that are done besides: how many there are, and one of them.
pub type Pieces<'a> = (usize, &'a (dyn Fn(usize) + Sync));

/// No work besides.
pub const NOTHING: Pieces<'static> = (0, &|_| {});

/// Images of some states, in columns: what one thread has made another one need not take apart.
#[derive(Default)]
struct Chunk {
    orbits: Vec<u32>,
    images: Vec<Term>,
    elements: Vec<u32>,
    /// Of the states that have one that is not trivial, in order.
    stabilisers: Vec<(usize, Vec<Permutation>)>,
    /// What was found of those that are in no orbit.
    nodes: Vec<u32>,
    shape: u32,
}

impl Chunk {
    fn put(&mut self, at: usize, least: Least) {
        let (width, points) = (least.image.len(), least.element.len());
        self.images.resize(self.images.len().max((at + 1) * width), 0);
        self.images[at * width..(at + 1) * width].copy_from_slice(&least.image);
        self.elements.resize(self.elements.len().max((at + 1) * points), 0);
        self.elements[at * points..(at + 1) * points].copy_from_slice(&least.element);
        if !least.stabiliser.is_empty() {
            let place = self.stabilisers.partition_point(|&(other, _)| other < at);
            self.stabilisers.insert(place, (at, least.stabiliser));
        }
        self.orbits[at] = FOUND;
    }

    fn each(&self, width: usize, points: usize) -> impl Iterator<Item = Image<'_>> {
        let mut stabilisers = self.stabilisers.iter().peekable();
        let fresh = self.orbits.iter().filter(|&&orbit| orbit == FRESH).count();
        let size = self.nodes.len() / fresh.max(1);
        let mut nodes = self.nodes.chunks_exact(size.max(1));
        self.orbits.iter().enumerate().map(move |(at, &orbit)| {
            let own = stabilisers.next_if(|&&(other, _)| other == at);
            if orbit == MISSING {
                return Image::Missing;
            }
            let element = &self.elements[at * points..(at + 1) * points];
            let image = &self.images[at * width..(at + 1) * width];
            let stabiliser = own.map_or(&[][..], |(_, stabiliser)| stabiliser);
            match orbit {
                FOUND => Image::Found(Canon { image, element, stabiliser }),
                FRESH => {
                    let nodes = nodes.next().expect("each has some");
                    Image::Fresh(Canon { image, element, stabiliser }, nodes, self.shape)
                }
                orbit => Image::Met(orbit, element),
            }
        })
    }
}

/// Images of states, in their order.
pub struct Images {
    chunks: Vec<Mutex<Chunk>>,
    width: usize,
    points: usize,
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
        let chunks: Vec<Mutex<Chunk>> =
            (0..count.div_ceil(CHUNK)).map(|_| Mutex::default()).collect();
        let worker = |claim: parallel::Claim| {
            let mut scratch = Scratch::default();
            while let Some(task) = claim() {
                let mut chunk = chunks[task].lock().expect("its own");
                let places = task * CHUNK..count.min((task + 1) * CHUNK);
                chunk.orbits = vec![MISSING; places.len()];
                chunk.images.reserve_exact(places.len() * width);
                chunk.elements.reserve_exact(places.len() * canonical.points());
                for (at, place) in places.enumerate() {
                    let state = &states[place * width..(place + 1) * width];
                    if let Ok(least) = canonical.find(state, &mut scratch) {
                        chunk.put(at, least);
                    }
                }
            }
        };
        let others = if count <= CHUNK { 0 } else { threads - 1 };
        let result = parallel::tasks(chunks.len(), others, worker, meanwhile);
        (Self { chunks, width, points: canonical.points() }, result)
    }

    /// Looks for those that are in orbits `met`, if given; the pieces `besides` are done at the same
    /// time.
    pub fn look_up(&self, met: Option<&Orbits>, threads: usize, besides: Pieces) {
        let count = if met.is_some() { self.chunks.len() } else { 0 };
        let worker = |claim: parallel::Claim| {
            let mut view = View::default();
            while let Some(task) = claim() {
                let Some(met) = met.filter(|_| task < count) else {
                    besides.1(task - count);
                    continue;
                };
                let mut chunk = self.chunks[task].lock().expect("its own");
                let Chunk { orbits, images, nodes, shape, .. } = &mut *chunk;
                for (at, orbit) in orbits.iter_mut().enumerate().filter(|(_, o)| **o == FOUND) {
                    let image = &images[at * self.width..(at + 1) * self.width];
                    *orbit = met.look_up(image, &mut view).unwrap_or(FRESH);
                    if *orbit == FRESH {
                        nodes.extend_from_slice(&view.nodes);
                    }
                }
                *shape = view.shape;
            }
        };
        let others = if count + besides.0 <= 1 { 0 } else { threads - 1 };
        parallel::tasks(count + besides.0, others, worker, || ());
    }

    /// Puts images in the place of those that are missing, given which ones they are.
    pub fn complete<E>(
        &mut self,
        mut find: impl FnMut(usize) -> Result<Least, E>,
    ) -> Result<(), E> {
        for (place, chunk) in self.chunks.iter_mut().enumerate() {
            let chunk = chunk.get_mut().expect("nobody has it");
            for at in 0..chunk.orbits.len() {
                if chunk.orbits[at] == MISSING {
                    chunk.put(at, find(place * CHUNK + at)?);
                }
            }
        }
        Ok(())
    }

    /// What was found of each state.
    pub fn each(&mut self) -> impl Iterator<Item = Image<'_>> {
        let (width, points) = (self.width, self.points);
        let chunks = self.chunks.iter_mut().map(|chunk| &*chunk.get_mut().expect("nobody has it"));
        chunks.flat_map(move |chunk| chunk.each(width, points))
    }
}
