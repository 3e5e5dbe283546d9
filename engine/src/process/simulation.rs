//! Simulation: computes the steps of one state at a time, on request.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::interner::Interner;
use crate::base::lts::Lts;
use crate::base::paths::path_to;
use crate::base::stages::Measure;
use crate::process::linear::stop::Stop;
use crate::process::linear::{Local, Process};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// A step from some state: the number of its label, and its target.
pub type Step = (u32, u32);

/// A transition system whose steps are computed on request.
pub trait Successors {
    /// Appends the steps of a state, in order and without duplicates. If a summand has more values
    /// than allowed, so that steps are missing, returns that summand.
    fn steps(&mut self, state: u32, steps: &mut Vec<Step>) -> Result<Option<usize>, Stop>;

    /// The text of a label.
    fn label(&self, label: u32) -> &[u8];
}

/// The states of a linear process, numbered as they are visited.
pub struct LinearStates<'a> {
    pub process: &'a mut Process,
    pub states: &'a mut Interner,
    /// The states whose steps led to new states, in the order of the requests.
    pub grown: &'a mut Vec<u32>,
    /// The largest number of values that the variables of one summand may take in one state.
    pub values: usize,
}

impl Successors for LinearStates<'_> {
    fn steps(&mut self, state: u32, steps: &mut Vec<Step>) -> Result<Option<usize>, Stop> {
        let process = &mut *self.process;
        let source = self.states.get(state).to_vec();
        let (mut target, mut key) = (Vec::new(), Vec::new());
        let mut seen = FxHashSet::default();
        let mut missing = None;
        // All or nothing: if rewriting fails, no target is numbered.
        let mut spans = Vec::with_capacity(process.summands.len());
        for i in 0..process.summands.len() {
            spans.push(match process.local_steps(i, &source, &mut key, self.values)? {
                Local::All(known) => process.tables[i].spans[known as usize],
                Local::Some(span) => {
                    missing = missing.or(Some(i));
                    span
                }
            });
        }
        let known = self.states.len();
        for (i, (begin, end)) in spans.into_iter().enumerate() {
            for transition in begin..end {
                let label = process.successor(i, transition, &source, &mut target);
                let step = (process.labels.texts[label as usize], self.states.intern(&target).0);
                if seen.insert(step) {
                    steps.push(step);
                }
            }
        }
        if self.states.len() > known {
            self.grown.push(state);
        }
        Ok(missing)
    }

    fn label(&self, label: u32) -> &[u8] {
        self.process.labels.labels.get(Label(label))
    }
}

/// The states of an LTS.
pub struct LtsStates<'a> {
    pub lts: &'a Lts,
    pub outgoing: &'a Outgoing,
}

impl Successors for LtsStates<'_> {
    fn steps(&mut self, state: u32, steps: &mut Vec<Step>) -> Result<Option<usize>, Stop> {
        let mut seen = FxHashSet::default();
        for &transition in self.outgoing.of(State(state)) {
            let step =
                (self.lts.label[transition as usize].0, self.lts.target[transition as usize].0);
            if seen.insert(step) {
                steps.push(step);
            }
        }
        Ok(None)
    }

    fn label(&self, label: u32) -> &[u8] {
        self.lts.labels.get(Label(label))
    }
}

/// The result of a search.
pub struct PathSearch {
    /// The path to the state found: the position of each step among those of its state, from 0.
    pub path: Option<Vec<u32>>,
    /// The number of states visited.
    pub states: usize,
    /// Whether these are all reachable states.
    pub complete: bool,
    /// A summand with too many values in one of them.
    pub missing: Option<usize>,
}

/// Searches for the nearest state with a step whose label satisfies `is_goal`: breadth first from
/// `start`, among at most `most` states. `is_goal` is called once for each label.
pub fn search(
    system: &mut dyn Successors,
    start: u32,
    most: usize,
    is_goal: &mut dyn FnMut(&[u8]) -> Result<bool>,
    cancel: &Cancel,
) -> Result<PathSearch, Stop> {
    let mut answers: FxHashMap<u32, bool> = FxHashMap::default();
    // For every state reached, the state and the position of the step that led there.
    let mut reached = FxHashMap::from_iter([(start, (start, 0))]);
    let mut waiting = vec![start];
    let (mut steps, mut current) = (Vec::new(), 0);
    let (mut complete, mut missing) = (true, None);
    let stage = cancel.stage("states", Measure::Growing);
    while current < waiting.len() {
        // One state may have as many steps as there are values.
        stage.reach(waiting.len());
        cancel.check()?;
        let state = waiting[current];
        steps.clear();
        missing = missing.or(system.steps(state, &mut steps)?);
        for &(label, _) in &steps {
            let answer = match answers.get(&label) {
                Some(&answer) => answer,
                None => {
                    cancel.check()?;
                    let answer = is_goal(system.label(label))?;
                    answers.insert(label, answer);
                    answer
                }
            };
            if answer {
                let last = |at| (at != start).then(|| reached[&at]);
                let path = Some(path_to(state, last));
                return Ok(PathSearch { path, states: waiting.len(), complete: false, missing });
            }
        }
        for (position, &(_, target)) in steps.iter().enumerate() {
            if let Entry::Vacant(new) = reached.entry(target) {
                if waiting.len() >= most {
                    complete = false;
                    break;
                }
                new.insert((state, u32::at(position)));
                waiting.push(target);
            }
        }
        current += 1;
    }
    complete &= missing.is_none();
    Ok(PathSearch { path: None, states: waiting.len(), complete, missing })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::label_table::Labels;
    use proptest::prelude::*;

    /// Distances by repeated relaxation.
    fn distances(states: u32, transitions: &[(u32, u32, u32)]) -> Vec<Option<usize>> {
        let mut distances = vec![None; states as usize];
        distances[0] = Some(0);
        for _ in 0..states {
            for &(s, _, t) in transitions {
                if let Some(d) = distances[s as usize] {
                    let known = distances[t as usize].unwrap_or(usize::MAX);
                    distances[t as usize] = Some(known.min(d + 1));
                }
            }
        }
        distances
    }

    proptest! {
        #[test]
        fn search_returns_a_shortest_path(
            transitions in prop::collection::vec((0u32..8, 0u32..3, 0u32..8), 0..24),
            goal in 0u32..3,
        ) {
            let table: Labels = ["a", "b", "c"].iter().map(|name| name.as_bytes()).collect();
            let name = table.get(Label(goal)).to_vec();
            let lts = Lts::new(
                0,
                8,
                transitions.iter().map(|r| r.0).collect(),
                transitions.iter().map(|r| r.1).collect(),
                transitions.iter().map(|r| r.2).collect(),
                table,
            )
            .unwrap();
            let outgoing = Outgoing::of_lts(&lts);
            let mut system = LtsStates { lts: &lts, outgoing: &outgoing };
            let mut is_goal = |label: &[u8]| Ok(label == name);
            let result = search(&mut system, 0, 8, &mut is_goal, &Cancel::never()).unwrap();
            let distances = distances(8, &transitions);
            let nearest = transitions
                .iter()
                .filter(|transition| transition.1 == goal)
                .filter_map(|transition| distances[transition.0 as usize])
                .min();
            prop_assert_eq!(result.path.as_ref().map(Vec::len), nearest);
            if let Some(path) = result.path {
                let mut state = 0;
                for position in path {
                    let mut steps = Vec::new();
                    system.steps(state, &mut steps).unwrap();
                    state = steps[position as usize].1;
                }
                prop_assert!(transitions.iter().any(|transition| transition.0 == state && transition.1 == goal));
            } else {
                prop_assert!(result.complete);
                prop_assert_eq!(result.states, distances.iter().flatten().count());
            }
        }
    }
}
