//! What bounds a comparison.

/// What bounds the work.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Pairs and answers that are looked at before anything is reduced.
    pub near: usize,
    /// Answers that are looked at to find a formula on reduced systems. Beyond that it comes from what
    /// refinement does, step by step.
    pub far: usize,
    /// Classes of a simulation, or pairs of a search for a difference; more are a
    /// [`Stopped::Limit`](crate::base::cancel::Stopped).
    pub states: usize,
}
