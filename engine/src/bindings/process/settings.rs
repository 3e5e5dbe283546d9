//! Settings, limits and goals of explorations, as Python passes them
//! (`lts/state_space/settings.py`).

use crate::base::cancel::Cancel;
use crate::base::parallel::THREADS;
use crate::bindings::process::callbacks::PythonCallbacks;
use crate::orbits::OrbitOptions;
use crate::orbits::canonical_state::Strategy;
use crate::process::explore::Limits as EngineLimits;
use crate::process::goals::Query;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::time::{Duration, Instant};

#[derive(FromPyObject)]
struct Limits {
    states: Option<usize>,
    values: usize,
    memory: Option<usize>,
    time_left: Option<f64>,
}

/// The settings of an exploration.
#[derive(FromPyObject)]
pub(crate) struct Settings {
    limits: Limits,
    threads: usize,
    progress: Option<Py<PyAny>>,
    strategy: Option<String>,
    sample: usize,
    node_limit: Option<u64>,
}

/// The goals of a search; `find` is called with texts of labels.
#[derive(FromPyObject, Default)]
pub(crate) struct Goals {
    deadlocks: bool,
    find: Option<Py<PyAny>>,
    enough: Option<usize>,
}

impl Settings {
    pub(crate) fn limits(&self) -> EngineLimits {
        let Limits { states, values, memory, time_left } = self.limits;
        // Times beyond the range of the clock are no limit.
        let time = time_left.and_then(|time| Duration::try_from_secs_f64(time).ok());
        EngineLimits { states, values, memory, time }
    }

    /// Limits somewhat above those of the exploration, which normally ends by itself and returns
    /// what it found; these apply if one step of it takes long.
    pub(crate) fn cancel(&self) -> Cancel {
        let EngineLimits { time, memory, .. } = self.limits();
        let time = time.map(|time| time + Duration::from_millis(500));
        let memory = memory.map(|memory| memory.saturating_add(memory / 8 + (16 << 20)));
        Cancel::new(time, memory)
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.clamp(1, THREADS)
    }

    /// The engine's options for an exploration under a group; `proven` marks the summands that are
    /// proven from the specification.
    pub(crate) fn under(
        &self,
        proven: &[bool],
        with_quotient: bool,
        goals: &Goals,
    ) -> PyResult<OrbitOptions> {
        let strategy = match self.strategy.as_deref() {
            None => None,
            Some("enumerate") => Some(Strategy::Enumerate),
            Some("refine") => Some(Strategy::Refine),
            Some(other) => {
                return Err(PyValueError::new_err(format!("there is no strategy `{other}`")));
            }
        };
        Ok(OrbitOptions {
            limits: self.limits(),
            strategy,
            choices: self.node_limit.unwrap_or(u64::MAX),
            threads: self.threads(),
            with_quotient,
            certify: proven.contains(&false),
            proven: proven.to_vec(),
            sample: self.sample,
            query: goals.query(),
            begun: Instant::now(),
        })
    }

    /// The Python callbacks for progress and for labels.
    pub(crate) fn callbacks(self, goals: Goals) -> PythonCallbacks {
        let (progress, find) = (self.progress, goals.find);
        PythonCallbacks { progress, find, ..PythonCallbacks::default() }
    }
}

impl Goals {
    pub(crate) fn query(&self) -> Query {
        let Self { deadlocks, enough, .. } = *self;
        Query { deadlocks, actions: self.find.is_some(), enough }
    }
}
