//! Closure under internal steps.

use crate::base::csr::graph::Graph;
use crate::base::ids::State;
use crate::base::marks::Marks;

/// Adds to `states` everything that they reach by internal steps, without duplicates.
pub fn close(graph: &Graph, marks: &mut Marks, states: &mut Vec<State>) {
    marks.clear();
    states.retain(|&state| marks.mark(state));
    let Some(tau) = graph.tau else { return };
    let mut next = 0;
    while let Some(&state) = states.get(next) {
        next += 1;
        for (label, target) in graph.steps(state) {
            if label == tau && marks.mark(target) {
                states.push(target);
            }
        }
    }
}
