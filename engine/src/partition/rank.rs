//! The third superstep of a level: the keys of new states get their ranks, each partition doing so
//! for its share of the sources.

use crate::partition::Key;
use crate::partition::generation::{Failure, Partition};
use crate::partition::wire::{Incoming, Unreadable, put_words};

impl Partition<'_> {
    /// Takes a batch of keys, in order, of every partition. Returns how many there are, and for each
    /// partition its keys' places among all.
    pub fn rank(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(u64, Vec<Vec<u8>>), Failure> {
        let mut all: Vec<(Key, u32)> = Vec::new();
        let mut counts = Vec::new();
        for (owner, batch) in (0..).zip(batches) {
            let mut batch = Incoming::new(batch.as_ref());
            let (sources, indices) = (batch.longs()?, batch.words()?);
            if sources.len() != indices.len() || !batch.is_empty() {
                return Err(Unreadable.into());
            }
            counts.push(sources.len());
            all.extend(sources.zip(indices).map(|key| (key, owner)));
        }
        // A merge, in effect: they are sorted runs.
        all.sort();
        if u32::try_from(all.len()).is_err() {
            return Err(Failure::Full);
        }
        let mut ranks: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (rank, &(_, owner)) in (0..).zip(&all) {
            ranks[owner as usize].push(rank);
        }
        self.level.ranked = all.into_iter().map(|(key, _)| key).collect();
        let batches = ranks.into_iter().map(|ranks| {
            let mut batch = Vec::new();
            put_words(&mut batch, ranks.into_iter());
            batch
        });
        Ok((self.level.ranked.len() as u64, batches.collect()))
    }

    /// The key of this rank.
    pub fn ranked(&self, rank: usize) -> Option<Key> {
        self.level.ranked.get(rank).copied()
    }
}
