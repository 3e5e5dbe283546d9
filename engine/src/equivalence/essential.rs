//! The essential transitions of a weakly minimal system: those that are not implied by others.
//!
//! A transition is implied by an internal step before it, or by internal steps behind another
//! transition with its label. Few can be: most lead to where no internal step leads, or start where
//! none starts. It is the others whose columns are computed.

use super::Poll;
use super::bits::Bits;
use super::forward::Forward;
use super::reach::{Batch, Mask, Reach};

/// The transitions of `graph` that are not implied by others; its internal steps lead to smaller
/// states, no two of its states are weakly bisimilar, and its transitions are sorted by state.
pub fn essential(
    graph: &Forward,
    tau: u32,
    reach: &mut Reach,
    poll: Poll,
) -> Option<Forward<'static>> {
    let states = graph.states() as u32;
    // Target, label, source and row of what may be implied.
    let mut wanted: Vec<(u32, u32, u32, u32)> = Vec::new();
    let mut steps = Bits::new(states as usize);
    for state in 0..states {
        if graph.rows(state).any(|(label, _)| label == tau) {
            steps.add(state);
        }
    }
    // The largest target of visible steps of smaller states.
    let mut furthest = None;
    for state in 0..states {
        for row in graph.range(state) {
            let (label, target) = (graph.label[row], graph.target[row]);
            if may_be_implied(graph, tau, reach, &steps, furthest, state, (label, target)) {
                wanted.push((target, label, state, row as u32));
            }
        }
        let visible = graph.rows(state).filter(|&(label, _)| label != tau);
        furthest = furthest.max(visible.map(|(_, target)| target).max());
    }
    wanted.sort_unstable();
    let mut implied = Bits::new(graph.target.len());
    let mut columns = Batch::default();
    let mut at = 0;
    let mut batch: Vec<(u32, u32, u32)> = Vec::new();
    while at < wanted.len() {
        if !poll() {
            return None;
        }
        batch.clear();
        columns.clear();
        while let Some(&(target, label, state, row)) = wanted.get(at) {
            let Some(column) = columns.column(label, target) else { break };
            batch.push((state, column, row));
            at += 1;
        }
        columns.run(reach);
        batch.sort_unstable();
        for group in batch.chunk_by(|a, b| a.0 == b.0) {
            let (mut once, mut twice, mut later) = <(Mask, Mask, Mask)>::default();
            let silent = reach.of(tau);
            for (label, target) in graph.rows(group[0].0) {
                let mut step = reach.step(label, target);
                if label == tau {
                    later = later.or(step.without(silent));
                    step = step.and(silent);
                }
                twice = twice.or(once.and(step));
                once = once.or(step);
            }
            let all = twice.or(later);
            for &(_, column, row) in group {
                if all.has(column as usize) {
                    implied.add(row);
                }
            }
        }
    }
    let mut starts = Vec::with_capacity(states as usize + 1);
    let (mut labels, mut targets) = (Vec::new(), Vec::new());
    for state in 0..states {
        starts.push(labels.len() as u32);
        for row in graph.range(state).filter(|&row| !implied.has(row as u32)) {
            labels.push(graph.label[row]);
            targets.push(graph.target[row]);
        }
    }
    starts.push(labels.len() as u32);
    Some(Forward { starts, label: labels.into(), target: targets.into() })
}

/// Whether a transition may be implied by others, as far as its neighbours tell; `steps` are the
/// states with internal steps, `furthest` is the largest target of visible steps of smaller states.
fn may_be_implied(
    graph: &Forward,
    tau: u32,
    reach: &Reach,
    steps: &Bits,
    furthest: Option<u32>,
    state: u32,
    (label, target): (u32, u32),
) -> bool {
    // Another step with its label, behind which internal steps may lead to the target.
    let beside = || {
        let mut rows = graph.rows(state);
        rows.any(|(a, other)| a == label && other > target && steps.has(other))
    };
    let entered = reach.silent_sources(target);
    if label == tau {
        // The step before the target starts between the two.
        return entered.first().is_some_and(|&first| first < state) && beside();
    }
    if !steps.has(state) {
        return !entered.is_empty() && beside();
    }
    // What is behind internal steps of the state is smaller, and so is what is behind those of a
    // target.
    if furthest.is_none_or(|furthest| furthest < target) {
        return !entered.is_empty() && beside();
    }
    let sources = reach.visible_sources(target);
    let least = sources[sources.partition_point(|&(a, _)| a < label)].1;
    !entered.is_empty() || least < state
}
