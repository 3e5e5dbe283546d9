//! Canonical form of minimal systems: it depends on their behaviour only.
//!
//! States are numbered breadth first, and the transitions of a state are ordered by the bytes of
//! their labels. Transitions with equal labels to different states are ordered by the [`Ranks`] of
//! the targets, which are computed only when two transitions need them.
//!
//! The targets of a state may be anywhere in memory. So states are processed in batches: each array
//! is read for all states of a batch at once, so that their cache misses overlap.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::base::ids::as_index;
use crate::base::ids::{Label, State};
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::base::memory;
use crate::base::memory::room;
use crate::base::stages::Measure;
use crate::bisimulation::block_quotient::Quotient;
use crate::bisimulation::canonical_ranks::Ranks;
use std::sync::Arc;

/// States that are processed at once.
const BATCH: usize = 64;

/// The numbered blocks and their transitions.
pub struct Numbered {
    /// The number of every block, [`State::NONE`] for those that were not reached.
    pub number: Vec<State>,
    starts: Vec<u32>,
    label: Vec<Label>,
    target: Vec<State>,
    labels: Labels,
    internal: Vec<Label>,
}

impl Numbered {
    /// The blocks of `lts` as an LTS. To save memory, free the blocks themselves before.
    pub fn lts(self) -> Lts {
        let Self { starts, label, target, labels, internal, .. } = self;
        let states = u32::at(starts.len()) - 1;
        let mut source = room(target.len());
        for state in (0..states).map(State) {
            source.resize(starts[state.index() + 1] as usize, state);
        }
        let columns = (source, label, target);
        Lts::from_valid(State(0), states, columns, Arc::new(labels), Arc::new(internal))
    }
}

/// Number the blocks of `lts` that are reachable; also the others if `keep_unreachable`.
pub fn number(
    blocks: &mut Quotient,
    lts: &Lts,
    keep_unreachable: bool,
    cancel: &Cancel,
) -> Result<Numbered> {
    let mut by_text: Vec<Label> = (0..u32::at(lts.labels.len())).map(Label).collect();
    by_text.sort_unstable_by_key(|&label| lts.labels.get(label));
    // The label table has no divergence label, but `position` needs an entry for it.
    let mut position = vec![0; by_text.len() + 1];
    for (rank, &label) in (0..).zip(&by_text) {
        position[label] = rank;
    }
    if blocks.delta != Label::NONE && blocks.tau != Label::NONE {
        position[blocks.delta] = position[blocks.tau];
    }
    let hashes = blocks.hashes.take();
    let blocks = &*blocks;
    let mut ranks = Ranks::new(blocks, hashes, &lts.labels, &position);
    let mut others = Vec::new().into_iter();
    if keep_unreachable {
        others = ranks.order(cancel)?.into_iter();
    }
    // Reserved memory that is not needed is never touched.
    let most = blocks.most_steps();
    let mut walk = Walk {
        order: room(blocks.count()),
        number: memory::filled(State::NONE, blocks.count()),
        names: vec![Label::NONE; by_text.len()],
        by_text,
        lts,
        labels: Labels::new(),
        internal: Vec::new(),
        starts: room(blocks.count() + 1),
        label: room(most),
        target: room(most),
    };
    walk.number(blocks.start());
    let mut batch = Batch::default();
    blocks.steps(blocks.start(), &mut batch.first);
    let steps = batch.first.drain(..);
    let key = |label: Label| u64::from(position[label]) << 32;
    batch.steps.extend(steps.map(|(label, to)| BlockStep {
        key: key(label),
        block: to,
        number: State::NONE,
    }));
    batch.offsets.push(batch.steps.len());
    let stage = cancel.stage("numbering states", Measure::Share(blocks.count() as u64));
    let (mut at, mut done) = (1, 0);
    loop {
        stage.check_every(&mut done, BATCH)?;
        walk.take(&mut batch, &mut ranks, cancel)?;
        if at == walk.order.len() {
            let Some(other) = others.find(|&b| walk.number[b] == State::NONE) else { break };
            walk.number(other);
        }
        let end = walk.order.len().min(at + BATCH);
        batch.fill(blocks, &walk.order[at..end], &position, ranks.first(), &walk.number);
        at = end;
    }
    Ok(walk.done())
}

/// A transition of a block that is being numbered.
#[derive(Clone, Copy)]
struct BlockStep {
    /// The position of its label in the upper half, and in the lower half the first-tier rank of
    /// its target, if known.
    key: u64,
    block: State,
    /// The number of the target, if it had one when the batch was read.
    number: State,
}

/// A batch of states and their transitions.
#[derive(Default)]
struct Batch {
    /// The transitions of the states, one state after the other, and where those of each state end.
    steps: Vec<BlockStep>,
    offsets: Vec<usize>,
    ranges: Vec<std::ops::Range<usize>>,
    first: Vec<(Label, State)>,
}

impl Batch {
    /// Read the transitions of these blocks; none of them may be a separate root.
    fn fill(
        &mut self,
        blocks: &Quotient,
        order: &[State],
        position: &[u32],
        ranks: Option<&[u32]>,
        number: &[State],
    ) {
        let graph = &blocks.graph;
        self.ranges.clear();
        self.ranges.extend(order.iter().map(|&block| graph.range(block)));
        self.steps.clear();
        self.offsets.clear();
        for range in &self.ranges {
            let transitions = graph.label[range.clone()].iter().zip(&graph.target[range.clone()]);
            let step = |(&label, &to): (&Label, &State)| BlockStep {
                key: label.into(),
                block: to,
                number: to,
            };
            self.steps.extend(transitions.map(step));
            self.offsets.push(self.steps.len());
        }
        for step in &mut self.steps {
            step.key = u64::from(position[as_index(step.key)]) << 32;
        }
        if let Some(ranks) = ranks {
            for step in &mut self.steps {
                step.key |= u64::from(ranks[step.block]);
            }
        }
        for step in &mut self.steps {
            step.number = number[step.block];
        }
    }
}

/// The part of the result that is complete.
struct Walk<'a> {
    lts: &'a Lts,
    /// The labels of the LTS in the order of their bytes, and for each its number in the result.
    by_text: Vec<Label>,
    names: Vec<Label>,
    number: Vec<State>,
    /// The numbered blocks, in order.
    order: Vec<State>,
    starts: Vec<u32>,
    label: Vec<Label>,
    target: Vec<State>,
    labels: Labels,
    internal: Vec<Label>,
}

impl Walk<'_> {
    /// Give a block the next number.
    fn number(&mut self, block: State) -> State {
        let number = State(u32::at(self.order.len()));
        self.number[block] = number;
        self.order.push(block);
        number
    }

    /// Output the states of a batch, and number their targets.
    fn take(&mut self, batch: &mut Batch, ranks: &mut Ranks, cancel: &Cancel) -> Result<()> {
        let mut begin = 0;
        for &end in &batch.offsets {
            self.starts.push(u32::at(self.target.len()));
            let mut steps = &mut batch.steps[begin..end];
            begin = end;
            if !steps.is_sorted_by(|a, b| a.key < b.key) {
                let count = arrange(steps, ranks, cancel)?;
                steps = &mut steps[..count];
            }
            for step in steps {
                let mut number = step.number;
                if number == State::NONE {
                    // It may have been numbered since the batch was read.
                    number = self.number[step.block];
                    if number == State::NONE {
                        number = self.number(step.block);
                    }
                }
                let mut name = self.names[(step.key >> 32) as usize];
                if name == Label::NONE {
                    name = self.name((step.key >> 32) as u32);
                }
                self.label.push(name);
                self.target.push(number);
            }
        }
        Ok(())
    }

    /// Give a label its number in the result.
    #[cold]
    fn name(&mut self, position: u32) -> Label {
        let old = self.by_text[position as usize];
        let name = self.labels.intern(self.lts.labels.get(old));
        self.names[position as usize] = name;
        if self.lts.internal.binary_search(&old).is_ok() {
            self.internal.push(name);
        }
        name
    }

    fn done(mut self) -> Numbered {
        self.starts.push(u32::at(self.target.len()));
        self.label.shrink_to_fit();
        self.target.shrink_to_fit();
        let Self { number, starts, label, target, labels, internal, .. } = self;
        Numbered { number, starts, label, target, labels, internal }
    }
}

/// Sort the transitions of a state and remove duplicates; return how many remain.
fn arrange(steps: &mut [BlockStep], ranks: &mut Ranks, cancel: &Cancel) -> Result<usize> {
    steps.sort_unstable_by_key(|step| (step.key, step.block));
    let mut count = 0;
    for i in 0..steps.len() {
        if count == 0
            || steps[count - 1].block != steps[i].block
            || steps[count - 1].key != steps[i].key
        {
            steps[count] = steps[i];
            count += 1;
        }
    }
    for like in steps[..count].chunk_by_mut(|a, b| a.key == b.key) {
        if like.len() > 1 {
            ranks.sort(like, |step| step.block, cancel)?;
        }
    }
    Ok(count)
}
