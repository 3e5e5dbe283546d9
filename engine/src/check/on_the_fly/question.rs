//! A model checking question.

/// What is to be decided, and how much of it is to be shown.
pub struct Question {
    /// The part of the formula whose truth in the initial state is queried.
    pub root: u32,
    /// The number of shapes of parts, if parts are split into shape and values.
    pub shapes: usize,
    /// The largest number of positions of the game.
    pub most: usize,
    /// The largest number of pairs in the evidence, if it is requested.
    pub evidence: Option<usize>,
    /// The answer for which a single path is evidence, if there is one.
    pub path: Option<bool>,
}
