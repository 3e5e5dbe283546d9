//! Model checking.
//!
//! `parity_game` decides formulas on a given system. `on_the_fly` decides whether a formula holds
//! in the initial state of a process, exploring what it depends on; `data_formula` has formulas
//! with data for it. `fair_paths` searches for a path that an automaton accepts, in any of these.

pub mod data_formula;
pub mod fair_paths;
pub mod on_the_fly;
pub mod parity_game;

#[cfg(test)]
mod tests;
