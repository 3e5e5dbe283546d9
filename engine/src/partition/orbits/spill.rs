//! Spilling: when memory is needed elsewhere, the columns of a partition of orbits are written to a
//! file, in groups. A superstep reads the groups that it needs. The tables of the process and the
//! group stay in memory.

use crate::base::spill::{Spillable, Storage, Transfer};
use crate::partition::orbits::orbit_part::{
    GROUPS, IMAGES, LEVEL, ORBITS, OrbitPart, REQUESTED, VisitedImages,
};
use std::io::Result;

impl Spillable for OrbitPart<'_> {
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
            IMAGES => self.system.orbits.transfer_images(transfer),
            ORBITS => {
                self.system.orbits.transfer_orbits(transfer)?;
                self.numbers.transfer(transfer)
            }
            LEVEL => {
                for column in [&mut level.degrees, &mut level.labels, &mut level.targets] {
                    transfer.any(column)?;
                }
                transfer.any(&mut level.positions)?;
                let owned = level.images_of.iter_mut().chain(&mut level.pairs_of);
                owned.into_iter().try_for_each(|column| transfer.any(column))
            }
            _ => {
                debug_assert_eq!(group, REQUESTED);
                level.new.transfer(transfer)?;
                level.ranking.transfer(transfer)?;
                level.requests.iter_mut().try_for_each(|request| {
                    transfer.any(&mut request.orbits)?;
                    transfer.any(&mut request.positions)?;
                    transfer.any(&mut request.elements)
                })
            }
        }
    }
}

impl VisitedImages {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        self.images.transfer(transfer)?;
        transfer.pairs_any(&mut self.keys)?;
        transfer.any(&mut self.elements)?;
        transfer.any(&mut self.stabilisers)
    }
}
