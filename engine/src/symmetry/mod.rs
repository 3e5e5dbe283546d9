//! Symmetry: quotients under a cyclic group.

pub mod quotient;
