//! The representative of each orbit of states: its canonical image.

mod learning;
pub(crate) mod state;
mod strategy;
mod touched;

use crate::base::cancel::{Cancel, Stopped};
use crate::base::hash::quick;
use crate::base::ids::Id;
use crate::data::terms::Term;
use crate::group::action::Group;
use crate::group::canonical_image::{Least, Searcher};
use crate::group::compact_permutation::CompactPermutation;
use crate::group::permutation::{Permutation, inverse};
use crate::orbits::canonical_state::touched::Touched;
use crate::process::linear::stop::Stop;
use crate::symmetry_of_process::action_on::nodes::NodeAction;
use crate::symmetry_of_process::action_on::parameters::Positions;
use crate::symmetry_of_process::action_on::values::Values;
use crate::symmetry_of_process::lifting::carrier::Carrier;
use crate::symmetry_of_process::lifting::symmetry::Generator;
use num_bigint::BigUint;
use std::sync::Arc;

pub use crate::orbits::canonical_state::strategy::{MOST_ELEMENTS, Strategy};

/// The entries after the parameters in each vector: this many further values, which keep their
/// positions, and a node if there are nodes.
#[derive(Default)]
pub struct Besides {
    pub values: usize,
    pub nodes: Option<NodeAction>,
}

/// Why an image could not be computed: something has to be learned first, or the work has to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    Value(Term),
    Image(Term, Permutation),
    Rank(Term),
    Stopped(Stopped),
}

impl From<Stopped> for Missing {
    fn from(why: Stopped) -> Self {
        Self::Stopped(why)
    }
}

/// Computes canonical images of states.
///
/// This does not change the tables, so several threads can do it; missing entries are learned by
/// one thread.
pub struct Canonical<'a> {
    group: &'a Group,
    searcher: Arc<Searcher<'a>>,
    positions: Positions,
    values: Values,
    /// The nodes of a specification, if there is one: each state is then followed by a node, and
    /// both are moved together.
    nodes: Option<NodeAction>,
    /// All elements, with the parameter that each parameter gets its new value from; empty unless
    /// the strategy is [`Strategy::Enumerate`].
    elements: Vec<(Permutation, Vec<u32>)>,
    /// The number of choices after which a search is given up.
    choices: u64,
}

/// Scratch memory of one thread.
#[derive(Default)]
pub struct Scratch {
    facts: Vec<(u64, u32, u32)>,
    points: Vec<u32>,
    colours: Vec<u64>,
    sums: Vec<u64>,
    sorted: Vec<u64>,
    moved: Vec<u32>,
    key: Vec<u32>,
    touched: Touched,
    least: LeastSoFar,
}

/// The progress of comparing all images of a state. When a missing value has been learned, the
/// comparison continues from here, since it may miss as many values as the group has elements.
#[derive(Default)]
struct LeastSoFar {
    state: Vec<Term>,
    /// The number of the element whose image is compared, and the number of values compared so far.
    number: usize,
    at: usize,
    /// Whether a value of this image was less; then all values so far are those of this image.
    is_less: bool,
    image: Vec<Term>,
    /// The numbers of the elements that lead to the image.
    best: Vec<usize>,
}

impl LeastSoFar {
    /// Begins with a state, unless it is under way.
    fn begin(&mut self, state: &[Term]) {
        if (self.number, self.at) != (0, 0) && self.state == state {
            return;
        }
        self.state.clear();
        self.state.extend_from_slice(state);
        (self.number, self.at, self.is_less) = (0, 0, true);
        self.image.clear();
        self.best.clear();
    }
}

/// The number of short steps that take as long as moving a value.
const LOOK: usize = 16;

impl<'a> Canonical<'a> {
    /// The first points of `group` must be the carrier's values. The values `besides` the
    /// parameters are moved but keep their positions. Error if the strategy is to enumerate and the
    /// group has too many elements.
    pub fn new(
        group: &'a Group,
        carrier: &Carrier,
        generators: &[Generator],
        parameters: usize,
        besides: Besides,
        strategy: Strategy,
        cancel: &Cancel,
    ) -> Result<Self, Stop> {
        let Besides { values, nodes } = besides;
        let points: Vec<Permutation> =
            (0..generators.len()).map(|i| group.generator(i).into()).collect();
        let width = parameters + values + usize::from(nodes.is_some());
        let last = u32::at(parameters)..u32::at(width);
        let moved: Vec<Permutation> = (generators.iter())
            .map(|g| g.lifting.positions.iter().copied().chain(last.clone()).collect())
            .collect();
        let moved: Vec<&[u32]> = moved.iter().map(|images| &images[..]).collect();
        let positions = Positions::new(&points, &moved, group.points, width, cancel)?;
        let moves = |&x: &u32| points.iter().any(|g| g[x as usize] != x);
        let values = Values::new(carrier, (0..u32::at(group.points)).filter(moves).collect());
        let mut elements = Vec::new();
        if strategy == Strategy::Enumerate {
            if group.order() > BigUint::from(MOST_ELEMENTS) {
                let message = "the group has too many elements to enumerate".into();
                return Err(Stop::Evaluation(message, None));
            }
            let (mut images, mut unchecked) = (Vec::new(), 0);
            for element in group.elements(cancel)? {
                cancel.check_every(&mut unchecked, width)?;
                positions.images(group, &element, &mut images);
                let from = inverse(&images).into_vec();
                elements.push((element, from));
            }
        }
        let searcher = Arc::new(Searcher::new(group));
        Ok(Self { group, searcher, positions, values, nodes, elements, choices: u64::MAX })
    }

    /// Makes images approximate that are not found with this many choices: a state of the same
    /// orbit, but not always the same one.
    pub fn give_up_after(&mut self, choices: u64) {
        self.choices = choices;
    }

    /// The number of points of the group.
    pub fn points(&self) -> usize {
        self.group.points
    }

    /// Makes images depend on the content of values and not on their numbers, so that they are the
    /// same in all partitions of an exploration. Not with nodes.
    pub fn rank_by_content(&mut self) {
        self.values.rank_by_content();
    }

    /// The rank of a value by content.
    pub fn rank(&self, value: Term) -> Result<u64, Missing> {
        self.values.rank(value).ok_or(Missing::Rank(value))
    }

    /// Whether one value is greater than another.
    fn is_after(&self, left: Term, right: Term) -> Result<bool, Missing> {
        if self.values.are_ranked() {
            Ok(self.rank(left)? > self.rank(right)?)
        } else {
            Ok(left > right)
        }
    }

    /// The values of states, and their images.
    pub fn values(&mut self) -> &mut Values {
        &mut self.values
    }

    /// Begins the search for the exact canonical image of a state: returns the image if it needs no
    /// search, else prepares the scratch memory.
    pub(crate) fn begin_exact(
        &self,
        state: &[Term],
        scratch: &mut Scratch,
        cancel: &Cancel,
    ) -> Result<Option<Least>, Missing> {
        if !self.elements.is_empty() {
            return self.least(u64::MAX, state, scratch, cancel).map(Some);
        }
        self.gather(state, scratch).map(|()| None)
    }

    /// The searcher for canonical images.
    pub(crate) fn searcher(&self) -> Arc<Searcher<'a>> {
        Arc::clone(&self.searcher)
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
    fn apart<'s>(&self, state: &'s [Term]) -> (&'s [Term], Option<(&NodeAction, u32)>) {
        match (&self.nodes, state.split_last()) {
            (Some(nodes), Some((&node, values))) => (values, Some((nodes, node))),
            _ => (state, None),
        }
    }

    /// The image of a value under an element; `key` is scratch memory.
    pub fn value(&self, value: Term, element: &[u32], key: &mut Vec<u32>) -> Result<Term, Missing> {
        self.values.image(value, element, key).ok_or_else(|| match self.values.facts(value) {
            None => Missing::Value(value),
            Some(_) => Missing::Image(value, element.into()),
        })
    }

    /// The points that occur in the position and in the value of a parameter: their images
    /// determine its image. `None` if they are not known, or are most points.
    pub(crate) fn occurring(&self, parameter: u32, value: Term) -> Option<[&[u32]; 2]> {
        self.values.facts(value)?;
        let owners = self.positions.owners(parameter as usize);
        let support = self.values.support(value);
        (self.are_few(owners.len() + support.len())
            && self.positions.has_owners(parameter as usize))
        .then_some([owners, support])
    }

    /// The points that occur in a value that is in no parameter, such as an argument of a label:
    /// their images determine its image. Error if they are not known, with what has to be learned,
    /// or are most points.
    pub(crate) fn points_in(&self, value: Term) -> Result<&[u32], Option<Missing>> {
        self.values.facts(value).ok_or(Some(Missing::Value(value)))?;
        Some(self.values.support(value)).filter(|points| self.are_few(points.len())).ok_or(None)
    }

    /// Whether this number of points is at most half of all.
    fn are_few(&self, points: usize) -> bool {
        2 * points <= self.group.points
    }

    /// The position of the image of a parameter under an element, of which only the images of the
    /// points that occur in the position matter.
    pub(crate) fn position(&self, parameter: u32, element: &[u32]) -> u32 {
        self.positions.image(self.group, element, parameter, &mut None)
    }

    /// The least image of a state under all elements, or under the first `choices`.
    fn least(
        &self,
        choices: u64,
        state: &[Term],
        scratch: &mut Scratch,
        cancel: &Cancel,
    ) -> Result<Least, Missing> {
        let Scratch { key, least, .. } = scratch;
        let mut unchecked = 0;
        let tried = self.elements.len().min(usize::try_from(choices).unwrap_or(usize::MAX).max(1));
        let is_exact = tried == self.elements.len();
        least.begin(state);
        while least.number < tried {
            cancel.check_every(&mut unchecked, LOOK * state.len().max(1))?;
            let is_more = self.is_more(state, key, least)?;
            if least.is_less {
                least.best.clear();
            }
            if !is_more {
                least.best.push(least.number);
            }
            (least.number, least.at, least.is_less) = (least.number + 1, 0, false);
        }
        let (image, best) = (std::mem::take(&mut least.image), std::mem::take(&mut least.best));
        (least.number, least.at) = (0, 0);
        let element = self.elements[best[0]].0.clone();
        let back = inverse(&element);
        let mut stabiliser = Vec::with_capacity(best.len() - 1);
        for &other in &best[1..] {
            cancel.check_every(&mut unchecked, LOOK * back.len())?;
            let fixing: Vec<u32> =
                self.elements[other].0.iter().map(|&x| back[x as usize]).collect();
            stabiliser.push(CompactPermutation::of(&fixing));
        }
        Ok(Least { image, stabiliser, element, is_exact })
    }

    /// Whether the image of a state under the current element is greater than the least one so far.
    /// From the first lesser value on, it overwrites that.
    fn is_more(
        &self,
        state: &[Term],
        key: &mut Vec<u32>,
        least: &mut LeastSoFar,
    ) -> Result<bool, Missing> {
        let (values, node) = self.apart(state);
        let (element, from) = &self.elements[least.number];
        for (at, &source) in from.iter().enumerate().skip(least.at) {
            least.at = at;
            let value = match (values.get(source as usize), node) {
                (None, Some((nodes, node))) => nodes.image(node, element),
                _ => self.value(state[source as usize], element, key)?,
            };
            if !least.is_less {
                if value == least.image[at] {
                    continue;
                }
                if self.is_after(value, least.image[at])? {
                    return Ok(true);
                }
                least.is_less = true;
                least.image.truncate(at);
            }
            least.image.push(value);
        }
        Ok(false)
    }

    /// Collects the facts of a state: those with one point as colours of that point.
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
            let mut note = |relation: u64, occurrence: &[u32]| match (owners, occurrence) {
                (&[point], []) | ([], &[point]) => {
                    let colour = &mut colours[point as usize];
                    *colour = colour.wrapping_add(quick(relation, 1));
                }
                _ => {
                    let begin = u32::at(points.len());
                    points.extend_from_slice(owners);
                    points.extend_from_slice(occurrence);
                    facts.push((relation, begin, u32::at(points.len())));
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
            nodes.note(node, |relation, occurrence| match occurrence {
                &[point] => {
                    let colour = &mut colours[point as usize];
                    *colour = colour.wrapping_add(quick(relation, 1));
                }
                _ => {
                    let begin = u32::at(points.len());
                    points.extend_from_slice(occurrence);
                    facts.push((relation, begin, u32::at(points.len())));
                }
            });
        }
        Ok(())
    }
}
