//! Bounds of a minimisation, and the reasons for not returning a minimal quotient.

use crate::base::cancel::{Cancel, NoResult, Stopped};
use crate::group::schreier_sims::NoGroup;
use thiserror::Error;

/// Bounds and data for searches of canonical images.
pub struct Bounds<'a, 'b> {
    pub limit: u64,
    pub cancel: &'a Cancel,
    /// For every orbit the number of its representative's stabiliser.
    pub stabiliser: &'b [u32],
}

/// The reasons for not returning a minimal quotient.
#[derive(Debug, Clone, Copy, Error, PartialEq, Eq)]
pub enum NoMinimum {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error("a canonical image takes more choices than allowed")]
    Limit,
    #[error(transparent)]
    Group(#[from] NoGroup),
    #[error("the group moves the internal label {0}")]
    Moves(u32),
}

impl From<NoResult> for NoMinimum {
    fn from(error: NoResult) -> Self {
        match error {
            NoResult::Stopped(why) => Self::Stopped(why),
            NoResult::Limit => Self::Limit,
        }
    }
}
