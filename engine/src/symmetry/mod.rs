//! Symmetry: automorphisms, quotients under a cyclic group, their encodings and expansions.

pub mod automorphism;
pub mod decode;
pub mod encode;
pub mod expand;
pub mod orbits;
pub mod quotient;
