//! What a permutation group does to values: where its points occur in them, and their images.
//!
//! What a value says of the points is a list of *facts*, each a relation and a row of points:
//! `pair(p1,p2)` is one, an array one for each index. The facts of the image of a value are the
//! images of its facts; so colours that are refined by facts are the same, moved, for a moved state.
//!
//! Here is what is known, for all threads to read; `learn` finds it out.

pub mod learn;
pub mod ranks;

use crate::data::terms::{NONE, Term};
use crate::group::permutation::{Permutation, identity};
use crate::orbit_exploration::action_on::values::ranks::Ranks;
use crate::orbit_exploration::lifting::Lifting;
use crate::orbit_exploration::lifting::carrier::Carrier;
use rustc_hash::FxHashMap;

/// A relation that some points are in, in this order.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    pub relation: u64,
    begin: u32,
    end: u32,
}

/// What is known of one value.
#[derive(Clone, Copy)]
struct Entry {
    /// The value without its points.
    shape: u64,
    facts: (u32, u32),
    moves: Moves,
    /// Whether it is built by constructors without equations only, or an array known to be permuted
    /// as arrays are, so that what the elements of a
    /// group do to it is what they do to the points.
    is_free: bool,
}

/// How the image of a value is found.
#[derive(Clone, Copy)]
enum Moves {
    /// It is its own image.
    No,
    /// It is this point.
    Point(u32),
    /// Its image depends on that of one point and stands, by that, in `singles` from there on.
    By(u32, u32),
    /// Its image depends on those of points, which begin and end there.
    ByAll(u32, u32),
}

/// The values visited so far, and their images.
pub struct Values {
    carrier: Carrier,
    points: FxHashMap<Term, u32>,
    /// What all of the group's elements do to may depend on these.
    moved: Vec<u32>,
    /// For every term its number in `entries`, else `NONE`.
    numbers: Vec<u32>,
    entries: Vec<Entry>,
    facts: Vec<Fact>,
    /// The points of facts, and those that images depend on.
    rows: Vec<u32>,
    singles: Vec<Term>,
    images: FxHashMap<Box<[u32]>, Term>,
    /// The keys of those that are of values with constructors with equations, in order.
    used: Vec<Box<[u32]>>,
    /// The orbits of values of which nothing is known: how many there are.
    opaque: u64,
    lifting: Lifting,
    /// Where all that is found has to be the same wherever values have other numbers.
    ranks: Option<Ranks>,
}

impl Values {
    /// Of this carrier, whose values are the first points; `moved` are those that move.
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
            rows: Vec::new(),
            singles: Vec::new(),
            images: FxHashMap::default(),
            used: Vec::new(),
            opaque: 0,
            lifting: Lifting::new(carrier, &identity(values), Permutation::default()),
            ranks: None,
        }
    }

    /// From now on what is found depends on what values are, and not on which were visited first.
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

    /// The value without its points and what it says of them; `None` if it has to be learned first.
    pub fn facts(&self, value: Term) -> Option<(u64, &[Fact])> {
        let entry = self.entry(value)?;
        Some((entry.shape, &self.facts[entry.facts.0 as usize..entry.facts.1 as usize]))
    }

    /// What a learned value is without its points, and what it says of them, moved by an element; in
    /// an order that does not depend on how it is built.
    pub fn facts_of(&self, value: Term, element: Option<&[u32]>) -> (u64, Vec<(u64, Vec<u32>)>) {
        let (shape, facts) = self.facts(value).expect("learned before");
        let moved = |&point: &u32| element.map_or(point, |images| images[point as usize]);
        let mut rows: Vec<(u64, Vec<u32>)> = (facts.iter())
            .map(|fact| (fact.relation, self.points(fact).iter().map(moved).collect()))
            .collect();
        rows.sort_unstable();
        (shape, rows)
    }

    /// The points of a fact.
    pub fn points(&self, fact: &Fact) -> &[u32] {
        &self.rows[fact.begin as usize..fact.end as usize]
    }

    /// The image of a value; `None` if it has to be learned first. `key` is scratch.
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
                self.images.get(&key[..]).copied()
            }
        }
    }

    fn key(&self, value: Term, element: &[u32], begin: u32, end: u32, key: &mut Vec<u32>) {
        key.clear();
        key.push(value);
        let points = &self.rows[begin as usize..end as usize];
        key.extend(points.iter().map(|&point| element[point as usize]));
    }

    /// The values that constructors with equations are in.
    pub fn unfree(&self) -> Vec<Term> {
        let known = (0..).zip(&self.numbers).filter(|&(_, &number)| number != NONE);
        known.filter(|&(_, &n)| !self.entries[n as usize].is_free).map(|(v, _)| v).collect()
    }

    /// The images of those values that were learned: value, element on the carrier, image.
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

    /// The same from one on, in the order in which they were learned; of the element the images of
    /// those points that the image depends on.
    pub fn used_images(&self, from: usize) -> impl Iterator<Item = (Term, &[u32], Term)> {
        self.used[from..].iter().map(|key| (key[0], &key[1..], self.images[key]))
    }

    /// How many these are.
    pub fn used(&self) -> usize {
        self.used.len()
    }

    /// Has an image of a learned value used, as it was where it was learned; false if it has no images
    /// of that kind.
    pub fn use_image(&mut self, value: Term, points: &[u32], image: Term) -> bool {
        let fits = matches!(self.entry(value), Some(Entry { moves: Moves::ByAll(begin, end), .. })
            if (end - begin) as usize == points.len());
        let key: Box<[u32]> = [value].into_iter().chain(points.iter().copied()).collect();
        if fits && self.images.insert(key.clone(), image).is_none() {
            self.used.push(key);
        }
        fits
    }

    /// The points that the image of a value depends on.
    fn support(&self, value: Term) -> &[u32] {
        match &self.entry(value).expect("learned before").moves {
            Moves::No => &[],
            Moves::Point(point) | Moves::By(point, _) => std::slice::from_ref(point),
            &Moves::ByAll(begin, end) => &self.rows[begin as usize..end as usize],
        }
    }
}
