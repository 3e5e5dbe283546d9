//! Signals, while the engine works without the interpreter's lock.

use super::lts::Lts;
use crate::lts::Lts as EngineLts;
use crate::stop::Poll;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// What the handler of a signal has raised, if one has.
#[derive(Default)]
pub(super) struct Interrupts(Option<PyErr>);

impl Interrupts {
    /// Has signals handled; false from the first on whose handler raises an error.
    pub fn poll(&mut self) -> bool {
        if self.0.is_none() {
            self.0 = Python::attach(|py| py.check_signals()).err();
        }
        self.0.is_none()
    }

    /// What work was interrupted for.
    pub fn error(self) -> PyErr {
        self.0.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
    }
}

/// The result of `work`, done without the interpreter's lock but for signals.
pub(super) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Poll) -> Option<T> + Send,
) -> PyResult<T> {
    let mut interrupts = Interrupts::default();
    let done = py.detach(|| work(&mut || interrupts.poll()));
    done.ok_or_else(|| interrupts.error())
}

/// The result of `work` on `lts`, done without the interpreter's lock but for signals.
pub(super) fn run<T: Send>(
    py: Python<'_>,
    lts: &Lts,
    work: impl FnOnce(&EngineLts, Poll) -> Option<T> + Send,
) -> PyResult<T> {
    interruptible(py, |poll| work(&lts.0, poll))
}
