//! A run of a formula: the sequence of steps whose possibility the formula states.

use crate::base::csr::graph::{Graph, Transition};
use crate::base::ids::{Label, State};
use crate::base::paths::path_to;
use crate::formula::model_check::Truth;
use crate::formula::{Formulas, Id, Node};
use rustc_hash::FxHashMap;

/// The memory for the sets of states needed to find a run, in bits; the run is cut short beyond it.
const MOST_BITS: usize = 1 << 32;

impl Formulas {
    /// The parts whose truth has to be known for a [`Formulas::run`] in a system with `states`
    /// states.
    pub fn along(&self, formula: Id, states: usize) -> Vec<Id> {
        let mut along = Vec::new();
        let mut at = self.next_modal(formula);
        while let Some(id) = at.filter(|_| along.len() * states < MOST_BITS) {
            let (path, goal) = self.path_and_goal(id);
            along.extend(path);
            along.push(goal);
            at = self.next_modal(goal);
        }
        along
    }

    /// The steps from `state`, where the formula holds, that its nested modalities require. The run
    /// ends where only negations and divergence are left, or where the truth of a part is not
    /// known. In a conjunction it follows the part with the largest number.
    pub fn run(
        &self,
        graph: &Graph,
        truth: &Truth,
        formula: Id,
        mut state: State,
    ) -> Vec<Transition> {
        let mut run = Vec::new();
        let mut at = self.next_modal(formula);
        while let Some(id) = at {
            let (path, goal) = self.path_and_goal(id);
            if !truth.knows(goal) || !path.is_none_or(|path| truth.knows(path)) {
                break;
            }
            let holds = |state| truth.has(goal, state);
            match (&self.nodes[id as usize], path) {
                (Node::Until(_, label, _), Some(path)) => {
                    let through = |state| truth.has(path, state);
                    run.extend(until(graph, state, &through, *label, &holds));
                }
                (Node::Step(label, _), _) => run.extend(step_into(graph, state, *label, &holds)),
                _ => unreachable!("a run has modalities only"),
            }
            state = run.last().map_or(state, |step| step.2);
            at = self.next_modal(goal);
        }
        run
    }

    /// The formula that holds along a modality's internal steps, if any, and the one that holds at
    /// its end.
    fn path_and_goal(&self, id: Id) -> (Option<Id>, Id) {
        match self.nodes[id as usize] {
            Node::Step(_, goal) => (None, goal),
            Node::Until(path, _, goal) => (Some(path), goal),
            _ => unreachable!("a run has modalities only"),
        }
    }

    /// The modality that a run begins with: the formula itself or a conjunct.
    fn next_modal(&self, id: Id) -> Option<Id> {
        match &self.nodes[id as usize] {
            Node::And(parts) => parts.iter().copied().rfind(|&part| self.is_modal(part)),
            _ => Some(id).filter(|&id| self.is_modal(id)),
        }
    }

    fn is_modal(&self, id: Id) -> bool {
        matches!(self.nodes[id as usize], Node::Step(..) | Node::Until(..))
    }
}

/// A step with this label from a state to one of `goal`.
fn step_into(
    graph: &Graph,
    state: State,
    label: Label,
    goal: &dyn Fn(State) -> bool,
) -> Option<Transition> {
    let target = graph.targets(state, label).iter().find(|&&target| goal(target));
    target.map(|&target| (state, label, target))
}

/// A shortest sequence of internal steps from states of `path` to a state of `goal`; with a label,
/// to a state of `path` with a step `label` into `goal`, followed by that step.
fn until(
    graph: &Graph,
    start: State,
    path: &dyn Fn(State) -> bool,
    label: Option<Label>,
    goal: &dyn Fn(State) -> bool,
) -> Vec<Transition> {
    let mut before: FxHashMap<State, Option<Transition>> = FxHashMap::from_iter([(start, None)]);
    let mut order = vec![start];
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        // Whether the internal steps may end here, and the labelled step that follows them.
        let (is_last, last) = match label {
            None => (goal(state), None),
            Some(label) => {
                let step = step_into(graph, state, label, goal).filter(|_| path(state));
                (step.is_some(), step)
            }
        };
        if !is_last {
            visit_targets(graph, state, path, &mut before, &mut order);
            continue;
        }
        let mut steps = path_to(state, |at| before[&at].map(|step: Transition| (step.0, step)));
        steps.extend(last);
        return steps;
    }
    Vec::new()
}

/// Adds the unvisited targets of internal steps from a state of `path`.
fn visit_targets(
    graph: &Graph,
    state: State,
    path: &dyn Fn(State) -> bool,
    before: &mut FxHashMap<State, Option<Transition>>,
    order: &mut Vec<State>,
) {
    let Some(tau) = graph.tau.filter(|_| path(state)) else { return };
    for &target in graph.targets(state, tau) {
        before.entry(target).or_insert_with(|| {
            order.push(target);
            Some((state, tau, target))
        });
    }
}
