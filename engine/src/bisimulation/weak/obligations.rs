//! The obligations of a partition: the weak transitions that its bottom states must have for it to
//! be a weak bisimulation.

use crate::base::bitset::Bits;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::ids::{Block, Label, State};
use crate::base::parallel;
use crate::base::partition::Partition;
use crate::bisimulation::weak::split_by_targets::Column;

/// States that a thread takes at a time; the last block is completed.
const CHUNK: usize = if cfg!(test) { 4 } else { 1 << 12 };

/// An obligation: the target block and label of a transition of another state of the block, and the
/// state that needs a weak transition for it.
pub type Obligation = (Block, Label, State);

/// The states that are not alone in their blocks, sorted by block.
pub struct Mixed(Vec<(Block, State)>);

impl Mixed {
    /// The mixed states of a partition.
    pub fn new(partition: &Partition) -> Self {
        let Partition { block, blocks } = partition;
        let mut size = vec![0u32; *blocks];
        for &block in block {
            size[block] += 1;
        }
        let mut states: Vec<(Block, State)> = Vec::new();
        for (state, &block) in (0..).map(State).zip(block) {
            if size[block] > 1 {
                states.push((block, state));
            }
        }
        states.sort_unstable();
        Self(states)
    }

    /// Update to a refined partition; return the blocks that changed. `known` is the number of
    /// blocks of the original partition; `origin` gets for every later block the original block
    /// that it was part of.
    pub fn follow(
        &mut self,
        partition: &Partition,
        known: usize,
        origin: &mut Vec<Block>,
    ) -> Bits<Block> {
        let mut changed = Bits::new(partition.blocks);
        let mut moved: Vec<(Block, State)> = Vec::new();
        origin.resize(partition.blocks - known, Block(0));
        self.0.retain(|&(before, state)| {
            let now = partition.block[state];
            if now != before {
                changed.add(before);
                changed.add(now);
                let from = before.index().checked_sub(known);
                origin[now.index() - known] = from.map_or(before, |i| origin[i]);
                moved.push((now, state));
            }
            now == before
        });
        // New blocks have larger numbers than all others, so the list stays sorted.
        moved.sort_unstable();
        self.0.extend(moved);
        let mut alone = Bits::<Block>::default();
        for states in self.0.chunk_by(|a, b| a.0 == b.0).filter(|states| states.len() == 1) {
            alone.add(states[0].0);
        }
        self.0.retain(|&(block, _)| !alone.has(block));
        changed
    }

    /// All states, with their blocks.
    pub fn states(&self) -> &[(Block, State)] {
        &self.0
    }

    /// The states of a block.
    pub fn of(&self, block: Block) -> &[(Block, State)] {
        let first = self.0.partition_point(|state| state.0 < block);
        let count = self.0[first..].partition_point(|state| state.0 == block);
        &self.0[first..first + count]
    }
}

/// The obligations of a partition, and their columns.
pub struct Obligations {
    /// Obligations that are not met by a transition of the bottom state itself; `None` if there are
    /// more of them than transitions.
    pub unmet: Option<Vec<Obligation>>,
    /// Their number.
    pub count: usize,
    /// The distinct pairs of a label and a block in them.
    pub columns: Vec<Column>,
}

/// The obligations of a partition; if only some blocks changed, those that involve changed blocks.
pub fn obligations(
    graph: &Forward,
    tau: Label,
    block: &[Block],
    mixed: &Mixed,
    changed: Option<&Bits<Block>>,
    cancel: &Cancel,
) -> Result<Obligations> {
    let most = graph.target.len();
    let concerns = |block: Block| changed.is_none_or(|blocks| blocks.has(block));
    // Chunks consist of whole blocks.
    let mut rest = &mixed.0[..];
    let chunks = std::iter::from_fn(|| {
        let least = rest.get(CHUNK).unwrap_or(rest.last()?).0;
        let (chunk, others) = rest.split_at(rest.partition_point(|&(block, _)| block <= least));
        rest = others;
        Some(chunk)
    });
    let look = |states: &[(Block, State)]| {
        let (mut unmet, mut columns, mut count) = (Vec::new(), Vec::new(), 0);
        // The non-inert transitions of the states of a block, and its bottom states.
        let mut transitions: Vec<(Block, Label, State)> = Vec::new();
        let mut bottom: Vec<State> = Vec::new();
        for group in states.chunk_by(|a, b| a.0 == b.0) {
            transitions.clear();
            bottom.clear();
            let own = group[0].0;
            let whole = concerns(own);
            for &(_, state) in group {
                let mut inside = false;
                for (label, target) in graph.steps(state) {
                    let target = block[target];
                    if (target, label) == (own, tau) {
                        inside = true;
                    } else if whole || concerns(target) {
                        transitions.push((target, label, state));
                    }
                }
                if !inside {
                    bottom.push(state);
                }
            }
            transitions.sort_unstable();
            transitions.dedup();
            for step in transitions.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                let (target, label, _) = step[0];
                let mut having = step.iter().map(|transition| transition.2).peekable();
                let before = count;
                for &state in &bottom {
                    while having.next_if(|&other| other < state).is_some() {}
                    if having.peek() != Some(&state) {
                        count += 1;
                        if count <= most {
                            unmet.push((target, label, state));
                        }
                    }
                }
                if count > before {
                    columns.push((label, target));
                }
            }
        }
        columns.sort_unstable();
        columns.dedup();
        (unmet, columns, count)
    };
    let (mut unmet, mut columns, mut count) = (Vec::new(), Vec::new(), 0);
    let gather = |part: (Vec<Obligation>, Vec<Column>, usize)| {
        count += part.2;
        if count <= most {
            unmet.extend(part.0);
        } else {
            unmet = Vec::new();
        }
        columns.extend(part.1);
    };
    parallel::in_order(chunks, look, gather, cancel)?;
    columns.sort_unstable();
    columns.dedup();
    Ok(Obligations { unmet: (count <= most).then_some(unmet), count, columns })
}
