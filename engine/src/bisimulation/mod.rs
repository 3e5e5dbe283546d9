//! Bisimulations as partitions of states, and the systems of their blocks.
//!
//! Read `minimise` first, which puts all together. `tau_scc` collapses cycles of internal steps;
//! `start` is what is known before states are told apart; `refine` splits blocks by signatures:
//! `strong_signature`, `branching_signature`, or the sketches in `weak`, which has all that is weak
//! bisimulation's own. `verify` makes sure that the result is exact, `block_quotient` makes the
//! system of the blocks, and `canonical_numbering` writes it down in a way that depends on nothing
//! but its behaviour (`canonical_ranks`).

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
