//! Errors of rewriting.

use crate::base::cancel::Stopped;
use thiserror::Error;

/// Why there is no normal form.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum Unfinished {
    /// Too many steps. `rule` is the rule applied most among the last ones, counted from 0 in the
    /// order of declaration, and `name` its name.
    #[error("stopped after {steps} rewrite steps in one value, most of them by {name}")]
    Endless { rule: usize, name: String, steps: u64 },
    /// Quantifiers whose conditions need each other, too deep for the call stack.
    #[error("stopped at more than {most} quantifiers, each needed for the one before")]
    Nested { most: u32 },
    #[error("rewriting was stopped: {0}")]
    Stopped(#[from] Stopped),
}
