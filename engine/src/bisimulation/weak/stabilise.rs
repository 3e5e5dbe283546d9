//! Exact partition refinement modulo weak bisimulation, by searches.
//!
//! Let every block have the transitions of all its states. If every bottom state of a block (one
//! without inert steps) has weak transitions for all of them, then so has every state of the block,
//! after inert steps: the partition is a weak bisimulation. Whether a bottom state has such a weak
//! transition is decided by a search, or by columns if the search takes too long. The answer
//! remains valid while both blocks keep their states, so after a split only obligations that
//! involve the parts are checked again.

use crate::base::bitset::Bits;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::ids::{Block, Label, State};
use crate::base::memory::room;
use crate::base::partition::Partition;
use crate::base::scratch::Scratch;
use crate::base::stages::Measure;
use crate::bisimulation::weak::guided_search::{Guide, GuidedSearch, Steps, in_samples, pace};
use crate::bisimulation::weak::obligations::{Mixed, Obligation, obligations};
use crate::bisimulation::weak::reach_bits::Sources;
use crate::bisimulation::weak::signature_sketch::Weak;
use crate::bisimulation::weak::split_by_targets::{Column, split};

/// Searches between two cancellation checks, and the most for one block.
const SEARCHES: usize = if cfg!(test) { 8 } else { 1 << 10 };

/// Rounds after which sketches are tried again.
const ROUNDS: usize = if cfg!(test) { 3 } else { 64 };

/// A block, and the label and target block of a weak transition that some state of the block lacks.
type Lacked = (Block, Label, Block);

/// Split a partition until it is a weak bisimulation, and return true. Return false if refinement
/// by sketches should be tried again, which may find the consequences of a split faster: if no more
/// blocks were added here than the `separated` ones that sketches added last, or after [`ROUNDS`]
/// rounds.
pub fn stabilise(
    graph: &Forward,
    tau: Label,
    partition: &mut Partition,
    (sketches, steps): (&Weak, &Steps),
    sources: &mut Option<Sources>,
    separated: usize,
    cancel: &Cancel,
) -> Result<bool> {
    let known = partition.blocks;
    let mut mixed = Mixed::new(partition);
    // For every block that the sketches do not know: the block that it was part of.
    let mut origin: Vec<Block> = Vec::new();
    let mut open: Vec<Column> = Vec::new();
    let mut changed: Option<Bits<Block>> = None;
    for _ in 0..ROUNDS {
        let before = partition.blocks;
        let current = obligations(graph, tau, &partition.block, &mixed, changed.as_ref(), cancel)?;
        let pace = pace(current.count, current.columns.len(), graph.target.len());
        if let (Some(unmet), Some(pace)) = (current.unmet, pace) {
            let guides = Guides { sketches, origin: &origin, known };
            let lacked =
                searched(unmet, (&guides, steps), &partition.block, pace, &mut open, cancel)?;
            let mut search = GuidedSearch::new(steps);
            for (i, columns) in lacked.chunk_by(|a, b| a.0 == b.0).enumerate() {
                if i.is_multiple_of(SEARCHES) {
                    cancel.check()?;
                }
                if !apart((&mut search, pace), &guides, partition, &mixed, columns) {
                    open.extend(columns.iter().map(|&(_, label, goal)| (label, goal)));
                }
            }
        } else {
            open.extend(current.columns);
        }
        if partition.blocks == before {
            if open.is_empty() {
                return Ok(true);
            }
            open.sort_unstable();
            open.dedup();
            let sources = sources.get_or_insert_with(|| Sources::new(graph, tau, &Bits::default()));
            open = split(partition, sources, mixed.states(), open, cancel)?;
            if partition.blocks == before {
                return Ok(true);
            }
        }
        if partition.blocks - known <= separated {
            return Ok(false);
        }
        changed = Some(mixed.follow(partition, known, &mut origin));
        open.retain(|column| !changed.as_ref().is_some_and(|blocks| blocks.has(column.1)));
    }
    Ok(false)
}

/// Search for the weak transitions of all obligations. Returns the sorted ones that some state of a
/// block lacks. Columns for which a search gave up are added to `open`.
fn searched(
    mut unmet: Vec<Obligation>,
    (guides, steps): (&Guides, &Steps),
    block: &[Block],
    pace: usize,
    open: &mut Vec<Column>,
    cancel: &Cancel,
) -> Result<Vec<Lacked>> {
    unmet.sort_unstable();
    let mut lacked = Vec::new();
    let scratch = Scratch::new(|| GuidedSearch::new(steps));
    let look = |unmet: &&[Obligation], futile: bool| {
        let (mut lacked, mut open, mut count) = (Vec::new(), Vec::new(), 0);
        let mut search = scratch.take();
        search.begin(pace);
        for &(goal, label, state) in *unmet {
            let guide = guides.guide(block, label, goal);
            let outcome = if futile { None } else { search.find(state, label, None, &guide) };
            match outcome {
                Some(true) => {}
                Some(false) => lacked.push((block[state], label, goal)),
                None => {
                    count += 1;
                    if open.last() != Some(&(label, goal)) {
                        open.push((label, goal));
                    }
                }
            }
        }
        scratch.give(search);
        (lacked, open, [count, unmet.len()])
    };
    let stage = cancel.stage("searching for transitions", Measure::Share(unmet.len() as u64));
    let gather = |outcome: (Vec<Lacked>, Vec<Column>, [usize; 2])| {
        stage.add(outcome.2[1]);
        lacked.extend(outcome.0);
        open.extend(outcome.1);
        outcome.2
    };
    let chunks: Vec<&[Obligation]> = unmet.chunks(SEARCHES).collect();
    in_samples(&chunks, look, gather, cancel)?;
    lacked.sort_unstable();
    lacked.dedup();
    Ok(lacked)
}

/// Split a block by columns of it, as far as searches succeed. Returns whether it was split.
fn apart(
    (search, pace): (&mut GuidedSearch, usize),
    guides: &Guides,
    partition: &mut Partition,
    mixed: &Mixed,
    columns: &[Lacked],
) -> bool {
    let states = mixed.of(columns[0].0);
    // Parts of the block that agree on the columns so far.
    let mut parts: Vec<Vec<State>> = vec![states.iter().map(|&(_, state)| state).collect()];
    let mut left = SEARCHES;
    search.begin(pace);
    for &(_, label, goal) in columns {
        let Some(rest) = left.checked_sub(states.len()) else { break };
        left = rest;
        let guide = guides.guide(&partition.block, label, goal);
        let mut next = room(parts.len());
        let mut unknown = false;
        for part in &parts {
            let (mut with, mut without) = (Vec::new(), Vec::new());
            for &state in part {
                match search.find(state, label, None, &guide) {
                    Some(true) => with.push(state),
                    Some(false) => without.push(state),
                    None => unknown = true,
                }
            }
            next.extend([with, without].into_iter().filter(|part| !part.is_empty()));
        }
        if !unknown {
            parts = next;
        }
    }
    partition.split(&mut parts);
    parts.len() > 1
}

/// Guides of searches, from sketches that may not know the latest blocks.
struct Guides<'a> {
    sketches: &'a Weak<'a>,
    origin: &'a [Block],
    known: usize,
}

impl Guides<'_> {
    fn guide<'a>(&'a self, block: &'a [Block], label: Label, goal: Block) -> BlockGuide<'a> {
        let unknown = goal.index().checked_sub(self.known);
        let whole = unknown.map_or(goal, |i| self.origin[i]);
        BlockGuide { sketches: self.sketches, block, label, goal, whole }
    }
}

/// A guide to a block, for a label.
struct BlockGuide<'a> {
    sketches: &'a Weak<'a>,
    block: &'a [Block],
    label: Label,
    goal: Block,
    /// The block known to the sketches that the goal was part of.
    whole: Block,
}

impl Guide for BlockGuide<'_> {
    fn is_goal(&self, state: State) -> bool {
        self.block[state] == self.goal
    }

    fn may_reach(&self, state: State) -> bool {
        self.sketches.may_reach(state, self.whole)
    }

    fn may_offer(&self, state: State) -> bool {
        self.sketches.may_offer(state, self.label, self.whole)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::bisimulation::refine::signature::Signature;
    use bytemuck::{cast_slice, cast_vec};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    pub const TAU: u32 = 1;

    pub type Transition = (u32, u32, u32);

    /// Transitions whose internal steps lead to smaller states.
    pub fn systems() -> impl Strategy<Value = (u32, BTreeSet<Transition>)> {
        (1u32..16).prop_flat_map(|states| {
            let label = prop_oneof![4 => Just(TAU), 1 => Just(0u32), 1 => Just(2u32)];
            let transition = (0..states, label, 0..states);
            let transition = transition.prop_filter("acyclic", |&(s, a, t)| a != TAU || t < s);
            (Just(states), prop::collection::btree_set(transition, 0..40))
        })
    }

    pub fn graph(states: u32, transitions: &BTreeSet<Transition>) -> Forward<'static> {
        let (mut starts, mut label, mut target) = (vec![0], Vec::new(), Vec::new());
        for state in 0..states {
            let own = transitions.range((state, 0, 0)..(state + 1, 0, 0));
            let mut own: Vec<(u32, u32)> =
                own.map(|transition| (transition.1, transition.2)).collect();
            own.sort_by_key(|transition| (transition.0.wrapping_sub(TAU), transition.1));
            label.extend(own.iter().map(|transition| transition.0));
            target.extend(own.iter().map(|transition| transition.1));
            starts.push(label.len() as u32);
        }
        Forward::of_numbers(starts, label, target)
    }

    /// The states reached by zero or more internal steps.
    fn silent(transitions: &BTreeSet<Transition>, state: u32) -> BTreeSet<u32> {
        let mut visited = BTreeSet::from([state]);
        for s in (0..=state).rev() {
            if visited.contains(&s) {
                visited.extend(
                    transitions.range((s, TAU, 0)..(s, TAU + 1, 0)).map(|transition| transition.2),
                );
            }
        }
        visited
    }

    /// The labels and blocks of all weak transitions of a state.
    pub fn signature(
        transitions: &BTreeSet<Transition>,
        state: u32,
        block: &[u32],
    ) -> BTreeSet<(u32, u32)> {
        let mut can = BTreeSet::new();
        for s in silent(transitions, state) {
            can.insert((TAU, block[s as usize]));
            for &(_, a, t) in transitions.range((s, 0, 0)..(s + 1, 0, 0)) {
                if a != TAU {
                    can.extend(silent(transitions, t).iter().map(|&t| (a, block[t as usize])));
                }
            }
        }
        can
    }

    /// The blocks by definition: rounds of refinement by sets of weak transitions.
    pub fn blocks(states: u32, transitions: &BTreeSet<Transition>) -> Vec<u32> {
        let mut block = vec![0; states as usize];
        loop {
            let mut numbers = BTreeMap::new();
            let next: Vec<u32> = (0..states)
                .map(|state| {
                    let can = signature(transitions, state, &block);
                    let count = numbers.len() as u32;
                    *numbers.entry((block[state as usize], can)).or_insert(count)
                })
                .collect();
            if next == block {
                return block;
            }
            block = next;
        }
    }

    /// The same partition with blocks numbered by first occurrence.
    fn in_order(block: &[u32]) -> Vec<u32> {
        let mut numbers = BTreeMap::new();
        let mut number = |block: &u32| {
            let count = numbers.len() as u32;
            *numbers.entry(*block).or_insert(count)
        };
        block.iter().map(&mut number).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]
        #[test]
        fn searches_alone_reach_weak_bisimilarity(
            (states, transitions) in systems(),
            start in 1u32..5,
            separated in prop_oneof![Just(0), Just(1), Just(usize::MAX)],
        ) {
            let graph = graph(states, &transitions);
            let expected = blocks(states, &transitions);
            // A partition that is coarser than the result.
            let block: Vec<u32> = expected.iter().map(|block| block % start).collect();
            let count = block.iter().max().map_or(0, |&last| last as usize + 1);
            let mut partition = Partition { block: cast_vec(block), blocks: count };
            let tau = Label(TAU);
            let mut sketches = Weak::new(&graph, tau);
            let (steps, mut sources) = (Steps::new(&graph, tau), None);
            let cancel: &Cancel = &Cancel::never();
            loop {
                let before = partition.blocks;
                // The sketches are updated, but nothing is split by them.
                sketches.begin_sweep(&partition.block, &Bits::default(), cancel).unwrap();
                let known = (&sketches, &steps);
                let stable =
                    stabilise(&graph, tau, &mut partition, known, &mut sources, separated, cancel).unwrap();
                let numbers: BTreeSet<u32> = partition.block.iter().map(|block| block.0).collect();
                prop_assert!(numbers.into_iter().eq(0..partition.blocks as u32));
                if stable {
                    break;
                }
                prop_assert!(partition.blocks > before);
            }
            prop_assert_eq!(in_order(cast_slice(&partition.block)), in_order(&expected));
        }
    }
}
