//! Callbacks to Python during an exploration, and the exceptions that they raise.

use crate::base::cancel::{Cancel, Stopped};
use crate::bindings::process::statistics::Statistics;
use crate::bindings::work::watched;
use crate::orbits::Callbacks as QuotientCallbacks;
use crate::process::explore::{Callbacks, Statistics as EngineStatistics};
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The Python callbacks of an exploration.
#[derive(Default)]
pub(crate) struct PythonCallbacks {
    pub write: Option<Py<PyAny>>,
    pub progress: Option<Py<PyAny>>,
    pub find: Option<Py<PyAny>>,
    /// The first exception of a callback, which ends the work.
    pub raised: Option<PyErr>,
    /// Cancels the work.
    pub cancel: Cancel,
}

impl PythonCallbacks {
    /// Runs work on a process with callbacks, which `cancel` ends, and returns its result or raises
    /// the first exception.
    pub fn during<T: Send>(
        self,
        py: Python<'_>,
        process: &mut Process,
        cancel: Cancel,
        work: impl FnOnce(&mut Process, &mut Self) -> Result<T, Stop> + Send,
    ) -> PyResult<T> {
        self.telling(py, process, cancel, |_| false, work)
    }

    /// Like [`Self::during`], but returns the result if it `is_partial` and the exception is an
    /// interrupt.
    pub fn telling<T: Send>(
        mut self,
        py: Python<'_>,
        process: &mut Process,
        cancel: Cancel,
        is_partial: impl FnOnce(&T) -> bool,
        work: impl FnOnce(&mut Process, &mut Self) -> Result<T, Stop> + Send,
    ) -> PyResult<T> {
        self.cancel = cancel.clone();
        let (result, raised) =
            watched(py, &cancel, || process.under(&cancel, |process| work(process, &mut self)))?;
        let is_interrupt = |error: &PyErr| error.is_instance_of::<PyKeyboardInterrupt>(py);
        match (self.raised.or(raised), result) {
            (Some(error), Ok(result)) if is_interrupt(&error) && is_partial(&result) => Ok(result),
            (Some(error), _) => Err(error),
            (None, Ok(result)) => Ok(result),
            // The error may be a consequence of cancelling the work.
            (None, Err(stop)) => Err(cancel.check().err().map_or_else(|| stop.into(), PyErr::from)),
        }
    }

    /// Stores an exception and cancels the work.
    fn keep<T>(&mut self, result: PyResult<T>) -> Option<T> {
        let keep = |error| {
            self.cancel.stop(Stopped::Interrupt);
            self.raised.get_or_insert(error);
        };
        result.map_err(keep).ok()
    }

    /// Calls the progress callback.
    fn report<A: for<'py> PyCallArgs<'py>>(&mut self, statistics: impl FnOnce() -> A) {
        if let Some(progress) = &self.progress
            && self.cancel.check().is_ok()
        {
            let called = Python::attach(|py| progress.call1(py, statistics()).map(|_| ()));
            self.keep(called);
        }
    }
}

impl QuotientCallbacks for PythonCallbacks {
    fn progress(&mut self, orbits: usize, explored: usize) {
        self.report(|| (orbits, explored));
    }

    fn is_goal(&mut self, label: &[u8]) -> bool {
        Callbacks::is_goal(self, label)
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

    fn is_goal(&mut self, label: &[u8]) -> bool {
        let Some(find) = &self.find else { return false };
        let answer = Python::attach(|py| {
            let label = PyBytes::new(py, label);
            let text = label.call_method1("decode", ("utf-8", "surrogateescape"))?;
            find.call1(py, (text,))?.is_truthy(py)
        });
        self.keep(answer).unwrap_or(false)
    }
}
