//! Coupled similarity.
//!
//! It is the greatest relation R such that `p R q` implies: every step of p is answered by q, with
//! internal steps around it, to a state above the target; and q reaches, by internal steps, a state
//! below p (Parrow and Sjödin, Multiway synchronization verified with coupled simulation, 1992).
//! Internal steps after the answer make no difference (Bisping, Nestmann and Peters, Coupled
//! similarity: the first 32 years, 2020), so the relation is a fixpoint over sets of states.

use crate::base::bitset::{Bits, States};
use crate::base::cancel::{Cancel, Limited, NoResult, Result};
use crate::base::csr::graph::Graph;
use crate::base::csr::incoming::Incoming;
use crate::base::ids::Id as _;
use crate::base::ids::{Block, Label, State};
use crate::base::marks::Marks;
use crate::formula::{Formulas, Id};
use crate::ops::tau_closure::close;
use crate::preorder::formula_of_removal;
use crate::preorder::formula_of_removal::{Events, Pair, Refinement as _, Why, recorded};
use crate::preorder::simulation::Preorder;

/// The coupled similarity preorder. More than `max_states` states are a [`NoResult::Limit`], as
/// time is cubic and memory quadratic (in bits) in the number of states.
pub fn coupled_simulation(graph: &Graph, max_states: usize, cancel: &Cancel) -> Limited<Preorder> {
    if graph.states > max_states {
        return Err(NoResult::Limit);
    }
    let mut refinement = Refinement::new(graph);
    while refinement.process_next(&mut |_, _, _| {}, cancel)? {
        cancel.check()?;
    }
    Ok(classes(&refinement.above, &refinement.below, cancel)?)
}

/// A formula that holds in state `low` and not in `high`, which is not above it.
pub fn uncoupled(graph: &Graph, pair: (State, State), cancel: &Cancel) -> Result<(Formulas, Id)> {
    let (when, events) = recorded(Refinement::new(graph), graph.states, pair, cancel)?;
    let mut removed = Removed { graph, marks: Marks::new(graph.states), when, events };
    let first = removed.pair(pair.0, pair.1);
    formula_of_removal::explain(&mut removed, first, cancel)
}

/// The cause for which pairs are removed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The left state has a step with this label to this state, and no answer of the right state
    /// leads above that.
    Step(Label, State),
    /// The right state reaches no state below this left one by internal steps.
    Below(State),
}

/// The candidates for the preorder, with a worklist of rows and columns.
struct Refinement<'a> {
    graph: &'a Graph,
    incoming: Incoming,
    /// Row p: the states that may be above p. If the row of p loses a state q, the sources of steps
    /// to p are revisited, and so are the states below q.
    above: Vec<States>,
    below: Vec<States>,
    rows: Vec<State>,
    columns: Vec<State>,
    row_waits: Vec<bool>,
    column_waits: Vec<bool>,
}

impl<'a> Refinement<'a> {
    fn new(graph: &'a Graph) -> Self {
        let n = graph.states;
        let rows: Vec<State> = graph.each_state().collect();
        Self {
            graph,
            incoming: Incoming::transitions(graph),
            above: vec![States::full(n); n],
            below: vec![States::full(n); n],
            columns: rows.clone(),
            rows,
            row_waits: vec![true; n],
            column_waits: vec![true; n],
        }
    }
}

impl formula_of_removal::Refinement for Refinement<'_> {
    type Cause = Cause;

    fn has(&self, left: State, right: State) -> bool {
        self.above[left].has(right)
    }

    fn process_next(
        &mut self,
        removed: &mut impl FnMut(Cause, State, State),
        cancel: &Cancel,
    ) -> Result<bool> {
        let Self { graph, incoming, above, below, .. } = self;
        let mut answers = States::new(graph.states);
        let mut lost = Vec::new();
        if let Some(p) = self.rows.pop() {
            self.row_waits[p] = false;
            for group in incoming.of(p).chunk_by(|x, y| x.0 == y.0) {
                cancel.check()?;
                let label = group[0].0;
                can_answer(graph, incoming, label, &above[p], &mut answers);
                for &(_, source) in group {
                    let cause = Cause::Step(label, p);
                    above[source].intersect(&answers, |q| lost.push((cause, source, q)));
                }
            }
        } else if let Some(q) = self.columns.pop() {
            self.column_waits[q] = false;
            silent_sources(graph, incoming, &below[q], &mut answers);
            let cause = Cause::Below(q);
            above[q].intersect(&answers, |r| lost.push((cause, q, r)));
        } else {
            return Ok(false);
        }
        for (cause, p, q) in lost {
            removed(cause, p, q);
            below[q].remove(p);
            if !std::mem::replace(&mut self.row_waits[p], true) {
                self.rows.push(p);
            }
            if !std::mem::replace(&mut self.column_waits[q], true) {
                self.columns.push(q);
            }
        }
        Ok(true)
    }
}

/// The recorded removals: for every pair the event that removed it.
struct Removed<'a> {
    graph: &'a Graph,
    marks: Marks,
    when: Vec<u32>,
    events: Vec<Cause>,
}

impl Removed<'_> {
    fn pair(&self, left: State, right: State) -> Pair {
        let event = self.when[left.index() * self.graph.states + right.index()];
        Pair { why: Why::Event(event), right }
    }
}

impl Events for Removed<'_> {
    fn pairs(&mut self, event: u32, right: State, pairs: &mut Vec<Pair>) {
        let graph = self.graph;
        let mut answers = vec![right];
        close(graph, &mut self.marks, &mut answers);
        match self.events[event as usize] {
            Cause::Step(label, target) if Some(label) == graph.tau => {
                pairs.extend(answers.iter().map(|&answer| self.pair(target, answer)));
            }
            Cause::Step(label, target) => {
                let after = answers.iter().flat_map(|&through| graph.targets(through, label));
                pairs.extend(after.map(|&answer| self.pair(target, answer)));
            }
            Cause::Below(left) => {
                pairs.extend(answers.iter().map(|&answer| self.pair(answer, left)));
            }
        }
    }

    fn formula(&self, event: u32, inner: Id, formulas: &mut Formulas) -> Id {
        let label = match self.events[event as usize] {
            Cause::Step(label, _) => Some(label).filter(|_| Some(label) != self.graph.tau),
            Cause::Below(_) => None,
        };
        let truth = formulas.truth();
        formulas.until(truth, label, inner)
    }

    fn negates(&self, event: u32) -> bool {
        matches!(self.events[event as usize], Cause::Below(_))
    }
}

/// The states that reach one of `goal` by internal steps followed by a step `label`, or by internal
/// steps alone if `label` is internal.
fn can_answer(
    graph: &Graph,
    incoming: &Incoming,
    label: Label,
    goal: &States,
    answers: &mut States,
) {
    if Some(label) == graph.tau {
        return silent_sources(graph, incoming, goal, answers);
    }
    let mut direct = States::new(graph.states);
    for state in goal.iter() {
        for &(_, source) in incoming.with_label(state, label) {
            direct.add(source);
        }
    }
    silent_sources(graph, incoming, &direct, answers);
}

/// The states that reach one of `goal` by zero or more internal steps.
fn silent_sources(graph: &Graph, incoming: &Incoming, goal: &States, sources: &mut States) {
    sources.clear();
    let mut states: Vec<State> = goal.iter().collect();
    for &state in &states {
        sources.add(state);
    }
    let Some(tau) = graph.tau else { return };
    while let Some(state) = states.pop() {
        for &(_, source) in incoming.with_label(state, tau) {
            if sources.add(source) {
                states.push(source);
            }
        }
    }
}

/// The preorder of states as a preorder of the classes of its equivalence.
fn classes(above: &[States], below: &[States], cancel: &Cancel) -> Result<Preorder> {
    let mut unchecked = 0;
    let mut block = vec![Block::NONE; above.len()];
    let mut first = Vec::new();
    for state in (0..u32::at(above.len())).map(State) {
        if block[state] != Block::NONE {
            continue;
        }
        cancel.check_every(&mut unchecked, above.len())?;
        for other in above[state].iter() {
            if below[state].has(other) {
                block[other] = Block(u32::at(first.len()));
            }
        }
        first.push(state);
    }
    let mut rows = Vec::with_capacity(first.len());
    for &state in &first {
        cancel.check_every(&mut unchecked, above.len())?;
        let mut row = Bits::new(first.len());
        for other in above[state].iter() {
            row.add(block[other]);
        }
        rows.push(row);
    }
    Ok(Preorder { block, above: rows })
}

/// The normal form modulo coupled similarity: it has the fewest states, and its steps depend only
/// on the class of the system.
///
/// A state keeps the visible steps `tau* a` to the greatest targets, and internal steps to the
/// least states that it reaches internally, which are stable; a visible step that one of those has
/// too is left out. The greatest targets and the least states must exist in every equivalent
/// system. States of the result may be unreachable.
pub fn coupled_normal_form(graph: &Graph, order: &Preorder, cancel: &Cancel) -> Result<Graph> {
    let mut unchecked = 0;
    let full = graph.quotient(&order.block, order.above.len(), cancel)?;
    let mut marks = Marks::new(full.states);
    let above = |low: State, high: State| low != high && order.above[low].has(Block(high.0));
    let (mut silent, mut visible) = (vec![Vec::new(); full.states], vec![Vec::new(); full.states]);
    for state in full.each_state() {
        let mut reached = vec![state];
        close(&full, &mut marks, &mut reached);
        for &low in &reached {
            cancel.check_every(&mut unchecked, reached.len())?;
            if low != state && !reached.iter().any(|&other| above(other, low)) {
                silent[state].push(low);
            }
        }
        let mut steps: Vec<(Label, State)> = Vec::new();
        for &through in &reached {
            let before = steps.len();
            steps.extend(full.steps(through).filter(|&(label, _)| Some(label) != full.tau));
            cancel.check_every(&mut unchecked, 1 + steps.len() - before)?;
        }
        steps.sort_unstable();
        steps.dedup();
        for group in steps.chunk_by(|x, y| x.0 == y.0) {
            for step in group {
                cancel.check_every(&mut unchecked, group.len())?;
                if !group.iter().any(|other| above(step.1, other.1)) {
                    visible[state].push(*step);
                }
            }
        }
    }
    let mut transitions = Vec::new();
    for state in full.each_state() {
        for &step in &visible[state] {
            let mut is_later = false;
            for &least in &silent[state] {
                cancel.check_every(&mut unchecked, 1 + visible[least].len())?;
                is_later = is_later || visible[least].contains(&step);
            }
            if !is_later {
                transitions.push((state, step.0, step.1));
            }
        }
        if let Some(tau) = full.tau {
            transitions.extend(silent[state].iter().map(|&target| (state, tau, target)));
        }
    }
    let (states, labels) = ((full.initial, full.states), (full.labels, full.tau));
    Graph::from_transitions(states, labels, &transitions, cancel)
}
