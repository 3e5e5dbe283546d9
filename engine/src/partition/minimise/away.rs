//! A partition whose memory is wanted for something else is put away in a file, in groups. A superstep
//! takes back what it needs.

use crate::base::memory;
use crate::base::put_away::{Pass, Storage, Traffic};
use crate::partition::minimise::Failure;
use crate::partition::minimise::part::{GRAPH, GROUPS, NODES, Part, SETS};
use std::io::Result;
use std::path::PathBuf;

impl Part {
    /// Puts all away that is not, in a file at this place if there is none yet.
    pub fn put_away(&mut self, path: PathBuf) -> std::result::Result<(), Failure> {
        self.storage.get_or_insert_with(|| Storage::new(path, GROUPS));
        for group in 0..GROUPS {
            self.move_group(group, true)?;
        }
        memory::give_back();
        Ok(())
    }

    /// Takes groups back that are away.
    pub fn have(&mut self, groups: &[usize]) -> std::result::Result<(), Failure> {
        groups.iter().try_for_each(|&group| self.move_group(group, false))
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
        match group {
            GRAPH => {
                pass.changing(false, &mut self.graph.starts)?;
                pass.changing(false, self.graph.label.to_mut())?;
                pass.changing(false, self.graph.target.to_mut())
            }
            NODES => {
                for column in [&mut self.node_of_other, &mut self.first, &mut self.node] {
                    pass.changing(false, column)?;
                }
                pass.changing(false, self.foreign.column())?;
                for watched in &mut self.watched {
                    pass.changing(false, &mut watched.nodes)?;
                    pass.changing(false, watched.internal.column())?;
                }
                pass.any(&mut self.block)?;
                pass.any(&mut self.value)?;
                let sets = [&mut self.changed, &mut self.endless, &mut self.active];
                sets.into_iter().try_for_each(|set| pass.any(set.column()))
            }
            SETS => {
                self.sets.columns(pass)?;
                self.sent.iter_mut().try_for_each(|sent| pass.any(sent))
            }
            _ => self.owner.columns(pass),
        }
    }
}
