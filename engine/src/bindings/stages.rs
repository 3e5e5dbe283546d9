//! The stages of all work that Python has under way, to show progress.

use crate::base::cancel::{Cancel, Stage as EngineStage};
use crate::base::lock::Locked;
use crate::base::stages::{Measure, Shown};
use pyo3::prelude::*;
use std::sync::Mutex;

/// The work under way, the innermost last. It is locked only under the interpreter's lock, so that
/// no process is forked while it is locked.
static RUNNING: Mutex<Vec<Cancel>> = Mutex::new(Vec::new());

/// Work that is under way, until this is dropped.
pub(crate) struct Running(Cancel);

impl Running {
    pub fn begin(_: Python<'_>, cancel: &Cancel) -> Self {
        RUNNING.locked().push(cancel.clone());
        Self(cancel.clone())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut running = RUNNING.locked();
        let position = running.iter().rposition(|cancel| cancel.is_clone_of(&self.0));
        running.remove(position.expect("it was added when it began"));
    }
}

/// The stages under way in all work, the innermost last: the number of each, its name, what it
/// counts (`share`, `items` or `found`), the count and the total.
#[pyfunction]
fn stages() -> Vec<(u64, String, &'static str, u64, Option<u64>)> {
    let running = RUNNING.locked();
    let shown = running.iter().flat_map(|cancel| cancel.stages().shown());
    shown
        .map(|Shown { number, name, measure, count }| {
            let (kind, total) = match measure {
                Measure::Share(total) => ("share", Some(total)),
                Measure::Items(total) => ("items", Some(total)),
                Measure::Growing => ("found", None),
            };
            (number, name.into_owned(), kind, count, total)
        })
        .collect()
}

/// A stage of work in Python, as a context manager. It counts steps of a `total`, each of which
/// takes about the same time; or `items`, which do not; or, without a total, what has been found.
#[pyclass(module = "lts._engine")]
struct Stage {
    name: String,
    measure: Measure,
    begun: Option<(EngineStage, Running)>,
}

#[pymethods]
impl Stage {
    #[new]
    #[pyo3(signature = (name, total=None, *, items=false))]
    fn new(name: String, total: Option<u64>, items: bool) -> Self {
        let measure = match total {
            None => Measure::Growing,
            Some(total) if items => Measure::Items(total),
            Some(total) => Measure::Share(total),
        };
        Self { name, measure, begun: None }
    }

    fn __enter__<'py>(mut slf: PyRefMut<'py, Self>, py: Python<'py>) -> PyRefMut<'py, Self> {
        let cancel = Cancel::never();
        let stage = cancel.stage(slf.name.clone(), slf.measure);
        slf.begun = Some((stage, Running::begin(py, &cancel)));
        slf
    }

    fn __exit__(&mut self, _kind: Py<PyAny>, _error: Py<PyAny>, _traceback: Py<PyAny>) {
        self.begun = None;
    }

    /// Raises the count to `count`.
    fn reach(&self, count: usize) {
        if let Some((stage, _)) = &self.begun {
            stage.reach(count);
        }
    }

    /// Adds to the count.
    fn add(&self, steps: usize) {
        if let Some((stage, _)) = &self.begun {
            stage.add(steps);
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Stage>()?;
    module.add_function(wrap_pyfunction!(stages, module)?)
}
