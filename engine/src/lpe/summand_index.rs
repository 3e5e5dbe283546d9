//! Which summands may have steps in a state.
//!
//! Every summand that has tests has one of them as its *home*, by [`Plan::new`](crate::lpe::plan::Plan).
//! For each value of a place the summands whose home test it passes are known, so that most summands
//! are never looked at; their other tests are guards like any condition. A home that compares with a
//! constant is found by the constant and nothing is evaluated: control states may be many.

use crate::data::terms::Term;
use crate::lpe::evaluator::Evaluator;
use crate::lpe::plan::{Conjunct, Plan};
use crate::lpe::store::Block;
use rustc_hash::FxHashMap;

/// A summand that may have steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate(u32);

impl Candidate {
    fn new(summand: u32, doubt: bool) -> Self {
        Self(summand << 1 | u32::from(doubt))
    }

    /// The number of the summand.
    pub fn summand(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether its home test has no truth value.
    pub fn doubt(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A test, and the summands whose home it is.
type Wanted = (Conjunct, Vec<u32>);

/// A place with the home tests that read it.
#[derive(Default)]
struct Home {
    place: u32,
    /// The summands that want the place to have a value, which is made of constructors.
    equations: FxHashMap<Term, Wanted>,
    /// All other home tests.
    conditions: Vec<Wanted>,
    /// For each value where its candidates begin and end.
    spans: Vec<(u32, u32)>,
}

/// The candidates of every value of every place.
///
/// Invariant: each span of `members` ascends, and no two that are in use are equal lists.
pub struct Candidates {
    homes: Vec<Home>,
    /// Summands without a test.
    always: Vec<Candidate>,
    members: Vec<Candidate>,
    known: FxHashMap<Box<[Candidate]>, (u32, u32)>,
}

impl Candidates {
    /// Those of a plan, for no values yet.
    pub fn new(plan: &Plan, evaluator: &mut Evaluator<'_>) -> Self {
        let mut homes: Vec<Home> =
            (0..plan.places.len() as u32).map(|place| Home { place, ..Home::default() }).collect();
        let mut always = Vec::new();
        let mut numbers: FxHashMap<(u32, Conjunct), usize> = FxHashMap::default();
        for (i, test) in (0..).zip(&plan.homes) {
            let Some(test) = test else {
                always.push(Candidate::new(i, false));
                continue;
            };
            let home = &mut homes[test.place as usize];
            // A constant may be a term that has yet to be rewritten, or has no value.
            let constant = test.constant.and_then(|constant| evaluator.value(constant));
            if let Some(value) = constant.filter(|&value| evaluator.is_built(value)) {
                home.equations.entry(value).or_insert((test.conjunct, Vec::new())).1.push(i);
                continue;
            }
            let conditions = &mut home.conditions;
            let number = *numbers.entry((test.place, test.conjunct)).or_insert_with(|| {
                conditions.push((test.conjunct, Vec::new()));
                conditions.len() - 1
            });
            conditions[number].1.push(i);
        }
        homes.retain(|home| !home.equations.is_empty() || !home.conditions.is_empty());
        Self { homes, always, members: Vec::new(), known: FxHashMap::default() }
    }

    /// Finds the candidates of values that are new.
    pub fn extend(&mut self, plan: &Plan, evaluator: &mut Evaluator<'_>) {
        let mut found = Vec::new();
        for home in &mut self.homes {
            let parameter = plan.places[home.place as usize];
            for value in home.spans.len()..evaluator.values(home.place).len() {
                let term = evaluator.values(home.place)[value];
                found.clear();
                // States of components of a network are no terms, and compared with none.
                let is_built = home.equations.is_empty() || evaluator.is_built(term);
                let mut tested = |(conjunct, summands): &Wanted| {
                    let holds = evaluator.test(*conjunct, parameter, term);
                    if holds != Some(false) {
                        found.extend(summands.iter().map(|&i| Candidate::new(i, holds.is_none())));
                    }
                };
                home.conditions.iter().for_each(&mut tested);
                // What is not made of constructors may be equal to what it is not.
                if is_built {
                    let equal = home.equations.get(&term).into_iter().flat_map(|(_, own)| own);
                    found.extend(equal.map(|&i| Candidate::new(i, false)));
                } else {
                    home.equations.values().for_each(tested);
                }
                found.sort_unstable();
                let span = match self.known.get(&found[..]) {
                    Some(&known) => known,
                    None => {
                        let start = self.members.len() as u32;
                        self.members.extend_from_slice(&found);
                        let span = (start, self.members.len() as u32);
                        self.known.insert(found[..].into(), span);
                        span
                    }
                };
                home.spans.push(span);
            }
        }
    }

    /// The candidates of a state, given by its place in a block, in the order of the summands.
    pub fn of(&self, block: &Block, at: usize, found: &mut Vec<Candidate>) {
        found.clear();
        found.extend_from_slice(&self.always);
        for home in &self.homes {
            let (start, end) = home.spans[block.column(home.place)[at] as usize];
            found.extend_from_slice(&self.members[start as usize..end as usize]);
        }
        found.sort_unstable();
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        let spans = self.homes.iter().map(|home| size_of_val(&home.spans[..]));
        spans.sum::<usize>() + size_of_val(&self.members[..]) * 2 + self.known.capacity() * 24
    }
}
