//! What is known of a partition before it is refined; each of these is optional.
//!
//! States from which every path ends: `acyclic`, by the hashes of `acyclic_blocks`; `acyclic_weak`
//! modulo weak bisimulation. Hashes of some steps ahead: `k_step_hashes`,
//! `branching_k_step_hashes`. Strong bisimulation before branching: `strong_first`.

pub mod acyclic;
pub mod acyclic_blocks;
pub mod acyclic_weak;
pub mod branching_k_step_hashes;
pub mod k_step_hashes;
pub mod strong_first;
