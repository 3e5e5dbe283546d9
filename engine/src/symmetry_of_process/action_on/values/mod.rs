//! The action of a permutation group on values: how points occur in them, and their images.
//!
//! The occurrences of points in a value are a list of *facts*, each a relation and a list of
//! points: `pair(p1,p2)` is one fact, an array has one for each index. The facts of the image of a
//! value are the images of its facts, so refining colours by facts is equivariant.
//!
//! This file stores what is known, for all threads to read; `learn` computes it.

pub mod learn;
pub mod ranks;

use crate::base::interner::Interner;
use crate::data::terms::{NONE, Term};
use crate::group::permutation::{Permutation, identity};
use crate::symmetry_of_process::action_on::values::ranks::Ranks;
use crate::symmetry_of_process::lifting::Lifting;
use crate::symmetry_of_process::lifting::carrier::Carrier;
use rustc_hash::FxHashMap;

/// A fact: a relation that contains these points, in this order.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    pub relation: u64,
    begin: u32,
    end: u32,
}

/// The stored data of one value.
#[derive(Clone, Copy)]
struct Entry {
    /// A hash of the value without its points.
    shape: u64,
    facts: (u32, u32),
    moves: Moves,
    /// Whether the image of the value under an element is determined by the images of the points:
    /// the value is built from constructors without equations only, or is an array that is known to
    /// be permuted as if it were.
    is_free: bool,
}

/// How the image of a value is found.
#[derive(Clone, Copy)]
enum Moves {
    /// The value is fixed.
    No,
    /// The value is this point.
    Point(u32),
    /// By the image of this point: `singles` has the images, from this position on.
    By(u32, u32),
    /// By the images of the points in this range of `listed_points`.
    ByAll(u32, u32),
}

/// The values visited so far, and their images.
pub struct Values {
    carrier: Carrier,
    points: FxHashMap<Term, u32>,
    /// The points that are moved; images of values with unknown structure may depend on all of
    /// them.
    moved: Vec<u32>,
    /// For every term its number in `entries`, else `NONE`.
    numbers: Vec<u32>,
    entries: Vec<Entry>,
    facts: Vec<Fact>,
    /// The points of facts, and the points that images depend on.
    listed_points: Vec<u32>,
    singles: Vec<Term>,
    /// Values with the images of the points that their images depend on; `images` has the image of
    /// each key.
    keys: Interner,
    images: Vec<Term>,
    /// The numbers in `keys` of values that are not free, in the order in which they were learned.
    used: Vec<u32>,
    /// The number of orbits of values with unknown structure.
    opaque: u64,
    lifting: Lifting,
    /// Ranks by content, if results must not depend on the numbers of values.
    ranks: Option<Ranks>,
}

impl Values {
    /// No values yet; the values of the carrier are the first points, and `moved` are the points
    /// that are moved.
    pub fn new(carrier: &Carrier, moved: Vec<u32>) -> Self {
        let points = carrier.values.iter().copied().zip(0..).collect();
        let values = carrier.values.len();
        Self {
            carrier: carrier.clone(),
            points,
            moved: moved.into_iter().filter(|&point| (point as usize) < values).collect(),
            numbers: Vec::new(),
            entries: Vec::new(),
            facts: Vec::new(),
            listed_points: Vec::new(),
            singles: Vec::new(),
            keys: Interner::default(),
            images: Vec::new(),
            used: Vec::new(),
            opaque: 0,
            lifting: Lifting::new(carrier, &identity(values), Permutation::default()),
            ranks: None,
        }
    }

    /// Makes all results depend on the content of values, instead of on the order in which they are
    /// visited.
    pub fn rank_by_content(&mut self) {
        self.ranks = Some(Ranks::default());
    }

    /// Whether values are ranked by content.
    pub fn are_ranked(&self) -> bool {
        self.ranks.is_some()
    }

    /// The rank of a value among all by content; `None` if it has to be learned first.
    pub fn rank(&self, value: Term) -> Option<u64> {
        self.ranks.as_ref()?.of(value)
    }

    fn entry(&self, value: Term) -> Option<&Entry> {
        let number = *self.numbers.get(value as usize)?;
        (number != NONE).then(|| &self.entries[number as usize])
    }

    /// The shape and the facts of a value; `None` if it has to be learned first.
    pub fn facts(&self, value: Term) -> Option<(u64, &[Fact])> {
        let entry = self.entry(value)?;
        Some((entry.shape, &self.facts[entry.facts.0 as usize..entry.facts.1 as usize]))
    }

    /// The shape of a learned value and its facts, moved by an element if given, in sorted order.
    pub fn facts_of(&self, value: Term, element: Option<&[u32]>) -> (u64, Vec<(u64, Vec<u32>)>) {
        let (shape, facts) = self.facts(value).expect("learned before");
        let moved = |&point: &u32| element.map_or(point, |images| images[point as usize]);
        let mut listed: Vec<(u64, Vec<u32>)> = (facts.iter())
            .map(|fact| (fact.relation, self.points(fact).iter().map(moved).collect()))
            .collect();
        listed.sort_unstable();
        (shape, listed)
    }

    /// The points of a fact.
    pub fn points(&self, fact: &Fact) -> &[u32] {
        &self.listed_points[fact.begin as usize..fact.end as usize]
    }

    /// The image of a value; `None` if it has to be learned first. `key` is scratch memory.
    pub fn image(&self, value: Term, element: &[u32], key: &mut Vec<u32>) -> Option<Term> {
        match self.entry(value)?.moves {
            Moves::No => Some(value),
            Moves::Point(point) => Some(self.carrier.values[element[point as usize] as usize]),
            Moves::By(point, from) => {
                let image = self.singles[(from + element[point as usize]) as usize];
                (image != NONE).then_some(image)
            }
            Moves::ByAll(begin, end) => {
                self.key(value, element, begin, end, key);
                self.keys.find(key).map(|number| self.images[number as usize])
            }
        }
    }

    fn key(&self, value: Term, element: &[u32], begin: u32, end: u32, key: &mut Vec<u32>) {
        key.clear();
        key.push(value);
        let points = &self.listed_points[begin as usize..end as usize];
        key.extend(points.iter().map(|&point| element[point as usize]));
    }

    /// The values that are not free: they contain constructors with equations.
    pub fn unfree(&self) -> Vec<Term> {
        let known = (0..).zip(&self.numbers).filter(|&(_, &number)| number != NONE);
        known.filter(|&(_, &n)| !self.entries[n as usize].is_free).map(|(v, _)| v).collect()
    }

    /// The learned images of these values: value, element on the carrier, image.
    pub fn unfree_images(&self) -> impl Iterator<Item = (Term, Permutation, Term)> {
        let degree = self.carrier.values.len();
        self.used_images(0).map(move |(value, points, image)| {
            let mut element = identity(degree);
            for (&point, &moved) in self.support(value).iter().zip(points) {
                element[point as usize] = moved;
            }
            (value, element, image)
        })
    }

    /// The images that were learned as the `from`th or later, in the order of learning. An element
    /// is given by the images of the points that the image depends on.
    pub fn used_images(&self, from: usize) -> impl Iterator<Item = (Term, &[u32], Term)> {
        self.used[from..].iter().map(|&number| {
            let key = self.keys.get(number);
            (key[0], &key[1..], self.images[number as usize])
        })
    }

    /// The number of learned images of these values.
    pub fn used(&self) -> usize {
        self.used.len()
    }

    /// Adds an image of a learned value that was learned elsewhere; returns false if this value has
    /// no images of that kind.
    pub fn use_image(&mut self, value: Term, points: &[u32], image: Term) -> bool {
        let fits = matches!(self.entry(value), Some(Entry { moves: Moves::ByAll(begin, end), .. })
            if (end - begin) as usize == points.len());
        if fits {
            self.keep_image(&[&[value], points].concat(), image, true);
        }
        fits
    }

    /// Adds the image of a value under elements that move the points of its support as in `key`.
    fn keep_image(&mut self, key: &[u32], image: Term, is_used: bool) {
        let (number, is_new) = self.keys.intern(key);
        if !is_new {
            self.images[number as usize] = image;
            return;
        }
        self.images.push(image);
        if is_used {
            self.used.push(number);
        }
    }

    /// The points that the image of a learned value depends on.
    pub fn support(&self, value: Term) -> &[u32] {
        match &self.entry(value).expect("learned before").moves {
            Moves::No => &[],
            Moves::Point(point) | Moves::By(point, _) => std::slice::from_ref(point),
            &Moves::ByAll(begin, end) => &self.listed_points[begin as usize..end as usize],
        }
    }
}
