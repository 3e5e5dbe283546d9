//! Python, while states are explored: what it is told and asked, and what it raises.

use super::account::Account;
use crate::process::explore::{Account as EngineAccount, Host};
use crate::process::quotient::Host as QuotientHost;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Python, while states are explored.
#[derive(Default)]
pub(super) struct Callbacks {
    pub write: Option<Py<PyAny>>,
    pub progress: Option<Py<PyAny>>,
    pub is_wanted: Option<Py<PyAny>>,
    pub raised: Option<PyErr>,
}

impl Callbacks {
    /// Raises the error that was kept. An interrupt that came while a callback ran is one like any
    /// other, and told by what is returned.
    pub fn raise(&mut self, py: Python<'_>) -> PyResult<()> {
        let interrupt = |error: &PyErr| error.is_instance_of::<PyKeyboardInterrupt>(py);
        self.raised.take().filter(|error| !interrupt(error)).map_or(Ok(()), Err)
    }

    /// Keeps an error for the end.
    fn keep<T>(&mut self, result: PyResult<T>) -> Option<T> {
        result.map_err(|error| self.raised.get_or_insert(error)).ok()
    }
}

impl Callbacks {
    /// Tells Python how far it is; false if it wants no more.
    fn tell<A: for<'py> PyCallArgs<'py>>(&mut self, account: impl FnOnce() -> A) -> bool {
        if self.raised.is_some() {
            return false;
        }
        let told = Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(progress) => progress.call1(py, account()).map(|_| true),
                None => Ok(true),
            }
        });
        self.keep(told).unwrap_or(false)
    }
}

impl QuotientHost for Callbacks {
    fn poll(&mut self, orbits: usize, explored: usize) -> bool {
        self.tell(|| (orbits, explored))
    }

    fn is_wanted(&mut self, label: &[u8]) -> bool {
        Host::is_wanted(self, label)
    }
}

impl Host for Callbacks {
    fn poll(&mut self, account: &EngineAccount) -> bool {
        self.tell(|| (Account::from(account),))
    }

    fn write(&mut self, text: &[u8]) -> bool {
        let Some(write) = &self.write else { return true };
        let written = Python::attach(|py| write.call1(py, (PyBytes::new(py, text),)).map(|_| ()));
        self.keep(written).is_some()
    }

    fn is_wanted(&mut self, label: &[u8]) -> bool {
        let Some(is_wanted) = &self.is_wanted else { return false };
        let answer = Python::attach(|py| {
            is_wanted.call1(py, (PyBytes::new(py, label),))?.extract::<bool>(py)
        });
        self.keep(answer).unwrap_or(false)
    }
}
