//! Marks on states that can be cleared in constant time.

use crate::base::ids::State;

/// A set of marked states, cleared in constant time: a state is marked if its entry is the current
/// round.
pub struct Marks {
    round: u32,
    at: Vec<u32>,
}

impl Marks {
    /// No state out of `count` is marked.
    pub fn new(count: usize) -> Self {
        Self { round: 1, at: vec![0; count] }
    }

    /// Marks a state; returns whether it was unmarked.
    pub fn mark(&mut self, state: State) -> bool {
        let new = self.at[state] != self.round;
        self.at[state] = self.round;
        new
    }

    /// Removes all marks.
    pub fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.at.fill(0);
            self.round = 1;
        }
    }
}
