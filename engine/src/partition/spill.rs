//! Spilling: when memory is needed elsewhere, the columns of a partition are written to a file, in
//! groups. A superstep reads the groups that it needs.

use crate::base::spill::{Spillable, Storage, Transfer};
use crate::partition::generation::{GROUPS, LEVEL, NUMBERS, Partition, STATES, TABLES};
use std::io::Result;

impl Spillable for Partition<'_> {
    const GROUPS: usize = GROUPS;

    fn storage(&self) -> &Option<Storage> {
        &self.storage
    }

    fn storage_mut(&mut self) -> &mut Option<Storage> {
        &mut self.storage
    }

    fn transfer(&mut self, group: usize, transfer: &mut Transfer<'_>) -> Result<()> {
        let level = &mut self.level;
        match group {
            STATES => {
                let evaluator = self.states.evaluator();
                evaluator.process.data.transfer(transfer)?;
                self.states.store.transfer(transfer)?;
                self.hashes.transfer(transfer)?;
                self.partners.iter_mut().try_for_each(|partner| partner.transfer(transfer))
            }
            NUMBERS => {
                self.numbers.transfer(transfer)?;
                transfer.pairs_grow(&mut self.parents)
            }
            TABLES => self.states.tables.transfer(transfer),
            LEVEL => {
                transfer.any(&mut level.sources)?;
                for column in [&mut level.degrees, &mut level.indices, &mut level.labels] {
                    transfer.any(column)?;
                }
                transfer.any(&mut level.targets)?;
                level.owned.iter_mut().try_for_each(|column| transfer.any(column))
            }
            _ => {
                transfer.any(&mut level.new.roots)?;
                transfer.pairs_any(&mut level.new.keys)?;
                level.ranking.transfer(transfer)?;
                level.answers.iter_mut().try_for_each(|column| transfer.any(column))
            }
        }
    }
}
