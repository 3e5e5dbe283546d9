//! A partition whose memory is wanted for something else is put away in a file, in groups. A superstep
//! takes back what it needs.

use crate::base::memory;
use crate::base::put_away::{DiskError, Pass, Storage, Traffic};
use crate::partition::generation::{FOUND, Failure, GROUPS, NUMBERS, Partition, STATES, TABLES};
use std::io::Result;
use std::path::PathBuf;

impl From<DiskError> for Failure {
    fn from(error: DiskError) -> Self {
        Self::Disk(error)
    }
}

impl Partition<'_> {
    /// Puts all away that is not, in a file at this place if there is none yet.
    pub fn put_away(&mut self, path: PathBuf) -> std::result::Result<(), Failure> {
        self.storage.get_or_insert_with(|| Storage::new(path, GROUPS));
        for group in 0..GROUPS {
            self.move_group(group, true)?;
        }
        memory::give_back();
        Ok(())
    }

    /// Takes a group back, if it is away.
    pub(super) fn have(&mut self, group: usize) -> std::result::Result<(), Failure> {
        self.move_group(group, false)
    }

    fn move_group(&mut self, group: usize, out: bool) -> std::result::Result<(), Failure> {
        let Some(mut storage) = self.storage.take() else { return Ok(()) };
        let moved = match storage.is_away(group) == out {
            true => Ok(()),
            false => storage.pass(group, out, |pass| self.columns(group, pass)),
        };
        self.storage = Some(storage);
        Ok(moved?)
    }

    /// Bytes of each group that were put away and are not back.
    pub fn bytes_away(&self) -> Vec<u64> {
        let storage = self.storage.as_ref();
        (0..GROUPS).map(|group| storage.map_or(0, |all| all.group_bytes(group))).collect()
    }

    /// Bytes that went to the file, and came back.
    pub fn traffic(&self) -> Traffic {
        self.storage.as_ref().map_or(Traffic::default(), |storage| storage.traffic)
    }

    /// The columns of a group.
    fn columns(&mut self, group: usize, pass: &mut Pass<'_>) -> Result<()> {
        let level = &mut self.level;
        match group {
            STATES => {
                let evaluator = self.evaluator.get_mut().expect("no panic while locked");
                evaluator.process.data.columns(pass)?;
                self.store.columns(pass)?;
                self.hashes.columns(pass)?;
                self.partners.iter_mut().try_for_each(|partner| partner.columns(pass))
            }
            NUMBERS => {
                pass.grows(&mut self.numbers)?;
                pass.pairs_grow(&mut self.parents)
            }
            TABLES => self.tables.columns(pass),
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
                pass.any(&mut level.order)?;
                level.answers.iter_mut().try_for_each(|column| pass.any(column))
            }
        }
    }
}
