//! Linear processes: their local steps, the state spaces that they span, and their symmetries.

pub mod certificate;
pub mod check;
pub mod explore;
pub mod linear;
pub mod quotient;
pub mod symmetry;
