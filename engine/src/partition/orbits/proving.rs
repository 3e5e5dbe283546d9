//! The proof of the symmetry on the states and values that this partition visited, after the last
//! level.

use crate::base::spill::Spillable;
use crate::orbits::statistics::GroupStatistics;
use crate::partition::orbits::orbit_part::{IMAGES, ORBITS, OrbitPart};
use crate::partition::supersteps::Failure;

impl OrbitPart<'_> {
    /// Proves the symmetry on the states and values visited here; the result is in the statistics.
    /// Instead it may return a summand whose tests are not known to correspond to those of its
    /// images: then the exploration has to start anew, with that summand in `bound`.
    pub fn prove(&mut self) -> Result<Result<GroupStatistics, u32>, Failure> {
        self.read_back(&[IMAGES, ORBITS])?;
        let system = &mut self.system;
        let strategy = system.options.strategy_for(system.action);
        let mut statistics = GroupStatistics::of(system.action.group.order(), strategy);
        if let Some(summand) = system.unknown_test()? {
            return Ok(Err(summand));
        }
        if system.prove(&mut statistics, &mut || ())? {
            let states = system.sampled();
            system.spot_check(&states, &mut statistics)?;
        }
        Ok(Ok(statistics))
    }
}
