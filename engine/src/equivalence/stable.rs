//! Whether a partition is a weak bisimulation.

use super::Poll;
use super::columns::Rounds;
use super::components::contract;
use super::essential::essential;
use super::forward::Forward;
use super::quotient::{Grouped, blocks_graph};
use super::reach::{Batch, COLUMNS, Mask, Reach};
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
    let mut reach = Reach::new(&quotient, tau);
    let partition = Partition { block, blocks };
    let failed = missing(graph, tau, &partition, &quotient, &mut reach, poll)?;
    if !failed.is_empty() {
        let rounds = Rounds::new(graph, tau, partition);
        return rounds.run(distinct(failed), poll).map(Verdict::Split);
    }
    let essential = essential(&quotient, tau, &mut reach, poll)?;
    Some(Verdict::Stable(partition, essential))
}

/// Columns of blocks that a bottom state of one lacks, none if the partition is stable. `quotient`
/// has the transitions of all states of each block.
fn missing(
    graph: &Forward,
    tau: u32,
    partition: &Partition,
    quotient: &Forward,
    reach: &mut Reach,
    poll: Poll,
) -> Option<Vec<(u32, u32)>> {
    let Partition { block, blocks } = partition;
    let members = Grouped::new(block, *blocks);
    // Target, label and state of the transitions that a bottom state has not itself.
    let mut wanted: Vec<(u32, u32, u32)> = Vec::new();
    let mut own: Vec<(u32, u32)> = Vec::new();
    for b in 0..*blocks as u32 {
        if members.of(b).len() == 1 {
            continue;
        }
        for &state in members.of(b) {
            own.clear();
            own.extend(graph.rows(state).map(|(label, target)| (label, block[target as usize])));
            if own.contains(&(tau, b)) {
                continue;
            }
            own.sort_unstable();
            let others = quotient.rows(b).filter(|step| own.binary_search(step).is_err());
            wanted.extend(others.map(|(label, target)| (target, label, state)));
        }
    }
    wanted.sort_unstable();
    let mut failed: Vec<(u32, u32)> = Vec::new();
    let mut columns = Batch::default();
    let mut batch: Vec<(u32, u32)> = Vec::new();
    let mut at = 0;
    while at < wanted.len() && failed.len() < MANY {
        if !poll() {
            return None;
        }
        batch.clear();
        columns.clear();
        while let Some(&(target, label, state)) = wanted.get(at) {
            let Some(column) = columns.column(label, target) else { break };
            batch.push((state, column));
            at += 1;
        }
        columns.run(reach);
        batch.sort_unstable();
        let mut missed = Mask::default();
        for group in batch.chunk_by(|a, b| a.0 == b.0) {
            let one = |&(_, column): &(u32, u32)| Mask::one(column as usize);
            let all = group.iter().map(one).fold(Mask::default(), Mask::or);
            let steps = graph.rows(group[0].0).map(|(a, t)| reach.step(a, block[t as usize]));
            missed = missed.or(all.without(steps.fold(Mask::default(), Mask::or)));
        }
        failed.extend(columns.columns().filter(|(i, _)| missed.has(*i)).map(|column| column.1));
    }
    Some(failed)
}

/// Columns (label, block) by block, each once.
fn distinct(mut columns: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    columns.sort_unstable_by_key(|&(label, block)| (block, label));
    columns.dedup();
    columns
}
