//! Options and results of an exploration.

use crate::base::cancel::Stopped;
use crate::base::lts::Lts;
use crate::base::memory::anonymous;
use crate::process::goals::{Query, Trace};
use std::time::{Duration, Instant};

/// The limits of an exploration.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    pub states: Option<usize>,
    /// The largest number of values that the variables of one summand may take in one state.
    pub values: usize,
    /// The most memory the process may use, in bytes.
    pub memory: Option<usize>,
    pub time: Option<Duration>,
}

/// The number of values that the variables of a summand may take in one state. It starts small,
/// since a limit on states may be reached sooner, and is multiplied by four each time it is too
/// small.
#[derive(Clone, Copy, Debug)]
pub struct Cap {
    pub now: usize,
    most: usize,
}

impl Cap {
    /// A cap of at most `most`, at first no more than `first`.
    pub fn new(first: usize, most: usize) -> Self {
        Self { now: first.min(most), most }
    }

    pub fn may_grow(self) -> bool {
        self.now < self.most
    }

    pub fn grow(&mut self) {
        self.now = self.now.saturating_mul(4).min(self.most);
    }
}

impl Limits {
    /// The cap on values: at first as many as may lead to one state more than allowed.
    pub fn cap(&self) -> Cap {
        Cap::new(self.states.map_or(usize::MAX, |most| most.saturating_add(1)), self.values)
    }

    /// The limit that an exploration which started at `begun` exceeds, if any; `own` is its own
    /// memory use, for systems that do not report that of the process.
    pub fn passed(&self, begun: Instant, own: impl FnOnce() -> usize) -> Option<Incomplete> {
        if self.time.is_some_and(|time| begun.elapsed() > time) {
            return Some(Incomplete::Time);
        }
        let memory = self.memory?;
        (anonymous().unwrap_or_else(own) > memory).then_some(Incomplete::Memory)
    }
}

/// What is done with the transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Columns,
    Text,
    Nothing,
}

/// The options of an exploration.
pub struct ExploreOptions {
    pub limits: Limits,
    pub threads: usize,
    pub output: Output,
    /// Actions and labels to be written as `tau`.
    pub hidden: Vec<Vec<u8>>,
    pub query: Query,
}

/// The caller of an exploration.
pub trait Callbacks: Send {
    /// Called regularly with the progress.
    fn progress(&mut self, statistics: &Statistics);
    /// Writes the next transitions, as text. An implementation that cannot write them has to stop
    /// the exploration.
    fn write(&mut self, text: &[u8]);
    /// Whether a label is searched for.
    fn is_goal(&mut self, label: &[u8]) -> bool;
}

/// Progress and statistics of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub states: usize,
    /// States all of whose steps are known.
    pub explored: usize,
    pub transitions: u64,
    /// Levels started, that of the initial state included.
    pub levels: usize,
    /// Explored states without steps.
    pub deadlocks: u64,
    /// Bytes used by the states, including parents if traces were requested.
    pub store: usize,
    /// Bytes used by the tables of local steps.
    pub tables: usize,
    /// The number of evaluations by rewriting (local steps and parts of them), and the time they
    /// took.
    pub evaluations: u64,
    pub rewriting: Duration,
    pub time: Duration,
    /// Bytes of the whole process; 0 if unknown.
    pub memory: usize,
}

/// Why an exploration is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    States,
    /// This summand has too many values.
    Values(usize),
    /// The labels of this summand take too much text.
    Labels(Option<usize>),
    /// This summand adds a call to a stack that already has as many as allowed.
    Calls(usize),
    Memory,
    Time,
    Interrupted,
    /// Enough goals were found.
    Enough,
}

impl From<Stopped> for Incomplete {
    fn from(why: Stopped) -> Self {
        match why {
            Stopped::Time => Self::Time,
            Stopped::Memory => Self::Memory,
            Stopped::Interrupt | Stopped::Refused => Self::Interrupted,
        }
    }
}

/// The result of an exploration.
pub struct Exploration {
    pub statistics: Statistics,
    /// `None` if the exploration is complete.
    pub incomplete: Option<Incomplete>,
    /// The LTS, if columns were requested.
    pub lts: Option<Lts>,
    pub traces: Vec<Trace>,
}
