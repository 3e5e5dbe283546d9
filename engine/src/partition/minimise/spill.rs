//! Spilling: when memory is needed elsewhere, the columns of a partition are written to a file, in
//! groups. A superstep reads the groups that it needs.

use crate::base::spill::{Spillable, Storage, Transfer};
use crate::partition::minimise::part::{GRAPH, GROUPS, NODES, Part, SETS};
use std::io::Result;

impl Spillable for Part {
    const GROUPS: usize = GROUPS;

    fn storage(&self) -> &Option<Storage> {
        &self.storage
    }

    fn storage_mut(&mut self) -> &mut Option<Storage> {
        &mut self.storage
    }

    fn transfer(&mut self, group: usize, transfer: &mut Transfer<'_>) -> Result<()> {
        match group {
            GRAPH => self.graph.transfer(transfer),
            NODES => {
                for column in [&mut self.first, &mut self.node] {
                    transfer.changing(false, column)?;
                }
                for watched in &mut self.watched {
                    transfer.changing(false, &mut watched.nodes)?;
                    transfer.changing(false, watched.internal.words_mut())?;
                }
                transfer.any(&mut self.block)?;
                transfer.any(&mut self.value)?;
                let sets =
                    [&mut self.changed, &mut self.endless, &mut self.chosen, &mut self.active];
                sets.into_iter().try_for_each(|set| transfer.any(set.words_mut()))
            }
            SETS => {
                self.sets.transfer(transfer)?;
                self.sent.iter_mut().try_for_each(|sent| transfer.any(sent))
            }
            _ => self.owner.transfer(transfer),
        }
    }
}
