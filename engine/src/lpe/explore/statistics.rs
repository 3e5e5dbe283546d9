//! What is requested of an exploration, and what it reports.

use crate::base::cancel::Stopped;
use crate::base::lts::Lts;
use crate::base::memory::anonymous;
use crate::lpe::goals::{Trace, Wanted};
use std::time::{Duration, Instant};

/// How far an exploration may go.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    pub states: Option<usize>,
    /// Values that the variables of one summand may take in one state.
    pub values: usize,
    /// Bytes of memory of this process.
    pub memory: Option<usize>,
    pub time: Option<Duration>,
}

/// How many values the variables of a summand may take in one state: few at first, as a limit on states
/// may be reached sooner, and four times as many whenever these were too few.
#[derive(Clone, Copy, Debug)]
pub struct Cap {
    pub now: usize,
    most: usize,
}

impl Cap {
    /// At most `most`; at first no more than `first`.
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
    /// How many values are tried: at first as many as may lead to one state too much.
    pub fn cap(&self) -> Cap {
        Cap::new(self.states.map_or(usize::MAX, |most| most.saturating_add(1)), self.values)
    }

    /// Whether an exploration that has `begun` then has taken too long, or too much memory; `own` is
    /// what it takes itself, where that of the process is not known.
    pub fn passed(&self, begun: Instant, own: impl FnOnce() -> usize) -> Option<Incomplete> {
        if self.time.is_some_and(|time| begun.elapsed() > time) {
            return Some(Incomplete::Time);
        }
        let memory = self.memory?;
        (anonymous().unwrap_or_else(own) > memory).then_some(Incomplete::Memory)
    }
}

/// What becomes of the transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Columns,
    Text,
    Nothing,
}

/// What is requested of an exploration.
pub struct Options {
    pub limits: Limits,
    pub threads: usize,
    pub output: Output,
    /// Actions and labels that are written as `tau`.
    pub hidden: Vec<Vec<u8>>,
    pub wanted: Wanted,
}

/// The caller of an exploration, which follows it.
pub trait Callbacks: Send {
    /// Called now and then with how far it is.
    fn progress(&mut self, statistics: &Statistics);
    /// Takes the next rows as text. If it cannot, it has the exploration end.
    fn write(&mut self, text: &[u8]);
    /// Whether a label is looked for.
    fn is_wanted(&mut self, label: &[u8]) -> bool;
}

/// What was seen so far.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub states: usize,
    /// States whose steps are all known.
    pub explored: usize,
    pub transitions: u64,
    /// Levels that were begun, the initial state being the first.
    pub levels: usize,
    /// Explored states without a step.
    pub deadlocks: u64,
    /// Bytes of the states, with what leads back to the initial one if traces were requested.
    pub store: usize,
    /// Bytes of the tables of local steps.
    pub tables: usize,
    /// Local steps and parts of them that were computed by rewriting, and how long that took.
    pub evaluations: u64,
    pub rewriting: Duration,
    pub time: Duration,
    /// Bytes of the whole process, 0 if that is not known.
    pub memory: usize,
}

/// Why an exploration is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    States,
    /// This summand has too many values.
    Values(usize),
    /// The labels of this summand take too much text.
    Labels(Option<usize>),
    /// This summand puts one call more on a stack than may wait there.
    Calls(usize),
    Memory,
    Time,
    Interrupted,
    /// What was looked for was found.
    Found,
}

impl From<Stopped> for Incomplete {
    fn from(why: Stopped) -> Self {
        match why {
            Stopped::Time => Self::Time,
            Stopped::Memory => Self::Memory,
            Stopped::Interrupt | Stopped::Refused | Stopped::Limit => Self::Interrupted,
        }
    }
}

/// What was found.
pub struct Exploration {
    pub statistics: Statistics,
    /// `None` if everything was found.
    pub incomplete: Option<Incomplete>,
    /// Where columns were requested.
    pub lts: Option<Lts>,
    pub traces: Vec<Trace>,
}
