//! Signals and memory that is refused, while the engine works without the interpreter's lock.

use crate::base::cancel;
use crate::base::cancel::Poll;
use crate::base::lts::Lts as EngineLts;
use crate::base::memory::anonymous;
use crate::base::parallel::BESIDE;
use crate::base::reserve;
use crate::base::reserve::{has_room, make_room};
use crate::bindings::emergency::no_memory;
use crate::bindings::lts::Lts;
use crate::lpe::explore::Limits;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::thread::Builder;
use std::time::{Duration, Instant};

/// What the handler of a signal has raised, if one has.
pub(crate) struct Interrupts {
    raised: Option<PyErr>,
    memory: Refusals,
}

impl Default for Interrupts {
    fn default() -> Self {
        Self { raised: None, memory: Refusals::begin() }
    }
}

impl Interrupts {
    /// Has signals handled; false from the first on whose handler raises an error, and where memory
    /// was refused.
    pub fn poll(&mut self) -> bool {
        if self.raised.is_none() {
            self.raised =
                self.memory.error().or_else(|| Python::attach(|py| py.check_signals()).err());
        }
        self.raised.is_none()
    }

    /// What work was interrupted for.
    pub fn error(self) -> PyErr {
        self.raised.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
    }
}

/// Whether memory is refused while work is done.
#[derive(Clone, Copy)]
pub(crate) struct Refusals(usize);

impl Refusals {
    pub fn begin() -> Self {
        reserve::begin();
        Self(reserve::refusals())
    }

    /// What is raised where it was.
    pub fn error(self) -> Option<PyErr> {
        (reserve::refusals() != self.0).then(no_memory)
    }
}

/// The result of `work`, done without the interpreter's lock. Raises `MemoryError` where memory was
/// refused: then what was kept for the end is spent, also where there is a result.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let memory = Refusals::begin();
    let result = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    match (memory.error(), result) {
        (Some(error), _) => Err(error),
        (None, Ok(result)) => Ok(result),
        (None, Err(panic)) => resume_unwind(panic),
    }
}

/// Time between two looks at signals.
pub(crate) const LOOK: Duration = Duration::from_millis(20);

/// The stack of a thread that does the work of the main one.
pub(crate) const STACK: usize = 16 << 20;

pyo3::create_exception!(
    _engine,
    LimitPassed,
    pyo3::exceptions::PyException,
    "Work took too long, or too much memory: (`time` or `memory`, seconds or bytes allowed)."
);

/// How long work may take, and how much memory the process; nothing is no limit.
#[derive(Clone, Copy, Default)]
pub(crate) struct Allowed {
    pub time: Option<Duration>,
    pub memory: Option<usize>,
}

impl Allowed {
    /// Some more than an exploration is allowed, which ends by itself and tells what it found, but
    /// where one step of it takes long.
    pub fn beyond(limits: &Limits) -> Self {
        Self {
            time: limits.time.map(|time| time + Duration::from_millis(500)),
            memory: limits.memory.map(|memory| memory.saturating_add(memory / 8 + (16 << 20))),
        }
    }

    /// Which is passed by work that has `begun` then.
    fn passed(self, begun: Instant) -> Option<Passed> {
        if let Some(time) = self.time.filter(|&time| begun.elapsed() > time) {
            return Some(Passed::Time(time));
        }
        let memory = self.memory?;
        anonymous().is_some_and(|own| own > memory).then_some(Passed::Memory(memory))
    }
}

/// A bound that work has passed.
#[derive(Clone, Copy)]
pub(crate) enum Passed {
    Time(Duration),
    Memory(usize),
}

impl Passed {
    /// What Python calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time(_) => "time",
            Self::Memory(_) => "memory",
        }
    }

    pub fn error(self) -> PyErr {
        match self {
            Self::Time(time) => LimitPassed::new_err(("time", time.as_secs_f64())),
            Self::Memory(memory) => LimitPassed::new_err(("memory", memory)),
        }
    }
}

/// Why work that was watched ended before it was done, if it did.
pub(crate) enum Cause {
    /// The handler of a signal has raised this.
    Raised(PyErr),
    Passed(Passed),
}

/// The result of `work`, done by another thread while this one has signals handled: only the main
/// thread of Python can, and work may be for long where it asks for none. `stop` gets true when the
/// handler of a signal has raised an error, or a bound was passed. Fails where no thread can start.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    allowed: Allowed,
    work: impl FnOnce() -> T + Send,
) -> PyResult<(T, Option<Cause>)> {
    let begun = Instant::now();
    stop.store(false, Ordering::Relaxed);
    let (mut interrupts, mut passed) = (Interrupts::default(), None);
    let waiting = thread::current();
    let done = AtomicBool::new(false);
    let result = detached(py, || {
        thread::scope(|scope| {
            let work = || {
                let _end = OnDrop(|| {
                    done.store(true, Ordering::Release);
                    waiting.unpark();
                });
                work()
            };
            let worker = new_thread(|thread| thread.spawn_scoped(scope, work))?;
            while !done.load(Ordering::Acquire) {
                thread::park_timeout(LOOK);
                if interrupts.raised.is_none() && passed.is_none() {
                    passed = allowed.passed(begun);
                    if passed.is_some() || !interrupts.poll() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            }
            Some(worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    })?;
    let cause = interrupts.raised.map(Cause::Raised).or_else(|| passed.map(Cause::Passed));
    result.map(|result| (result, cause)).ok_or_else(no_thread)
}

/// A thread that does the work of the main one, if the system has one.
pub(crate) fn new_thread<T>(start: impl FnOnce(Builder) -> io::Result<T>) -> Option<T> {
    if !make_room(STACK + BESIDE) {
        return None;
    }
    start(Builder::new().stack_size(STACK)).ok()
}

/// What is raised where it has none.
pub(crate) fn no_thread() -> PyErr {
    if has_room(STACK + BESIDE) {
        // As Python says it of its own threads.
        PyRuntimeError::new_err("can't start new thread")
    } else {
        no_memory()
    }
}

/// The result of `work`, which ends when `stop` gets true, as [`watched`].
pub(crate) fn watching<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    match watched(py, stop, Allowed::default(), work)? {
        (_, Some(Cause::Raised(error))) => Err(error),
        (result, _) => Ok(result),
    }
}

struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The result of `work`, done without the interpreter's lock but for signals.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Poll) -> Option<T> + Send,
) -> PyResult<T> {
    let mut interrupts = Interrupts::default();
    let done = detached(py, || work(&mut || interrupts.poll()))?;
    done.ok_or_else(|| interrupts.error())
}

/// The result of `work` on `lts`, done without the interpreter's lock but for signals.
pub(crate) fn run<T: Send>(
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
pub(crate) fn asking<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let memory = Refusals::begin();
    let result = detached(py, || {
        cancel::asking(
            move || {
                if reserve::refusals() != memory.0 {
                    return false;
                }
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
        None => result,
    }
}
