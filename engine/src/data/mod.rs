//! Data: terms over declared symbols, rewriting, and solving conditions.

pub mod automaton;
pub mod compile;
pub mod constraints;
pub mod enumerate;
pub mod logic;
pub mod memo;
pub mod missing_cases;
pub mod overlaps;
pub mod rewrite;
pub mod solve;
pub mod terms;
pub mod truth_tables;
pub mod unify;
