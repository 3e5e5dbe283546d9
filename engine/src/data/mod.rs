//! Data: terms over declared symbols, rewriting, and solving conditions.
//!
//! Read `terms` first, then `substitution`, `term_texts`, `term_codes` and `term_bytes`; `numbers`
//! has closed numbers and arithmetic; `garbage` collects unused terms. Rules are compiled:
//! `automaton` matches left-hand sides, `compile` emits the code, with the help of `overlaps` and
//! `unify`; `rewrite` has the data and runs the code, with `memo` as a cache of results. Conditions
//! are solved by `solve`: `constraints` simplifies them by means of the truth tables of Boolean
//! functions in `truth_tables` (cached in `logic`), and `enumerate` lists values. `missing_cases`
//! finds incomplete definitions.

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
