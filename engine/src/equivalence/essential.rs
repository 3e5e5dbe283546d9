//! The essential transitions of a weakly minimal system: those that are not implied by others.
//!
//! A transition is implied by an internal step before it, or by internal steps behind another
//! transition with its label. Few can be: most lead to where no internal step leads, or start where
//! none starts. Whether one of the others is implied is searched for; where that takes too long columns
//! are computed.

use super::Poll;
use super::bits::Bits;
use super::forward::Forward;
use super::pool::Pool;
use super::reach::{Batch, Mask, Reach};
use super::search::{Search, Steps};
use super::wide::Wide;
use crate::parallel;

/// States that a thread takes at a time.
const PIECE: usize = if cfg!(test) { 2 } else { 1 << 12 };

/// A transition: target, label, source and row.
type Wanted = (u32, u32, u32, u32);

/// The transitions of `graph` that are not implied by others. No two of its states are weakly
/// bisimilar, and it is one of [`super::smallest::by_smallest`].
pub fn essential(graph: Forward, tau: u32, poll: Poll) -> Option<Forward<'static>> {
    let mut implied = Bits::new(graph.target.len());
    let mut wanted = searched(&graph, tau, &mut implied, poll)?;
    if !wanted.is_empty() {
        wanted.sort_unstable();
        by_columns(&graph, tau, &wanted, &mut implied, poll)?;
    }
    let Forward { mut starts, label, target } = graph;
    let (mut label, mut target) = (label.into_owned(), target.into_owned());
    let (mut kept, mut row) = (0, 0);
    for end in starts.iter_mut() {
        while row < *end as usize {
            if !implied.has(row as u32) {
                (label[kept], target[kept]) = (label[row], target[row]);
                kept += 1;
            }
            row += 1;
        }
        *end = kept as u32;
    }
    label.truncate(kept);
    target.truncate(kept);
    Some(Forward { starts, label: label.into(), target: target.into() })
}

/// Search for what implies each transition that may be implied. Those for which that is not found out.
fn searched(graph: &Forward, tau: u32, implied: &mut Bits, poll: Poll) -> Option<Vec<Wanted>> {
    let states = graph.states();
    // States that an internal step leads to, or more than one.
    let (mut once, mut twice) = (Bits::new(states), Bits::new(states));
    for (&label, &target) in graph.label.iter().zip(graph.target.iter()) {
        if label == tau && !once.add(target) {
            twice.add(target);
        }
    }
    let wide = Wide::new(graph, tau, poll)?;
    let steps = Steps::new(graph, tau);
    let pool = Pool::new(|| Search::new(&steps));
    let look = |first: usize| {
        let (mut found, mut wanted) = (Vec::new(), Vec::new());
        let mut search = pool.take();
        search.begin();
        for state in first as u32..(first + PIECE).min(states) as u32 {
            let rows = graph.range(state);
            let silent = graph.label[rows.clone()].first() == Some(&tau);
            for row in rows.clone() {
                let (label, target) = (graph.label[row], graph.target[row]);
                // Another step with its label, behind which internal steps may lead to the target.
                let beside = row + 1 < rows.end && graph.label[row + 1] == label;
                let entered = if label == tau { &twice } else { &once };
                let behind = label != tau && silent;
                if !(behind || beside && entered.has(target)) {
                    continue;
                }
                match search.find(state, label, Some(row), &wide.guide(label, target)) {
                    Some(true) => found.push(row as u32),
                    Some(false) => {}
                    None => wanted.push((target, label, state, row as u32)),
                }
            }
        }
        pool.give(search);
        (found, wanted)
    };
    let mut open = Vec::new();
    let gather = |(found, wanted): (Vec<u32>, Vec<Wanted>)| {
        for row in found {
            implied.add(row);
        }
        open.extend(wanted);
    };
    parallel::in_order((0..states).step_by(PIECE), look, gather, poll)?;
    Some(open)
}

/// Find out which of some transitions, in order, are implied.
fn by_columns(
    graph: &Forward,
    tau: u32,
    wanted: &[Wanted],
    implied: &mut Bits,
    poll: Poll,
) -> Option<()> {
    let mut reach = Reach::new(graph, tau);
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
        columns.run(&mut reach);
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
    Some(())
}
