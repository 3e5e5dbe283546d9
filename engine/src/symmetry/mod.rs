//! Symmetry: automorphisms, quotients under a cyclic group, their encodings and expansions.

pub mod automorphism;
pub mod decode;
pub mod detect;
pub mod encode;
pub mod equitable;
pub mod expand;
pub mod incidence;
pub mod orbits;
pub mod quotient;
