//! Behavioural equivalences as partitions of states, and the systems of their blocks.

pub mod bits;
pub mod coarse;
pub mod compare;
pub mod coupled;
pub mod determinise;
pub mod formula;
pub mod game;
pub mod graph;
pub mod quotient;
pub mod refusals;
pub mod replay;
pub mod sets;
pub mod simulation;
pub mod stop;
pub mod strong;
pub mod weak;
