//! Divergence: infinite runs of internal steps that stay in a block.

use crate::base::bitset::Bits;
use crate::base::cancel::Cancel;
use crate::base::spill::Spillable;
use crate::partition::minimise::part::{GRAPH, Part};
use crate::partition::minimise::{Batches, Failure};

impl Part {
    /// Takes updates from partners, and removes nodes from `endless` that have no inert step to a
    /// node in `endless`. Returns how many, and the updates for partners.
    ///
    /// The greatest solution is reached when no partition removes any. Blocks are only ever split,
    /// so a removed node never becomes divergent again.
    pub fn trim(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        cancel: &Cancel,
    ) -> Result<(u64, Batches), Failure> {
        self.receive_updates(batches)?;
        self.read_back(&[GRAPH])?;
        let (mut unchecked, mut dead) = (0, Bits::default());
        // Internal steps lead to smaller own nodes, so one sweep suffices within a partition.
        for node in 0..self.own {
            if !self.endless.has(node) {
                continue;
            }
            cancel.check_every(&mut unchecked, 1 + self.graph.range(node).len())?;
            let goes_on = self.graph.steps(node).any(|(label, to)| {
                // A cycle within the partition has become a loop labelled `delta`.
                label.0 == self.options.delta
                    || (self.is_inert(node, label, to) && self.endless.has(to.0))
            });
            if !goes_on {
                self.endless.remove(node);
                self.changed.add(node);
                dead.add(node);
            }
        }
        Ok((dead.count() as u64, self.batches(&Bits::default(), &dead)))
    }
}
