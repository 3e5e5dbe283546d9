//! Linear processes: their local steps, the state spaces that they span, and their symmetries.

pub mod absorb;
pub mod chunk;
pub mod evaluator;
pub mod explore;
pub mod goals;
pub mod keys;
pub mod output;
pub mod plan;
pub mod process;
pub mod step_tables;
pub mod store;
pub mod successors;
pub mod summand_index;
pub mod tables;
pub mod tasks;
pub mod type_check;
pub mod walk;
