//! Spilling: when memory is needed elsewhere, the columns of a partition are written to a file, in
//! groups. A superstep reads the groups that it needs.

use crate::base::put_away::{InGroups, Pass, Storage};
use crate::partition::minimise::part::{GRAPH, GROUPS, NODES, Part, SETS};
use std::io::Result;

impl InGroups for Part {
    const GROUPS: usize = GROUPS;

    fn storage(&self) -> &Option<Storage> {
        &self.storage
    }

    fn storage_mut(&mut self) -> &mut Option<Storage> {
        &mut self.storage
    }

    fn columns(&mut self, group: usize, pass: &mut Pass<'_>) -> Result<()> {
        match group {
            GRAPH => self.graph.columns(pass),
            NODES => {
                for column in [&mut self.first, &mut self.node] {
                    pass.changing(false, column)?;
                }
                for watched in &mut self.watched {
                    pass.changing(false, &mut watched.nodes)?;
                    pass.changing(false, watched.internal.words_mut())?;
                }
                pass.any(&mut self.block)?;
                pass.any(&mut self.value)?;
                let sets =
                    [&mut self.changed, &mut self.endless, &mut self.chosen, &mut self.active];
                sets.into_iter().try_for_each(|set| pass.any(set.words_mut()))
            }
            SETS => {
                self.sets.columns(pass)?;
                self.sent.iter_mut().try_for_each(|sent| pass.any(sent))
            }
            _ => self.owner.columns(pass),
        }
    }
}
