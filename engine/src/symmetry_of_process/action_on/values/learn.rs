//! Computing the facts of values about the points, and the images of values.

use crate::base::hash::{bytes, quick};
use crate::base::ids::Id;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, Kind, NONE, Term};
use crate::group::permutation::{ObjectOrbit, Permutation, orbits};
use crate::process::linear::stop::Stop;
use crate::symmetry_of_process::action_on::values::{Entry, Fact, Moves, Values};
use crate::symmetry_of_process::lifting::carrier::Arrays;
use crate::symmetry_of_process::lifting::symmetry::Generator;
use rustc_hash::FxHashSet;

/// The most members of the orbit of a value of unknown structure that are visited.
const MOST_MEMBERS: usize = 1 << 12;

impl Values {
    /// Learns the image of a value.
    pub fn learn_image(
        &mut self,
        data: &mut Data,
        value: Term,
        element: &[u32],
    ) -> Result<(), Stop> {
        let &Entry { moves, is_free, .. } = self.entry(value).expect("learned before");
        self.lifting.become_that_of(&self.carrier, &element[..self.carrier.values.len()]);
        let image = self.lifting.lift(data, value)?;
        match moves {
            Moves::No | Moves::Point(_) => {}
            Moves::By(point, from) => {
                self.singles[(from + element[point as usize]) as usize] = image;
            }
            Moves::ByAll(begin, end) => {
                let mut key = Vec::new();
                self.key(value, element, begin, end, &mut key);
                self.keep_image(&key, image, !is_free);
            }
        }
        Ok(())
    }

    /// Learns the rank of a value, if values are ranked by content.
    pub fn learn_rank(&mut self, data: &Data, value: Term) -> Result<(), Stop> {
        match &mut self.ranks {
            Some(ranks) => ranks.learn(data, value).map(drop),
            None => Ok(()),
        }
    }

    /// Learns the facts of a value.
    pub fn learn(
        &mut self,
        data: &mut Data,
        generators: &mut [Generator],
        value: Term,
    ) -> Result<(), Stop> {
        // An explicit stack, as values may be nested deeply; parts are learned first.
        let mut open = vec![value];
        let (mut inside, mut keys) = (Vec::new(), Vec::new());
        let mut opened: FxHashSet<Term> = FxHashSet::default();
        while let Some(&at) = open.last() {
            if self.entry(at).is_some() {
                open.pop();
                continue;
            }
            inside.clear();
            keys.clear();
            let kind = self.kind(data, at);
            match &kind {
                Inside::Point(_) | Inside::Numeral(_) | Inside::Opaque => {}
                Inside::Parts(_) => inside.extend_from_slice(data.terms.children(at)),
                Inside::Array(arrays) => {
                    let arrays = &self.carrier.arrays[*arrays];
                    for &key in &arrays.keys {
                        if let Some(element) = arrays.element(data, at, key)? {
                            keys.push(self.points[&key]);
                            inside.push(element);
                        }
                    }
                }
            }
            let missing = open.len();
            open.extend(inside.iter().copied().filter(|&part| self.entry(part).is_none()));
            if open.len() > missing {
                if !opened.insert(at) {
                    let shown = data.terms.show_short(at);
                    let message = format!("the array `{shown}` is one of its own elements");
                    return Err(Stop::Evaluation(message, None));
                }
                continue;
            }
            open.pop();
            match kind {
                Inside::Point(point) => self.keep_point(at, point),
                Inside::Numeral(digits) => {
                    let shape = quick(NUMERAL, digits);
                    self.keep(at, shape, Vec::new(), Moves::No, true);
                }
                Inside::Parts(symbol) => self.keep_parts(at, symbol, &inside),
                Inside::Array(arrays) => self.keep_array(at, arrays, &keys, &inside),
                Inside::Opaque => self.keep_opaque(data, generators, at)?,
            }
        }
        Ok(())
    }

    fn kind(&self, data: &Data, value: Term) -> Inside {
        if let Some(&point) = self.points.get(&value) {
            return Inside::Point(point);
        }
        let symbol = match data.terms.head(value) {
            Head::Symbol(symbol) => symbol,
            Head::Numeral(_) if self.carrier.is_mapped(data.terms.sort(value)) => {
                return Inside::Opaque;
            }
            // A number that is not a point is fixed.
            Head::Numeral(_) => return Inside::Numeral(bytes(&data.terms.show(value))),
            Head::Variable(_) => return Inside::Parts(NONE),
        };
        let kind = data.terms.symbols[symbol as usize].kind;
        if kind == Kind::Placeholder && data.terms.is_inert(symbol) {
            return Inside::Parts(symbol);
        }
        let sort = data.terms.sort(value);
        if self.carrier.is_mapped(sort) {
            return Inside::Opaque;
        }
        let is_it = |arrays: &Arrays| arrays.sort == sort;
        if let Some(arrays) = self.carrier.arrays.iter().position(is_it) {
            return Inside::Array(arrays);
        }
        if data.terms.is_inert(symbol) { Inside::Parts(symbol) } else { Inside::Opaque }
    }

    fn keep(
        &mut self,
        value: Term,
        shape: u64,
        facts: Vec<(u64, Vec<u32>)>,
        moves: Moves,
        is_free: bool,
    ) {
        let begin = u32::at(self.facts.len());
        for (relation, points) in facts {
            let from = u32::at(self.listed_points.len());
            self.listed_points.extend(points);
            self.facts.push(Fact { relation, begin: from, end: u32::at(self.listed_points.len()) });
        }
        if self.numbers.len() <= value as usize {
            self.numbers.resize(value as usize + 1, NONE);
        }
        self.numbers[value as usize] = u32::at(self.entries.len());
        let facts = (begin, u32::at(self.facts.len()));
        self.entries.push(Entry { shape, facts, moves, is_free });
    }

    fn keep_point(&mut self, value: Term, point: u32) {
        let shape = quick(POINT, 0);
        self.keep(value, shape, vec![(shape, vec![point])], Moves::Point(point), true);
    }

    /// Adds a constructor term. Its facts are those of parts with several facts, and one fact that
    /// joins all others.
    fn keep_parts(&mut self, value: Term, symbol: u32, parts: &[Term]) {
        let mut shape = quick(PARTS, u64::from(symbol));
        for &part in parts {
            shape = quick(shape, self.entry(part).expect("learned before").shape);
        }
        let (mut own, mut facts) = (Vec::new(), Vec::new());
        let mut support: Vec<u32> = Vec::new();
        for (number, &part) in (1..).zip(parts) {
            let (_, known) = self.facts(part).expect("learned before");
            if let [fact] = known {
                own.extend_from_slice(self.points(fact));
            } else {
                let relation = quick(shape, number);
                let listed = known.iter();
                facts
                    .extend(listed.map(|f| (quick(relation, f.relation), self.points(f).to_vec())));
            }
            support.extend(self.support(part));
        }
        if !own.is_empty() {
            facts.push((shape, own));
        }
        support.sort_unstable();
        support.dedup();
        let is_free = parts.iter().all(|&part| self.entry(part).is_some_and(|e| e.is_free));
        if !is_free {
            support.clone_from(&self.moved);
        }
        let moves = self.moves(support);
        self.keep(value, shape, facts, moves, is_free);
    }

    /// Adds an array, with the facts of each index and its element. Its image may depend on all
    /// points.
    fn keep_array(&mut self, value: Term, arrays: usize, keys: &[u32], elements: &[Term]) {
        let shape = quick(ARRAY, arrays as u64);
        let mut facts = Vec::new();
        for (&key, &element) in keys.iter().zip(elements) {
            let (inner, known) = self.facts(element).expect("learned before");
            let relation = quick(shape, inner);
            if known.is_empty() {
                facts.push((relation, vec![key]));
            }
            for fact in known {
                let points = [&[key][..], self.points(fact)].concat();
                facts.push((quick(relation, fact.relation), points));
            }
        }
        let moves = self.moves(self.moved.clone());
        let is_free = self.carrier.arrays[arrays].free;
        self.keep(value, shape, facts, moves, is_free);
    }

    /// Adds a value whose constructors have equations, so that only its orbit is known. Its facts
    /// classify each point by its orbit under the elements that fix the value.
    fn keep_opaque(
        &mut self,
        data: &mut Data,
        generators: &mut [Generator],
        value: Term,
    ) -> Result<(), Stop> {
        let degree = self.carrier.values.len();
        let points: Vec<Permutation> =
            generators.iter().map(|generator| generator.values[..degree].into()).collect();
        let points: Vec<&[u32]> = points.iter().map(|images| &images[..]).collect();
        let image = |member: Term, generator: usize| {
            data.cancel.check()?;
            generators[generator].lifting.lift(data, member)
        };
        let ObjectOrbit { members, fixing } =
            ObjectOrbit::new(value, &points, degree, MOST_MEMBERS, image)?;
        self.opaque += 1;
        if members.len() > MOST_MEMBERS {
            let moves = self.moves(self.moved.clone());
            let sort = u64::from(data.terms.sort(value));
            self.keep(value, quick(OPAQUE, sort), Vec::new(), moves, false);
            return Ok(());
        }
        let shape = match &mut self.ranks {
            None => quick(quick(OPAQUE, 1), self.opaque),
            Some(ranks) => {
                // The facts come from the member that is first by rank, whichever member is visited
                // first.
                let mut first = (u64::MAX, value);
                for &(member, _) in &members {
                    first = first.min((ranks.learn(data, member)?, member));
                }
                if first.1 != value {
                    self.keep_opaque(data, generators, first.1)?;
                    // If the value is still unknown, generators do not permute the members, which
                    // the certificate detects.
                    if self.entry(value).is_some() {
                        return Ok(());
                    }
                }
                quick(quick(OPAQUE, 1), first.0)
            }
        };
        let several = members.len() > 1;
        let classes = orbits(degree, &fixing);
        let alone: Vec<u32> = (self.moved.iter().copied())
            .filter(|&x| fixing.iter().all(|g| g[x as usize] == x))
            .collect();
        let others = self.moved.iter().copied().filter(|x| !alone.contains(x));
        let others: Vec<u32> = others.collect();
        for (member, element) in members {
            if self.entry(member).is_some() {
                continue;
            }
            data.cancel.check()?;
            let mut facts = Vec::new();
            if several {
                let image = |&x: &u32| element[x as usize];
                if !alone.is_empty() {
                    facts.push((shape, alone.iter().map(image).collect()));
                }
                let own = |x: &u32| quick(shape, 1 + u64::from(classes[*x as usize]));
                facts.extend(others.iter().map(|x| (own(x), vec![image(x)])));
            }
            let moves = if several { self.moves(self.moved.clone()) } else { Moves::No };
            self.keep(member, shape, facts, moves, false);
        }
        Ok(())
    }

    fn moves(&mut self, support: Vec<u32>) -> Moves {
        match support[..] {
            [] => Moves::No,
            [point] => {
                let from = u32::at(self.singles.len());
                self.singles.resize(self.singles.len() + self.carrier.values.len(), NONE);
                Moves::By(point, from)
            }
            _ => {
                let begin = u32::at(self.listed_points.len());
                self.listed_points.extend(support);
                Moves::ByAll(begin, u32::at(self.listed_points.len()))
            }
        }
    }
}

/// The structure of a value.
enum Inside {
    Point(u32),
    /// The hash of its digits.
    Numeral(u64),
    /// A constructor without equations.
    Parts(u32),
    /// The number of the array sort.
    Array(usize),
    Opaque,
}

const POINT: u64 = 0x0001_0F0E_0D0C_0B0A;
const PARTS: u64 = 0x0002_1F1E_1D1C_1B1A;
const ARRAY: u64 = 0x0003_2F2E_2D2C_2B2A;
const NUMERAL: u64 = 0x0005_4F4E_4D4C_4B4A;
const OPAQUE: u64 = 0x0004_3F3E_3D3C_3B3A;
