//! The proof, after all is expanded: what is proven of what was met here.

use crate::base::put_away::InGroups;
use crate::orbit_exploration::witness::Witness;
use crate::orbit_exploration::{prove, sample};
use crate::partition::orbits::orbit_part::{IMAGES, ORBITS, OrbitPart};
use crate::partition::orbits::partner::Failure;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What came of it.
#[derive(Default)]
pub struct Proven {
    /// A summand whose tests are not known to correspond to those of its images: all is to be explored
    /// again, with that one bound.
    pub unknown: Option<u32>,
    /// Which generator is no symmetry, and why.
    pub witness: Option<(usize, Witness)>,
    /// Which generator was proven to be one and is none, and why.
    pub defect: Option<(usize, Witness)>,
    /// Local situations that were compared, and how long that took.
    pub checked: usize,
    pub time: Duration,
    /// States and situations that were compared although they need not have been.
    pub sampled: usize,
}

impl OrbitPart<'_> {
    /// Proves the symmetry on what was met here.
    pub fn prove(&mut self) -> Result<Proven, Failure> {
        self.have(&[IMAGES, ORBITS])?;
        let mut proven = Proven::default();
        let Self { process, generators, options, orbits, canonical, summand_tests, .. } = self;
        let options = &options.exploring;
        if options.certify {
            let tests = summand_tests.certify(process, generators, &options.proven)?;
            if let Err(summand) = tests {
                proven.unknown = Some(summand);
                return Ok(proven);
            }
            let stop = Arc::clone(&process.data.stop);
            let mut poll = || !stop.load(Ordering::Relaxed);
            let proof = prove(process, generators, canonical.values(), options, &mut poll)?;
            (proven.witness, proven.checked, proven.time) =
                (proof.witness, proof.checked, proof.time);
        }
        if proven.witness.is_none() {
            proven.defect = sample(process, generators, orbits, options, &mut proven.sampled)?;
        }
        Ok(proven)
    }
}
