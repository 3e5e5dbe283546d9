//! Where formulas hold: in all states or, if only a few are queried, in those alone.

use crate::base::bitset::{Bits, States};
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::graph::Graph;
use crate::base::csr::incoming::Incoming;
use crate::base::ids::Id as _;
use crate::base::ids::{Label, State};
use crate::base::marks::Marks;
use crate::formula::{Formulas, Id, Node};
use crate::ops::tau_closure::close;

/// Only the relevant states are visited as long as the queried states, and those reached from them
/// by internal steps, are on average at most one in `SHARE` of all states per part.
const SHARE: usize = 32;

/// The largest number of states visited without evaluating all of them.
const MOST: usize = 1 << 27;

/// Up to this many queried states, only the relevant states are visited in any system.
const FEW: usize = 64;

/// Where a formula and its parts hold.
pub struct Truth<'a> {
    formulas: &'a Formulas,
    extents: Vec<Extent>,
}

#[derive(Clone, Default)]
enum Extent {
    #[default]
    Unknown,
    /// The states where it holds.
    Everywhere(States),
    /// The queried states, sorted, and the positions of those where it holds.
    Queried(Vec<State>, Bits),
}

impl Truth<'_> {
    /// Whether the truth of a formula is known in the queried states.
    pub fn knows(&self, formula: Id) -> bool {
        self.formulas.is_true(formula) || !matches!(self.extents[formula as usize], Extent::Unknown)
    }

    /// Whether a formula holds in a state that was queried.
    pub fn has(&self, formula: Id, state: State) -> bool {
        if self.formulas.is_true(formula) {
            return true;
        }
        match &self.extents[formula as usize] {
            Extent::Unknown => unreachable!("only the results of requests are known"),
            Extent::Everywhere(states) => states.has(state),
            Extent::Queried(queried, holds) => {
                let position = queried.binary_search(&state);
                holds.has(u32::at(position.expect("only the results of requests are known")))
            }
        }
    }
}

impl Formulas {
    /// Decides whether a formula holds in the given states. The result also answers for every part
    /// in those states on which the decision depends; if all states have to be evaluated, only for
    /// the formula and the parts `retained`, to save memory.
    pub fn decide(
        &self,
        graph: &Graph,
        formula: Id,
        states: &[State],
        retained: &[Id],
        cancel: &Cancel,
    ) -> Result<Truth<'_>> {
        let needed = self.needed(formula);
        let most = MOST.min(needed.len().saturating_mul(graph.states) / SHARE + FEW);
        let extents = match self.queried(graph, &needed, formula, states, most) {
            Some(queried) => self.answered(graph, &needed, queried, cancel)?,
            None => self.evaluate(graph, formula, &needed, retained, cancel)?,
        };
        Ok(Truth { formulas: self, extents })
    }

    /// For every part, the states in which its truth matters; `None` if these are more than `most`.
    fn queried(
        &self,
        graph: &Graph,
        needed: &[Id],
        formula: Id,
        states: &[State],
        most: usize,
    ) -> Option<Vec<Vec<State>>> {
        let mut marks = Marks::new(graph.states);
        let mut queried: Vec<Vec<State>> = vec![Vec::new(); self.nodes.len()];
        queried[formula as usize] = states.to_vec();
        let mut count = states.len();
        let mut walked = 0;
        for &id in needed.iter().rev() {
            let mut states = std::mem::take(&mut queried[id as usize]);
            states.sort_unstable();
            states.dedup();
            let mut query = |part: Id, states: &mut dyn Iterator<Item = State>| {
                if !self.is_true(part) {
                    let queried = &mut queried[part as usize];
                    count -= queried.len();
                    queried.extend(states);
                    count += queried.len();
                }
                count <= most
            };
            let silent = matches!(self.nodes[id as usize], Node::Until(..) | Node::Forever(_));
            let mut reached = if silent { states.clone() } else { Vec::new() };
            close(graph, &mut marks, &mut reached);
            walked += reached.len();
            let mut steps = |from: &[State], label: Label, part: Id| {
                let from = from.iter();
                query(part, &mut from.flat_map(|&s| graph.targets(s, label)).copied())
            };
            let within = match &self.nodes[id as usize] {
                Node::And(parts) => {
                    parts.iter().all(|&part| query(part, &mut states.iter().copied()))
                }
                Node::Not(part) => query(*part, &mut states.iter().copied()),
                Node::Step(label, part) => steps(&states, *label, *part),
                Node::Until(path, Some(label), goal) => {
                    steps(&reached, *label, *goal) && query(*path, &mut reached.iter().copied())
                }
                Node::Until(path, None, goal) => {
                    query(*path, &mut reached.iter().copied())
                        && query(*goal, &mut reached.iter().copied())
                }
                Node::Forever(part) => query(*part, &mut reached.iter().copied()),
            };
            if !within || walked > most {
                return None;
            }
            queried[id as usize] = states;
        }
        Some(queried)
    }

    /// Evaluates every part in the states where it matters.
    fn answered(
        &self,
        graph: &Graph,
        needed: &[Id],
        mut queried: Vec<Vec<State>>,
        cancel: &Cancel,
    ) -> Result<Vec<Extent>> {
        let mut truth = Truth { formulas: self, extents: vec![Extent::Unknown; self.nodes.len()] };
        let mut silent = SilentPart::new(graph);
        for &id in needed {
            cancel.check()?;
            let states = std::mem::take(&mut queried[id as usize]);
            let mut holds = Bits::new(states.len());
            let mut evaluate = |holding: &dyn Fn(State) -> bool| {
                for (position, &state) in (0..).zip(&states) {
                    if holding(state) {
                        holds.add(position);
                    }
                }
            };
            match &self.nodes[id as usize] {
                Node::And(parts) => {
                    evaluate(&|state| parts.iter().all(|&part| truth.has(part, state)));
                }
                Node::Not(part) => evaluate(&|state| !truth.has(*part, state)),
                Node::Step(label, part) => evaluate(&|state| {
                    graph.targets(state, *label).iter().any(|&t| truth.has(*part, t))
                }),
                Node::Until(path, label, goal) => {
                    let is_goal = |state| match label {
                        None => truth.has(*goal, state),
                        Some(label) => {
                            truth.has(*path, state)
                                && graph.targets(state, *label).iter().any(|&t| truth.has(*goal, t))
                        }
                    };
                    silent.reach(&states);
                    let holding = silent.until(&|state| truth.has(*path, state), &is_goal);
                    evaluate(&|state| holding.has(silent.position[state]));
                }
                Node::Forever(part) => {
                    silent.reach(&states);
                    let holding = silent.forever(&|state| truth.has(*part, state));
                    evaluate(&|state| holding.has(silent.position[state]));
                }
            }
            truth.extents[id as usize] = Extent::Queried(states, holds);
        }
        Ok(truth.extents)
    }

    /// Evaluates all parts in all states; retains the result for the formula and the parts
    /// `retained`.
    fn evaluate(
        &self,
        graph: &Graph,
        formula: Id,
        needed: &[Id],
        retained: &[Id],
        cancel: &Cancel,
    ) -> Result<Vec<Extent>> {
        let mut last_use: Vec<usize> = (0..self.nodes.len()).collect();
        for &id in needed {
            self.each_part(id, |part| last_use[part as usize] = id as usize);
        }
        for &id in retained.iter().chain([&formula]) {
            last_use[id as usize] = usize::MAX;
        }
        let incoming = Incoming::transitions(graph);
        let mut sets: Vec<States> = vec![States::default(); self.nodes.len()];
        for &id in needed {
            cancel.check()?;
            let set = self.states_of(graph, &incoming, &sets, id);
            sets[id as usize] = set;
            self.each_part(id, |part| {
                if last_use[part as usize] == id as usize {
                    sets[part as usize] = States::default();
                }
            });
        }
        let known = |(set, last): (States, usize)| {
            if last == usize::MAX { Extent::Everywhere(set) } else { Extent::Unknown }
        };
        Ok(sets.into_iter().zip(last_use).map(known).collect())
    }

    fn states_of(&self, graph: &Graph, incoming: &Incoming, sets: &[States], id: Id) -> States {
        let states = |holds: &dyn Fn(State) -> bool| {
            let mut set = States::new(graph.states);
            graph.each_state().filter(|&state| holds(state)).for_each(|state| {
                set.add(state);
            });
            set
        };
        let silent = |state| graph.tau.map_or(&[][..], |tau| incoming.with_label(state, tau));
        let leads = |state, label, goal: &States| {
            graph.targets(state, label).iter().any(|&target| goal.has(target))
        };
        match &self.nodes[id as usize] {
            Node::And(parts) => {
                states(&|state| parts.iter().all(|&part| sets[part as usize].has(state)))
            }
            Node::Not(part) => states(&|state| !sets[*part as usize].has(state)),
            Node::Step(label, part) => states(&|state| leads(state, *label, &sets[*part as usize])),
            Node::Until(path, label, goal) => {
                let (path, goal) = (&sets[*path as usize], &sets[*goal as usize]);
                let mut fixed = match label {
                    None => goal.clone(),
                    Some(a) => states(&|state| path.has(state) && leads(state, *a, goal)),
                };
                let mut waiting: Vec<State> = fixed.iter().collect();
                while let Some(state) = waiting.pop() {
                    for &(_, source) in silent(state) {
                        if path.has(source) && fixed.add(source) {
                            waiting.push(source);
                        }
                    }
                }
                fixed
            }
            Node::Forever(part) => {
                let mut fixed = sets[*part as usize].clone();
                let Some(tau) = graph.tau else { return States::new(graph.states) };
                let stays = |state, fixed: &States| leads(state, tau, fixed);
                let mut waiting: Vec<State> =
                    fixed.iter().filter(|&state| !stays(state, &fixed)).collect();
                waiting.iter().for_each(|&state| fixed.remove(state));
                while let Some(state) = waiting.pop() {
                    for &(_, source) in silent(state) {
                        if fixed.has(source) && !stays(source, &fixed) {
                            fixed.remove(source);
                            waiting.push(source);
                        }
                    }
                }
                fixed
            }
        }
    }
}

/// Some states and all that internal steps reach from them.
struct SilentPart<'a> {
    graph: &'a Graph,
    incoming: Incoming,
    marks: Marks,
    states: Vec<State>,
    /// The position of each of these states in `states`.
    position: Vec<u32>,
}

impl<'a> SilentPart<'a> {
    fn new(graph: &'a Graph) -> Self {
        let (marks, position) = (Marks::new(graph.states), vec![0; graph.states]);
        Self { graph, incoming: Incoming::transitions(graph), marks, states: Vec::new(), position }
    }

    fn reach(&mut self, from: &[State]) {
        self.states.clear();
        self.states.extend_from_slice(from);
        close(self.graph, &mut self.marks, &mut self.states);
        for (at, &state) in (0..).zip(self.states.iter()) {
            self.position[state] = at;
        }
    }

    /// The positions of states with an internal step to the state at `target`.
    fn sources(&self, target: u32) -> impl Iterator<Item = u32> {
        let target = self.states[target as usize];
        let steps = self.graph.tau.map_or(&[][..], |tau| self.incoming.with_label(target, tau));
        let position = |&(_, source): &(Label, State)| {
            let at = self.position[source];
            (self.states.get(at as usize) == Some(&source)).then_some(at)
        };
        steps.iter().filter_map(position)
    }

    fn positions(&self, holds: &dyn Fn(State) -> bool) -> Bits {
        let mut positions = Bits::new(self.states.len());
        for (at, &state) in (0..).zip(&self.states) {
            if holds(state) {
                positions.add(at);
            }
        }
        positions
    }

    /// The positions of states from which internal steps from states of `path` lead to one of
    /// `goal`.
    fn until(&self, path: &dyn Fn(State) -> bool, goal: &dyn Fn(State) -> bool) -> Bits {
        let mut reached = self.positions(goal);
        let mut waiting: Vec<u32> = reached.iter().collect();
        while let Some(target) = waiting.pop() {
            for source in self.sources(target) {
                if path(self.states[source as usize]) && reached.add(source) {
                    waiting.push(source);
                }
            }
        }
        reached
    }

    /// The positions of states with an infinite sequence of internal steps through states of
    /// `holds`.
    fn forever(&self, holds: &dyn Fn(State) -> bool) -> Bits {
        let mut states = self.positions(holds);
        let mut left = vec![0u32; self.states.len()];
        for target in states.iter() {
            self.sources(target).for_each(|source| left[source as usize] += 1);
        }
        let mut waiting: Vec<u32> = states.iter().filter(|&at| left[at as usize] == 0).collect();
        waiting.iter().for_each(|&at| states.remove(at));
        while let Some(target) = waiting.pop() {
            for source in self.sources(target) {
                left[source as usize] -= 1;
                if left[source as usize] == 0 && states.has(source) {
                    states.remove(source);
                    waiting.push(source);
                }
            }
        }
        states
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn formulas() -> impl Strategy<Value = Vec<(u8, u32, u32)>> {
        prop::collection::vec((0u8..6, 0u32..1000, 0u32..1000), 1..12)
    }

    /// Builds a formula bottom-up: each part refers to earlier ones.
    fn built(parts: &[(u8, u32, u32)]) -> (Formulas, Id) {
        let mut formulas = Formulas::default();
        let mut known = vec![formulas.truth()];
        for &(kind, x, y) in parts {
            let [left, right] = [x, y].map(|at| known[at as usize % known.len()]);
            known.push(match kind {
                0 => formulas.and([left, right]),
                1 => formulas.not(left),
                2 => formulas.step(Label(y % 3), left),
                3 => formulas.until(left, None, right),
                4 => formulas.until(left, Some(Label(1 + y % 2)), right),
                _ => formulas.forever(left),
            });
        }
        let last = known[known.len() - 1];
        (formulas, last)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn truth_in_queried_states_agrees_with_all_states(
            transitions in prop::collection::vec((0u32..6, 0u32..3, 0u32..6), 0..16),
            parts in formulas(),
            state in 0u32..6,
        ) {
            let state = State(state);
            let graph = Graph::of_numbers(6, 3, Some(Label(0)), &transitions);
            let (formulas, formula) = built(&parts);
            let needed = formulas.needed(formula);
            let queried = formulas.queried(&graph, &needed, formula, &[state], usize::MAX);
            let cancel = &Cancel::never();
            let extents = formulas.answered(&graph, &needed, queried.unwrap(), cancel).unwrap();
            let some = Truth { formulas: &formulas, extents };
            let extents = formulas.evaluate(&graph, formula, &needed, &needed, cancel).unwrap();
            let every = Truth { formulas: &formulas, extents };
            prop_assert_eq!(some.has(formula, state), every.has(formula, state));
            if every.has(formula, state) {
                let run = formulas.run(&graph, &some, formula, state);
                prop_assert_eq!(run, formulas.run(&graph, &every, formula, state));
            }
        }
    }
}
