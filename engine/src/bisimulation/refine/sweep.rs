//! Sweeps over all states: in order; in parallel, for signatures that do not depend on each other;
//! or over marked states only. At the end of a sweep the states get their new blocks.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::base::ids::{Block, State};
use crate::base::memory::room;
use crate::base::{memory, parallel};
use crate::bisimulation::refine::refiner::Refiner;
use crate::bisimulation::refine::signature::Signature;
use crate::bisimulation::refine::split_groups::BATCH;
use std::sync::atomic::{AtomicUsize, Ordering};

/// States that a thread takes at a time, such that their bits are whole words.
pub const CHUNK: usize = 1 << 14;

/// Consecutive states, with their bits of the sets.
struct SweepChunk<'a> {
    first: u32,
    count: u32,
    settled: &'a mut [u64],
    touched: &'a mut [u64],
}

/// Put every state that is touched into its group. `moved` are the states that moved, if known;
/// else all states are touched.
///
/// Threads compute signatures; one of them groups the states, in order.
pub fn sweep_at_once<S: Signature + Send + Sync>(
    refiner: &mut Refiner,
    signature: &S,
    moved: Option<&States>,
    touched: &mut States,
    group: &mut [u32],
    cancel: &Cancel,
) -> Result<()> {
    let Refiner { block, size, settled, groups, .. } = refiner;
    let (block, size) = (&block[..], &size[..]);
    let states = block.len();
    let chunks = (settled.words_mut().chunks_mut(CHUNK / 64))
        .zip(touched.words_mut().chunks_mut(CHUNK / 64))
        .zip((0..states).step_by(CHUNK))
        .map(|((settled, touched), first)| {
            let count = u32::at(CHUNK.min(states - first));
            SweepChunk { first: u32::at(first), count, settled, touched }
        });
    let nothing = States::default();
    let look = |chunk: SweepChunk| {
        let mut hashed: Vec<(State, (Block, u64))> = Vec::new();
        let Some(mut signature) = signature.fork() else { return hashed };
        let SweepChunk { first, count, settled, touched } = chunk;
        for (word, (settled, touched)) in (0..).zip(settled.iter_mut().zip(touched)) {
            let begin = word * 64;
            let mut open = !*settled;
            if count - begin < 64 {
                open &= (1 << (count - begin)) - 1;
            }
            while open != 0 {
                let bit = open.trailing_zeros();
                open &= open - 1;
                let state = State(first + begin + bit);
                if moved.is_some_and(|moved| !signature.touched(state, block, moved, &nothing)) {
                    continue;
                }
                let own = block[state];
                if size[own] == 1 {
                    *settled |= 1 << bit;
                    continue;
                }
                *touched |= 1 << bit;
                hashed.push((state, (own, signature.hash(state, block))));
            }
        }
        hashed
    };
    let mut items = room(BATCH);
    let gather = |hashed: Vec<(State, (Block, u64))>| {
        for batch in hashed.chunks(BATCH) {
            items.clear();
            items.extend(batch.iter().map(|hashed| hashed.1));
            for (&(state, _), number) in batch.iter().zip(groups.add_all(&items)) {
                group[state] = number;
            }
        }
    };
    parallel::in_order(chunks, look, gather, cancel)
}

/// Put every state that is marked, because of moved states or of smaller states, into its group.
pub fn sweep_marked(
    refiner: &mut Refiner,
    signature: &mut impl Signature,
    moved: &States,
    touched: &mut States,
    group: &mut [u32],
    cancel: &Cancel,
) -> Result<()> {
    let Refiner { block, size, settled, groups, .. } = refiner;
    let mut mark = |state: State, touched: &mut States| {
        if size[block[state]] == 1 {
            settled.add(state);
        } else if !settled.has(state) {
            touched.add(state);
        }
    };
    for state in moved.iter() {
        signature.mark(state, |source| mark(source, touched));
    }
    let (mut batch, mut items) = (room(BATCH), room(BATCH));
    let mut add = |batch: &mut Vec<State>, items: &mut Vec<(Block, u64)>| {
        for (&state, number) in batch.iter().zip(groups.add_all(items)) {
            group[state] = number;
        }
        batch.clear();
        items.clear();
    };
    let (mut work, mut going) = (0, Ok(()));
    touched.visit_upwards(|state, touched| {
        work += 1;
        going = going.and_then(|()| cancel.check_at(work));
        if going.is_err() {
            return;
        }
        if batch.len() == BATCH {
            add(&mut batch, &mut items);
        }
        let hash = signature.hash_marking(state, block, |source| mark(source, touched));
        batch.push(state);
        items.push((block[state], hash));
    });
    add(&mut batch, &mut items);
    going
}

impl Refiner {
    /// Put every state that is touched because of moved states into its group.
    pub(crate) fn sweep_in_order(
        &mut self,
        signature: &mut impl Signature,
        moved: Option<&States>,
        touched: &mut States,
        group: &mut [u32],
        cancel: &Cancel,
    ) -> Result<()> {
        let states = u32::at(self.block.len());
        let (mut batch, mut items) = (room(BATCH), room(BATCH));
        for state in (0..=states).map(State) {
            cancel.check_at(state.index())?;
            if batch.len() == BATCH || state.0 == states {
                for (&state, number) in batch.iter().zip(self.groups.add_all(&items)) {
                    group[state] = number;
                }
                batch.clear();
                items.clear();
            }
            if state.0 == states || self.settled.has(state) {
                continue;
            }
            if moved.is_some_and(|moved| !signature.touched(state, &self.block, moved, touched)) {
                continue;
            }
            let block = self.block[state];
            if self.size[block] == 1 {
                self.settled.add(state);
                continue;
            }
            touched.add(state);
            batch.push(state);
            items.push((block, signature.hash(state, &self.block)));
        }
        Ok(())
    }

    /// Gives the states of a sweep their new blocks; returns how many moved.
    pub(crate) fn sweep_moves(
        &mut self,
        touched: &States,
        group: &[u32],
        moved: &mut States,
        cancel: &Cancel,
    ) -> Result<usize> {
        let mut fronts = Vec::new();
        if self.splits.iter().any(|split| split.front > 0 && split.front_id != split.block) {
            fronts = memory::filled(Block::NONE, self.size.len());
            for split in &self.splits {
                if split.front > 0 && split.front_id != split.block {
                    fronts[split.block] = split.front_id;
                }
            }
        }
        moved.clear();
        let count = AtomicUsize::new(0);
        let Self { block, size, settled, groups, .. } = self;
        let chunks = (block.chunks_mut(CHUNK).enumerate())
            .zip(settled.words_mut().chunks_mut(CHUNK / 64))
            .zip(moved.words_mut().chunks_mut(CHUNK / 64))
            .map(|(((i, block), settled), moved)| (i, block, settled, moved));
        let work = |(i, block, settled, moved): (usize, &mut [Block], &mut [u64], &mut [u64])| {
            let mut some = 0;
            for (word, block) in block.chunks_mut(64).enumerate() {
                let touched = touched.word(i * (CHUNK / 64) + word);
                // If no front has a new number, untouched states do not move.
                let mut open = if fronts.is_empty() { touched } else { !0 >> (64 - block.len()) };
                while open != 0 {
                    let bit = open.trailing_zeros() as usize;
                    open &= open - 1;
                    let own = &mut block[bit];
                    let id = if touched >> bit & 1 == 1 {
                        groups.id[group[i * CHUNK + word * 64 + bit] as usize]
                    } else {
                        fronts[*own]
                    };
                    if id == Block::NONE || id == *own {
                        continue;
                    }
                    *own = id;
                    some += 1;
                    moved[word] |= 1 << bit;
                    if size[id] == 1 {
                        settled[word] |= 1 << bit;
                    }
                }
            }
            count.fetch_add(some, Ordering::Relaxed);
        };
        parallel::for_each(chunks, work, cancel)?;
        Ok(count.into_inner())
    }
}
