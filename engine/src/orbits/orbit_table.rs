//! The table of the orbits visited so far.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::spill::Transfer;
use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::group::compact_permutation::CompactPermutation;
use crate::group::element_table::Elements;
use crate::group::permutation::{compose, inverse};
use crate::group::schreier_sims::NoGroup;
use crate::group::subgroup::{Subgroup, Subgroups};
use crate::process::store::{Block, NONE, Path, Store};
use rustc_hash::FxHashMap;
use std::io;
use std::ops::Range;

/// Orbits by their canonical images, numbered in the order of their first visit.
pub struct Orbits {
    images: Store,
    /// The inner nodes of the store's tree, and a view of it.
    path: Path,
    view: Vec<u32>,
    block: Block,
    width: usize,
    reshape_at: usize,
    /// How often the store was reshaped.
    shape: u32,
    /// The value of `shape` at the last spill.
    spilled: Option<u32>,
    /// For every orbit the number of the stabiliser of its first member.
    pub stabiliser: Vec<u32>,
    pub stabilisers: Subgroups,
    /// The orbits whose image is approximate, in order: they may equal others.
    pub approximate: Vec<u32>,
    pub elements: Elements,
    /// The elements that map the canonical image to the first member, and their inverses.
    offsets: Vec<u32>,
    inverses: Vec<u32>,
    least: FxHashMap<(u32, u32), u32>,
    fixing: FxHashMap<u32, Box<[u32]>>,
}

/// The canonical image of a state, the element that leads to it, and generators of the stabiliser
/// of the state.
#[derive(Clone, Copy)]
pub struct Canon<'i> {
    pub image: &'i [Term],
    pub element: &'i [u32],
    pub stabiliser: &'i [CompactPermutation],
    /// Whether the image is canonical and the stabiliser complete.
    pub is_exact: bool,
}

impl<'i> From<&'i Least> for Canon<'i> {
    fn from(least: &'i Least) -> Self {
        let &Least { ref image, ref element, ref stabiliser, is_exact } = least;
        Self { image, element, stabiliser, is_exact }
    }
}

/// A canonical image that was looked up and is in no orbit, with its own stabiliser's sorted
/// generators, and the results of the lookup in a store of this shape.
#[derive(Clone, Copy)]
pub struct NewImage<'i> {
    pub image: &'i [Term],
    pub stabiliser: &'i [CompactPermutation],
    pub is_exact: bool,
    pub nodes: &'i [u32],
    pub shape: u32,
}

/// The sorted generators of the stabiliser of a state's image. States have equal stabilisers more
/// often after moving them there.
pub fn of_image(element: &[u32], stabiliser: &[CompactPermutation]) -> Vec<CompactPermutation> {
    let moved = |generator: &CompactPermutation| generator.conjugate(element);
    let mut moved: Vec<CompactPermutation> = stabiliser.iter().map(moved).collect();
    moved.sort_unstable();
    moved.dedup();
    moved
}

/// The results of looking up a state.
#[derive(Clone, Default)]
pub struct View {
    pub nodes: Vec<u32>,
    /// The store's shape at the lookup.
    pub shape: u32,
}

/// The number of orbits after which the store is reshaped to suit them.
const SAMPLED: usize = 1 << 14;

impl Orbits {
    pub fn new(width: usize, points: usize) -> Self {
        // The store's tree needs at least two leaves.
        let images = Store::new(width.max(2));
        let mut orbits = Self {
            path: Path::default(),
            view: Vec::new(),
            block: Block::default(),
            images,
            width,
            reshape_at: SAMPLED,
            shape: 0,
            spilled: None,
            stabiliser: Vec::new(),
            stabilisers: Subgroups::new(points),
            approximate: Vec::new(),
            elements: Elements::new(points),
            offsets: Vec::new(),
            inverses: Vec::new(),
            least: FxHashMap::default(),
            fixing: FxHashMap::default(),
        };
        orbits.look_at_shape();
        orbits
    }

    fn look_at_shape(&mut self) {
        self.view = vec![0; self.images.nodes()];
        let positions: Vec<u32> = (0..u32::at(self.images.positions())).collect();
        self.path = self.images.path(&positions);
    }

    pub fn count(&self) -> usize {
        self.stabiliser.len()
    }

    /// The number of values of an image.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The bytes of the canonical images.
    pub fn bytes(&self) -> usize {
        self.images.bytes()
    }

    /// Frees the canonical images; afterwards no orbit can be found.
    pub fn forget_images(&mut self) {
        self.images = Store::new(self.width.max(2));
        self.look_at_shape();
    }

    /// Visits the arrays of the canonical images, to spill them or read them back.
    pub fn transfer_images(&mut self, transfer: &mut Transfer<'_>) -> io::Result<()> {
        // Reshaping moves everything, so columns written before are useless.
        if transfer.is_out() && self.spilled.replace(self.shape) != Some(self.shape) {
            transfer.renew();
        }
        self.images.transfer(transfer)
    }

    /// Visits the arrays with the other data of each orbit, to spill them or read them back.
    pub fn transfer_orbits(&mut self, transfer: &mut Transfer<'_>) -> io::Result<()> {
        transfer.grows(&mut self.stabiliser)?;
        transfer.grows(&mut self.offsets)?;
        transfer.grows(&mut self.inverses)
    }

    /// The canonical image of an orbit.
    pub fn image(&mut self, orbit: u32, image: &mut Vec<Term>) {
        image.clear();
        let mut block = std::mem::take(&mut self.block);
        self.images(orbit..orbit + 1, &mut block, image);
        self.block = block;
    }

    /// Appends the canonical images of consecutive orbits.
    pub fn images(&self, orbits: Range<u32>, block: &mut Block, images: &mut Vec<Term>) {
        self.images.read(orbits.clone(), block);
        for at in 0..orbits.len() {
            images.extend((0..u32::at(self.width)).map(|position| block.column(position)[at]));
        }
    }

    /// The orbit with a canonical image, and whether it is new; the caller must then add its
    /// stabiliser.
    fn store_image(&mut self, image: &[Term]) -> (u32, bool) {
        if self.images.len() >= self.reshape_at {
            let positions = self.images.positions();
            let sample = ((1 << 22) / (positions * positions)).clamp(256, 8192);
            self.reshape_at = usize::MAX;
            // This happens once, and not for states of many positions.
            if self.images.reshape(sample, &Cancel::never()) {
                self.shape += 1;
                self.look_at_shape();
            }
        }
        self.view[..self.width].copy_from_slice(image);
        self.view[self.width..self.images.positions()].fill(0);
        self.images.intern_along(&self.path, &mut self.view)
    }

    /// The orbit with a state's canonical image, if it was visited.
    pub fn known(&mut self, least: &Least) -> Option<u32> {
        let mut view = View { nodes: std::mem::take(&mut self.view), shape: 0 };
        let orbit = self.look_up(&least.image, &mut view);
        self.view = view.nodes;
        orbit
    }

    /// Like [`Self::known`], with scratch memory of the caller, so that several threads can look
    /// up.
    pub fn look_up(&self, image: &[Term], view: &mut View) -> Option<u32> {
        let View { nodes, shape } = view;
        *shape = self.shape;
        nodes.resize(self.images.nodes(), 0);
        nodes[..self.width].copy_from_slice(image);
        nodes[self.width..self.images.positions()].fill(0);
        let orbit = self.images.find_along(&self.path, nodes);
        (orbit != NONE).then_some(orbit)
    }

    /// The orbit of an image whose lookup found none; another image may have added it since.
    pub fn intern_looked_up(&mut self, fresh: NewImage, cancel: &Cancel) -> Result<u32, NoGroup> {
        let NewImage { image, stabiliser, is_exact, nodes, shape } = fresh;
        let (orbit, new) = if self.shape != shape || self.images.len() >= self.reshape_at {
            self.store_image(image)
        } else {
            self.view.copy_from_slice(nodes);
            self.images.intern_missing(&self.path, &mut self.view)
        };
        if new {
            self.stabiliser.push(self.stabilisers.intern_sorted(stabiliser, cancel)?);
            self.note_approximate(orbit, is_exact);
        }
        Ok(orbit)
    }

    /// The orbit of a state, by its image. Of the stabiliser only the image's is stored, not the
    /// first member's.
    pub fn intern<'i>(
        &mut self,
        canon: impl Into<Canon<'i>>,
        cancel: &Cancel,
    ) -> Result<u32, NoGroup> {
        let canon = canon.into();
        let (orbit, new) = self.store_image(canon.image);
        if new {
            self.note_stabiliser(canon, cancel)?;
        }
        Ok(orbit)
    }

    /// Like `intern`, for an image whose stabiliser has this number.
    pub fn intern_image(&mut self, image: &[Term], stabiliser: u32) -> u32 {
        let (orbit, new) = self.store_image(image);
        if new {
            self.stabiliser.push(stabiliser);
        }
        orbit
    }

    fn note_stabiliser(&mut self, canon: Canon, cancel: &Cancel) -> Result<(), NoGroup> {
        let number = self.stabiliser_of_image(canon, cancel)?;
        self.note_approximate(u32::at(self.stabiliser.len()), canon.is_exact);
        self.stabiliser.push(number);
        Ok(())
    }

    fn note_approximate(&mut self, orbit: u32, is_exact: bool) {
        if !is_exact {
            self.approximate.push(orbit);
        }
    }

    /// Whether the image of an orbit is approximate.
    pub fn is_approximate(&self, orbit: u32) -> bool {
        !self.approximate.is_empty() && self.approximate.binary_search(&orbit).is_ok()
    }

    /// The number of the stabiliser of a state's image.
    pub fn stabiliser_of_image(&mut self, canon: Canon, cancel: &Cancel) -> Result<u32, NoGroup> {
        if canon.stabiliser.is_empty() {
            return Ok(0);
        }
        self.stabilisers.intern_sorted(&of_image(canon.element, canon.stabiliser), cancel)
    }

    /// The orbit of a state, by its image, and the least k of its coset with
    /// `state = k (first member)`.
    pub fn find<'i>(
        &mut self,
        canon: impl Into<Canon<'i>>,
        cancel: &Cancel,
    ) -> Result<(u32, u32), NoGroup> {
        let canon = canon.into();
        let (orbit, new) = self.store_image(canon.image);
        if new {
            self.stabiliser.push(self.stabilisers.intern(canon.stabiliser.to_vec(), cancel)?);
            self.note_approximate(orbit, canon.is_exact);
            self.note_first(canon.element);
            return Ok((orbit, self.least_of_coset(0, self.stabiliser[orbit as usize])));
        }
        Ok((orbit, self.shift(canon.element, orbit)))
    }

    /// Adds the orbit of a first member, given its image, the element that leads there and the
    /// number of its stabiliser.
    pub fn note(&mut self, image: &[Term], element: &[u32], stabiliser: u32) {
        self.intern_image(image, stabiliser);
        self.note_first(element);
    }

    fn note_first(&mut self, element: &[u32]) {
        self.offsets.push(self.elements.intern(&inverse(element)));
        self.inverses.push(self.elements.intern(element));
    }

    /// The least k of its coset with `state = k (first member)`, given the element that maps the
    /// state to the image of this orbit.
    pub fn shift(&mut self, element: &[u32], orbit: u32) -> u32 {
        let product = compose(&inverse(element), self.first(orbit));
        let shift = self.elements.intern(&product);
        self.least_of_coset(shift, self.stabiliser[orbit as usize])
    }

    /// The element that maps the first member of an orbit to its canonical image.
    pub fn first(&self, orbit: u32) -> &[u32] {
        self.elements.get(self.inverses[orbit as usize])
    }

    /// The element that maps the canonical image of an orbit to its first member.
    pub fn offset(&self, orbit: u32) -> &[u32] {
        self.elements.get(self.offsets[orbit as usize])
    }

    /// Generators of the stabiliser of an orbit's first member.
    pub fn fixing(&mut self, orbit: u32) -> Box<[u32]> {
        let number = self.stabiliser[orbit as usize];
        let generators = self.stabilisers.list[number as usize].images();
        let elements = &mut self.elements;
        let intern = || generators.iter().map(|generator| elements.intern(generator)).collect();
        self.fixing.entry(number).or_insert_with(intern).clone()
    }

    /// The stabiliser of an orbit's canonical image, if orbits were added by `intern`.
    pub fn stabiliser_of(&self, orbit: u32) -> &Subgroup {
        &self.stabilisers.list[self.stabiliser[orbit as usize] as usize]
    }

    /// The least element of the coset of `element * shift` modulo the stabiliser with this number.
    pub fn moved(&mut self, element: u32, shift: u32, stabiliser: u32) -> u32 {
        let product = self.elements.compose(element, shift);
        self.least_of_coset(product, stabiliser)
    }

    fn least_of_coset(&mut self, element: u32, number: u32) -> u32 {
        let stabiliser = &self.stabilisers.list[number as usize];
        if stabiliser.is_trivial() {
            return element;
        }
        if let Some(&known) = self.least.get(&(element, number)) {
            return known;
        }
        let images = stabiliser.least_of_coset(self.elements.get(element));
        let least = self.elements.intern(&images);
        self.least.insert((element, number), least);
        least
    }
}
