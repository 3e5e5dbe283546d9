//! The system to be minimised modulo weak bisimulation.

use crate::base::ids::NONE;
use crate::symmetry::minimise::orbit_steps::Outgoing;

/// The label of loops that represent divergence during minimisation.
pub(crate) const DELTA: u32 = NONE - 1;

/// The system to be minimised modulo weak bisimulation; internal steps lead to smaller orbits.
#[derive(Clone, Copy)]
pub struct System<'a> {
    pub outgoing: &'a Outgoing,
    pub tau: u32,
    /// Whether divergence is represented by a loop.
    pub divergence: bool,
}

impl System<'_> {
    pub fn diverges(&self, orbit: u32) -> bool {
        self.divergence && self.outgoing.diverges[orbit as usize]
    }
}
