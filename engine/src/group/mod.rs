//! Finite permutation groups given by generators; their elements are not enumerated.
//!
//! Read `permutation`, then `schreier_sims` (the stabiliser chain) and `compact_permutation`, then
//! `action` and `canonical_image`. `element_table` and `subgroup` number elements and subgroups
//! that occur often; `symmetric_families` recognises products of symmetric groups.

pub mod action;
pub mod bounded_object;
pub mod canonical_image;
pub mod compact_permutation;
pub mod element_table;
pub mod permutation;
pub mod schreier_sims;
pub mod subgroup;
pub mod symmetric_families;
