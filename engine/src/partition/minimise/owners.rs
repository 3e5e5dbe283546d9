//! Owners: a signature is owned by the partition given by its hash, a block by the one given by its
//! number.

use crate::base::ids::Id;
use crate::base::interner::Interner;
use crate::base::spill::Transfer;
use crate::partition::minimise::{Batches, Failure};
use crate::partition::wire::{Incoming, put_longs, put_words};
use std::cmp::Reverse;
use std::io;

/// Signatures as columns of 32 bits: blocks; lengths of their sets in words; and the sets, as
/// labels and blocks in turn.
pub type FlatSignatures = [Vec<u32>; 3];

/// The signatures and blocks that a partition owns.
///
/// Invariant: block `b` is owned by partition `b % partitions`, which has its size at position
/// `b / partitions`; no number is skipped.
pub struct Owner {
    index: usize,
    partitions: usize,
    /// For every own block the number of its nodes in all partitions.
    sizes: Vec<u64>,
    /// The signatures of this chunk of the round: the block, followed by the set.
    signatures: Interner,
    counts: Vec<u64>,
    /// For every partition the signatures that it sent, in order.
    queried: Vec<Vec<u32>>,
    /// For every owner of blocks the signatures that were sent to it.
    answered: Vec<Vec<u32>>,
}

impl Owner {
    /// An owner without signatures and blocks.
    pub fn new(index: usize, partitions: usize) -> Self {
        let (sizes, signatures, counts) = (Vec::new(), Interner::default(), Vec::new());
        Self {
            index,
            partitions,
            sizes,
            signatures,
            counts,
            queried: Vec::new(),
            answered: Vec::new(),
        }
    }

    /// Visits all arrays, to spill them or read them back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> io::Result<()> {
        transfer.any(&mut self.sizes)?;
        self.signatures.transfer(transfer)?;
        transfer.any(&mut self.counts)?;
        let lists = self.queried.iter_mut().chain(&mut self.answered);
        lists.into_iter().try_for_each(|list| transfer.any(list))
    }

    fn position(&self, block: u32) -> Result<usize, Failure> {
        let (position, owner) =
            (block as usize / self.partitions, block as usize % self.partitions);
        if owner == self.index { Ok(position) } else { Err(Failure::Unreadable) }
    }

    /// Takes the sizes of own blocks.
    pub fn counted(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(), Failure> {
        self.sizes.clear();
        for batch in batches {
            let mut batch = Incoming::new(batch.as_ref());
            let (blocks, sizes) = (batch.words()?, batch.longs()?);
            for (block, size) in blocks.zip(sizes) {
                let position = self.position(block)?;
                if position >= self.sizes.len() {
                    self.sizes.resize(position + 1, 0);
                }
                self.sizes[position] += size;
            }
        }
        Ok(())
    }

    /// Takes the blocks with states that have to be visited. Returns how many of the own blocks
    /// these are, and a batch of them for every partition. Blocks with one state are left out.
    pub fn choose(&self, batches: &[impl AsRef<[u8]>]) -> Result<(u64, Batches), Failure> {
        let mut chosen = Vec::new();
        for batch in batches {
            let mut batch = Incoming::new(batch.as_ref());
            if batch.is_empty() {
                continue;
            }
            for block in batch.words()? {
                if *self.sizes.get(self.position(block)?).ok_or(Failure::Unreadable)? > 1 {
                    chosen.push(block);
                }
            }
        }
        chosen.sort_unstable();
        chosen.dedup();
        let mut batch = Vec::new();
        if !chosen.is_empty() {
            put_words(&mut batch, chosen.iter().copied());
        }
        Ok((chosen.len() as u64, vec![batch; self.partitions]))
    }

    /// Takes signatures from all partitions, and returns for the owners of blocks how many nodes
    /// have each.
    pub fn merge(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<Batches, Failure> {
        self.signatures = Interner::default();
        self.counts.clear();
        self.queried.clear();
        let mut signature = Vec::new();
        for batch in batches {
            let mut queried = Vec::new();
            let mut batch = Incoming::new(batch.as_ref());
            if !batch.is_empty() {
                let (blocks, counts, lengths) = (batch.words()?, batch.longs()?, batch.words()?);
                let mut words = batch.words()?;
                for ((block, count), length) in blocks.zip(counts).zip(lengths) {
                    signature.clear();
                    signature.push(block);
                    signature.extend(words.by_ref().take(length as usize));
                    let (id, new) = self.signatures.intern(&signature);
                    if new {
                        self.counts.push(0);
                    }
                    self.counts[id as usize] += count;
                    queried.push(id);
                }
            }
            self.queried.push(queried);
        }
        self.answered = vec![Vec::new(); self.partitions];
        for id in 0..u32::at(self.signatures.len()) {
            let block = self.signatures.get(id)[0] as usize;
            self.answered[block % self.partitions].push(id);
        }
        let batch = |answered: &Vec<u32>| {
            let mut batch = Vec::new();
            if !answered.is_empty() {
                put_words(&mut batch, answered.iter().map(|&id| self.signatures.get(id)[0]));
                put_longs(&mut batch, answered.iter().map(|&id| self.counts[id as usize]));
            }
            batch
        };
        Ok(self.answered.iter().map(batch).collect())
    }

    /// Numbers the parts of own blocks: the largest keeps the old number. Returns how many numbers
    /// are new, and the answers.
    pub fn split(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(u64, Batches), Failure> {
        let mut parts = Vec::new();
        let mut numbers = Vec::new();
        for (from, batch) in batches.iter().enumerate() {
            let mut batch = Incoming::new(batch.as_ref());
            numbers.push(Vec::new());
            if batch.is_empty() {
                continue;
            }
            let (blocks, counts) = (batch.words()?, batch.longs()?);
            numbers[from] = vec![0; blocks.len()];
            for (at, (block, count)) in blocks.zip(counts).enumerate() {
                self.position(block)?;
                parts.push((block, Reverse(count), from, at));
            }
        }
        parts.sort_unstable();
        let (mut last, mut new) = (None, 0);
        for (block, Reverse(count), from, at) in parts {
            let mut number = block;
            if last == Some(block) {
                let next = self.sizes.len() * self.partitions + self.index;
                number = u32::try_from(next).map_err(|_| Failure::Full)?;
                let position = self.position(block)?;
                self.sizes[position] -= count;
                self.sizes.push(count);
                new += 1;
            }
            last = Some(block);
            numbers[from][at] = number;
        }
        let batch = |numbers: Vec<u32>| {
            let mut batch = Vec::new();
            if !numbers.is_empty() {
                put_words(&mut batch, numbers.into_iter());
            }
            batch
        };
        Ok((new, numbers.into_iter().map(batch).collect()))
    }

    /// Answers every partition with the block numbers for the signatures that it sent.
    pub fn answer(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<Batches, Failure> {
        let mut numbers = vec![0; self.signatures.len()];
        for (answered, batch) in self.answered.iter().zip(batches) {
            if answered.is_empty() {
                continue;
            }
            let given = Incoming::new(batch.as_ref()).words()?;
            if given.len() != answered.len() {
                return Err(Failure::Unreadable);
            }
            for (&id, number) in answered.iter().zip(given) {
                numbers[id as usize] = number;
            }
        }
        let batch = |queried: &Vec<u32>| {
            let mut batch = Vec::new();
            if !queried.is_empty() {
                put_words(&mut batch, queried.iter().map(|&id| numbers[id as usize]));
            }
            batch
        };
        Ok(self.queried.iter().map(batch).collect())
    }

    /// The own signatures of the previous round.
    pub fn signatures(&self) -> FlatSignatures {
        let mut signatures = FlatSignatures::default();
        for id in 0..u32::at(self.signatures.len()) {
            let signature = self.signatures.get(id);
            signatures[0].push(signature[0]);
            signatures[1].push(u32::at(signature.len()) - 1);
            signatures[2].extend_from_slice(&signature[1..]);
        }
        signatures
    }
}
