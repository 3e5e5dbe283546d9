//! Work for Python. A worker thread does it, while the calling thread handles signals, as only the
//! main thread of Python can, and checks the limits on time and memory.

use crate::base::cancel::{Cancel, Limited, NoResult, Stopped};
use crate::base::gaps::{self, LastLook};
use crate::base::ids::TooMany;
use crate::base::lock::Locked;
use crate::base::parallel::BESIDE;
use crate::base::reserve;
use crate::base::reserve::{has_room, make_room};
use crate::bindings::emergency::no_memory;
use crate::bindings::stages::Running;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use std::io;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::thread::Builder;
use std::time::Duration;

/// The time between two checks of signals.
const LOOK: Duration = Duration::from_millis(20);

/// The stack size of a worker thread.
const STACK: usize = 16 << 20;

pyo3::create_exception!(
    _engine,
    LimitPassed,
    pyo3::exceptions::PyException,
    "Work took too long, or too much memory: `time` or `memory`."
);

impl From<Stopped> for PyErr {
    fn from(why: Stopped) -> Self {
        match why {
            Stopped::Interrupt => PyKeyboardInterrupt::new_err(()),
            Stopped::Time => LimitPassed::new_err("time"),
            Stopped::Memory => LimitPassed::new_err("memory"),
            Stopped::Refused => no_memory(),
        }
    }
}

/// The result, or `None` if the work stopped at a limit of states, classes, pairs or choices.
pub(crate) fn within_limit<T>(result: Limited<T>) -> PyResult<Option<T>> {
    match result {
        Ok(result) => Ok(Some(result)),
        Err(NoResult::Limit) => Ok(None),
        Err(NoResult::Stopped(why)) => Err(why.into()),
    }
}

/// Runs work and returns its result. If a signal handler raises, the work is cancelled, and the
/// exception is raised after the work has ended.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&Cancel) -> T + Send) -> PyResult<T> {
    run_under(py, &Cancel::new(None, None), work)
}

/// Like [`run`], for work that may also be cancelled by others.
pub(crate) fn run_under<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce(&Cancel) -> T + Send,
) -> PyResult<T> {
    let work = Mutex::new(Some(work));
    let work = || {
        let work = work.locked().take();
        work.expect("it is done once")(cancel)
    };
    match attended(py, cancel, has_room, work)? {
        Some((_, Some(error))) => Err(error),
        Some((result, None)) => Ok(result),
        // Without a worker thread this thread does the work, and handles signals afterwards.
        None => direct(py, work),
    }
}

/// The result of work that `cancel` can end, and the exception that a signal handler raised
/// meanwhile. Fails if no thread can be started.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    attended(py, cancel, make_room, work)?.ok_or_else(no_thread)
}

/// Like [`watched`]; `None` if no thread can be started, or there is no memory for one.
fn attended<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    has_room: impl FnOnce(usize) -> bool + Send,
    work: impl FnOnce() -> T + Send,
) -> PyResult<Option<(T, Option<PyErr>)>> {
    let _running = Running::begin(py, cancel);
    cancel.begin_looks();
    let waited = detached(py, || {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let work = move || sender.send(with_thread_state(work)).expect("it is waited for");
            let worker = new_thread(has_room, |thread| thread.spawn_scoped(scope, work))?;
            match attend(cancel, &receiver) {
                (Some(result), raised) => Some((result, raised)),
                (None, _) => resume_unwind(worker.join().expect_err("it has ended without")),
            }
        })
    });
    cancel.end_looks();
    waited
}

/// Does work in a thread that Python has not started, without the interpreter's lock. Python has a
/// state for each thread that it knows, whose creation takes ten times as long as a small call. So
/// calls of Python from the work use the one that is created here.
fn with_thread_state<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    Python::attach(|py| py.detach(work))
}

/// Waits for the result of another thread, `None` if that ends without one. Also returns the
/// exception that a signal handler raised meanwhile, which cancels the work. Exceeded limits cancel
/// it, too.
pub(crate) fn attend<T>(cancel: &Cancel, receiver: &Receiver<T>) -> (Option<T>, Option<PyErr>) {
    let mut raised = None;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(result) => return (Some(result), raised),
            Err(RecvTimeoutError::Disconnected) => return (None, raised),
            Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                raised = Python::attach(|py| py.check_signals()).err();
                if raised.is_some() {
                    cancel.stop(Stopped::Interrupt);
                }
                cancel.look();
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Runs work in this thread without the interpreter's lock. The work must be short, or handle
/// signals itself. Raises `MemoryError` if memory was refused, even if there is a result: the
/// reserve of memory is then used up.
#[track_caller]
pub(crate) fn direct<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let look = LastLook::default();
    if gaps::are_recorded() {
        look.begin(Location::caller());
    }
    let result = detached(py, work);
    if gaps::are_recorded() {
        look.end(Location::caller());
    }
    result
}

/// Like [`direct`], for work whose signals and limits another thread handles.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    reserve::begin();
    let refused = reserve::refusals();
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    if reserve::refusals() != refused {
        return Err(no_memory());
    }
    result.map_err(|panic| match panic.downcast::<TooMany>() {
        Ok(_) => PyMemoryError::new_err("there are more objects than 32 bits can number"),
        Err(panic) => resume_unwind(panic),
    })
}

/// Starts a worker thread; `None` if the system has none, or there is no memory for one.
pub(crate) fn new_thread<T>(
    has_room: impl FnOnce(usize) -> bool,
    start: impl FnOnce(Builder) -> io::Result<T>,
) -> Option<T> {
    if has_room(STACK + BESIDE) { start(Builder::new().stack_size(STACK)).ok() } else { None }
}

/// The exception if there is no worker thread.
pub(crate) fn no_thread() -> PyErr {
    if has_room(STACK + BESIDE) {
        // As Python reports it for its own threads.
        PyRuntimeError::new_err("can't start new thread")
    } else {
        no_memory()
    }
}
