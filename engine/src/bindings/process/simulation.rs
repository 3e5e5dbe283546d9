//! Simulation: states and steps computed on demand for Python.

use crate::base::cancel::{Cancel, Stopped};
use crate::base::csr::outgoing::Outgoing;
use crate::base::interner::Interner;
use crate::base::lock::Locked;
use crate::bindings::lts::Lts;
use crate::bindings::process::Process;
use crate::bindings::work::{direct, run};
use crate::process::linear::stop::Stop;
use crate::process::simulation::{LinearStates, LtsStates, PathSearch, Step, Successors, search};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;

/// The states of a linear process or of an LTS, with their steps computed on demand.
#[pyclass(frozen, module = "lts._engine")]
pub struct Walk(System);

enum System {
    Linear { process: Py<Process>, visited: Mutex<SearchTree>, values: usize },
    Lts { lts: Py<Lts>, outgoing: Outgoing },
}

/// The visited states, and those whose steps led to new ones, in that order.
struct SearchTree {
    states: Interner,
    grown: Vec<u32>,
}

impl Walk {
    /// Runs `act` on the system, which may take long.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        state: u32,
        act: impl FnOnce(&mut dyn Successors, &Cancel) -> T + Send,
    ) -> PyResult<T> {
        run(py, |cancel| self.now(state, cancel, act))?
    }

    /// Runs `act` on the system in this thread.
    fn now<T>(
        &self,
        state: u32,
        cancel: &Cancel,
        act: impl FnOnce(&mut dyn Successors, &Cancel) -> T,
    ) -> PyResult<T> {
        let unknown = || PyValueError::new_err(format!("there is no state {state}"));
        match &self.0 {
            System::Linear { process, visited, values } => {
                let mut process = process.get().0.locked();
                let mut visited = visited.locked();
                let SearchTree { states, grown } = &mut *visited;
                if state as usize >= states.len() {
                    return Err(unknown());
                }
                let values = *values;
                Ok(process.under(cancel, |process| {
                    act(&mut LinearStates { process, states, grown, values }, cancel)
                }))
            }
            System::Lts { lts, outgoing } => {
                let lts = &lts.get().0;
                if state >= lts.states {
                    return Err(unknown());
                }
                Ok(act(&mut LtsStates { lts, outgoing }, cancel))
            }
        }
    }
}

/// A path as positions in `steps`, the number of visited states, whether these are all, and a
/// summand with too many values.
#[derive(IntoPyObject)]
struct SearchResult {
    path: Option<Vec<u32>>,
    states: usize,
    complete: bool,
    missing: Option<usize>,
}

#[pymethods]
impl Walk {
    /// A walk through the states of a linear process; `values` is the cap on values of a sum in one
    /// state. With `grown` of another walk, states get the same numbers as there.
    #[staticmethod]
    fn of_process(
        py: Python<'_>,
        process: Py<Process>,
        max_values: usize,
        grown: Vec<u32>,
    ) -> PyResult<Self> {
        let mut states = Interner::default();
        states.intern(&process.get().0.locked().initial);
        let visited = Mutex::new(SearchTree { states, grown: Vec::new() });
        let walk = Self(System::Linear { process, visited, values: max_values });
        walk.with(py, 0, |system, _| {
            let mut steps = Vec::new();
            for state in grown {
                steps.clear();
                system.steps(state, &mut steps)?;
            }
            Ok::<_, Stop>(())
        })??;
        Ok(walk)
    }

    #[staticmethod]
    fn of_lts(py: Python<'_>, lts: Py<Lts>) -> PyResult<Self> {
        let outgoing = direct(py, || Outgoing::of_lts(&lts.get().0))?;
        Ok(Self(System::Lts { lts, outgoing }))
    }

    #[getter]
    fn initial(&self) -> u32 {
        match &self.0 {
            System::Linear { .. } => 0,
            System::Lts { lts, .. } => lts.get().0.initial.0,
        }
    }

    /// The states whose steps have led to new ones, in that order; none for an LTS.
    fn grown(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        let System::Linear { visited, .. } = &self.0 else { return Ok(Vec::new()) };
        direct(py, || visited.locked().grown.clone())
    }

    /// The number of a visited state; for a network it is given by the states of the components.
    fn number_of(&self, state: Vec<u32>) -> Option<u32> {
        let System::Linear { visited, .. } = &self.0 else { return None };
        visited.locked().states.find(&state)
    }

    /// The states of a network's components in a visited state.
    fn components_of(&self, state: u32) -> PyResult<Vec<u32>> {
        let System::Linear { visited, .. } = &self.0 else { return Ok(Vec::new()) };
        let states = &visited.locked().states;
        if state as usize >= states.len() {
            return Err(PyValueError::new_err(format!("there is no state {state}")));
        }
        Ok(states.get(state).to_vec())
    }

    /// The values of the parameters in a state; empty for an LTS.
    fn values(&self, py: Python<'_>, state: u32) -> PyResult<Vec<Vec<u8>>> {
        let System::Linear { process, visited, .. } = &self.0 else { return Ok(Vec::new()) };
        let shown = direct(py, || {
            let process = process.get().0.locked();
            let states = &visited.locked().states;
            ((state as usize) < states.len()).then(|| {
                let values = states.get(state).iter();
                values.map(|&value| process.data.terms.show(value)).collect()
            })
        })?;
        shown.ok_or_else(|| PyValueError::new_err(format!("there is no state {state}")))
    }

    /// The steps of a state as (label, target), and the summand with too many values, if any.
    #[allow(clippy::type_complexity)]
    fn steps(&self, py: Python<'_>, state: u32) -> PyResult<(Vec<(Vec<u8>, u32)>, Option<usize>)> {
        let shown = |system: &mut dyn Successors, _: &Cancel| {
            let mut steps: Vec<Step> = Vec::new();
            let missing = system.steps(state, &mut steps)?;
            let shown = |&(label, target): &Step| (system.label(label).to_vec(), target);
            Ok::<_, Stop>((steps.iter().map(shown).collect(), missing))
        };
        // The steps of an LTS are only looked up.
        let result = match &self.0 {
            System::Linear { .. } => self.with(py, state, shown)?,
            System::Lts { .. } => direct(py, || self.now(state, &Cancel::never(), shown))??,
        };
        Ok(result?)
    }

    /// A shortest path to a state with a step whose label satisfies `is_goal`: its steps as
    /// positions in `steps`; the number of visited states, whether these are all, and a summand
    /// with too many values.
    fn search(
        &self,
        py: Python<'_>,
        start: u32,
        max_states: usize,
        is_goal: Py<PyAny>,
    ) -> PyResult<SearchResult> {
        let mut failed = None;
        let outcome = self.with(py, start, |system, cancel| {
            let mut is_goal = |label: &[u8]| {
                Python::attach(|py| {
                    let answer = is_goal.call1(py, (label,));
                    match answer.and_then(|answer| answer.is_truthy(py)) {
                        Ok(answer) => Ok(answer),
                        Err(error) => {
                            failed = Some(error);
                            Err(Stopped::Interrupt)
                        }
                    }
                })
            };
            search(system, start, max_states, &mut is_goal, cancel)
        })?;
        match (outcome, failed) {
            (_, Some(error)) => Err(error),
            (Err(stop), None) => Err(stop.into()),
            (Ok(PathSearch { path, states, complete, missing }), None) => {
                Ok(SearchResult { path, states, complete, missing })
            }
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Walk>()
}
