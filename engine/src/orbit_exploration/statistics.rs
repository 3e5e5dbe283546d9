//! What is requested of an exploration, and what it reports.

use crate::lpe::explore::{Incomplete, Limits};
use crate::lpe::goals::{Trace, Wanted};
use crate::orbit_exploration::canonical_state::Strategy;
use crate::orbit_exploration::witness::Witness;
use crate::preorder::normal_form::Asymmetry;
use crate::symmetry::annotated_quotient::Quotient;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// What is requested of an exploration.
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
    /// When it began, for the limit of its time.
    pub begun: Instant,
}

/// The caller of an exploration, which follows it.
pub trait Callbacks {
    /// Called now and then with how many orbits there are and how many of them are explored.
    fn progress(&mut self, orbits: usize, explored: usize);
    /// Whether a label is looked for.
    fn is_wanted(&mut self, label: &[u8]) -> bool;
}

/// What there is to report of every exploration under a group.
pub struct GroupStatistics {
    pub order: BigUint,
    pub strategy: Strategy,
    /// `None` if all that was requested was explored; else the symmetry is not certified, unless enough
    /// was found.
    pub incomplete: Option<Incomplete>,
    /// Orbits that were visited: of states, or of pairs of a state and something else.
    pub orbits: usize,
    /// Bytes of what was visited.
    pub store: usize,
    /// Local situations that the certificate compared with their images, and how long that took.
    pub checked: usize,
    pub proving: Duration,
    /// States and local situations that were compared although they need not have been.
    pub sampled: usize,
    /// Which generator turned out to be no symmetry, and why.
    pub broken: Option<(usize, Broken)>,
    /// Which generator was proven to be a symmetry and is none, and why.
    pub defect: Option<(usize, Witness)>,
}

impl GroupStatistics {
    /// Of a group of this order, whose representatives are chosen so, before anything is explored.
    pub(crate) fn of(order: BigUint, strategy: Strategy) -> Self {
        Self {
            order,
            strategy,
            incomplete: None,
            orbits: 0,
            store: 0,
            checked: 0,
            proving: Duration::ZERO,
            sampled: 0,
            broken: None,
            defect: None,
        }
    }

    /// Where maps of the specification show that a generator is no symmetry.
    pub(crate) fn refused((which, witness): (usize, Witness)) -> Self {
        let broken = Some((which, Broken::Process(witness)));
        Self { broken, ..Self::of(BigUint::ZERO, Strategy::Refine) }
    }

    /// Whether nothing speaks against what was found on orbits.
    pub(crate) fn is_certified(&self) -> bool {
        self.broken.is_none() && self.defect.is_none()
    }
}

/// Why a permutation is no symmetry of a process, or of what it is compared with.
pub enum Broken {
    Process(Witness),
    Specification(Asymmetry),
    /// A label of the process and its image, one of which is internal, or called differently in the
    /// specification.
    Labels(Vec<u8>, Vec<u8>),
}

/// What was found under a group of permutations.
pub struct Reduced {
    pub statistics: GroupStatistics,
    /// If it was wanted.
    pub quotient: Option<Quotient>,
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
    /// Traces of the system itself, whose steps have been done there.
    pub traces: Vec<Trace>,
}

impl From<GroupStatistics> for Reduced {
    fn from(statistics: GroupStatistics) -> Self {
        Self {
            statistics,
            quotient: None,
            representatives: 0,
            approximate: 0,
            steps: 0,
            states: BigUint::ZERO,
            transitions: BigUint::ZERO,
            deadlocks: BigUint::ZERO,
            traces: Vec::new(),
        }
    }
}
