//! Bounds of a comparison.

/// Bounds on the work of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most pairs and answers that are considered before the systems are reduced.
    pub near: usize,
    /// The most answers that are considered to find a formula on the reduced systems. Beyond that
    /// the formula is derived from the splits or removals of the refinement.
    pub far: usize,
    /// The most classes of a simulation, or pairs of a search for a difference; more are a
    /// [`NoResult::Limit`](crate::base::cancel::NoResult).
    pub states: usize,
}
