//! Partition refinement that records why states were separated.
//!
//! A round splits all blocks by the steps into the blocks of the round before: by *columns*, as
//! many at a time as a word has bits. So states that are separated in round n have a formula with n
//! nested modalities, and every split has a column that all states of one part have and no state of
//! the other. If the relation sees all internal steps, the largest part of a block need not be a
//! splitter for all its predecessors: only those with a step into another part of the block are
//! visited. For the others the steps into the old block decide, which were used before (after Paige
//! and Tarjan, Three partition refinement algorithms, 1987).

use crate::base::cancel::{Cancel, Refining, Result};
use crate::base::csr::graph::Graph;
use crate::base::csr::incoming::Incoming;
use crate::base::ids::Id;
use crate::base::ids::{Block, Label, State};
use crate::base::memory;
use crate::base::partition::{Partition, Refinable};
use crate::compare::bisimulation_game::Relation;
use crate::compare::split_tree::{Batch, History};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Columns of a batch: the bits of a word.
const COLUMNS: usize = 64;

/// Refines the partition of a graph's states until `done` holds for it or it is stable.
///
/// If the relation ignores some internal steps, internal steps must lead to smaller states.
pub fn refine(
    graph: &Graph,
    relation: Relation,
    done: &dyn Fn(&[Block]) -> bool,
    cancel: &Cancel,
) -> Result<History> {
    let states = graph.states;
    let silent = |tau: &Label| {
        matches!(relation, Relation::Branching | Relation::Weak)
            && graph.forward.label.contains(tau)
    };
    let tau = graph.tau.filter(silent);
    let mut refinement = LoggedRefinement {
        incoming: Incoming::transitions(graph),
        tau,
        everywhere: relation == Relation::Weak,
        partition: Refinable::new(Partition::trivial(states)),
        before: memory::zeroed(states),
        node: vec![0],
        whole: vec![Block::NONE],
        mask: vec![0; states],
        moved: Vec::new(),
        changed: vec![Block(0)],
        torn: Vec::new(),
        graph,
        history: History::default(),
    };
    refinement.history.add(0, 0, 0);
    let shown = Refining::begin(cancel);
    while !refinement.changed.is_empty() && !done(refinement.partition.map()) {
        refinement.round(done, cancel)?;
        shown.round(refinement.node.len());
    }
    let LoggedRefinement { mut history, partition, node, .. } = refinement;
    history.leaf = partition.map().iter().map(|&block| node[block]).collect();
    Ok(history)
}

/// The largest part of a block, its node in the history, and the positions of the other parts.
struct Largest {
    block: Block,
    node: u32,
    beside: Vec<Range<u32>>,
}

/// A label, a state, and a mask of its columns for steps with this label.
type Entry = (Label, State, u64);

struct LoggedRefinement<'a> {
    graph: &'a Graph,
    incoming: Incoming,
    /// The internal label, if the relation ignores its steps: those inside a block, or all of them
    /// if `everywhere`.
    tau: Option<Label>,
    everywhere: bool,
    partition: Refinable<State>,
    /// The partition when the round began. If a block is split, its largest part keeps its number.
    before: Vec<Block>,
    /// For every block its node in the history.
    node: Vec<u32>,
    /// For every block the block that it was part of when that was last used as a splitter; `NONE`
    /// before the first round.
    whole: Vec<Block>,
    /// Masks of columns by state; all zero between two uses.
    mask: Vec<u64>,
    moved: Vec<State>,
    /// The blocks created or shrunk since the round began.
    changed: Vec<Block>,
    /// Blocks with internal steps that became visible because they now leave the block. What a
    /// state could do after such a step no longer counts as its own, so these blocks are split
    /// again.
    torn: Vec<Block>,
    history: History,
}

impl LoggedRefinement<'_> {
    /// Splits all blocks by the steps into the blocks of the last round.
    fn round(&mut self, done: &dyn Fn(&[Block]) -> bool, cancel: &Cancel) -> Result<()> {
        self.changed.sort_unstable();
        self.changed.dedup();
        let first = u32::at(self.history.batches.len());
        let torn = self.torn_entries();
        let largest = self.take_largest();
        // The ranges stay valid when blocks are split.
        let splitters: Vec<(u32, Range<u32>)> =
            (self.changed.drain(..)).map(|b| (self.node[b], self.partition.range(b))).collect();
        for splitters in splitters.chunks(COLUMNS) {
            let entries = self.entries(splitters, cancel)?;
            let targets = splitters.iter().map(|splitter| splitter.0).collect();
            self.batches(&entries, targets, first, cancel)?;
            if done(self.partition.map()) {
                return Ok(());
            }
        }
        for largest in largest.chunks(COLUMNS) {
            let entries = self.entries_beside(largest, cancel)?;
            let targets = largest.iter().map(|largest| largest.node).collect();
            self.batches(&entries, targets, first, cancel)?;
            if done(self.partition.map()) {
                return Ok(());
            }
        }
        for (targets, entries) in torn {
            self.batches(&entries, targets, first, cancel)?;
        }
        self.tear();
        for state in self.moved.drain(..) {
            self.before[state] = self.partition.of(state);
        }
        Ok(())
    }

    /// Removes the largest part of each block from the changed blocks, if the relation sees all
    /// internal steps.
    fn take_largest(&mut self) -> Vec<Largest> {
        let Self { changed, whole, node, partition, tau, .. } = self;
        let mut largest = Vec::new();
        if tau.is_none() {
            changed.sort_unstable_by_key(|&b| (whole[b], partition.size(b)));
            let mut others = Vec::new();
            for parts in changed.chunk_by(|&left, &right| whole[left] == whole[right]) {
                let Some((&block, rest)) = parts.split_last() else { continue };
                if whole[block] == Block::NONE {
                    others.extend_from_slice(parts);
                    continue;
                }
                let beside = rest.iter().map(|&b| partition.range(b)).collect();
                largest.push(Largest { block, node: node[block], beside });
                others.extend_from_slice(rest);
            }
            for &block in changed.iter() {
                whole[block] = block;
            }
            *changed = others;
        }
        largest
    }

    /// The steps into the largest parts of blocks, from states with a step into another part of the
    /// same block: label, source, mask of the parts.
    fn entries_beside(&mut self, largest: &[Largest], cancel: &Cancel) -> Result<Vec<Entry>> {
        cancel.check()?;
        let mut entries = Vec::new();
        for (column, Largest { block, beside, .. }) in largest.iter().enumerate() {
            let mut sources: Vec<(Label, State)> = Vec::new();
            for range in beside {
                for &state in self.partition.at(range.clone()) {
                    sources.extend_from_slice(self.incoming.of(state));
                }
            }
            sources.sort_unstable();
            sources.dedup();
            sources.retain(|&(label, source)| {
                let mut targets = self.graph.targets(source, label).iter();
                targets.any(|&target| self.before[target] == *block)
            });
            entries.extend(sources.iter().map(|&(label, source)| (label, source, 1 << column)));
        }
        entries.sort_unstable();
        Ok(entries)
    }

    /// Splits by entries, one label at a time.
    fn batches(
        &mut self,
        entries: &[Entry],
        targets: Vec<u32>,
        round: u32,
        cancel: &Cancel,
    ) -> Result<()> {
        let number = u32::at(self.history.targets.len());
        self.history.targets.push(targets);
        for entries in entries.chunk_by(|left, right| left.0 == right.0) {
            cancel.check()?;
            let label = entries[0].0;
            let masks = self.closed(entries.iter().map(|&(_, state, mask)| (state, mask)), label);
            self.history.batches.push(Batch { label, round, targets: number });
            self.split(&masks);
        }
        Ok(())
    }

    /// Finds the blocks from which internal steps lead out since the round began.
    fn tear(&mut self) {
        let Some(tau) = self.tau.filter(|_| !self.everywhere) else { return };
        let Self { graph, incoming, before, partition, torn, .. } = self;
        let block = partition.map();
        let mut step = |source: State, target: State| {
            if before[source] == before[target] && block[source] != block[target] {
                torn.push(block[source]);
            }
        };
        for &state in &self.moved {
            graph.targets(state, tau).iter().for_each(|&target| step(state, target));
            for &(label, source) in incoming.of(state) {
                if label == tau {
                    step(source, state);
                }
            }
        }
        torn.sort_unstable();
        torn.dedup();
    }

    /// The steps out of torn blocks, grouped by the blocks that they lead to.
    fn torn_entries(&mut self) -> Vec<(Vec<u32>, Vec<Entry>)> {
        let mut steps = Vec::new();
        for block in self.torn.drain(..) {
            for &state in self.partition.members(block) {
                for (label, target) in self.graph.steps(state) {
                    let to = self.partition.of(target);
                    if Some(label) != self.tau || to != block {
                        steps.push((self.node[to], label, state));
                    }
                }
            }
        }
        steps.sort_unstable();
        let mut batches: Vec<(Vec<u32>, Vec<Entry>)> = Vec::new();
        for steps in steps.chunk_by(|left, right| left.0 == right.0) {
            if batches.last().is_none_or(|batch| batch.0.len() == COLUMNS) {
                batches.push(Default::default());
            }
            let Some((targets, entries)) = batches.last_mut() else { continue };
            let mask = 1 << targets.len();
            targets.push(steps[0].0);
            entries.extend(steps.iter().map(|&(_, label, state)| (label, state, mask)));
        }
        for (_, entries) in &mut batches {
            entries.sort_unstable();
        }
        batches
    }

    /// The steps into blocks: label, source, mask of the blocks. For a weak relation internal steps
    /// after the label are included.
    fn entries(&mut self, splitters: &[(u32, Range<u32>)], cancel: &Cancel) -> Result<Vec<Entry>> {
        cancel.check()?;
        let mut seeds = Vec::new();
        for (column, (_, range)) in splitters.iter().enumerate() {
            let members = self.partition.at(range.clone()).iter();
            seeds.extend(members.map(|&state| (state, 1 << column)));
        }
        let mut entries = Vec::new();
        if self.everywhere
            && let Some(tau) = self.tau
        {
            seeds = self.closed(seeds.into_iter(), Label::NONE);
            entries.extend(seeds.iter().map(|&(state, mask)| (tau, state, mask)));
        }
        for (state, mask) in seeds {
            for &(label, source) in self.incoming.of(state) {
                let unseen = self.everywhere || self.before[source] == self.before[state];
                if Some(label) != self.tau || !unseen {
                    entries.push((label, source, mask));
                }
            }
        }
        entries.sort_unstable();
        Ok(entries)
    }

    /// The states with their columns, closed backwards under the internal steps that the relation
    /// ignores before a step with this label.
    fn closed(
        &mut self,
        seeds: impl Iterator<Item = (State, u64)>,
        label: Label,
    ) -> Vec<(State, u64)> {
        let Self { mask, incoming, before, tau, everywhere, .. } = self;
        let mut order = Vec::new();
        for (state, columns) in seeds {
            let known = &mut mask[state];
            if *known == 0 {
                order.push(state);
            }
            *known |= columns;
        }
        // For an internal label of a weak relation, [`Self::entries`] has closed the seeds already.
        if let Some(tau) = *tau
            && !(*everywhere && label == tau)
        {
            let mut waiting: BinaryHeap<Reverse<State>> = order.drain(..).map(Reverse).collect();
            while let Some(Reverse(state)) = waiting.pop() {
                order.push(state);
                for &(label, source) in incoming.of(state) {
                    let unseen = *everywhere || before[source] == before[state];
                    if label == tau && unseen {
                        debug_assert!(source > state, "internal steps lead to smaller states");
                        if mask[source] == 0 {
                            waiting.push(Reverse(source));
                        }
                        mask[source] |= mask[state];
                    }
                }
            }
        }
        let take = |state: State| (state, std::mem::take(&mut mask[state]));
        order.into_iter().map(take).collect()
    }

    /// Splits the blocks of these states by their columns; states not listed have none.
    fn split(&mut self, masks: &[(State, u64)]) {
        let Self { partition, node, whole, history, changed, moved, .. } = self;
        let mut having: Vec<(Block, u64, State)> = (masks.iter())
            .map(|&(state, mask)| (partition.of(state), mask, state))
            .filter(|&(block, ..)| partition.size(block) > 1)
            .collect();
        having.sort_unstable();
        let states: Vec<State> = having.iter().map(|&(.., state)| state).collect();
        let batch = u32::at(history.batches.len()) - 1;
        let mut begin = 0;
        for block in having.chunk_by(|left, right| left.0 == right.0) {
            let mut states = &states[begin..begin + block.len()];
            begin += block.len();
            let b = block[0].0;
            let (parent, old) = (node[b], whole[b]);
            let rest = partition.size(b) - u32::at(block.len());
            if rest == 0 && block[0].1 == block[block.len() - 1].1 {
                continue;
            }
            let parts = block.chunk_by(|left, right| left.1 == right.1);
            let largest =
                parts.clone().map(|part| u32::at(part.len())).max().unwrap_or(0).max(rest);
            let mut has_largest = false;
            let mut number = |count: u32, mask: u64| {
                let keeps = count == largest && !has_largest;
                has_largest |= keeps;
                let id = if keeps { b } else { Block::at(node.len()) };
                if !keeps {
                    node.push(0);
                    whole.push(old);
                }
                node[id] = history.add(parent, batch, mask);
                changed.push(id);
                id
            };
            let mut report = |part: &[State], id| {
                if id != b {
                    moved.extend_from_slice(part);
                }
            };
            let mut cut = partition.cut(b);
            for part in parts {
                let (own, others) = states.split_at(part.len());
                let id = number(u32::at(part.len()), part[0].1);
                cut.part(own, id);
                report(own, id);
                states = others;
            }
            if rest > 0 {
                let id = number(rest, 0);
                report(cut.rest(id), id);
            }
        }
    }
}
