//! What comes out of the supersteps of a level, of states and of orbits alike.

use crate::base::cancel::Stopped;
use crate::base::put_away::DiskError;
use crate::lpe::chunk::Obstacle;
use crate::lpe::process::stop::Stop;
use crate::lpe::store::NONE;
use crate::partition::Key;
use crate::partition::wire::Unreadable;
use num_bigint::BigUint;

/// In what partners requested, and among targets: what has no number yet; the rest is its place among
/// those.
pub const OPEN: u64 = 1 << 63;

/// Why a superstep cannot be done.
#[derive(Debug)]
pub enum Failure {
    /// Another partition sent what is no batch.
    Unreadable,
    /// There are more states than a partition can number.
    Full,
    /// What was spilled cannot be written, or read.
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

/// What the first superstep found, but for the batches.
#[derive(Default)]
pub struct Expanded {
    /// Labels that have not been visited here before, by our numbers, each with its first step.
    pub labels: Vec<(u32, Key)>,
    /// Sources without steps: the first, as many as are wanted.
    pub deadlocks: Vec<u64>,
    /// Why not all were looked at: the steps before this key are all that were found.
    pub obstacle: Option<(Key, Obstacle)>,
}

/// What a level has, as far as it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub transitions: u64,
    /// States that have none; of orbits they are counted with what these stand for.
    pub deadlocks: u64,
    pub original: Original,
}

/// What orbits stand for: states and transitions of the system, and states without transitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Original {
    pub states: BigUint,
    pub transitions: BigUint,
    pub deadlocks: BigUint,
}

/// Transitions by the numbers of states or orbits, and by those of labels in the whole system; of
/// orbits with shifts, by our numbers of elements.
#[derive(Default)]
pub struct Transitions {
    pub source: Vec<u64>,
    pub label: Vec<u32>,
    pub shift: Vec<u32>,
    pub target: Vec<u64>,
}

/// The numbers that labels have in the whole system, by our own numbers.
#[derive(Default)]
pub struct LabelNumbers(Vec<u32>);

/// In place of the number of a label: it was reported, and gets one before transitions are completed.
const REPORTED: u32 = NONE - 1;

impl LabelNumbers {
    /// Whether a label has no number yet, and is to be reported: only once.
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

    /// Takes the numbers of labels that were reported.
    pub fn take(&mut self, numbers: &[(u32, u32)]) -> Result<(), Unreadable> {
        for &(own, number) in numbers {
            *self.0.get_mut(own as usize).ok_or(Unreadable)? = number;
        }
        Ok(())
    }

    /// The number of a label.
    pub fn of(&self, label: u32) -> u32 {
        self.0[label as usize]
    }
}
