//! The third superstep of a level: the keys of new states get their ranks, each partition doing so
//! for its share of the sources.

use crate::partition::generation::{Failure, Partition};
use crate::partition::ranking::ranked;
use crate::partition::{Batches, Key};

impl Partition<'_> {
    /// Takes a batch of keys, in order, of every partition. Returns how many there are, and for each
    /// partition its keys' places among all.
    pub fn rank(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(u64, Batches), Failure> {
        let (all, batches) = ranked(batches)?;
        if u32::try_from(all.len()).is_err() {
            return Err(Failure::Full);
        }
        self.level.ranked = all;
        Ok((self.level.ranked.len() as u64, batches))
    }

    /// The key of this rank.
    pub fn ranked(&self, rank: usize) -> Option<Key> {
        self.level.ranked.get(rank).copied()
    }
}
