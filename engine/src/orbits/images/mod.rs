//! Canonical images of many states, computed in parallel.
//!
//! Consecutive states share targets: an image that equals an earlier one is looked up once
//! (`firsts`). The results of a thread for a few states are a `chunk`.

mod chunk;
mod firsts;
mod image;

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::lock::Locked;
use crate::base::parallel;
use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::group::schreier_sims::NoGroup;
use crate::orbits::canonical_state::{Canonical, Scratch};
use crate::orbits::images::chunk::{ChunkOrbits, ImageChunk, NEW};
use crate::orbits::images::firsts::Firsts;
use crate::orbits::orbit_table::Orbits;
use std::sync::Mutex;

pub use crate::orbits::images::chunk::MOST;
pub use crate::orbits::images::image::Image;

/// States that a thread takes at a time.
const CHUNK: usize = 64;

/// Numbers the orbits of images, in order.
pub struct OrbitNumbers<I> {
    images: I,
    /// The orbits of the images so far.
    orbits: Vec<u32>,
}

impl<'i, I: Iterator<Item = (usize, Image<'i>)>> OrbitNumbers<I> {
    /// The orbit of the next image, which may be a new one, and the element that leads to the
    /// image.
    pub fn next(
        &mut self,
        orbits: &mut Orbits,
        cancel: &Cancel,
    ) -> Result<(u32, &'i [u32]), NoGroup> {
        let (_, image) = self.images.next().expect("there are as many as states");
        let placed = match image {
            Image::Known(orbit, element) => (orbit, element),
            Image::SameAs(first, element) => (self.orbits[first as usize], element),
            Image::Computed(canon) => (orbits.intern(canon, cancel)?, canon.element),
            Image::New(fresh, element) => (orbits.intern_looked_up(fresh, cancel)?, element),
            Image::Unlearned => unreachable!("missing values were learned"),
        };
        self.orbits.push(placed.0);
        Ok(placed)
    }
}

/// Additional work in chunks: their number, and a function that does one of them.
pub type Tasks<'a> = (usize, &'a (dyn Fn(usize) + Sync));

/// No additional work.
pub const NOTHING: Tasks<'static> = (0, &|_| {});

/// Images of states, in order.
#[derive(Default)]
pub struct Images {
    chunks: Vec<ImageChunk>,
    chunk_orbits: Vec<ChunkOrbits>,
    firsts: Firsts,
}

impl Images {
    /// Computes the canonical images of the `count` concatenated `states`. This thread calls
    /// `meanwhile` first, and then helps. The memory of `spare` is reused. Once the work is
    /// cancelled, all further images are missing.
    pub fn find<R>(
        canonical: &Canonical,
        (states, count): (&[Term], usize),
        threads: usize,
        cancel: &Cancel,
        spare: Self,
        meanwhile: impl FnOnce() -> R,
    ) -> (Self, R) {
        let (width, points) = (states.len() / count.max(1), canonical.points());
        let Self { chunks, mut chunk_orbits, mut firsts } = spare;
        let spare = chunks.into_iter().chain(std::iter::repeat_with(ImageChunk::default));
        let chunks: Vec<Mutex<ImageChunk>> =
            spare.take(count.div_ceil(CHUNK)).map(Mutex::new).collect();
        firsts.begin(count);
        let worker = |claim: parallel::Claim| {
            let mut scratch = Scratch::default();
            while let Some(task) = claim() {
                let mut chunk = chunks[task].locked();
                let positions = task * CHUNK..count.min((task + 1) * CHUNK);
                chunk.begin(positions.len(), width, points);
                for (at, position) in positions.enumerate() {
                    let state = &states[position * width..(position + 1) * width];
                    if cancel.check().is_err() {
                        break;
                    }
                    if let Ok(least) = canonical.find(state, &mut scratch, cancel) {
                        firsts.note(chunk.put(at, least), position);
                    }
                }
            }
        };
        let others = if count <= CHUNK { 0 } else { threads - 1 };
        let result = parallel::tasks(chunks.len(), others, worker, meanwhile);
        let chunks = chunks.into_iter().map(|chunk| chunk.unlocked());
        let chunks: Vec<ImageChunk> = chunks.collect();
        chunk_orbits.resize_with(chunks.len(), ChunkOrbits::default);
        chunk_orbits
            .iter_mut()
            .zip(&chunks)
            .for_each(|(chunk_orbits, chunk)| chunk_orbits.begin(chunk));
        (Self { chunks, chunk_orbits, firsts }, result)
    }

    /// Looks up images in the `known` orbits, if given; the chunks of `besides` are done at the
    /// same time.
    pub fn look_up(&mut self, known: Option<&Orbits>, threads: usize, besides: Tasks) {
        let Self { chunks, chunk_orbits, firsts } = self;
        let chunk_orbits: Vec<Mutex<&mut ChunkOrbits>> =
            chunk_orbits.iter_mut().map(Mutex::new).collect();
        let count = if known.is_some() { chunks.len() } else { 0 };
        let worker = |claim: parallel::Claim| {
            while let Some(task) = claim() {
                let Some(known) = known.filter(|_| task < count) else {
                    besides.1(task - count);
                    continue;
                };
                let chunk = &chunks[task];
                let first = |at: usize, hash: u64| {
                    let first = firsts.first(hash);
                    let other = &chunks[first / CHUNK];
                    let is_same =
                        first != task * CHUNK + at && other.image(first % CHUNK) == chunk.image(at);
                    is_same.then_some(u32::at(first))
                };
                chunk_orbits[task].locked().look_up(chunk, known, first);
            }
        };
        let others = if count + besides.0 <= 1 { 0 } else { threads - 1 };
        parallel::tasks(count + besides.0, others, worker, || ());
    }

    /// Fills in the missing images, computed by `find` from their positions.
    pub fn complete<E>(
        &mut self,
        mut find: impl FnMut(usize) -> Result<Least, E>,
    ) -> Result<(), E> {
        for (task, (chunk, chunk_orbits)) in
            self.chunks.iter_mut().zip(&mut self.chunk_orbits).enumerate()
        {
            for at in chunk.positions() {
                chunk_orbits.complete(chunk, at, || find(task * CHUNK + at))?;
            }
        }
        Ok(())
    }

    /// The result for each state, with its position.
    pub fn each(&self) -> impl Iterator<Item = (usize, Image<'_>)> {
        self.from(0)
    }

    /// The results for images of new orbits, each image once.
    pub fn new_images(&self) -> impl Iterator<Item = (usize, Image<'_>)> {
        self.from(NEW)
    }

    /// An iterator that numbers the orbits of all images.
    pub fn orbit_numbers(&self) -> OrbitNumbers<impl Iterator<Item = (usize, Image<'_>)>> {
        OrbitNumbers { images: self.each(), orbits: Vec::new() }
    }

    fn from(&self, from: u32) -> impl Iterator<Item = (usize, Image<'_>)> {
        let chunks = self.chunks.iter().zip(&self.chunk_orbits).enumerate();
        chunks.flat_map(move |(task, (chunk, chunk_orbits))| {
            chunk.each(chunk_orbits, from).map(move |(at, image)| (task * CHUNK + at, image))
        })
    }
}
