//! Spilling: when memory is needed elsewhere, the columns of a partition are written to a file, in
//! groups. A superstep reads the groups that it needs.

use crate::base::put_away::{InGroups, Pass, Storage};
use crate::partition::generation::{FOUND, GROUPS, NUMBERS, Partition, STATES, TABLES};
use std::io::Result;

impl InGroups for Partition<'_> {
    const GROUPS: usize = GROUPS;

    fn storage(&self) -> &Option<Storage> {
        &self.storage
    }

    fn storage_mut(&mut self) -> &mut Option<Storage> {
        &mut self.storage
    }

    fn columns(&mut self, group: usize, pass: &mut Pass<'_>) -> Result<()> {
        let level = &mut self.level;
        match group {
            STATES => {
                let evaluator = self.states.evaluator();
                evaluator.process.data.columns(pass)?;
                self.states.store.columns(pass)?;
                self.hashes.columns(pass)?;
                self.partners.iter_mut().try_for_each(|partner| partner.columns(pass))
            }
            NUMBERS => {
                self.numbers.columns(pass)?;
                pass.pairs_grow(&mut self.parents)
            }
            TABLES => self.states.tables.columns(pass),
            FOUND => {
                pass.any(&mut level.sources)?;
                for column in [&mut level.degrees, &mut level.indices, &mut level.labels] {
                    pass.any(column)?;
                }
                pass.any(&mut level.targets)?;
                level.owned.iter_mut().try_for_each(|column| pass.any(column))
            }
            _ => {
                pass.any(&mut level.new.roots)?;
                pass.pairs_any(&mut level.new.keys)?;
                level.ranking.columns(pass)?;
                level.answers.iter_mut().try_for_each(|column| pass.any(column))
            }
        }
    }
}
