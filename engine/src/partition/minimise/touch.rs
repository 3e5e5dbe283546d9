//! The choice of blocks to visit: those with a state whose signature may have changed.

use crate::base::bitset::Bits;
use crate::base::cancel::Cancel;
use crate::base::ids::NONE;
use crate::base::spill::Spillable;
use crate::partition::minimise::part::{GRAPH, Part};
use crate::partition::minimise::{Batches, Failure};
use crate::partition::wire::put_words;

impl Part {
    /// Takes updates from partners. Returns for each owner of blocks those with a node that has a
    /// step to a changed node. If internal steps are followed, a node that changed itself counts as
    /// well: inert steps of it may have become visible.
    pub fn touch(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        cancel: &Cancel,
    ) -> Result<Batches, Failure> {
        self.receive_updates(batches)?;
        self.read_back(&[GRAPH])?;
        let follows = self.options.tau != NONE;
        let (mut unchecked, mut blocks) = (0, Bits::default());
        for node in 0..self.own {
            cancel.check_every(&mut unchecked, 1 + self.graph.range(node).len())?;
            let block = self.block[node as usize];
            if blocks.has(block) {
                continue;
            }
            if (follows && self.changed.has(node))
                || self.graph.steps(node).any(|(_, to)| self.changed.has(to.0))
            {
                blocks.add(block);
            }
        }
        let mut lists = vec![Vec::new(); self.options.partitions];
        for block in blocks.iter() {
            lists[block as usize % self.options.partitions].push(block);
        }
        let batch = |list: Vec<u32>| {
            let mut batch = Vec::new();
            if !list.is_empty() {
                put_words(&mut batch, list.into_iter());
            }
            batch
        };
        Ok(lists.into_iter().map(batch).collect())
    }
}
