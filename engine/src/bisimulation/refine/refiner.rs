//! Partition refinement by signatures, of the states only that a split may concern.
//!
//! The signature of a state is what it can do next, as a set of pairs of a label and a block. States
//! of one block stay together while their signatures are equal. After Jacobs and Wissmann, Fast
//! coalgebraic bisimilarity minimization (POPL 2023): of the parts of a block the largest keeps its
//! number, so that a state gets a new number O(log n) times at most, and only states with a
//! transition to one with a new number are looked at again. The others of their block are *clean*:
//! their signatures are equal, and equal to what they were.
//!
//! While many states move, all are swept in order of their numbers, and it is the forward
//! transitions that tell who is concerned: one sequential pass, nothing else is kept. When few
//! move, lists of predecessors and of the members of blocks take over, and a round costs what
//! changes. Signatures are told apart by a hash of 64 bits; see `certify` for why the result is
//! exact nevertheless.

use crate::base::bitset::Bits;
use crate::base::cancel::{POLL_EVERY, Poll};
use crate::base::{memory, parallel};
use crate::bisimulation::refine::split_groups::{BATCH, Groups};
use crate::bisimulation::refine::sweep::{sweep_at_once, sweep_marked};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the states of one block must have in common, as a hash of what a state can do.
pub trait Signature {
    /// A sweep begins: the states of `moved` have a new block.
    fn begin_sweep(&mut self, _block: &[u32], _moved: &Bits, _poll: Poll) -> Option<()> {
        Some(())
    }

    /// Whether the next sweep is to look at all states, as the first one does.
    fn begins_again(&self) -> bool {
        false
    }

    /// The same signatures for another thread, if those of a sweep do not depend on each other.
    fn fork(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// In a sweep: whether the signature of a state may be new, because of states that moved or of
    /// smaller states that are touched themselves.
    fn touched(&self, state: u32, block: &[u32], moved: &Bits, touched: &Bits) -> bool;

    /// The hash of the signature of a state; all touched states are asked for, in order.
    fn hash(&mut self, state: u32, block: &[u32]) -> u64;

    /// Make ready to mark states that are not settled; false if that is not done here.
    fn begin_marks(&mut self, _settled: &Bits, _poll: Poll) -> Option<bool> {
        Some(false)
    }

    /// Mark the states whose signatures may be new because a state has a new block.
    fn mark(&self, _moved: u32, _mark: impl FnMut(u32)) {}

    /// The hash of the signature of a state; larger states are marked whose signatures may be new with
    /// it.
    fn hash_marking(&mut self, state: u32, block: &[u32], _mark: impl FnMut(u32)) -> u64 {
        self.hash(state, block)
    }

    /// The rounds after the sweeps, which cost what changes; `moved` have a new block.
    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<u32>, poll: Poll) -> Option<()>;
}

/// Signatures that depend on what is behind the transitions of a state, and not on its own block.
pub trait Local: Signature {
    /// Only states for which `keep` holds will be asked for from now on.
    fn begin_lists(&mut self, keep: &dyn Fn(u32) -> bool, poll: Poll) -> Option<()>;

    /// Add to `list`, and mark, every state that is not settled and whose signature may be new
    /// because the states in `moved` have a new block.
    fn affected(
        &mut self,
        moved: &[u32],
        block: &[u32],
        settled: &Bits,
        marked: &mut Bits,
        list: &mut Vec<u32>,
    );
}

/// For every state its block, and how many blocks there are.
#[derive(Clone, Default)]
pub struct Partition {
    pub block: Vec<u32>,
    pub blocks: usize,
}

impl Partition {
    /// One block of all states.
    pub fn trivial(states: usize) -> Self {
        Self { block: vec![0; states], blocks: 1 }
    }
}

/// The coarsest refinement of `start` in which states of one block have signatures of one hash.
///
/// With `canonical`, the numbers of blocks depend on nothing but signatures and numbers of states
/// that share them: isomorphic systems get the same numbers for corresponding states.
pub fn refine<S: Signature + Send + Sync>(
    start: Partition,
    signature: &mut S,
    canonical: bool,
    poll: Poll,
) -> Option<Partition> {
    let settled = Bits::new(start.block.len());
    refine_rest(start, settled, signature, canonical, poll)
}

/// The same for states that are not settled; blocks of settled ones have no others, and stay.
pub fn refine_rest<S: Signature + Send + Sync>(
    start: Partition,
    settled: Bits,
    signature: &mut S,
    canonical: bool,
    poll: Poll,
) -> Option<Partition> {
    refine_up_to(Most::ANY, start, settled, signature, canonical, poll)
        .map(Option::unwrap_or_default)
}

/// How far refinement goes before it is given up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Most {
    pub blocks: usize,
    /// States that get a new block, as often as they do.
    pub moves: usize,
}

impl Most {
    /// It is never given up.
    pub const ANY: Self = Self { blocks: usize::MAX, moves: usize::MAX };
}

/// The same; no partition if refinement was given up.
pub fn refine_up_to<S: Signature + Send + Sync>(
    most: Most,
    start: Partition,
    settled: Bits,
    signature: &mut S,
    canonical: bool,
    poll: Poll,
) -> Option<Option<Partition>> {
    let mut size = vec![0; start.blocks];
    for &block in &start.block {
        size[block as usize] += 1;
    }
    let mut refiner = Refiner {
        hash: vec![0; start.blocks],
        size,
        block: start.block,
        settled,
        groups: Groups::default(),
        splits: Vec::new(),
        canonical,
        most,
        moves: 0,
    };
    let moved = refiner.sweeps(signature, poll)?;
    if !moved.is_empty() {
        signature.lists(&mut refiner, moved, poll)?;
    }
    let given_up = refiner.is_given_up();
    let partition = Partition { blocks: refiner.size.len(), block: refiner.block };
    Some((!given_up).then_some(partition))
}

const NONE: u32 = u32::MAX;

/// Sweeps go on while more than one state in this many moves ..
const FEW: usize = if cfg!(test) { 1 } else { 64 };
/// .. or in this many, if those that are concerned are marked ..
const FEW_MARKED: usize = if cfg!(test) { 2 } else { 256 };
/// .. and for this many rounds more, which may be all: the lists cost as much.
const PATIENCE: u32 = if cfg!(test) { 0 } else { 6 };

/// Whom moved states concern is marked once less than one state in this many moves.
const SOME: usize = 4;

/// States that a thread takes at a time: bits of whole words.
pub const PIECE: usize = 1 << 14;

/// A partition that is being refined.
pub struct Refiner {
    pub block: Vec<u32>,
    /// For every block its number of states.
    pub size: Vec<u32>,
    /// For every block the lower half of the hash of the signature of its clean states.
    pub hash: Vec<u32>,
    /// States alone in their block, or in a final one: nothing concerns them any more.
    pub settled: Bits,
    /// The states to look at in this round, by block and hash.
    pub groups: Groups,
    /// The blocks that this round splits.
    pub(crate) splits: Vec<Split>,
    canonical: bool,
    most: Most,
    /// States that got a new block.
    pub(crate) moves: usize,
}

/// A block that falls apart: clean states, and those of a group with their hash, are the front.
pub struct Split {
    pub block: u32,
    /// States before.
    pub total: u32,
    /// States of the front, and their block from now on.
    pub front: u32,
    pub front_id: u32,
    /// The groups, as a part of `groups.order`.
    pub groups: std::ops::Range<usize>,
}

impl Refiner {
    pub(crate) fn is_given_up(&self) -> bool {
        self.size.len() > self.most.blocks || self.moves > self.most.moves
    }

    /// Whole rounds, while much moves. The states that moved in the last one, if any did.
    fn sweeps(
        &mut self,
        signature: &mut (impl Signature + Send + Sync),
        poll: Poll,
    ) -> Option<Vec<u32>> {
        let states = self.block.len();
        let mut moved = Bits::new(states);
        let mut touched = Bits::new(states);
        let mut group = memory::zeroes(states);
        let (mut all, mut marks) = (true, None);
        let (patience, some) = (PATIENCE, SOME);
        #[cfg(test)]
        let (patience, some) = tests::SWEEPS.get().unwrap_or((patience, some));
        let mut patience = patience;
        loop {
            self.groups.clear(states);
            touched.clear();
            signature.begin_sweep(&self.block, &moved, poll)?;
            let known = if all { None } else { Some(&moved) };
            if marks == Some(true) {
                sweep_marked(self, signature, &moved, &mut touched, &mut group, poll)?;
            } else if signature.fork().is_some() {
                sweep_at_once(self, signature, known, &mut touched, &mut group, poll)?;
            } else {
                self.sweep_in_order(signature, known, &mut touched, &mut group, poll)?;
            }
            self.decide();
            if self.is_given_up() {
                return Some(Vec::new());
            }
            let count = self.sweep_moves(&touched, &group, &mut moved, poll)?;
            self.moves += count;
            all = signature.begins_again();
            if all {
                continue;
            }
            if count == 0 {
                return Some(Vec::new());
            }
            if marks.is_none() && count < states / some {
                marks = Some(signature.begin_marks(&self.settled, poll)?);
            }
            let few = if marks == Some(true) { FEW_MARKED } else { FEW };
            if count < states / few {
                if patience == 0 {
                    return Some(moved.iter().collect());
                }
                patience -= 1;
            }
        }
    }

    /// Put every state that is touched, because of those that moved, into its group.
    fn sweep_in_order(
        &mut self,
        signature: &mut impl Signature,
        moved: Option<&Bits>,
        touched: &mut Bits,
        group: &mut [u32],
        poll: Poll,
    ) -> Option<()> {
        let states = self.block.len() as u32;
        let (mut batch, mut items) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
        for state in 0..=states {
            if (state as usize).is_multiple_of(POLL_EVERY) && !poll() {
                return None;
            }
            if batch.len() == BATCH || state == states {
                for (&state, number) in batch.iter().zip(self.groups.add_all(&items)) {
                    group[state as usize] = number;
                }
                batch.clear();
                items.clear();
            }
            if state == states || self.settled.has(state) {
                continue;
            }
            if moved.is_some_and(|moved| !signature.touched(state, &self.block, moved, touched)) {
                continue;
            }
            let block = self.block[state as usize];
            if self.size[block as usize] == 1 {
                self.settled.add(state);
                continue;
            }
            touched.add(state);
            batch.push(state);
            items.push((block, signature.hash(state, &self.block)));
        }
        Some(())
    }

    /// Gives the states of a sweep their new blocks; how many moved.
    fn sweep_moves(
        &mut self,
        touched: &Bits,
        group: &[u32],
        moved: &mut Bits,
        poll: Poll,
    ) -> Option<usize> {
        let mut fronts = Vec::new();
        if self.splits.iter().any(|split| split.front > 0 && split.front_id != split.block) {
            fronts = memory::filled(NONE, self.size.len());
            for split in &self.splits {
                if split.front > 0 && split.front_id != split.block {
                    fronts[split.block as usize] = split.front_id;
                }
            }
        }
        moved.clear();
        let count = AtomicUsize::new(0);
        let Self { block, size, settled, groups, .. } = self;
        let pieces = (block.chunks_mut(PIECE).enumerate())
            .zip(settled.words_mut().chunks_mut(PIECE / 64))
            .zip(moved.words_mut().chunks_mut(PIECE / 64))
            .map(|(((i, block), settled), moved)| (i, block, settled, moved));
        let work = |(i, block, settled, moved): (usize, &mut [u32], &mut [u64], &mut [u64])| {
            let mut some = 0;
            for (word, block) in block.chunks_mut(64).enumerate() {
                let touched = touched.word(i * (PIECE / 64) + word);
                // Where no front has a new number the others stay where they are.
                let mut open = if fronts.is_empty() { touched } else { !0 >> (64 - block.len()) };
                while open != 0 {
                    let bit = open.trailing_zeros() as usize;
                    open &= open - 1;
                    let own = &mut block[bit];
                    let id = if touched >> bit & 1 == 1 {
                        groups.id[group[i * PIECE + word * 64 + bit] as usize]
                    } else {
                        fronts[*own as usize]
                    };
                    if id == NONE || id == *own {
                        continue;
                    }
                    *own = id;
                    some += 1;
                    moved[word] |= 1 << bit;
                    if size[id as usize] == 1 {
                        settled[word] |= 1 << bit;
                    }
                }
            }
            count.fetch_add(some, Ordering::Relaxed);
        };
        parallel::for_each(pieces, work, poll)?;
        Some(count.into_inner())
    }

    /// Decides what becomes of every block with a group, and numbers the parts.
    pub(crate) fn decide(&mut self) {
        let groups = &mut self.groups;
        groups.sort(self.size.len(), self.canonical);
        self.splits.clear();
        let mut at = 0;
        while at < groups.order.len() {
            let block = groups.list[groups.order[at] as usize].block;
            let b = block as usize;
            let begin = at;
            let mut count = 0;
            while at < groups.order.len() && groups.list[groups.order[at] as usize].block == block {
                count += groups.list[groups.order[at] as usize].count;
                at += 1;
            }
            let run = begin..at;
            let total = self.size[b];
            let mut front = total - count;
            if front == 0 && run.len() == 1 {
                let group = groups.order[begin] as usize;
                groups.id[group] = block;
                self.hash[b] = groups.list[group].hash as u32;
                continue;
            }
            let mut matched = NONE;
            if front > 0 {
                let like = |&&g: &&u32| groups.list[g as usize].hash as u32 == self.hash[b];
                if let Some(&group) = groups.order[run.clone()].iter().find(like) {
                    matched = group;
                    front += groups.list[group as usize].count;
                }
                if front == total {
                    groups.id[matched as usize] = block;
                    continue;
                }
            }
            // The largest part keeps the number; of equal ones the front, else the first.
            let (mut largest, mut keeper) = (front, NONE);
            for &group in &groups.order[run.clone()] {
                if group != matched && groups.list[group as usize].count > largest {
                    (largest, keeper) = (groups.list[group as usize].count, group);
                }
            }
            let mut front_id = block;
            if front > 0 {
                if keeper == NONE {
                    self.size[b] = front;
                } else {
                    front_id = self.size.len() as u32;
                    self.size.push(front);
                    self.hash.push(self.hash[b]);
                }
                if matched != NONE {
                    groups.id[matched as usize] = front_id;
                }
            }
            for &group in &groups.order[run.clone()] {
                let g = group as usize;
                if group == matched {
                    continue;
                }
                if group == keeper {
                    groups.id[g] = block;
                    self.size[b] = groups.list[g].count;
                    self.hash[b] = groups.list[g].hash as u32;
                } else {
                    groups.id[g] = self.size.len() as u32;
                    self.size.push(groups.list[g].count);
                    self.hash.push(groups.list[g].hash as u32);
                }
            }
            self.splits.push(Split { block, total, front, front_id, groups: run });
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    thread_local! {
        /// [`super::PATIENCE`] and [`super::SOME`] in tests of sweeps.
        pub static SWEEPS: Cell<Option<(u32, usize)>> = const { Cell::new(None) };
    }
}
