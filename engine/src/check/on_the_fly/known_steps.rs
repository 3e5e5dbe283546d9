//! The steps of the states requested so far, in the order of the requests.

use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::process::linear::stop::Stop;
use std::ops::Range;

/// The steps of some states, with a label and a target each.
///
/// Invariant: `starts` has one entry for each state with known steps, and one more for the end of
/// the last.
pub(crate) struct KnownSteps {
    /// For each state, its position among the states with known steps, or `NONE`.
    positions: Vec<u32>,
    starts: Vec<u32>,
    pub labels: Vec<u32>,
    pub targets: Vec<u32>,
}

impl KnownSteps {
    /// No steps are known.
    pub fn new() -> Self {
        Self { positions: Vec::new(), starts: vec![0], labels: Vec::new(), targets: Vec::new() }
    }

    /// The number of states with known steps.
    pub fn explored(&self) -> usize {
        self.starts.len() - 1
    }

    /// An upper bound (exclusive) on the states with known steps.
    pub fn states(&self) -> usize {
        self.positions.len()
    }

    /// Whether the steps of a state are known.
    pub fn has(&self, state: u32) -> bool {
        self.positions.get(state as usize).is_some_and(|&position| position != NONE)
    }

    /// The range of the steps of a state; empty if they are not known.
    pub fn of(&self, state: u32) -> Range<usize> {
        if !self.has(state) {
            return 0..0;
        }
        let position = self.positions[state as usize] as usize;
        self.starts[position] as usize..self.starts[position + 1] as usize
    }

    /// Adds a step of the state that is closed next.
    pub fn push(&mut self, label: u32, target: u32) {
        self.labels.push(label);
        self.targets.push(target);
    }

    /// Ends the steps of a state: they are those added since the last call.
    pub fn close(&mut self, state: u32) -> Result<(), Stop> {
        if self.positions.len() <= state as usize {
            self.positions.resize(state as usize + 1, NONE);
        }
        self.positions[state as usize] = u32::at(self.explored());
        let end = u32::try_from(self.targets.len()).ok().filter(|&end| end < NONE);
        let end = end.ok_or_else(|| Stop::Evaluation("more than 2^32 transitions".into(), None));
        self.starts.push(end?);
        Ok(())
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        4 * (self.positions.len() + self.starts.len() + self.labels.len() + self.targets.len())
    }
}
