//! Branching simulation.
//!
//! The greatest relation R such that `p R q` implies: for every step of p to p' with a label a, an
//! internal one with p' R q, or internal steps of q lead to a state r with p R r that has a step
//! with a to a state q' with p' R q'. That is one half of what branching bisimulation asks for (van
//! Glabbeek and Weijland, Branching time and abstraction in bisimulation semantics, 1996). The
//! states that the internal steps of q go through are above p then, too: what r answers they answer
//! through r. So it is enough to look at steps inside of what is above p.
//!
//! A row of the relation loses states until every step is answered. For the formula of a pair that
//! is lost, it is known when that was: all that lies on the way of an answer was lost before.

use crate::base::bitset::{Bits, States};
use crate::base::cancel::{Cancel, Result, Stopped};
use crate::base::csr::graph::Graph;
use crate::base::csr::incoming::Incoming;
use crate::base::ids::{Block, Label, State};
use crate::base::marks::Marks;
use crate::formula::{Formulas, Id};
use crate::preorder::simulation::Preorder;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The greatest branching simulation. More than `max_states` states are a [`Stopped::Limit`]: memory
/// is quadratic (in bits), time O(states * transitions * transitions) at worst.
pub fn branching_simulation(graph: &Graph, max_states: usize, cancel: &Cancel) -> Result<Preorder> {
    if graph.states > max_states {
        return Err(Stopped::Limit);
    }
    let mut refinement = Refinement::new(graph);
    while refinement.goes_on(&mut |_, _, _| {}) {
        cancel.check()?;
    }
    // States above each other are not put together: each is a block.
    let block = (0..graph.states as u32).map(Block).collect();
    let above = refinement.above.iter().map(|row| {
        let mut blocks = Bits::new(graph.states);
        row.iter().for_each(|state: State| {
            blocks.add(Block(state.0));
        });
        blocks
    });
    Ok(Preorder { block, above: above.collect() })
}

/// A formula that holds in state `low` and not in `high`, which is not above it: from the refinement,
/// done again until they are told apart. Memory is 32 times that of the preorder.
pub fn unanswered(
    graph: &Graph,
    (low, high): (State, State),
    cancel: &Cancel,
) -> Result<(Formulas, Id)> {
    let states = graph.states;
    let mut lost = Lost {
        graph,
        when: vec![u32::MAX; states * states],
        steps: vec![],
        marks: Marks::new(states),
    };
    let mut refinement = Refinement::new(graph);
    while refinement.above[low].has(high) {
        cancel.check()?;
        let Lost { when, steps, .. } = &mut lost;
        // What was removed for the same step before may be a reason now.
        let known = steps.len();
        let more = refinement.goes_on(&mut |step, p, q| {
            if steps.len() == known || steps.last() != Some(&(p, step)) {
                steps.push((p, step));
            }
            when[p.index() * states + q.index()] = steps.len() as u32 - 1;
        });
        assert!(more, "states that are not similar are told apart");
    }
    lost.explain((low, high), cancel)
}

/// A step, by its label and its target.
type Step = (Label, State);

/// Candidates for the preorder.
struct Refinement<'a> {
    graph: &'a Graph,
    incoming: Incoming,
    /// Row p: the states that may be above p.
    above: Vec<States>,
    /// The states whose steps are to be looked at again.
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

    /// Looks at the steps of one state, and tells what each of them removes from its row, the state
    /// behind it; false if all is done.
    fn goes_on(&mut self, removed: &mut impl FnMut(Step, State, State)) -> bool {
        let Some(state) = self.waiting.pop() else { return false };
        self.waits[state] = false;
        let graph = self.graph;
        let mut shrunk = false;
        for step in graph.steps(state) {
            self.answer(state, step);
            let row = &mut self.above[state];
            row.intersect(&self.answers, |other| {
                shrunk = true;
                removed(step, state, other);
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
        true
    }

    /// Finds the states above one that answer a step of it.
    fn answer(&mut self, state: State, (label, target): Step) {
        let Self { graph, incoming, above, answers, .. } = self;
        let (row, goals) = (&above[state], &above[target]);
        answers.clear();
        let mut found: Vec<State> = Vec::new();
        for goal in goals.iter() {
            if Some(label) == graph.tau && row.has(goal) && answers.add(goal) {
                found.push(goal);
            }
            for &(_, source) in incoming.with_label(goal, label) {
                if row.has(source) && answers.add(source) {
                    found.push(source);
                }
            }
        }
        let Some(tau) = graph.tau else { return };
        while let Some(state) = found.pop() {
            for &(_, source) in incoming.with_label(state, tau) {
                if row.has(source) && answers.add(source) {
                    found.push(source);
                }
            }
        }
    }
}

/// A pair of which the second state is not above the first.
type Pair = (State, State);

/// What was removed when, and for want of an answer to which step.
struct Lost<'a> {
    graph: &'a Graph,
    /// For every pair the number of what removed it.
    when: Vec<u32>,
    /// The state and its step.
    steps: Vec<(State, Step)>,
    marks: Marks,
}

/// The pairs that are told apart for another one: on the way to an answer, and behind it.
struct Parts {
    pair: Pair,
    before: Vec<Pair>,
    after: Vec<Pair>,
}

impl Lost<'_> {
    fn when(&self, (p, q): Pair) -> u32 {
        self.when[p.index() * self.graph.states + q.index()]
    }

    /// The formula that holds in the first state of a pair only. What tells a pair apart asks for
    /// pairs that were lost before, so these come later here, and are written first.
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
        let (mut before, mut after, mut way) = (Vec::new(), Vec::new(), vec![pair.1]);
        self.marks.clear();
        self.marks.mark(pair.1);
        let mut next = 0;
        while next < way.len() {
            let through = way[next];
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
                    way.push(follower);
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
