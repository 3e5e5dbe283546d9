//! How far a minimisation goes, and why there is no minimal quotient.

use crate::base::cancel::{Cancel, Stopped};
use crate::group::schreier_sims::NoGroup;
use thiserror::Error;

/// How the search of canonical images is bounded.
pub struct Bounds<'a, 'b> {
    pub limit: u64,
    pub cancel: &'a Cancel,
    /// The stabilisers of the representatives.
    pub stabiliser: &'b [u32],
}

/// Why there is no minimal quotient.
#[derive(Debug, Clone, Copy, Error, PartialEq, Eq)]
pub enum NoMinimum {
    /// At the limit if a canonical image takes more than the allowed number of choices.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    Group(#[from] NoGroup),
    #[error("the group moves the internal label {0}")]
    Moves(u32),
}
