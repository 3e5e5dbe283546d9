//! Marks on states.

use crate::base::ids::State;

/// States that can be marked and forgotten all at once.
pub struct Marks {
    round: u32,
    at: Vec<u32>,
}

impl Marks {
    /// No mark on any of `count` states.
    pub fn new(count: usize) -> Self {
        Self { round: 1, at: vec![0; count] }
    }

    /// Marks a state; whether it had no mark.
    pub fn mark(&mut self, state: State) -> bool {
        let new = self.at[state] != self.round;
        self.at[state] = self.round;
        new
    }

    /// Forgets all marks.
    pub fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.at.fill(0);
            self.round = 1;
        }
    }
}
