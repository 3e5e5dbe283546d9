//! Branching simulation.
//!
//! The greatest relation R such that `p R q` implies, for every step of p to p' with a label a:
//! either a is internal and p' R q, or q reaches by internal steps a state r with p R r that has a
//! step with a to a state q' with p' R q'. This is one half of the definition of branching
//! bisimulation (van Glabbeek and Weijland, Branching time and abstraction in bisimulation
//! semantics, 1996). The states between q and r are then above p, too, since they can answer every
//! step of p as r does. So only internal steps between states above p have to be followed.
//!
//! The refinement starts with all pairs and removes those with an unanswered step. The
//! distinguishing formula of a removed pair uses the pairs on the way to a possible answer, all of
//! which were removed earlier.

use crate::base::bitset::{Bits, States};
use crate::base::cancel::{Cancel, Limited, NoResult, Result};
use crate::base::csr::graph::Graph;
use crate::base::csr::incoming::Incoming;
use crate::base::ids::Id as _;
use crate::base::ids::{Block, Label, State};
use crate::base::marks::Marks;
use crate::formula::{Formulas, Id};
use crate::preorder::formula_of_removal;
use crate::preorder::formula_of_removal::{Refinement as _, recorded};
use crate::preorder::simulation::Preorder;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The greatest branching simulation. More than `max_states` states are a [`NoResult::Limit`], as
/// memory is quadratic (in bits) in the number of states, and time O(states * transitions^2).
pub fn branching_simulation(
    graph: &Graph,
    max_states: usize,
    cancel: &Cancel,
) -> Limited<Preorder> {
    if graph.states > max_states {
        return Err(NoResult::Limit);
    }
    let mut refinement = Refinement::new(graph);
    while refinement.process_next(&mut |_, _, _| {}, cancel)? {
        cancel.check()?;
    }
    // Equivalent states stay in blocks of their own.
    let block = (0..u32::at(graph.states)).map(Block).collect();
    let (mut above, mut unchecked) = (Vec::with_capacity(graph.states), 0);
    for row in &refinement.above {
        cancel.check_every(&mut unchecked, graph.states)?;
        let mut blocks = Bits::new(graph.states);
        row.iter().for_each(|state: State| {
            blocks.add(Block(state.0));
        });
        above.push(blocks);
    }
    Ok(Preorder { block, above })
}

/// A formula that holds in the first state of a pair and not in the second one, which is not above
/// it.
pub fn unanswered(graph: &Graph, pair: Pair, cancel: &Cancel) -> Result<(Formulas, Id)> {
    let (when, steps) = recorded(Refinement::new(graph), graph.states, pair, cancel)?;
    Removed { graph, when, steps, marks: Marks::new(graph.states) }.explain(pair, cancel)
}

/// The label and the target of a step.
type Step = (Label, State);

/// The candidates for the preorder, with a worklist of rows.
struct Refinement<'a> {
    graph: &'a Graph,
    incoming: Incoming,
    /// Row p: the states that may be above p.
    above: Vec<States>,
    /// The states whose rows have to be revisited.
    waiting: Vec<State>,
    waits: Vec<bool>,
    answers: States,
}

impl<'a> Refinement<'a> {
    fn new(graph: &'a Graph) -> Self {
        let n = graph.states;
        Self {
            graph,
            incoming: Incoming::transitions(graph),
            above: vec![States::full(n); n],
            waiting: graph.each_state().collect(),
            waits: vec![true; n],
            answers: States::new(n),
        }
    }

    /// Stores in `answers` the states above `state` that answer one of its steps, with a state
    /// above the target.
    fn answer(&mut self, state: State, (label, target): Step) {
        let Self { graph, incoming, above, answers, .. } = self;
        let (row, goals) = (&above[state], &above[target]);
        answers.clear();
        let mut reached: Vec<State> = Vec::new();
        for goal in goals.iter() {
            if Some(label) == graph.tau && row.has(goal) && answers.add(goal) {
                reached.push(goal);
            }
            for &(_, source) in incoming.with_label(goal, label) {
                if row.has(source) && answers.add(source) {
                    reached.push(source);
                }
            }
        }
        let Some(tau) = graph.tau else { return };
        while let Some(state) = reached.pop() {
            for &(_, source) in incoming.with_label(state, tau) {
                if row.has(source) && answers.add(source) {
                    reached.push(source);
                }
            }
        }
    }
}

impl formula_of_removal::Refinement for Refinement<'_> {
    /// A state, and its step that has no answer.
    type Cause = (State, Step);

    fn has(&self, left: State, right: State) -> bool {
        self.above[left].has(right)
    }

    fn process_next(
        &mut self,
        removed: &mut impl FnMut(Self::Cause, State, State),
        cancel: &Cancel,
    ) -> Result<bool> {
        let Some(state) = self.waiting.pop() else { return Ok(false) };
        self.waits[state] = false;
        let graph = self.graph;
        let mut shrunk = false;
        for step in graph.steps(state) {
            cancel.check()?;
            self.answer(state, step);
            let row = &mut self.above[state];
            row.intersect(&self.answers, |other| {
                shrunk = true;
                removed((state, step), state, other);
            });
        }
        if shrunk {
            let Self { incoming, waits, waiting, .. } = self;
            let sources = incoming.of(state).iter().map(|&(_, source)| source);
            for source in sources.chain([state]) {
                if !std::mem::replace(&mut waits[source], true) {
                    waiting.push(source);
                }
            }
        }
        Ok(true)
    }
}

/// Two states, the second of which is not above the first.
pub type Pair = (State, State);

/// The recorded removals.
struct Removed<'a> {
    graph: &'a Graph,
    /// For every pair the event that removed it.
    when: Vec<u32>,
    /// For every event the unanswered step and its source.
    steps: Vec<(State, Step)>,
    marks: Marks,
}

/// The pairs whose formulas the formula of a pair uses: those before the step of a possible answer,
/// and those after it.
struct Parts {
    pair: Pair,
    before: Vec<Pair>,
    after: Vec<Pair>,
}

impl Removed<'_> {
    fn when(&self, (p, q): Pair) -> u32 {
        self.when[p.index() * self.graph.states + q.index()]
    }

    /// The formula that holds in the first state of a pair and not in the second. Pairs are visited
    /// latest removal first, and their formulas are built in the opposite order.
    fn explain(&mut self, pair: Pair, cancel: &Cancel) -> Result<(Formulas, Id)> {
        let mut queried = BTreeSet::from([(self.when(pair), pair)]);
        let mut needed = Vec::new();
        while let Some((_, pair)) = queried.pop_last() {
            cancel.check()?;
            let parts = self.parts(pair);
            queried.extend(parts.before.iter().chain(&parts.after).map(|&p| (self.when(p), p)));
            needed.push(parts);
        }
        let mut formulas = Formulas::default();
        let mut known: FxHashMap<Pair, Id> = FxHashMap::default();
        for Parts { pair, before, after } in needed.iter().rev() {
            let (_, (label, _)) = self.steps[self.when(*pair) as usize];
            let before = formulas.and(before.iter().map(|part| known[part]));
            let after = formulas.and(after.iter().map(|part| known[part]));
            let label = Some(label).filter(|_| Some(label) != self.graph.tau);
            known.insert(*pair, formulas.until(before, label, after));
        }
        Ok((formulas, known[&pair]))
    }

    fn parts(&mut self, pair: Pair) -> Parts {
        let now = self.when(pair);
        let (state, (label, target)) = self.steps[now as usize];
        let graph = self.graph;
        let is_silent = Some(label) == graph.tau;
        let (mut before, mut after, mut visited) = (Vec::new(), Vec::new(), vec![pair.1]);
        self.marks.clear();
        self.marks.mark(pair.1);
        let mut next = 0;
        while next < visited.len() {
            let through = visited[next];
            next += 1;
            if is_silent {
                after.push((target, through));
            }
            after.extend(graph.targets(through, label).iter().map(|&goal| (target, goal)));
            let Some(tau) = graph.tau else { continue };
            for &follower in graph.targets(through, tau) {
                if !self.marks.mark(follower) {
                    continue;
                }
                if self.when((state, follower)) < now {
                    before.push((state, follower));
                } else {
                    visited.push(follower);
                }
            }
        }
        for parts in [&mut before, &mut after] {
            parts.sort_unstable();
            parts.dedup();
        }
        debug_assert!(after.iter().chain(&before).all(|&part| self.when(part) < now));
        Parts { pair, before, after }
    }
}
