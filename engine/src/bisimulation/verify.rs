//! Exact verification that the blocks found by hashes are stable, and a split if they are not.
//!
//! Equal signatures have equal hashes, so refinement by hashes never separates equivalent states.
//! It may fail to separate others if hashes collide; this is checked here on the signatures
//! themselves. Only partitions that pass are returned as results.

use crate::base::bitset::Bits;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::ids::Id;
use crate::base::ids::{Block, Label, State};
use crate::base::memory::room;
use crate::base::partition::Partition;
use crate::base::stages::Measure;
use rustc_hash::FxHashMap;

/// The verdict on a partition.
pub enum Verdict {
    /// The partition is stable; for every block a bottom state.
    Stable(Partition, Vec<State>),
    /// The partition was not stable: at least one of its blocks was split.
    Split(Partition),
}

/// States with more transitions than this are compared by sorted sets.
const MANY: usize = if cfg!(test) { 2 } else { 24 };

/// The number of columns that are tried at once: the bits of a word.
const COLUMNS: usize = 64;

/// A block, and a label and a target block that only some of its states can do.
type Column = (Block, Label, Block);

/// Whether a partition is stable modulo branching bisimulation with the internal label `tau`, or
/// modulo strong bisimulation if no label is `tau`.
///
/// Internal steps lead to smaller states, so the least state of a block is a bottom state: it has
/// no inert step. The partition is stable if and only if all bottom states of a block have the same
/// transitions, and these include all non-inert transitions of the other states.
pub fn certify(
    graph: &Forward,
    tau: Label,
    partition: Partition,
    cancel: &Cancel,
) -> Result<Verdict> {
    let (partition, bottom) = in_order(partition);
    let block = &partition.block;
    let mut large: Vec<(Block, State)> = Vec::new();
    let mut columns = Vec::new();
    let (mut own, mut other) = (Vec::new(), Vec::new());
    let compared = if partition.blocks < block.len() { u32::at(block.len()) } else { 0 };
    // States with many transitions take the longest: they are counted when they are compared.
    let (stage, mut unchecked) = (cancel.stage("verifying", Measure::Share(compared.into())), 0);
    for state in (0..compared).map(State) {
        let b = block[state];
        let least = bottom[b];
        let is_large = graph.range(state).len() > MANY || graph.range(least).len() > MANY;
        if is_large && least != state {
            large.push((b, state));
            continue;
        }
        stage.check_every(&mut unchecked, 1)?;
        if least == state {
            continue;
        }
        let inert = signature(graph, tau, block, state, &mut own);
        signature(graph, tau, block, least, &mut other);
        if own == other && !inert {
            continue;
        }
        let differ = own.iter().find(|pair| !other.contains(pair));
        let differ = differ.or_else(|| other.iter().find(|pair| !inert && !own.contains(pair)));
        if let Some(&(label, target)) = differ {
            columns.push((b, label, target));
            if columns.len() == COLUMNS {
                break;
            }
        }
    }
    large.sort_unstable();
    let mut last = Block::NONE;
    for (b, state) in large {
        if columns.len() == COLUMNS {
            break;
        }
        stage.check_every(&mut unchecked, 1)?;
        if last != b {
            last = b;
            signature(graph, tau, block, bottom[b], &mut other);
            sort(&mut other);
        }
        let inert = signature(graph, tau, block, state, &mut own);
        sort(&mut own);
        let differ = own.iter().find(|pair| other.binary_search(pair).is_err());
        let differ =
            differ.or_else(|| other.iter().find(|pair| !inert && own.binary_search(pair).is_err()));
        columns.extend(differ.map(|&(label, target)| (b, label, target)));
    }
    drop(stage);
    if columns.is_empty() {
        return Ok(Verdict::Stable(partition, bottom));
    }
    split(graph, tau, partition, &columns, cancel).map(Verdict::Split)
}

/// The same blocks, numbered in the order of their least states for locality in memory; and these
/// states.
fn in_order(partition: Partition) -> (Partition, Vec<State>) {
    let Partition { mut block, blocks } = partition;
    let mut number = vec![Block::NONE; blocks];
    let mut least = room(blocks);
    for (state, block) in (0..).map(State).zip(&mut block) {
        let number = &mut number[*block];
        if *number == Block::NONE {
            *number = Block(u32::at(least.len()));
            least.push(state);
        }
        *block = *number;
    }
    (Partition { block, blocks: least.len() }, least)
}

fn sort(set: &mut Vec<(Label, Block)>) {
    set.sort_unstable();
    set.dedup();
}

/// Put the non-inert transitions of a state into the signature, as pairs of a label and a block;
/// return whether it has inert ones.
fn signature(
    graph: &Forward,
    tau: Label,
    block: &[Block],
    state: State,
    set: &mut Vec<(Label, Block)>,
) -> bool {
    set.clear();
    let mut inert = false;
    for (label, target) in graph.steps(state) {
        let to = block[target];
        if label == tau && to == block[state] {
            inert = true;
        } else {
            set.push((label, to));
        }
    }
    inert
}

/// The partition with its blocks split by which of the columns a state can do, after inert steps.
fn split(
    graph: &Forward,
    tau: Label,
    partition: Partition,
    columns: &[Column],
    cancel: &Cancel,
) -> Result<Partition> {
    let Partition { mut block, blocks } = partition;
    let mut bit: FxHashMap<Column, u64> = FxHashMap::default();
    let mut concerned = Bits::new(blocks);
    for (i, &column) in columns.iter().enumerate() {
        *bit.entry(column).or_default() |= 1 << i;
        concerned.add(column.0);
    }
    let mut mask = vec![0u64; block.len()];
    for state in (0..u32::at(block.len())).map(State) {
        cancel.check_at(state.index())?;
        let b = block[state];
        if !concerned.has(b) {
            continue;
        }
        let mut own = 0;
        for (label, target) in graph.steps(state) {
            let to = block[target];
            own |= if label == tau && to == b {
                mask[target]
            } else {
                bit.get(&(b, label, to)).copied().unwrap_or(0)
            };
        }
        mask[state] = own;
    }
    let mut numbers: FxHashMap<(Block, u64), Block> = FxHashMap::default();
    let mut parts = vec![false; blocks];
    let mut next = u32::at(blocks);
    for (block, mask) in block.iter_mut().zip(mask) {
        if !concerned.has(*block) {
            continue;
        }
        let part = &mut parts[*block];
        *block = *numbers.entry((*block, mask)).or_insert_with(|| {
            let first = !std::mem::replace(part, true);
            next += u32::from(!first);
            if first { *block } else { Block(next - 1) }
        });
    }
    Ok(Partition { block, blocks: next as usize })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bisimulation::branching_signature::Branching;
    use crate::bisimulation::refine::refine;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    type Transition = (u32, u32, u32);

    /// A graph of these transitions, without the internal steps that do not lead to smaller states.
    fn graph_of(mut transitions: Vec<Transition>) -> Forward<'static> {
        transitions.retain(|&(s, a, t)| a != 0 || t < s);
        transitions.sort_by_key(|transition| transition.0);
        let starts = (0..=8)
            .map(|s| transitions.partition_point(|transition| transition.0 < s) as u32)
            .collect();
        let (label, target) =
            transitions.iter().map(|transition| (transition.1, transition.2)).unzip();
        Forward::of_numbers(starts, label, target)
    }

    fn pairs(left: &[Block], right: &[Block]) -> usize {
        left.iter().zip(right).collect::<BTreeSet<_>>().len()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// Blocks of the coarsest partition are merged: the verdict, and the split.
        #[test]
        fn unions_of_blocks_are_unstable_and_split(
            transitions in prop::collection::vec((0u32..8, 0u32..3, 0u32..8), 0..24),
            together in prop::collection::vec(0u32..4, 8),
        ) {
            let graph = graph_of(transitions);
            let start = Partition::trivial(8);
            let branching = &mut Branching::new(&graph, Label(0));
            let finest = refine(start, branching, false, &Cancel::never()).unwrap();
            let of = |b: &Block| Block(if together[*b] == 3 { 3 + b.0 } else { together[*b] });
            let block: Vec<Block> = finest.block.iter().map(of).collect();
            let partition = Partition { blocks: 11, block };
            let count = partition.block.iter().collect::<BTreeSet<_>>().len();
            match certify(&graph, Label(0), partition.clone(), &Cancel::never()).unwrap() {
                Verdict::Stable(..) => prop_assert_eq!(count, finest.blocks),
                Verdict::Split(split) => {
                    prop_assert!(split.blocks > count);
                    prop_assert_eq!(pairs(&split.block, &partition.block), split.blocks);
                    prop_assert_eq!(pairs(&split.block, &finest.block), finest.blocks);
                }
            }
        }
    }
}
