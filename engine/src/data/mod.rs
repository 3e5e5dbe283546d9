//! Data: terms over declared symbols, rewriting, and solving conditions.
//!
//! Read `terms` first, then `substitution`, `term_texts`, `term_codes` and `term_bytes`; `numbers` has
//! the closed numbers among them, and computes; `garbage` drops what nobody has any more. Rules become code: `automaton` matches left-hand sides, `compile`
//! writes the code, with the help of `overlaps` and `unify`; `rewrite` has the data and runs it, with
//! `memo` for results. Conditions are solved by `solve`: `constraints` simplifies them, with what
//! `truth_tables` finds out of Boolean functions (kept in `logic`), and `enumerate` lists values.
//! `missing_cases` looks for what has no equation.

pub mod automaton;
pub mod compile;
pub mod constraints;
pub mod enumerate;
pub mod garbage;
pub mod logic;
pub mod memo;
pub mod missing_cases;
pub mod numbers;
pub mod overlaps;
pub mod rewrite;
pub mod solve;
pub mod substitution;
pub mod term_bytes;
pub mod term_codes;
pub mod term_texts;
pub mod terms;
pub mod truth_tables;
pub mod unify;
