//! Numbers of states, labels, blocks and the like.

/// No number: what stands for a state, a block or the like that is not there.
pub const NONE: u32 = u32::MAX;
