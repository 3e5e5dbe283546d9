//! Symmetry: automorphisms, quotients under a group, their encodings and expansions.

pub mod automorphism;
pub mod coset_tables;
pub mod decode;
pub mod detect;
pub mod encode;
pub mod equitable;
pub mod expand;
pub mod greedy;
pub mod hide;
pub mod incidence;
pub mod members;
pub mod minimise;
pub mod orbits;
pub mod quotient;
