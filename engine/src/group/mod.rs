//! Finite permutation groups, given by generators; nothing enumerates the elements of one.

pub mod action;
pub mod canonical_image;
pub mod coset_representative;
pub mod element_table;
pub mod permutation;
pub mod relational_automorphisms;
pub mod schreier_sims;
pub mod subgroup;
pub mod symmetric_families;
