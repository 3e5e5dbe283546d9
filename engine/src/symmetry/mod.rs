//! Symmetry of an LTS: automorphisms, quotients under a group, their encodings and expansions.
//!
//! Read `annotated_quotient` first: what a quotient is. `orbits_of_lts` makes one, under symmetries
//! that are known; `detect` finds symmetries, by `automorphism`, `coloured_graph` and
//! `equitable_partition`. `canonical_numbers` has what is made of a quotient depend on nothing else.
//! What is done with quotients: `hide_orbits`, `lifted_evidence`, `original_facts`, `minimise`, `rho`.

pub mod annotated_quotient;
pub mod automorphism;
pub mod canonical_numbers;
pub mod coloured_graph;
pub mod detect;
pub mod equitable_partition;
pub mod hide_orbits;
pub mod lifted_evidence;
pub mod minimise;
pub mod orbits_of_lts;
pub mod original_facts;
pub mod rho;
