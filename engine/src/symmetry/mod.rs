//! Symmetry: automorphisms, quotients under a group, their encodings and expansions.

pub mod annotated_quotient;
pub mod automorphism;
pub mod coloured_graph;
pub mod detect;
pub mod equitable_partition;
pub mod hide_orbits;
pub mod minimise;
pub mod orbits_of_lts;
pub mod rho;
