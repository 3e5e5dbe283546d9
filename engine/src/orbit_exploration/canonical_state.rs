//! One representative of each orbit of states: its canonical image.

use crate::base::hash::quick;
use crate::data::terms::Term;
use crate::group::action::Group;
use crate::group::canonical_image::{Least, Object, Searcher};
use crate::group::permutation::{Permutation, identity, inverse};
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::action_on::nodes::Nodes;
use crate::orbit_exploration::action_on::parameters::Positions;
use crate::orbit_exploration::action_on::values::Values;
use crate::orbit_exploration::lifting::carrier::Carrier;
use crate::orbit_exploration::lifting::symmetry::Generator;
use num_bigint::BigUint;
use std::cmp::Ordering;

/// How the image is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The least image under all elements of the group.
    Enumerate,
    /// Points are sorted by their colours, which are refined and, for ties, individualised.
    Refine,
}

impl Strategy {
    /// The one that suits a group.
    pub fn suited(group: &Group) -> Self {
        let is_small = group.order() <= BigUint::from(FEW_ELEMENTS);
        if is_small && !Searcher::new(group).is_symmetric() {
            Self::Enumerate
        } else {
            Self::Refine
        }
    }
}

/// So few images are compared faster than points are sorted.
const FEW_ELEMENTS: u32 = 64;
/// The elements that may be enumerated.
pub const MOST_ELEMENTS: u32 = 1 << 16;

/// What stands behind the parameters of each state: so many values, and one of these nodes, if there
/// are any.
#[derive(Default)]
pub struct Besides {
    pub values: usize,
    pub nodes: Option<Nodes>,
}

/// What has to be learned before the image can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    Value(Term),
    Image(Term, Permutation),
    Rank(Term),
}

/// Finds canonical images of states.
///
/// Finding changes nothing, so that several threads can do it; what is missing is learned by one.
pub struct Canonical<'a> {
    group: &'a Group,
    searcher: Searcher<'a>,
    positions: Positions,
    values: Values,
    /// The nodes of a specification, if there is one: then states have a node behind their values, and
    /// all of it is moved together.
    nodes: Option<Nodes>,
    /// All elements, with where the new value of each parameter comes from.
    elements: Vec<(Permutation, Vec<u32>)>,
}

/// Scratch space of one thread.
#[derive(Default)]
pub struct Scratch {
    facts: Vec<(u64, u32, u32)>,
    points: Vec<u32>,
    colours: Vec<u64>,
    sums: Vec<u64>,
    sorted: Vec<u64>,
    moved: Vec<u32>,
    key: Vec<u32>,
}

impl<'a> Canonical<'a> {
    /// `group` has the carrier's values as its first points; it is an error if the strategy is to
    /// enumerate too many elements. What stands `besides` the parameters stays in its place.
    pub fn new(
        group: &'a Group,
        carrier: &Carrier,
        generators: &[Generator],
        parameters: usize,
        besides: Besides,
        strategy: Strategy,
    ) -> Result<Self, Stop> {
        let Besides { values, nodes } = besides;
        let points: Vec<Permutation> =
            (0..generators.len()).map(|i| group.generator(i).into()).collect();
        let width = parameters + values + usize::from(nodes.is_some());
        let last = parameters as u32..width as u32;
        let moved: Vec<Permutation> = (generators.iter())
            .map(|g| g.lifting.positions.iter().copied().chain(last.clone()).collect())
            .collect();
        let moved: Vec<&[u32]> = moved.iter().map(|images| &images[..]).collect();
        let positions = Positions::new(&points, &moved, group.points, width);
        let moves = |&x: &u32| points.iter().any(|g| g[x as usize] != x);
        let values = Values::new(carrier, (0..group.points as u32).filter(moves).collect());
        let mut elements = Vec::new();
        if strategy == Strategy::Enumerate {
            if group.order() > BigUint::from(MOST_ELEMENTS) {
                let message = "the group has too many elements to enumerate".into();
                return Err(Stop::Evaluation(message, None));
            }
            let mut images = Vec::new();
            for element in group.elements() {
                positions.images(group, &element, &mut images);
                let from = inverse(&images).into_vec();
                elements.push((element, from));
            }
        }
        let searcher = Searcher::new(group);
        Ok(Self { group, searcher, positions, values, nodes, elements })
    }

    /// How many points the group has.
    pub fn points(&self) -> usize {
        self.group.points
    }

    /// Learns what was missing.
    pub fn learn(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
        missing: Missing,
    ) -> Result<(), Stop> {
        match missing {
            Missing::Value(value) => self.values.learn(&mut process.data, generators, value),
            Missing::Image(value, element) => {
                self.values.learn_image(&mut process.data, value, &element)
            }
            Missing::Rank(value) => self.values.learn_rank(&process.data, value),
        }
    }

    /// Images are chosen by what values are, and not by their numbers, from now on: they are the same
    /// wherever values have other numbers. There are no nodes beside the values.
    pub fn rank_by_content(&mut self) {
        self.values.rank_by_content();
    }

    /// Where a value stands among all, if ranked by content.
    pub fn rank(&self, value: Term) -> Result<u64, Missing> {
        self.values.rank(value).ok_or(Missing::Rank(value))
    }

    /// Whether one value comes after another one.
    fn is_after(&self, one: Term, other: Term) -> Result<bool, Missing> {
        if self.values.are_ranked() {
            Ok(self.rank(one)? > self.rank(other)?)
        } else {
            Ok(one > other)
        }
    }

    /// The values of states, with images of them that were used.
    pub fn values(&mut self) -> &mut Values {
        &mut self.values
    }

    /// The canonical image of a state, for which is learned what is missing.
    pub fn learn_least(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
        state: &[Term],
        scratch: &mut Scratch,
    ) -> Result<Least, Stop> {
        loop {
            match self.find(state, scratch) {
                Ok(least) => return Ok(least),
                Err(missing) => self.learn(process, generators, missing)?,
            }
        }
    }

    /// The canonical image of a state.
    pub fn find(&self, state: &[Term], scratch: &mut Scratch) -> Result<Least, Missing> {
        if self.group.generators.is_empty() {
            let element = identity(self.group.points);
            return Ok(Least { image: state.to_vec(), element, stabiliser: Vec::new() });
        }
        if !self.elements.is_empty() {
            return self.least(state, scratch);
        }
        self.gather(state, scratch)?;
        self.searcher.find(&[], &mut State { canonical: self, state, scratch })
    }

    /// The image of a state under an element.
    pub fn image(
        &self,
        state: &[Term],
        element: &[u32],
        scratch: &mut Scratch,
        image: &mut Vec<Term>,
    ) -> Result<(), Missing> {
        let Scratch { moved, key, .. } = scratch;
        self.positions.images(self.group, element, moved);
        image.clear();
        image.resize(state.len(), 0);
        let (values, node) = self.apart(state);
        for (&value, &to) in values.iter().zip(&*moved) {
            image[to as usize] = self.value(value, element, key)?;
        }
        if let Some((nodes, node)) = node {
            image[values.len()] = nodes.image(node, element);
        }
        Ok(())
    }

    /// The values of a state, and its node, if it has one.
    fn apart<'s>(&self, state: &'s [Term]) -> (&'s [Term], Option<(&Nodes, u32)>) {
        match (&self.nodes, state.split_last()) {
            (Some(nodes), Some((&node, values))) => (values, Some((nodes, node))),
            _ => (state, None),
        }
    }

    /// The image of a value under an element; `key` is scratch.
    pub fn value(&self, value: Term, element: &[u32], key: &mut Vec<u32>) -> Result<Term, Missing> {
        self.values.image(value, element, key).ok_or_else(|| match self.values.facts(value) {
            None => Missing::Value(value),
            Some(_) => Missing::Image(value, element.into()),
        })
    }

    /// The least image, by trying all elements.
    fn least(&self, state: &[Term], scratch: &mut Scratch) -> Result<Least, Missing> {
        let key = &mut scratch.key;
        let (values, node) = self.apart(state);
        let mut image: Vec<Term> = Vec::with_capacity(state.len());
        let mut best: Vec<usize> = Vec::new();
        for (number, (element, from)) in self.elements.iter().enumerate() {
            // Once it is less, it is written over the least so far.
            let mut is_less = best.is_empty();
            let mut is_more = false;
            for (at, &source) in from.iter().enumerate() {
                let value = match (values.get(source as usize), node) {
                    (None, Some((nodes, node))) => nodes.image(node, element),
                    _ => self.value(state[source as usize], element, key)?,
                };
                if is_less {
                    image.truncate(at);
                    image.push(value);
                } else if value != image[at] {
                    is_more = self.is_after(value, image[at])?;
                    if is_more {
                        break;
                    }
                    is_less = true;
                    image.truncate(at);
                    image.push(value);
                }
            }
            if is_less {
                best.clear();
            }
            if !is_more {
                best.push(number);
            }
        }
        let element = self.elements[best[0]].0.clone();
        let back = inverse(&element);
        let fixing = best[1..].iter().map(|&other| {
            self.elements[other].0.iter().map(|&x| back[x as usize]).collect::<Permutation>()
        });
        Ok(Least { image, stabiliser: fixing.collect(), element })
    }

    /// Notes what a state says of the points: facts of one point as colours.
    fn gather(&self, state: &[Term], scratch: &mut Scratch) -> Result<(), Missing> {
        let Scratch { facts, points, colours, .. } = scratch;
        facts.clear();
        points.clear();
        colours.clear();
        colours.resize(self.group.points, 0);
        let (values, node) = self.apart(state);
        for (parameter, &value) in values.iter().enumerate() {
            let (shape, known) = self.values.facts(value).ok_or(Missing::Value(value))?;
            let owners = self.positions.owners(parameter);
            if known.is_empty() && owners.is_empty() {
                continue;
            }
            let kind = quick(self.positions.kind(parameter), shape);
            let mut note = |relation: u64, row: &[u32]| match (owners, row) {
                (&[point], []) | ([], &[point]) => {
                    let colour = &mut colours[point as usize];
                    *colour = colour.wrapping_add(quick(relation, 1));
                }
                _ => {
                    let begin = points.len() as u32;
                    points.extend_from_slice(owners);
                    points.extend_from_slice(row);
                    facts.push((relation, begin, points.len() as u32));
                }
            };
            if known.is_empty() {
                note(kind, &[]);
            }
            for fact in known {
                note(quick(kind, fact.relation), self.values.points(fact));
            }
        }
        if let Some((nodes, node)) = node {
            nodes.note(node, |relation, row| match row {
                &[point] => {
                    let colour = &mut colours[point as usize];
                    *colour = colour.wrapping_add(quick(relation, 1));
                }
                _ => {
                    let begin = points.len() as u32;
                    points.extend_from_slice(row);
                    facts.push((relation, begin, points.len() as u32));
                }
            });
        }
        Ok(())
    }
}

/// A state with what was gathered about it.
struct State<'a, 'b> {
    canonical: &'a Canonical<'b>,
    state: &'a [Term],
    scratch: &'a mut Scratch,
}

impl Object for State<'_, '_> {
    type Image = Vec<Term>;
    type Trouble = Missing;

    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Missing> {
        let Scratch { facts, points, colours: own, sums, sorted, .. } = &mut *self.scratch;
        for (colour, &own) in colours.iter_mut().zip(&*own) {
            *colour = quick(*colour, own);
        }
        if facts.is_empty() {
            return Ok(());
        }
        let mut classes = 0;
        loop {
            sorted.clear();
            sorted.extend_from_slice(colours);
            sorted.sort_unstable();
            sorted.dedup();
            if sorted.len() == classes || sorted.len() == colours.len() {
                return Ok(());
            }
            classes = sorted.len();
            sums.clear();
            sums.resize(colours.len(), 0);
            for &(relation, begin, end) in &*facts {
                let row = &points[begin as usize..end as usize];
                let all = row.iter().fold(relation, |all, &x| quick(all, colours[x as usize]));
                for (place, &x) in (1..).zip(row) {
                    sums[x as usize] = sums[x as usize].wrapping_add(quick(all, place));
                }
            }
            for (colour, &sum) in colours.iter_mut().zip(&*sums) {
                *colour = quick(*colour, sum);
            }
        }
    }

    fn image(&mut self, element: &[u32], image: &mut Vec<u32>) -> Result<(), Missing> {
        self.canonical.image(self.state, element, self.scratch, image)
    }

    fn compare(&self, one: &Vec<u32>, other: &Vec<u32>) -> Result<Ordering, Missing> {
        match one.iter().zip(other).find(|(value, other)| value != other) {
            Some((&value, &other)) if self.canonical.is_after(value, other)? => {
                Ok(Ordering::Greater)
            }
            Some(_) => Ok(Ordering::Less),
            None => Ok(Ordering::Equal),
        }
    }
}
