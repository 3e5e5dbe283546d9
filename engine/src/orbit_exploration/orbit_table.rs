//! The orbits of states visited so far.

use crate::base::cancel::Cancel;
use crate::base::put_away::Pass;
use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::group::element_table::Elements;
use crate::group::permutation::{Permutation, compose, inverse};
use crate::group::schreier_sims::NoGroup;
use crate::group::subgroup::Subgroups;
use crate::lpe::store::{Block, NONE, Path, Store};
use rustc_hash::FxHashMap;
use std::io;
use std::ops::Range;

/// Orbits by their canonical images, numbered in order of arrival.
pub struct Orbits {
    images: Store,
    /// The inner nodes of the store's tree, and a view of it.
    path: Path,
    view: Vec<u32>,
    block: Block,
    width: usize,
    reshape_at: usize,
    /// How often the store was given another shape.
    shape: u32,
    /// The shape that it had when it was spilled last.
    away: Option<u32>,
    /// For every orbit the number of the stabiliser of the member that was visited first.
    pub stabiliser: Vec<u32>,
    pub stabilisers: Subgroups,
    /// Those whose image is approximate, in order: others may be the same.
    pub approximate: Vec<u32>,
    pub elements: Elements,
    /// The element that takes the canonical image to that member; its inverse is there, too.
    offsets: Vec<u32>,
    inverses: Vec<u32>,
    least: FxHashMap<(u32, u32), u32>,
    fixing: FxHashMap<u32, Box<[u32]>>,
}

/// The canonical image of a state, the element that leads to it, and generators of the stabiliser.
#[derive(Clone, Copy)]
pub struct Canon<'i> {
    pub image: &'i [Term],
    pub element: &'i [u32],
    pub stabiliser: &'i [Permutation],
    /// Whether the image is canonical, and nothing of the stabiliser is missing.
    pub is_exact: bool,
}

impl<'i> From<&'i Least> for Canon<'i> {
    fn from(least: &'i Least) -> Self {
        let &Least { ref image, ref element, ref stabiliser, is_exact } = least;
        Self { image, element, stabiliser, is_exact }
    }
}

/// A canonical image that was looked up and is in no orbit, with its own stabiliser, of which the
/// generators are sorted; what looking for it has found in a store of this shape.
#[derive(Clone, Copy)]
pub struct Fresh<'i> {
    pub image: &'i [Term],
    pub stabiliser: &'i [Permutation],
    pub is_exact: bool,
    pub nodes: &'i [u32],
    pub shape: u32,
}

/// The stabiliser of a state's image, of which the generators are sorted. Moved there, different states
/// have the same stabilisers more often.
pub fn of_image(element: &[u32], stabiliser: &[Permutation]) -> Vec<Permutation> {
    let back = inverse(element);
    let moved = |g: &Permutation| compose(&compose(element, g), &back);
    let mut moved: Vec<Permutation> = stabiliser.iter().map(moved).collect();
    moved.sort_unstable();
    moved.dedup();
    moved
}

/// What looking for a state has found of it.
#[derive(Clone, Default)]
pub struct View {
    pub nodes: Vec<u32>,
    /// The shape that the store had.
    pub shape: u32,
}

/// After so many orbits the store is given a shape that suits them.
const SAMPLED: usize = 1 << 14;

impl Orbits {
    pub fn new(width: usize, points: usize) -> Self {
        // A pair has two sides, whatever the process.
        let images = Store::new(width.max(2));
        let mut orbits = Self {
            path: Path::default(),
            view: Vec::new(),
            block: Block::default(),
            images,
            width,
            reshape_at: SAMPLED,
            shape: 0,
            away: None,
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
        let places: Vec<u32> = (0..self.images.places() as u32).collect();
        self.path = self.images.path(&places);
    }

    pub fn count(&self) -> usize {
        self.stabiliser.len()
    }

    /// How many values an image has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Bytes of the canonical images.
    pub fn bytes(&self) -> usize {
        self.images.bytes()
    }

    /// Forgets the canonical images, so that no orbit can be found any more.
    pub fn forget_images(&mut self) {
        self.images = Store::new(self.width.max(2));
        self.look_at_shape();
    }

    /// What there is in memory of the canonical images.
    pub fn image_columns(&mut self, pass: &mut Pass<'_>) -> io::Result<()> {
        // In another shape nothing is where it was.
        if pass.is_out() && self.away.replace(self.shape) != Some(self.shape) {
            pass.renew();
        }
        self.images.columns(pass)
    }

    /// What there is in memory of each orbit beside its image.
    pub fn orbit_columns(&mut self, pass: &mut Pass<'_>) -> io::Result<()> {
        pass.grows(&mut self.stabiliser)?;
        pass.grows(&mut self.offsets)?;
        pass.grows(&mut self.inverses)
    }

    /// The canonical image of an orbit.
    pub fn image(&mut self, orbit: u32, image: &mut Vec<Term>) {
        image.clear();
        let mut block = std::mem::take(&mut self.block);
        self.images(orbit..orbit + 1, &mut block, image);
        self.block = block;
    }

    /// Appends the canonical images of orbits that follow each other, one behind the other.
    pub fn images(&self, orbits: Range<u32>, block: &mut Block, images: &mut Vec<Term>) {
        self.images.read(orbits.clone(), block);
        for at in 0..orbits.len() {
            images.extend((0..self.width as u32).map(|place| block.column(place)[at]));
        }
    }

    /// The orbit of a state, given its canonical image, and whether it is new; then its stabiliser
    /// is still to be noted.
    fn intern(&mut self, image: &[Term]) -> (u32, bool) {
        if self.images.len() >= self.reshape_at {
            let places = self.images.places();
            self.images = self.images.reshaped(((1 << 22) / (places * places)).clamp(256, 8192));
            self.reshape_at = usize::MAX;
            self.shape += 1;
            self.look_at_shape();
        }
        self.view[..self.width].copy_from_slice(image);
        self.view[self.width..self.images.places()].fill(0);
        self.images.intern_along(&self.path, &mut self.view)
    }

    /// The orbit of a state, by its image, if it was visited.
    pub fn known(&mut self, least: &Least) -> Option<u32> {
        let mut view = View { nodes: std::mem::take(&mut self.view), shape: 0 };
        let found = self.look_up(&least.image, &mut view);
        self.view = view.nodes;
        found
    }

    /// The same with memory of one's own, so that several threads can ask.
    pub fn look_up(&self, image: &[Term], view: &mut View) -> Option<u32> {
        let View { nodes, shape } = view;
        *shape = self.shape;
        nodes.resize(self.images.nodes(), 0);
        nodes[..self.width].copy_from_slice(image);
        nodes[self.width..self.images.places()].fill(0);
        let found = self.images.find_along(&self.path, nodes);
        (found != NONE).then_some(found)
    }

    /// The orbit of an image that was looked up, and was in none then.
    pub fn place_looked_up(&mut self, fresh: Fresh, cancel: &Cancel) -> Result<u32, NoGroup> {
        let Fresh { image, stabiliser, is_exact, nodes, shape } = fresh;
        let (orbit, new) = if self.shape != shape || self.images.len() >= self.reshape_at {
            self.intern(image)
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

    /// The orbit of a state, by its image; only the order of its stabiliser is noted.
    pub fn place<'i>(
        &mut self,
        canon: impl Into<Canon<'i>>,
        cancel: &Cancel,
    ) -> Result<u32, NoGroup> {
        let canon = canon.into();
        let (orbit, new) = self.intern(canon.image);
        if new {
            self.note_stabiliser(canon, cancel)?;
        }
        Ok(orbit)
    }

    /// As `place`, of an image whose stabiliser has this number.
    pub fn place_image(&mut self, image: &[Term], stabiliser: u32) -> u32 {
        let (orbit, new) = self.intern(image);
        if new {
            self.stabiliser.push(stabiliser);
        }
        orbit
    }

    fn note_stabiliser(&mut self, canon: Canon, cancel: &Cancel) -> Result<(), NoGroup> {
        let number = self.stabiliser_of_image(canon, cancel)?;
        self.note_approximate(self.stabiliser.len() as u32, canon.is_exact);
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
    /// `state = k (the member visited first)`.
    pub fn find<'i>(
        &mut self,
        canon: impl Into<Canon<'i>>,
        cancel: &Cancel,
    ) -> Result<(u32, u32), NoGroup> {
        let canon = canon.into();
        let (orbit, new) = self.intern(canon.image);
        if new {
            self.stabiliser.push(self.stabilisers.intern(canon.stabiliser.to_vec(), cancel)?);
            self.note_approximate(orbit, canon.is_exact);
            self.note_first(canon.element);
            return Ok((orbit, self.least_of_coset(0, self.stabiliser[orbit as usize])));
        }
        Ok((orbit, self.shift(canon.element, orbit)))
    }

    /// Notes the orbit of a state that was visited first, given the element that leads to its image and
    /// the number of its stabiliser.
    pub fn note(&mut self, image: &[Term], element: &[u32], stabiliser: u32) {
        self.place_image(image, stabiliser);
        self.note_first(element);
    }

    fn note_first(&mut self, element: &[u32]) {
        self.offsets.push(self.elements.intern(&inverse(element)));
        self.inverses.push(self.elements.intern(element));
    }

    /// The least k of its coset with `state = k (the member visited first)`, given the element that
    /// takes the state to the image of this orbit.
    pub fn shift(&mut self, element: &[u32], orbit: u32) -> u32 {
        let product = compose(&inverse(element), self.first(orbit));
        let shift = self.elements.intern(&product);
        self.least_of_coset(shift, self.stabiliser[orbit as usize])
    }

    /// The element that takes the member visited first to the canonical image of an orbit.
    pub fn first(&self, orbit: u32) -> &[u32] {
        self.elements.get(self.inverses[orbit as usize])
    }

    /// The element that takes the canonical image of an orbit to the member visited first.
    pub fn offset(&self, orbit: u32) -> &[u32] {
        self.elements.get(self.offsets[orbit as usize])
    }

    /// Generators of the stabiliser of an orbit's first member.
    pub fn fixing(&mut self, orbit: u32) -> Box<[u32]> {
        let number = self.stabiliser[orbit as usize];
        let generators = &self.stabilisers.list[number as usize].generators;
        let elements = &mut self.elements;
        let intern = || generators.iter().map(|generator| elements.intern(generator)).collect();
        self.fixing.entry(number).or_insert_with(intern).clone()
    }

    /// Generators of the stabiliser of an orbit's canonical image, if orbits were placed.
    pub fn fixing_images(&self, orbit: u32) -> &[Permutation] {
        &self.stabilisers.list[self.stabiliser[orbit as usize] as usize].generators
    }

    /// The coset of `element * shift` of the stabiliser that has this number.
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
