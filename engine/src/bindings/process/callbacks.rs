//! Python, while states are explored: what it is told and asked, and what it raises.

use crate::base::cancel::{Cancel, Stopped};
use crate::bindings::process::statistics::Statistics;
use crate::bindings::work::watched;
use crate::lpe::explore::{Callbacks, Statistics as EngineStatistics};
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::Callbacks as QuotientHost;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Python, while states are explored.
#[derive(Default)]
pub(crate) struct PythonCallbacks {
    pub write: Option<Py<PyAny>>,
    pub progress: Option<Py<PyAny>>,
    pub find: Option<Py<PyAny>>,
    /// The first error of what was called, which ends the work.
    pub raised: Option<PyErr>,
    /// What ends it.
    pub cancel: Cancel,
}

impl PythonCallbacks {
    /// The result of work on a process that calls back, and that `cancel` ends. Raises the first error.
    pub fn during<T: Send>(
        self,
        py: Python<'_>,
        process: &mut Process,
        cancel: Cancel,
        work: impl FnOnce(&mut Process, &mut Self) -> Result<T, Stop> + Send,
    ) -> PyResult<T> {
        self.telling(py, process, cancel, |_| false, work)
    }

    /// The same, but for an interrupt that the result `is_partial` itself.
    pub fn telling<T: Send>(
        mut self,
        py: Python<'_>,
        process: &mut Process,
        cancel: Cancel,
        is_partial: impl FnOnce(&T) -> bool,
        work: impl FnOnce(&mut Process, &mut Self) -> Result<T, Stop> + Send,
    ) -> PyResult<T> {
        self.cancel = cancel.clone();
        let (found, raised) =
            watched(py, &cancel, || process.under(&cancel, |process| work(process, &mut self)))?;
        let is_interrupt = |error: &PyErr| error.is_instance_of::<PyKeyboardInterrupt>(py);
        match (self.raised.or(raised), found) {
            (Some(error), Ok(found)) if is_interrupt(&error) && is_partial(&found) => Ok(found),
            (Some(error), _) => Err(error),
            (None, Ok(found)) => Ok(found),
            // What is wrong may be so because the work was ended.
            (None, Err(stop)) => Err(cancel.check().err().map_or_else(|| stop.into(), PyErr::from)),
        }
    }

    /// Keeps an error for the end, which comes soon.
    fn keep<T>(&mut self, result: PyResult<T>) -> Option<T> {
        let keep = |error| {
            self.cancel.stop(Stopped::Interrupt);
            self.raised.get_or_insert(error);
        };
        result.map_err(keep).ok()
    }

    /// Calls Python with how far it is.
    fn report<A: for<'py> PyCallArgs<'py>>(&mut self, statistics: impl FnOnce() -> A) {
        if let Some(progress) = &self.progress
            && self.cancel.check().is_ok()
        {
            let called = Python::attach(|py| progress.call1(py, statistics()).map(|_| ()));
            self.keep(called);
        }
    }
}

impl QuotientHost for PythonCallbacks {
    fn progress(&mut self, orbits: usize, explored: usize) {
        self.report(|| (orbits, explored));
    }

    fn is_wanted(&mut self, label: &[u8]) -> bool {
        Callbacks::is_wanted(self, label)
    }
}

impl Callbacks for PythonCallbacks {
    fn progress(&mut self, statistics: &EngineStatistics) {
        self.report(|| (Statistics::from(statistics),));
    }

    fn write(&mut self, text: &[u8]) {
        if let Some(write) = &self.write
            && self.raised.is_none()
        {
            let written = Python::attach(|py| write.call1(py, (text,)).map(|_| ()));
            self.keep(written);
        }
    }

    fn is_wanted(&mut self, label: &[u8]) -> bool {
        let Some(find) = &self.find else { return false };
        let answer = Python::attach(|py| {
            let label = PyBytes::new(py, label);
            let text = label.call_method1("decode", ("utf-8", "surrogateescape"))?;
            find.call1(py, (text,))?.is_truthy(py)
        });
        self.keep(answer).unwrap_or(false)
    }
}
