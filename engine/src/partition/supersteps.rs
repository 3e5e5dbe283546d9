//! The results of a level's supersteps, for states and orbits alike.

use crate::base::cancel::Stopped;
use crate::base::spill::DiskError;
use crate::partition::Key;
use crate::partition::wire::Unreadable;
use crate::process::chunk::Obstacle;
use crate::process::linear::stop::Stop;
use crate::process::store::NONE;
use num_bigint::BigUint;

/// In requests and targets: set if there is no number yet; the other bits are then the position
/// among those without numbers.
pub const OPEN: u64 = 1 << 63;

/// Why a superstep fails.
#[derive(Debug)]
pub enum Failure {
    /// The batch of another partition is malformed.
    Unreadable,
    /// There are more states than a partition can number.
    Full,
    /// A spill file cannot be written or read.
    Disk(DiskError),
    Stop(Stop),
}

impl From<Unreadable> for Failure {
    fn from(_: Unreadable) -> Self {
        Self::Unreadable
    }
}

impl From<DiskError> for Failure {
    fn from(error: DiskError) -> Self {
        Self::Disk(error)
    }
}

impl From<Stopped> for Failure {
    fn from(why: Stopped) -> Self {
        Self::Stop(why.into())
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// The result of the first superstep, apart from the batches.
#[derive(Default)]
pub struct Expanded {
    /// Labels that are new in this partition, by their numbers here, each with its first step.
    pub labels: Vec<(u32, Key)>,
    /// The first deadlocks, as many as requested.
    pub deadlocks: Vec<u64>,
    /// The reason if not everything was expanded; exactly the steps before this key were found.
    pub obstacle: Option<(Key, Obstacle)>,
}

/// The counts of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub transitions: u64,
    /// The number of deadlocks; for orbits only the original's are counted.
    pub deadlocks: u64,
    pub original: Original,
}

/// The numbers of states, transitions and deadlocks of the original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Original {
    pub states: BigUint,
    pub transitions: BigUint,
    pub deadlocks: BigUint,
}

/// Transitions: states or orbits and labels by their global numbers; for orbits also shifts, by the
/// numbers of elements in this partition.
#[derive(Default)]
pub struct GlobalTransitions {
    pub source: Vec<u64>,
    pub label: Vec<u32>,
    pub shift: Vec<u32>,
    pub target: Vec<u64>,
}

/// The global numbers of labels, by their numbers in this partition.
#[derive(Default)]
pub struct LabelNumbers(Vec<u32>);

/// Stands for the number of a label that was reported, and gets a number before transitions are
/// completed.
const REPORTED: u32 = NONE - 1;

impl LabelNumbers {
    /// Whether a label is new and has to be reported; true once per label.
    pub fn is_new(&mut self, label: u32) -> bool {
        let label = label as usize;
        if self.0.len() <= label {
            self.0.resize(label + 1, NONE);
        }
        let number = &mut self.0[label];
        let is_new = *number == NONE;
        *number = REPORTED.min(*number);
        is_new
    }

    /// Stores the numbers of labels that were reported.
    pub fn take(&mut self, numbers: &[(u32, u32)]) -> Result<(), Unreadable> {
        for &(own, number) in numbers {
            *self.0.get_mut(own as usize).ok_or(Unreadable)? = number;
        }
        Ok(())
    }

    /// The global number of a label.
    pub fn of(&self, label: u32) -> u32 {
        self.0[label as usize]
    }
}
