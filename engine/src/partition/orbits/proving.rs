//! The proof, after all is expanded: what is proven of what was visited here.

use crate::base::put_away::InGroups;
use crate::orbit_exploration::statistics::GroupStatistics;
use crate::partition::orbits::orbit_part::{IMAGES, ORBITS, OrbitPart};
use crate::partition::supersteps::Failure;

impl OrbitPart<'_> {
    /// Proves the symmetry on what was visited here, and says so in statistics; or a summand whose
    /// tests are not known to correspond to those of its images: all is to be explored again, with
    /// that one bound.
    pub fn prove(&mut self) -> Result<Result<GroupStatistics, u32>, Failure> {
        self.have(&[IMAGES, ORBITS])?;
        let system = &mut self.system;
        let strategy = system.options.strategy_for(system.action);
        let mut statistics = GroupStatistics::of(system.action.group.order(), strategy);
        if let Some(summand) = system.unknown_test()? {
            return Ok(Err(summand));
        }
        if system.prove(&mut statistics, &mut || ())? {
            let states = system.sampled();
            system.look_again(&states, &mut statistics)?;
        }
        Ok(Ok(statistics))
    }
}
