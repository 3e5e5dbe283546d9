//! Signature refinement: blocks are split until states of one have equal signatures.

pub mod block_members;
pub mod branching_worklist;
pub mod refiner;
pub mod split_groups;
pub mod sweep;
pub mod worklist;
