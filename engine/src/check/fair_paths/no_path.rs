//! Why a search for a fair path has no result.

use crate::process::linear::stop::Stop;

/// Why a search has no result.
#[derive(Debug)]
pub enum NoPath {
    Stop(Stop),
    /// There are more than [`MOST_STATES`](crate::check::fair_paths::automaton::MOST_STATES)
    /// automaton states.
    States,
    /// There are more nodes than the limits of the graph allow.
    Nodes,
}

impl<E: Into<Stop>> From<E> for NoPath {
    fn from(error: E) -> Self {
        Self::Stop(error.into())
    }
}

/// The result of a step of a search.
pub type Result<T, E = NoPath> = std::result::Result<T, E>;
