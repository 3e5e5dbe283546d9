//! Symmetries of a linear process: how they act on it, and their proof.
//!
//! Read `lifting` first (a permutation of values, lifted to states), then `action_on` and
//! `group_on_process` (group actions). `certificate`, with the help of `summand_tests`, proves that
//! a permutation is a symmetry; `spot_check` samples what was proven from the specification alone;
//! `refute` and `witness` explain why a permutation is not a symmetry.

pub mod action_on;
pub mod certificate;
pub mod group_on_process;
pub mod lifting;
pub mod refute;
pub mod spot_check;
pub mod summand_tests;
pub mod witness;

#[cfg(test)]
mod tests;
