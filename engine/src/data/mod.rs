//! Data: terms over declared symbols, rewriting, and solving conditions.

pub mod coverage;
pub mod rewrite;
pub mod solve;
pub mod terms;
pub mod values;
