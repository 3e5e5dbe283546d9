//! Signals, while the engine works without the interpreter's lock.

use super::lts::Lts;
use crate::lts::Lts as EngineLts;
use crate::stop::{self, Poll};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

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

/// Time between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);

/// The stack of a thread that does the work of the main one.
const STACK: usize = 16 << 20;

/// The result of `work`, done by another thread while this one has signals handled: only the main
/// thread of Python can, and work may be for long where it asks for none. `stop` gets true when the
/// handler of a signal has raised an error, which is returned.
pub(super) fn watched<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> (T, Option<PyErr>) {
    stop.store(false, Ordering::Relaxed);
    let mut interrupts = Interrupts::default();
    let waiting = thread::current();
    let done = AtomicBool::new(false);
    let result = py.detach(|| {
        thread::scope(|scope| {
            let work = || {
                let _end = OnDrop(|| {
                    done.store(true, Ordering::Release);
                    waiting.unpark();
                });
                work()
            };
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let worker = worker.expect("a thread can be started");
            while !done.load(Ordering::Acquire) {
                thread::park_timeout(LOOK);
                if interrupts.0.is_none() && !interrupts.poll() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    });
    (result, interrupts.0)
}

struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
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

thread_local! {
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// The result of `work`, done without the interpreter's lock, where even what no poll is handed to
/// has signals handled.
pub(super) fn asking<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let result = py.detach(|| {
        stop::asking(
            || {
                let error = Python::attach(|py| py.check_signals()).err();
                RAISED.with_borrow_mut(|raised| {
                    *raised = raised.take().or(error);
                    raised.is_none()
                })
            },
            work,
        )
    });
    match RAISED.take() {
        Some(error) => Err(error),
        None => Ok(result),
    }
}
