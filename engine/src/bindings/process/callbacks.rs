//! Python, while states are explored: what it is told and asked, and what it raises.

use crate::base::cancel::asking;
use crate::bindings::interrupts::{Allowed, Cause, Passed, watched};
use crate::bindings::process::statistics::Statistics;
use crate::lpe::explore::{Callbacks, Statistics as EngineStatistics};
use crate::lpe::process::Process;
use crate::orbit_exploration::Callbacks as QuotientHost;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Python, while states are explored.
#[derive(Default)]
pub(crate) struct PythonCallbacks {
    pub write: Option<Py<PyAny>>,
    pub progress: Option<Py<PyAny>>,
    pub find: Option<Py<PyAny>>,
    pub raised: Option<PyErr>,
    /// Set where nothing more is wanted.
    pub stop: Arc<AtomicBool>,
}

impl PythonCallbacks {
    /// The result of work on a process that calls back, done while signals are handled, and the bound
    /// that was passed. Raises the first error, but for an interrupt that the result tells itself.
    pub fn during<T: Send>(
        mut self,
        py: Python<'_>,
        process: &mut Process,
        allowed: Allowed,
        tells: impl FnOnce(&T) -> bool,
        work: impl FnOnce(&mut Process, &mut Self) -> T + Send,
    ) -> PyResult<(T, Option<Passed>)> {
        self.stop = Arc::clone(&process.data.stop);
        let stop = Arc::clone(&self.stop);
        let (result, cause) = watched(py, &stop, allowed, || {
            let told = Arc::clone(&stop);
            let result = asking(move || !told.load(Ordering::Relaxed), || work(process, &mut self));
            process.data.go_on();
            result
        })?;
        let (interrupt, passed) = match cause {
            Some(Cause::Raised(error)) => (Some(error), None),
            Some(Cause::Passed(passed)) => (None, Some(passed)),
            None => (None, None),
        };
        let is_interrupt = |error: &PyErr| error.is_instance_of::<PyKeyboardInterrupt>(py);
        match self.raised.or(interrupt) {
            Some(error) if !(is_interrupt(&error) && tells(&result)) => Err(error),
            _ => Ok((result, passed)),
        }
    }

    /// As `during`, where a bound that was passed is an error.
    pub fn within<T: Send, E: Send>(
        self,
        py: Python<'_>,
        process: &mut Process,
        allowed: Allowed,
        work: impl FnOnce(&mut Process, &mut Self) -> Result<T, E> + Send,
    ) -> PyResult<Result<T, E>> {
        match self.during(py, process, allowed, |_| false, work)? {
            (Err(_), Some(passed)) => Err(passed.error()),
            (found, _) => Ok(found),
        }
    }

    /// Keeps an error for the end.
    fn keep<T>(&mut self, result: PyResult<T>) -> Option<T> {
        result.map_err(|error| self.raised.get_or_insert(error)).ok()
    }
}

impl PythonCallbacks {
    /// Tells Python how far it is; false if it wants no more.
    fn tell<A: for<'py> PyCallArgs<'py>>(&mut self, statistics: impl FnOnce() -> A) -> bool {
        if self.raised.is_some() || self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let Some(progress) = &self.progress else { return true };
        let told = Python::attach(|py| progress.call1(py, statistics()).map(|_| ()));
        self.keep(told).is_some()
    }
}

impl QuotientHost for PythonCallbacks {
    fn poll(&mut self, orbits: usize, explored: usize) -> bool {
        self.tell(|| (orbits, explored))
    }

    fn is_wanted(&mut self, label: &[u8]) -> bool {
        Callbacks::is_wanted(self, label)
    }
}

impl Callbacks for PythonCallbacks {
    fn poll(&mut self, statistics: &EngineStatistics) -> bool {
        self.tell(|| (Statistics::from(statistics),))
    }

    fn write(&mut self, text: &[u8]) -> bool {
        let Some(write) = &self.write else { return true };
        let written = Python::attach(|py| write.call1(py, (text,)).map(|_| ()));
        self.keep(written).is_some()
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
