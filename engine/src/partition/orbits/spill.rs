//! Spilling: when memory is needed elsewhere, the columns of a partition of orbits are written to a
//! file, in groups. A superstep reads the groups that it needs. The tables of the process and the
//! group stay in memory.

use crate::base::put_away::{InGroups, Pass, Storage};
use crate::partition::orbits::orbit_part::{
    FOUND, GROUPS, IMAGES, ORBITS, OrbitPart, REQUESTED, Visited,
};
use std::io::Result;

impl InGroups for OrbitPart<'_> {
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
            IMAGES => self.system.orbits.image_columns(pass),
            ORBITS => {
                self.system.orbits.orbit_columns(pass)?;
                self.numbers.columns(pass)
            }
            FOUND => {
                for column in [&mut level.degrees, &mut level.labels, &mut level.targets] {
                    pass.any(column)?;
                }
                pass.any(&mut level.positions)?;
                let owned = level.images_of.iter_mut().chain(&mut level.pairs_of);
                owned.into_iter().try_for_each(|column| pass.any(column))
            }
            _ => {
                debug_assert_eq!(group, REQUESTED);
                level.new.columns(pass)?;
                level.ranking.columns(pass)?;
                level.requests.iter_mut().try_for_each(|request| {
                    pass.any(&mut request.orbits)?;
                    pass.any(&mut request.positions)?;
                    pass.any(&mut request.elements)
                })
            }
        }
    }
}

impl Visited {
    fn columns(&mut self, pass: &mut Pass<'_>) -> Result<()> {
        self.images.columns(pass)?;
        pass.pairs_any(&mut self.keys)?;
        pass.any(&mut self.elements)?;
        pass.any(&mut self.stabilisers)
    }
}
