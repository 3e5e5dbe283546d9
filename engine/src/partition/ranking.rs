//! Distributed ranking of new states by their keys.

use crate::base::ids::Id;
use crate::base::spill::Transfer;
use crate::partition::supersteps::Failure;
use crate::partition::wire::{Incoming, Unreadable, put_longs, put_words};
use crate::partition::{Batches, Key};
use std::io;
use std::ops::Range;

/// Stands for the number of a state that is left out.
pub const LEFT_OUT: u64 = u64::MAX;

/// The new states of an owner, in the order of their keys, and the ranges that each partition
/// ranks.
#[derive(Default)]
pub struct Ranking {
    pub order: Vec<u32>,
    /// For each partition where the states that it ranks end in `order`.
    offsets: Vec<usize>,
    /// The keys of all new states that this partition ranks, in order.
    ranked: Vec<Key>,
}

impl Ranking {
    /// The ranking of states with these keys, and the batches of keys. `sources` are all states of
    /// the level: each partition ranks the keys of about equally many of them.
    pub fn new(keys: &[Key], sources: &Range<u64>, partitions: usize) -> (Self, Batches) {
        let mut order: Vec<u32> = (0..u32::at(keys.len())).collect();
        order.sort_unstable_by_key(|&position| keys[position as usize]);
        let (mut batches, mut offsets) = (Vec::new(), Vec::new());
        let mut start = 0;
        for ranker in 0..partitions {
            let until = share(sources, ranker + 1, partitions);
            let own = &order[start..];
            let own = &own[..own.partition_point(|&position| keys[position as usize].0 < until)];
            let mut batch = Vec::new();
            put_longs(&mut batch, own.iter().map(|&position| keys[position as usize].0));
            put_words(&mut batch, own.iter().map(|&position| keys[position as usize].1));
            start += own.len();
            offsets.push(start);
            batches.push(batch);
        }
        (Self { order, offsets, ranked: Vec::new() }, batches)
    }

    /// Takes a batch of sorted keys from every partition. Returns their number, and for each
    /// partition the ranks of its keys.
    pub fn rank(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(u64, Batches), Failure> {
        let (all, batches) = ranked(batches)?;
        if u32::try_from(all.len()).is_err() {
            return Err(Failure::Full);
        }
        self.ranked = all;
        Ok((self.ranked.len() as u64, batches))
    }

    /// The key of this rank.
    pub fn ranked(&self, rank: usize) -> Option<Key> {
        self.ranked.get(rank).copied()
    }

    /// The numbers of these states, from batches of ranks; `firsts` has for each partition the
    /// number of its state with rank 0. States visited at `cut` or later are left out. Also returns
    /// how many states have a number: they are the first in order.
    pub fn numbers(
        &self,
        keys: &[Key],
        batches: &[impl AsRef<[u8]>],
        firsts: &[u64],
        cut: Option<Key>,
    ) -> Result<(Vec<u64>, usize), Unreadable> {
        let mut numbers = vec![LEFT_OUT; keys.len()];
        let (mut start, mut count) = (0, 0);
        for ((batch, &first), &end) in batches.iter().zip(firsts).zip(&self.offsets) {
            let mut batch = Incoming::new(batch.as_ref());
            let ranks = batch.words()?;
            let own = &self.order[start..end];
            if ranks.len() != own.len() || !batch.is_empty() {
                return Err(Unreadable);
            }
            for (rank, &position) in ranks.zip(own) {
                if cut.is_none_or(|cut| keys[position as usize] < cut) {
                    numbers[position as usize] = first + u64::from(rank);
                    count += 1;
                }
            }
            start = end;
        }
        Ok((numbers, count))
    }

    /// Visits all arrays, to spill them or read them back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> io::Result<()> {
        transfer.any(&mut self.order)
    }
}

/// The first source whose keys are ranked by partition `which` or later ones.
#[expect(clippy::cast_possible_truncation, reason = "at most the number of sources")]
fn share(sources: &Range<u64>, which: usize, partitions: usize) -> u64 {
    let all = u128::from(sources.end - sources.start);
    sources.start + (all * which as u128 / partitions as u128) as u64
}

/// Takes a batch of sorted keys from every partition. Returns all keys, sorted, and for each
/// partition the ranks of its keys.
fn ranked(batches: &[impl AsRef<[u8]>]) -> Result<(Vec<Key>, Batches), Unreadable> {
    let mut all: Vec<(Key, u32)> = Vec::new();
    let mut counts = Vec::new();
    for (owner, batch) in (0..).zip(batches) {
        let mut batch = Incoming::new(batch.as_ref());
        let (sources, indices) = (batch.longs()?, batch.words()?);
        if sources.len() != indices.len() || !batch.is_empty() {
            return Err(Unreadable);
        }
        counts.push(sources.len());
        all.extend(sources.zip(indices).map(|key| (key, owner)));
    }
    // Effectively a merge, as the input consists of sorted runs.
    all.sort();
    let mut ranks: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
    for (rank, &(_, owner)) in (0..).zip(&all) {
        ranks[owner as usize].push(rank);
    }
    let batches = ranks.into_iter().map(|ranks| {
        let mut batch = Vec::new();
        put_words(&mut batch, ranks.into_iter());
        batch
    });
    Ok((all.into_iter().map(|(key, _)| key).collect(), batches.collect()))
}
