//! How far a minimisation goes, and why there is no minimal quotient.

use crate::base::cancel::{Poll, Stop};
use crate::group::schreier_sims::TooLarge;

/// How the search of canonical images is bounded.
pub struct Bounds<'a, 'b> {
    pub limit: u64,
    pub poll: Poll<'a>,
    /// The stabilisers of the representatives.
    pub stabiliser: &'b [u32],
}

/// Why there is no minimal quotient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoMinimum {
    Interrupted,
    /// A canonical image takes more than the allowed number of choices.
    Limit,
    TooLarge,
    /// The group moves this internal label.
    Moves(u32),
}

impl From<Stop> for NoMinimum {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Interrupted => Self::Interrupted,
            Stop::Limit => Self::Limit,
        }
    }
}

impl From<TooLarge> for NoMinimum {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}
