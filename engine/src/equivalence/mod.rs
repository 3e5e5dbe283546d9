//! Behavioural equivalences as partitions of states, and the systems of their blocks.

pub mod formula;
pub mod graph;
pub mod quotient;
pub mod strong;
pub mod weak;
