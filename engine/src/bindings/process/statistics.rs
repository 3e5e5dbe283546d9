//! The Python class with the statistics of a generation.

use crate::process::explore::Statistics as EngineStatistics;
use pyo3::prelude::*;

/// The statistics of a generation.
#[pyclass(frozen, get_all, module = "lts._engine")]
pub struct Statistics {
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

impl From<&EngineStatistics> for Statistics {
    fn from(statistics: &EngineStatistics) -> Self {
        Self {
            states: statistics.states,
            explored: statistics.explored,
            transitions: statistics.transitions,
            levels: statistics.levels,
            deadlocks: statistics.deadlocks,
            store: statistics.store,
            tables: statistics.tables,
            evaluations: statistics.evaluations,
            rewriting: statistics.rewriting.as_secs_f64(),
            time: statistics.time.as_secs_f64(),
            memory: statistics.memory,
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Statistics>()
}
