//! Internal steps without end that stay in a block.

use crate::base::bitset::Bits;
use crate::base::cancel::Cancel;
use crate::base::put_away::InGroups;
use crate::partition::minimise::part::{GRAPH, Part};
use crate::partition::minimise::{Batches, Failure};

impl Part {
    /// Takes what others tell, and drops nodes from those with internal steps without end that have no
    /// such step to another one in their block; how many. The greatest solution is what is left when no
    /// partition drops any. Blocks only fall apart, so what was dropped once never comes back.
    pub fn trim(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        cancel: &Cancel,
    ) -> Result<(u64, Batches), Failure> {
        self.hear(batches)?;
        self.have(&[GRAPH])?;
        let (mut unchecked, mut dead) = (0, Bits::default());
        // Internal steps lead to smaller own nodes: one pass is enough for these.
        for node in 0..self.own {
            if !self.endless.has(node) {
                continue;
            }
            cancel.check_every(&mut unchecked, 1 + self.graph.range(node).len())?;
            let goes_on = self.graph.rows(node).any(|(label, to)| {
                // An own cycle became a loop.
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
