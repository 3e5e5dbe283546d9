//! Bisimulations as partitions of states, and the quotients by them.
//!
//! Read `minimise` first, which combines the others. `tau_scc` collapses cycles of internal steps.
//! `start` computes an initial partition or hashes. `refine` splits blocks by signatures:
//! `strong_signature`, `branching_signature`, or the sketches in `weak`, which has everything
//! specific to weak bisimulation. `verify` makes the result exact, `block_quotient` makes the
//! quotient, and `canonical_numbering` numbers it in a way that depends on its behaviour only
//! (`canonical_ranks`). `sharp` is sharp bisimulation.

pub mod block_quotient;
pub mod branching_signature;
pub mod canonical_numbering;
pub mod canonical_ranks;
pub mod minimise;
pub mod refine;
pub mod sharp;
pub mod start;
pub mod strong_signature;
pub mod tau_scc;
#[cfg(test)]
mod tests;
pub mod verify;
pub mod weak;
