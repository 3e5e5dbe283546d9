//! The end of a round: new block numbers are stored and sent to the partitions that watch the
//! nodes. Also checkpoints.

use crate::base::bitset::Bits;
use crate::base::spill::Spillable;
use crate::partition::minimise::part::{NODES, OWNER, Part, SETS};
use crate::partition::minimise::{Batches, Failure};
use crate::partition::wire::{Incoming, put_longs, put_words};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Nodes in a chunk of a checkpoint.
const TOGETHER: usize = 1 << 16;

impl Part {
    /// Takes the new block numbers of the signatures that were sent. Returns how many nodes are in
    /// a new block, and the updates for partners.
    pub fn apply(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(u64, Batches), Failure> {
        self.read_back(&[NODES, SETS])?;
        let count = self.sent.iter().map(Vec::len).sum();
        let mut numbers = vec![0; count];
        for (sent, batch) in self.sent.iter().zip(batches) {
            let mut batch = Incoming::new(batch.as_ref());
            if sent.is_empty() {
                continue;
            }
            let given = batch.words()?;
            if given.len() != sent.len() {
                return Err(Failure::Unreadable);
            }
            for (&signature, number) in sent.iter().zip(given) {
                numbers[signature as usize] = number;
            }
        }
        self.sent = Vec::new();
        let (mut moved, mut count) = (Bits::new(self.block.len()), 0);
        for node in 0..self.own {
            let at = node as usize;
            if !self.active.has(self.block[at]) {
                continue;
            }
            let number = numbers[self.value[at] as usize];
            if number != self.block[at] {
                self.block[at] = number;
                self.changed.add(node);
                moved.add(node);
                count += 1;
            }
        }
        Ok((count, self.batches(&moved, &Bits::default())))
    }

    /// A chunk of the nodes, from `start` on, that changed in this round, with their blocks; and
    /// where the next chunk begins.
    pub fn moves(&mut self, start: u32) -> Result<(Vec<u8>, Option<u32>), Failure> {
        self.read_back(&[NODES])?;
        let moved = |&node: &u32| self.changed.has(node);
        let nodes: Vec<u32> = (start..self.own).filter(moved).take(TOGETHER).collect();
        let next = nodes.get(TOGETHER - 1).map(|last| last + 1);
        let mut batch = Vec::new();
        put_words(&mut batch, nodes.iter().copied());
        put_words(&mut batch, nodes.iter().map(|&node| self.block[node as usize]));
        Ok((batch, next))
    }

    /// Applies the changes of earlier rounds, which must be passed in order.
    pub fn restore(&mut self, moves: &[u8]) -> Result<(), Failure> {
        self.read_back(&[NODES])?;
        let mut moves = Incoming::new(moves);
        let (nodes, blocks) = (moves.words()?, moves.words()?);
        for (node, block) in nodes.zip(blocks) {
            *self.block.get_mut(node as usize).ok_or(Failure::Unreadable)? = block;
        }
        Ok(())
    }

    /// For each owner of blocks the numbers of own nodes in its blocks.
    pub fn count(&mut self) -> Result<Batches, Failure> {
        self.read_back(&[NODES])?;
        let mut sizes: HashMap<u32, u64, FxBuildHasher> = HashMap::default();
        for node in 0..self.own {
            *sizes.entry(self.block[node as usize]).or_default() += 1;
        }
        let mut lists = vec![Vec::new(); self.options.partitions];
        for (block, size) in sizes {
            lists[block as usize % self.options.partitions].push((block, size));
        }
        let batch = |list: Vec<(u32, u64)>| {
            let mut batch = Vec::new();
            put_words(&mut batch, list.iter().map(|signature| signature.0));
            put_longs(&mut batch, list.iter().map(|signature| signature.1));
            batch
        };
        Ok(lists.into_iter().map(batch).collect())
    }

    /// Takes the sizes of own blocks. Returns updates about all nodes that are not in block 0, for
    /// the partners that watch them.
    pub fn counted(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<Batches, Failure> {
        self.read_back(&[NODES, OWNER])?;
        self.owner.counted(batches)?;
        let mut moved = Bits::new(self.block.len());
        for node in 0..self.own {
            if self.block[node as usize] != 0 {
                moved.add(node);
            }
        }
        Ok(self.batches(&moved, &Bits::default()))
    }
}
