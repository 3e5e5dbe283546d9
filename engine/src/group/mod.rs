//! Finite permutation groups, given by generators; nothing enumerates the elements of one.

pub mod action;
pub mod canonical;
pub mod chain;
pub mod elements;
pub mod permutation;
pub mod relations;
pub mod representative;
pub mod subgroup;
pub mod symmetric;
