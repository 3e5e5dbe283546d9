//! Data: terms over declared symbols, rewriting, and solving conditions.

pub mod automaton;
pub mod compile;
pub mod constraints;
pub mod coverage;
pub mod logic;
pub mod memo;
mod overlaps;
pub mod rewrite;
pub mod solve;
pub mod terms;
pub mod unify;
pub mod values;
