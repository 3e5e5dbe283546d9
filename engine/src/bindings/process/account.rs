//! What Python is told of a generation.

use crate::lpe::explore::Account as EngineAccount;
use pyo3::prelude::*;

/// What a generation has seen.
#[pyclass(frozen, get_all, module = "lts._engine")]
pub struct Account {
    states: usize,
    explored: usize,
    transitions: u64,
    levels: usize,
    deadlocks: u64,
    store: usize,
    tables: usize,
    evaluations: u64,
    rewriting: f64,
    time: f64,
    memory: usize,
}

impl From<&EngineAccount> for Account {
    fn from(account: &EngineAccount) -> Self {
        Self {
            states: account.states,
            explored: account.explored,
            transitions: account.transitions,
            levels: account.levels,
            deadlocks: account.deadlocks,
            store: account.store,
            tables: account.tables,
            evaluations: account.evaluations,
            rewriting: account.rewriting.as_secs_f64(),
            time: account.time.as_secs_f64(),
            memory: account.memory,
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Account>()
}
