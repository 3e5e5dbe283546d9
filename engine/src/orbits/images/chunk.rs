//! Chunks: canonical images of consecutive states that one thread computes, and the orbits that
//! threads find for them.

use crate::base::ids::NONE;
use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::group::compact_permutation::CompactPermutation;
use crate::orbits::images::firsts::hash;
use crate::orbits::images::image::Image;
use crate::orbits::orbit_table::{Canon, NewImage, Orbits, View, of_image};
use std::ops::Range;

/// Images in columns, so that memory allocated by one thread is not freed by another.
#[derive(Default)]
pub(super) struct ImageChunk {
    images: Vec<Term>,
    elements: Vec<u32>,
    /// The hash of each image; `None` if something has to be learned before it can be computed.
    hashes: Vec<Option<u64>>,
    /// The states with nontrivial stabilisers, in order, with generators.
    stabilisers: Vec<(usize, Vec<CompactPermutation>)>,
    /// The states whose images are approximate.
    approximate: Vec<usize>,
}

impl ImageChunk {
    /// Clears the chunk, with space for `count` images.
    pub(super) fn begin(&mut self, count: usize, width: usize, points: usize) {
        self.images.clear();
        self.images.resize(count * width, 0);
        self.elements.clear();
        self.elements.resize(count * points, 0);
        self.hashes.clear();
        self.hashes.resize(count, None);
        self.stabilisers.clear();
        self.approximate.clear();
    }

    /// Stores an image and returns its hash.
    pub(super) fn put(&mut self, at: usize, least: Least) -> u64 {
        let (width, points) = (least.image.len(), least.element.len());
        self.images[at * width..(at + 1) * width].copy_from_slice(&least.image);
        self.elements[at * points..(at + 1) * points].copy_from_slice(&least.element);
        if !least.stabiliser.is_empty() {
            let position = self.stabilisers.partition_point(|&(other, _)| other < at);
            self.stabilisers.insert(position, (at, least.stabiliser));
        }
        if !least.is_exact {
            self.approximate.push(at);
        }
        let hash = hash(&least.image);
        self.hashes[at] = Some(hash);
        hash
    }

    /// The hash of an image, if it was computed.
    pub(super) fn hash(&self, at: usize) -> Option<u64> {
        self.hashes[at]
    }

    pub(super) fn image(&self, at: usize) -> &[Term] {
        let width = self.images.len() / self.hashes.len();
        &self.images[at * width..(at + 1) * width]
    }

    fn element(&self, at: usize) -> &[u32] {
        let points = self.elements.len() / self.hashes.len();
        &self.elements[at * points..(at + 1) * points]
    }

    /// The positions of the images.
    pub(super) fn positions(&self) -> Range<usize> {
        0..self.hashes.len()
    }

    /// The images with their positions and orbits. Images whose entry in `orbits` is below `from`
    /// are skipped.
    pub(super) fn each<'c>(
        &'c self,
        chunk_orbits: &'c ChunkOrbits,
        from: u32,
    ) -> impl Iterator<Item = (usize, Image<'c>)> {
        let ChunkOrbits { orbits, nodes, stabilisers: moved, same, shape } = chunk_orbits;
        let mut stabilisers = self.stabilisers.iter().peekable();
        let mut moved = moved.iter();
        let fresh = orbits.iter().filter(|&&orbit| orbit == NEW).count();
        let size = nodes.len() / fresh.max(1);
        let mut nodes = nodes.chunks_exact(size.max(1));
        let mut same = same.iter();
        let images = orbits.iter().enumerate().filter(move |&(_, &orbit)| orbit >= from);
        images.map(move |(at, &orbit)| {
            let element = self.element(at);
            let mut canon = || {
                while stabilisers.next_if(|&&(other, _)| other < at).is_some() {}
                let own = stabilisers.next_if(|&&(other, _)| other == at);
                let stabiliser = own.map_or(&[][..], |(_, stabiliser)| stabiliser);
                let is_exact = !self.approximate.contains(&at);
                Canon { image: self.image(at), element, stabiliser, is_exact }
            };
            let image = match orbit {
                UNLEARNED => Image::Unlearned,
                COMPUTED => Image::Computed(canon()),
                NEW => {
                    let stabiliser = moved.next().expect("each has one");
                    let nodes = nodes.next().expect("each has some");
                    let (image, is_exact) = (self.image(at), !self.approximate.contains(&at));
                    let fresh = NewImage { image, stabiliser, is_exact, nodes, shape: *shape };
                    Image::New(fresh, element)
                }
                SAME_AS => Image::SameAs(*same.next().expect("each has one"), element),
                orbit => Image::Known(orbit, element),
            };
            (at, image)
        })
    }
}

/// Special orbit numbers: something has to be learned first; the image is computed; the image was
/// looked up, and its orbit is new; the image equals an earlier one.
const UNLEARNED: u32 = NONE;
const COMPUTED: u32 = NONE - 1;
pub(super) const NEW: u32 = NONE - 2;
const SAME_AS: u32 = NONE - 3;

/// The most orbits.
pub const MOST: usize = SAME_AS as usize - 1;

/// The orbits that were found for the images of a chunk.
#[derive(Default)]
pub(super) struct ChunkOrbits {
    orbits: Vec<u32>,
    /// For images of new orbits: the tree nodes found by the lookup, and the stabilisers of the
    /// images.
    nodes: Vec<u32>,
    stabilisers: Vec<Vec<CompactPermutation>>,
    shape: u32,
    /// For images that equal an earlier one: the position of the first such image.
    same: Vec<u32>,
}

impl ChunkOrbits {
    /// Resets to the state before lookups.
    pub(super) fn begin(&mut self, chunk: &ImageChunk) {
        self.orbits.clear();
        let states =
            chunk.hashes.iter().map(|hash| if hash.is_some() { COMPUTED } else { UNLEARNED });
        self.orbits.extend(states);
        self.nodes.clear();
        self.stabilisers.clear();
        self.same.clear();
    }

    /// Looks up images in the known orbits. `first(position, hash)` returns the position of the
    /// first equal image, if that is another one.
    pub(super) fn look_up(
        &mut self,
        chunk: &ImageChunk,
        known: &Orbits,
        first: impl Fn(usize, u64) -> Option<u32>,
    ) {
        let mut view = View::default();
        let mut own = chunk.stabilisers.iter().peekable();
        for at in chunk.positions() {
            let Some(hash) = chunk.hash(at) else { continue };
            if let Some(first) = first(at, hash) {
                self.orbits[at] = SAME_AS;
                self.same.push(first);
                continue;
            }
            self.orbits[at] = known.look_up(chunk.image(at), &mut view).unwrap_or(NEW);
            if self.orbits[at] == NEW {
                self.nodes.extend_from_slice(&view.nodes);
                while own.next_if(|&&(other, _)| other < at).is_some() {}
                let own = own.next_if(|&&(other, _)| other == at);
                let own = own.map_or(Vec::new(), |(_, own)| of_image(chunk.element(at), own));
                self.stabilisers.push(own);
            }
        }
        self.shape = view.shape;
    }

    /// Fills in an image if it is missing.
    pub(super) fn complete<E>(
        &mut self,
        chunk: &mut ImageChunk,
        at: usize,
        find: impl FnOnce() -> Result<Least, E>,
    ) -> Result<(), E> {
        if self.orbits[at] == UNLEARNED {
            chunk.put(at, find()?);
            self.orbits[at] = COMPUTED;
        }
        Ok(())
    }
}
