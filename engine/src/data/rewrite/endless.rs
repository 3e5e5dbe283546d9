//! Why rewriting gave up.

use std::fmt;

/// Rewriting does not come to an end, or was stopped before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endless {
    /// The rule that was applied most in the last steps, counted from 0 in the order of declaration.
    pub rule: usize,
    /// What it is called.
    pub name: String,
    pub steps: u64,
}

impl fmt::Display for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rewriting does not end: after {} steps it applies again and again {}",
            self.steps, self.name
        )
    }
}
