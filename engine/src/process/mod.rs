//! Linear processes: their local steps, and their state spaces.
//!
//! Read `linear` first (its values are checked by `type_check`), and `simulation`, which computes
//! the steps of single states. For full exploration, `plan` determines what each step depends on;
//! `step_tables`, `tables`, `evaluator` and `absorb` store what has been computed; `summand_index`
//! selects the summands that may have steps, as `tasks`; `keys` computes their lookup keys, and
//! `successors` the steps of a `chunk` of states. `store` has the states, `states` combines all of
//! these; `explore` is the main loop, `goals` searches for deadlocks and actions, `output` writes
//! transitions, without duplicates by `distinct_steps`.

pub mod absorb;
pub mod chunk;
pub mod distinct_steps;
pub mod evaluator;
pub mod explore;
pub mod goals;
pub mod keys;
pub mod linear;
pub mod output;
pub mod plan;
pub mod simulation;
pub mod states;
pub mod step_tables;
pub mod store;
pub mod successors;
pub mod summand_index;
pub mod tables;
pub mod tasks;
pub mod type_check;
