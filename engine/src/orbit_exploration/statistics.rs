//! What is asked of an exploration, and what it tells.

use crate::lpe::explore::{Incomplete, Limits};
use crate::lpe::goals::{Trace, Wanted};
use crate::orbit_exploration::canonical_state::Strategy;
use crate::orbit_exploration::witness::Witness;
use crate::symmetry::annotated_quotient::Quotient;
use num_bigint::BigUint;
use std::time::Duration;

/// What is asked of an exploration.
pub struct Options {
    pub limits: Limits,
    /// How representatives are chosen, if not as suits the group.
    pub strategy: Option<Strategy>,
    /// After so many choices the canonical image of a state is approximate.
    pub choices: u64,
    pub threads: usize,
    /// Whether the quotient is wanted, or numbers only.
    pub rows: bool,
    /// Whether the symmetry is to be certified: not if it was proven in another way.
    pub certify: bool,
    /// For every summand whether it is known to correspond to its images for all values.
    pub proven: Vec<bool>,
    /// States in which that is looked at all the same.
    pub sample: usize,
    pub wanted: Wanted,
}

/// The caller of an exploration, which follows it and may stop it.
pub trait Callbacks {
    /// Called now and then with how many orbits there are and how many of them are explored; false
    /// stops the exploration.
    fn poll(&mut self, orbits: usize, explored: usize) -> bool;
    /// Whether a label is looked for.
    fn is_wanted(&mut self, label: &[u8]) -> bool;
}

/// Numbers of what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub orbits: usize,
    /// States that were explored, of each orbit one; more of those with approximate images, which so
    /// many had.
    pub representatives: usize,
    pub approximate: usize,
    /// Transitions of one state of each orbit.
    pub steps: u64,
    /// States and transitions of the system that the quotient stands for.
    pub states: BigUint,
    pub transitions: BigUint,
    /// States of that system without a step.
    pub deadlocks: BigUint,
    /// Bytes of the states.
    pub store: usize,
    /// Local situations that the certificate compared with their images, and how long that took.
    pub checked: usize,
    pub proving: Duration,
    /// States and local situations that were compared although they need not have been.
    pub sampled: usize,
}

/// What was found under a group of permutations.
pub struct Reduced {
    /// Which generator turned out to be no symmetry, and why.
    pub witness: Option<(usize, Witness)>,
    /// Which generator was proven to be a symmetry and is none, and why.
    pub defect: Option<(usize, Witness)>,
    /// If it was wanted.
    pub quotient: Option<Quotient>,
    pub statistics: Statistics,
    pub order: BigUint,
    pub strategy: Strategy,
    /// `None` if everything was explored; else the symmetry is not certified.
    pub incomplete: Option<Incomplete>,
    /// Traces of the system itself, whose steps have been done there.
    pub traces: Vec<Trace>,
}
