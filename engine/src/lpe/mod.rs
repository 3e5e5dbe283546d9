//! Linear processes: their local steps, and the state spaces that they span.
//!
//! Read `process` first (its values checked by `type_check`), and `walk`, which goes step by step.
//! Exploring all: `plan` says what each step depends on; `step_tables`, `tables`, `evaluator` and
//! `absorb` keep what is computed once; `summand_index` says which summands may have steps, as
//! `tasks`, `keys` looks up what they depend on, `successors` finds the steps of a `chunk` of
//! states. `store` has the states, `states` all of these together; `explore` is the loop, `goals`
//! looks for deadlocks and actions, `output` writes, each step once by `distinct_steps`.

pub mod absorb;
pub mod chunk;
pub mod distinct_steps;
pub mod evaluator;
pub mod explore;
pub mod goals;
pub mod keys;
pub mod output;
pub mod plan;
pub mod process;
pub mod states;
pub mod step_tables;
pub mod store;
pub mod successors;
pub mod summand_index;
pub mod tables;
pub mod tasks;
pub mod type_check;
pub mod walk;
