//! Why rewriting gave up.

use crate::base::cancel::Stopped;
use thiserror::Error;

/// Why there is no normal form.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum Unfinished {
    /// After so many steps: the rule that was applied most in the last of them, counted from 0 in the
    /// order of declaration, and what it is called.
    #[error("rewriting does not end: after {steps} steps it applies again and again {name}")]
    Endless { rule: usize, name: String, steps: u64 },
    #[error("rewriting was stopped: {0}")]
    Stopped(#[from] Stopped),
}
