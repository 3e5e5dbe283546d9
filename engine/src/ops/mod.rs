//! What is asked of every LTS before any equivalence or symmetry: linear in its size.
//!
//! Long work calls `poll` now and then; when that says no it gives up and returns `None`.

pub mod choice;
pub mod divergence;
pub mod hide;
pub mod outgoing;
pub mod reachable;

/// Steps of work between two calls of `poll`.
const POLL_EVERY: usize = 1 << 16;
