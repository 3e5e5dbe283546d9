//! The subset construction, and the `tau* a` steps.

use crate::base::cancel::{Cancel, Limited, NoResult, Result};
use crate::base::csr::graph::Graph;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::interner::Interner;
use crate::base::marks::Marks;
use crate::base::stages::Measure;
use crate::ops::tau_closure::close;

/// The deterministic system with the same traces. Its states are the sets of states of `graph` that
/// traces lead to. If `weak`, internal steps are not part of a trace.
///
/// The subset construction (Rabin and Scott, Finite automata and their decision problems, 1959).
/// More than `max_states` sets are a [`NoResult::Limit`].
pub fn determinise(
    graph: &Graph,
    weak: bool,
    max_states: usize,
    cancel: &Cancel,
) -> Limited<Graph> {
    Ok(subsets(graph, weak, max_states, &|_| false, cancel)?.0)
}

/// Like [`determinise`], and returns the set of states that each state stands for; the initial one
/// is number 0. A set that `is_end` gets no steps.
pub fn subsets(
    graph: &Graph,
    weak: bool,
    max_states: usize,
    is_end: &dyn Fn(&[State]) -> bool,
    cancel: &Cancel,
) -> Limited<(Graph, Interner<State>)> {
    let hidden = if weak { graph.tau } else { None };
    let mut marks = Marks::new(graph.states);
    let mut sets = Interner::default();
    let mut members = vec![graph.initial];
    let mut finish = |members: &mut Vec<State>| {
        if weak {
            close(graph, &mut marks, members);
        }
        members.sort_unstable();
        members.dedup();
    };
    finish(&mut members);
    sets.intern(&members);
    let mut transitions = Vec::new();
    let mut steps: Vec<(Label, State)> = Vec::new();
    let stage = cancel.stage("sets", Measure::Growing);
    let mut next = 0;
    while next < sets.len() {
        stage.reach(sets.len());
        cancel.check()?;
        steps.clear();
        let set = sets.get(u32::at(next));
        if !is_end(set) {
            for &state in set {
                steps.extend(graph.steps(state).filter(|&(label, _)| Some(label) != hidden));
            }
        }
        steps.sort_unstable();
        steps.dedup();
        for group in steps.chunk_by(|a, b| a.0 == b.0) {
            members.clear();
            members.extend(group.iter().map(|&(_, target)| target));
            finish(&mut members);
            transitions.push((State(u32::at(next)), group[0].0, State(sets.intern(&members).0)));
            if sets.len() > max_states {
                return Err(NoResult::Limit);
            }
        }
        next += 1;
    }
    let (states, labels) = ((State(0), sets.len()), (graph.labels, graph.tau));
    let stage = Graph::from_transitions(states, labels, &transitions, cancel)?;
    Ok((stage, sets))
}

/// The graph whose steps are `tau* a` of `graph`, `a` visible. Only the roots and the states that
/// such steps reach from them have steps.
pub fn visible_steps(graph: &Graph, roots: &[State], cancel: &Cancel) -> Result<Graph> {
    let mut marks = Marks::new(graph.states);
    let mut visited = vec![false; graph.states];
    let mut order = Vec::new();
    for &root in roots {
        if !std::mem::replace(&mut visited[root], true) {
            order.push(root);
        }
    }
    let mut transitions = Vec::new();
    let mut silent = Vec::new();
    let mut steps: Vec<(Label, State)> = Vec::new();
    let stage = cancel.stage("states", Measure::Growing);
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        stage.check_after(1)?;
        silent.clear();
        silent.push(state);
        close(graph, &mut marks, &mut silent);
        steps.clear();
        for &through in &silent {
            steps.extend(graph.steps(through).filter(|&(label, _)| Some(label) != graph.tau));
        }
        steps.sort_unstable();
        steps.dedup();
        for &(label, target) in &steps {
            transitions.push((state, label, target));
            if !std::mem::replace(&mut visited[target], true) {
                order.push(target);
            }
        }
    }
    let (states, labels) = ((graph.initial, graph.states), (graph.labels, graph.tau));
    Graph::from_transitions(states, labels, &transitions, cancel)
}
