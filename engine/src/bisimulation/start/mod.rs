//! What is known of a partition before it is refined; each of these is optional.

pub mod acyclic;
pub mod acyclic_blocks;
pub mod acyclic_weak;
pub mod branching_k_step_hashes;
pub mod k_step_hashes;
pub mod strong_first;
