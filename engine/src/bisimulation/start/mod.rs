//! Initial partitions and hashes for refinement; each of these is an optional optimisation.
//!
//! States from which every path ends: `acyclic`, with the hashes of `acyclic_blocks`. Hashes of k
//! steps: `k_step_hashes`, `branching_k_step_hashes`. Strong bisimulation before branching: `strong_first`.

pub mod acyclic;
pub mod acyclic_blocks;
pub mod branching_k_step_hashes;
pub mod k_step_hashes;
pub mod strong_first;
