//! A lower bound on the number of classes of a simulation, in linear time: so that a limit of
//! classes ends the work before it begins.
//!
//! States that simulate each other have the same traces. So a value that the traces of a state
//! determine is the same for all states of a class, and there are at least as many classes as such
//! values. Here the value consists, for some numbers k and every label a, of the set of the last
//! labels of the traces of length k + 1 that begin with a, where labels share the 64 bits of a
//! word; and of the length of the longest trace, if there is one, which differs for all states of a
//! chain. States that differ may have equal hashes, which only makes the bound smaller.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::graph::Graph;
use crate::base::csr::incoming::Incoming;
use crate::base::hash::quick;
use crate::base::ids::State;

/// The largest k.
const DEPTH: usize = 16;

/// At most as many as there are classes of simulation equivalence; the graph is not empty.
pub(crate) fn fewest_classes(graph: &Graph, cancel: &Cancel) -> Result<usize> {
    let mut known = longest_traces(graph, cancel)?;
    let mut last: Vec<u64> = (graph.each_state())
        .map(|state| graph.steps(state).fold(0, |bits, (label, _)| bits | 1 << (label.0 % 64)))
        .collect();
    for _ in 0..DEPTH {
        let mut longer = last.clone();
        for state in graph.each_state() {
            cancel.check_at(state.index())?;
            longer[state] = 0;
            let mut steps = graph.steps(state).peekable();
            while let Some((label, target)) = steps.next() {
                let mut bits = last[target];
                while let Some((_, target)) = steps.next_if(|&(other, _)| other == label) {
                    bits |= last[target];
                }
                known[state] = quick(quick(known[state], label.0.into()), bits);
                longer[state] |= bits;
            }
        }
        last = longer;
    }
    known.sort_unstable();
    known.dedup();
    Ok(known.len())
}

/// For every state the length of its longest trace, or [`u64::MAX`] if there is no longest one.
fn longest_traces(graph: &Graph, cancel: &Cancel) -> Result<Vec<u64>> {
    let incoming = Incoming::transitions(graph);
    let mut longest = vec![u64::MAX; graph.states];
    let mut open: Vec<usize> = graph.each_state().map(|state| graph.steps(state).len()).collect();
    let mut layer: Vec<State> = graph.each_state().filter(|&state| open[state] == 0).collect();
    for length in 0.. {
        if layer.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for (at, &state) in layer.iter().enumerate() {
            cancel.check_at(at)?;
            longest[state] = length;
            for &(_, source) in incoming.of(state) {
                open[source] -= 1;
                if open[source] == 0 {
                    next.push(source);
                }
            }
        }
        layer = next;
    }
    Ok(longest)
}
