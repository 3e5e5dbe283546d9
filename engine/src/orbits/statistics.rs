//! The options of an exploration under a group, and its results.

use crate::orbits::canonical_state::Strategy;
use crate::preorder::normal_form::Asymmetry;
use crate::process::explore::{Incomplete, Limits};
use crate::process::goals::{Query, Trace};
use crate::symmetry::annotated_quotient::Quotient;
use crate::symmetry_of_process::witness::Witness;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// The options of an exploration under a group.
pub struct OrbitOptions {
    pub limits: Limits,
    /// The strategy for choosing representatives; `None` for the one that suits the group.
    pub strategy: Option<Strategy>,
    /// The number of choices after which the canonical image of a state is approximate.
    pub choices: u64,
    pub threads: usize,
    /// Whether to build the quotient, or only count.
    pub with_quotient: bool,
    /// Whether to certify the symmetry; not needed if it was proven in another way.
    pub certify: bool,
    /// For every summand whether it is proven to correspond to its images for all values.
    pub proven: Vec<bool>,
    /// The number of states in which proven summands are spot-checked.
    pub sample: usize,
    pub query: Query,
    /// The start of the time limit.
    pub begun: Instant,
}

/// Callbacks to the caller of an exploration.
pub trait Callbacks {
    /// Called regularly with the number of orbits found and explored.
    fn progress(&mut self, orbits: usize, explored: usize);
    /// Whether a label is searched for.
    fn is_goal(&mut self, label: &[u8]) -> bool;
}

/// Statistics of every exploration under a group.
pub struct GroupStatistics {
    pub order: BigUint,
    pub strategy: Strategy,
    /// `None` if everything requested was explored; else the reason; then the symmetry is certified
    /// only if enough goals were found.
    pub incomplete: Option<Incomplete>,
    /// The number of visited orbits of states, or of pairs of a state and something else.
    pub orbits: usize,
    /// The bytes of the visited orbits.
    pub store: usize,
    /// The number of local situations that the certificate compared with their images, and the time
    /// this took.
    pub checked: usize,
    pub proving: Duration,
    /// The number of states and local situations that were spot-checked.
    pub sampled: usize,
    /// A generator that turned out not to be a symmetry, and the reason.
    pub broken: Option<(usize, Broken)>,
    /// A generator that was proven to be a symmetry but is not one, and the reason.
    pub defect: Option<(usize, Witness)>,
}

impl GroupStatistics {
    /// The initial statistics for a group of this order and this strategy.
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

    /// The statistics if maps of the specification show that a generator is not a symmetry.
    pub(crate) fn refused((which, witness): (usize, Witness)) -> Self {
        let broken = Some((which, Broken::Process(witness)));
        Self { broken, ..Self::of(BigUint::ZERO, Strategy::Refine) }
    }

    /// Whether nothing refutes the results found on orbits.
    pub(crate) fn is_certified(&self) -> bool {
        self.broken.is_none() && self.defect.is_none()
    }
}

/// Why a permutation is not a symmetry of a process or of its specification.
pub enum Broken {
    Process(Witness),
    Specification(Asymmetry),
    /// A label of the process and its image, of which only one is internal, or which the
    /// specification spells differently.
    Labels(Vec<u8>, Vec<u8>),
}

/// The result of an exploration under a group.
pub struct Reduced {
    pub statistics: GroupStatistics,
    /// The quotient, if requested.
    pub quotient: Option<Quotient>,
    /// The number of explored states, one for each orbit. There may be more for orbits with
    /// approximate images; the second number counts the states with approximate images.
    pub representatives: usize,
    pub approximate: usize,
    /// The number of transitions of one state of each orbit.
    pub steps: u64,
    /// The number of steps whose targets were computed. Of steps that the stabiliser of their
    /// source exchanges, one may stand for all; equal steps may count more than once.
    pub followed: u64,
    /// The numbers of states and transitions of the original.
    pub states: BigUint,
    pub transitions: BigUint,
    /// The number of deadlocks of the original.
    pub deadlocks: BigUint,
    /// Traces of the original, which were replayed there.
    pub traces: Vec<Trace>,
    /// For each generator whether it fixes all states; empty unless everything was explored.
    pub idle: Vec<bool>,
}

impl From<GroupStatistics> for Reduced {
    fn from(statistics: GroupStatistics) -> Self {
        Self {
            statistics,
            quotient: None,
            idle: Vec::new(),
            representatives: 0,
            approximate: 0,
            steps: 0,
            followed: 0,
            states: BigUint::ZERO,
            transitions: BigUint::ZERO,
            deadlocks: BigUint::ZERO,
            traces: Vec::new(),
        }
    }
}
