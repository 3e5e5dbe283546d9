//! What is requested of a process.

/// What is to be decided.
pub struct Question {
    /// The part of the formula that is to hold initially.
    pub root: u32,
    /// Shapes that parts have, if they are taken apart.
    pub shapes: usize,
    /// Positions that the game may have.
    pub most: usize,
    /// Pairs that the evidence may have, if it is wanted.
    pub evidence: Option<usize>,
    /// The answer that one path shows, if there is one.
    pub path: Option<bool>,
}
