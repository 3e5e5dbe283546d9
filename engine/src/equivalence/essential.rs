//! Whether a partition is a weak bisimulation, and which transitions between its blocks are essential:
//! not implied by others.

use super::Poll;
use super::columns::Rounds;
use super::components::contract;
use super::forward::Forward;
use super::quotient::{Grouped, blocks_graph};
use super::reach::{COLUMNS, Mask, Reach};
use super::refine::Partition;

/// So many columns for which a partition is not stable are enough to go on.
const MANY: usize = 16 * COLUMNS;

/// The verdict on a partition.
pub enum Verdict {
    /// It is a weak bisimulation, with the essential transitions between its blocks.
    Stable(Partition, Forward<'static>),
    /// It is not: at least one of its blocks was split.
    Split(Partition),
}

/// Whether a partition is a weak bisimulation of `graph`, whose internal steps lead to smaller
/// states.
///
/// Let every block have the transitions of all its states. If each bottom state of a block (one
/// without internal steps inside it) has weak transitions for all of them, which first of its own
/// and then of the blocks', then so have all states, and the blocks have no others: by induction
/// along the internal steps.
pub fn certify(graph: &Forward, tau: u32, partition: Partition, poll: Poll) -> Option<Verdict> {
    let Partition { mut block, blocks } = partition;
    let quotient = blocks_graph(graph, &block, blocks, tau);
    let last = graph.label.iter().copied().max().unwrap_or(0).max(tau);
    let internal: Vec<bool> = (0..=last).map(|label| label == tau).collect();
    let sorted = contract(quotient, &internal, tau, None, poll)?;
    if let Some(component) = &sorted.component {
        if sorted.graph.states() < blocks {
            // Blocks on a cycle: the internal steps between them do not exist for all their states.
            let quotient = blocks_graph(graph, &block, blocks, tau);
            let mut columns: Vec<(u32, u32)> = Vec::new();
            for b in 0..blocks as u32 {
                let inside = quotient
                    .rows(b)
                    .filter(|&(a, c)| a == tau && component[b as usize] == component[c as usize]);
                columns.extend(inside);
            }
            let rounds = Rounds::new(graph, tau, Partition { block, blocks });
            return rounds.run(distinct(columns), poll).map(Verdict::Split);
        }
        for b in &mut block {
            *b = component[*b as usize];
        }
    }
    let quotient = sorted.graph;
    let members = Grouped::new(&block, blocks);
    // The transitions between blocks, those to one target together.
    let mut rows: Vec<(u32, u32, u32)> = Vec::with_capacity(quotient.target.len());
    for b in 0..blocks as u32 {
        rows.extend(quotient.rows(b).map(|(label, target)| (target, label, b)));
    }
    rows.sort_unstable();
    let mut reach = Reach::new(&quotient, tau);
    let mut essential: Vec<(u32, u32, u32)> = Vec::new();
    let mut failed: Vec<(u32, u32)> = Vec::new();
    let mut begin = 0;
    let mut columns: Vec<(u32, u32)> = Vec::new();
    let mut wanted: Vec<(u32, u32)> = Vec::new();
    while begin < rows.len() {
        if !poll() {
            return None;
        }
        columns.clear();
        wanted.clear();
        let mut end = begin;
        while end < rows.len() {
            let (target, label, source) = rows[end];
            if columns.last() != Some(&(label, target)) {
                if columns.len() == COLUMNS {
                    break;
                }
                columns.push((label, target));
            }
            wanted.push((source, columns.len() as u32 - 1));
            end += 1;
        }
        begin = end;
        let seeds = columns.iter().enumerate().map(|(i, &(_, target))| (target, Mask::one(i)));
        reach.run(columns.iter().map(|&(label, _)| label), seeds);
        wanted.sort_unstable();
        let mut missed = Mask::default();
        for group in wanted.chunk_by(|a, b| a.0 == b.0) {
            let b = group[0].0;
            let all =
                group.iter().fold(Mask::default(), |sum, &(_, i)| sum.or(Mask::one(i as usize)));
            for &state in members.of(b).iter().filter(|_| members.of(b).len() > 1) {
                if graph.rows(state).any(|(a, t)| a == tau && block[t as usize] == b) {
                    continue;
                }
                let steps = graph.rows(state).map(|(a, t)| reach.step(a, block[t as usize]));
                missed = missed.or(all.without(steps.fold(Mask::default(), Mask::or)));
            }
            // Implied: by an internal step before it, or by internal steps behind another with its
            // label.
            let (mut once, mut twice, mut later) = <(Mask, Mask, Mask)>::default();
            let silent = reach.labels.get(&tau).copied().unwrap_or_default();
            for (label, target) in quotient.rows(b) {
                let mut step = reach.step(label, target);
                if label == tau {
                    later = later.or(step.without(silent));
                    step = step.and(silent);
                }
                twice = twice.or(once.and(step));
                once = once.or(step);
            }
            let implied = twice.or(later);
            for &(source, i) in group {
                if !implied.has(i as usize) {
                    let (label, target) = columns[i as usize];
                    essential.push((source, label, target));
                }
            }
        }
        failed.extend(columns.iter().enumerate().filter(|(i, _)| missed.has(*i)).map(|c| *c.1));
        if failed.len() >= MANY {
            break;
        }
    }
    let partition = Partition { block, blocks };
    if !failed.is_empty() {
        let rounds = Rounds::new(graph, tau, partition);
        return rounds.run(distinct(failed), poll).map(Verdict::Split);
    }
    essential.sort_unstable();
    let mut starts = vec![0u32; blocks + 1];
    for &(source, ..) in &essential {
        starts[source as usize + 1] += 1;
    }
    for b in 0..blocks {
        starts[b + 1] += starts[b];
    }
    let label = essential.iter().map(|row| row.1).collect();
    let target = essential.iter().map(|row| row.2).collect();
    Some(Verdict::Stable(partition, Forward { starts, label, target }))
}

/// Columns (label, block) by block, each once.
fn distinct(mut columns: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    columns.sort_unstable_by_key(|&(label, block)| (block, label));
    columns.dedup();
    columns
}
