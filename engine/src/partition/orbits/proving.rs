//! The proof, after all is expanded: what is proven of what was met here.

use crate::base::put_away::InGroups;
use crate::orbit_exploration::statistics::Account;
use crate::partition::orbits::orbit_part::{IMAGES, ORBITS, OrbitPart};
use crate::partition::supersteps::Failure;

impl OrbitPart<'_> {
    /// Proves the symmetry on what was met here, and says so in an account; or a summand whose tests
    /// are not known to correspond to those of its images: all is to be explored again, with that one
    /// bound.
    pub fn prove(&mut self) -> Result<Result<Account, u32>, Failure> {
        self.have(&[IMAGES, ORBITS])?;
        let system = &mut self.system;
        let strategy = system.options.strategy_for(system.action);
        let mut account = Account::of(system.action.group.order(), strategy);
        if let Some(summand) = system.unknown_test()? {
            return Ok(Err(summand));
        }
        if system.prove(&mut account, &mut || ())? {
            let states = system.sampled();
            system.look_again(&states, &mut account)?;
        }
        Ok(Ok(account))
    }
}
