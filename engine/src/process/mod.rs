//! Linear processes: their local steps, and the state spaces that they span.

pub mod explore;
pub mod linear;
