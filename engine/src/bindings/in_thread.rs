//! A thread that owns data and does jobs on it for Python, one after the other.

use crate::base::cancel::{Cancel, Stopped};
use crate::base::lock::Locked;
use crate::base::reserve::make_room;
use crate::bindings::work::{attend, detached, new_thread, no_thread};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

/// The type of the data that a thread owns, for the lifetime of what they borrow.
pub(crate) trait Owned: 'static {
    type Here<'a>;
}

/// A job on the data of the thread.
pub(crate) type Job<K> = Box<dyn FnOnce(&mut <K as Owned>::Here<'_>) + Send>;

/// A thread that owns data, and a queue of jobs for it.
pub(crate) struct InThread<K: Owned> {
    jobs: Mutex<Sender<Job<K>>>,
    current: Current,
}

impl<K: Owned> InThread<K> {
    /// Starts a thread that runs `work`, which receives jobs until the queue is closed.
    pub fn begin(work: impl FnOnce(Receiver<Job<K>>) + Send + 'static) -> PyResult<Self> {
        let (jobs, received) = channel();
        let start = move |thread: Builder| thread.spawn(move || work(received));
        new_thread(make_room, start).ok_or_else(no_thread)?;
        Ok(Self { jobs: Mutex::new(jobs), current: Current::default() })
    }

    /// Runs a job and returns its result. If a signal handler raises, the job is cancelled, and the
    /// exception is raised after the job has ended.
    pub fn during<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut K::Here<'_>, &Cancel) -> T + Send + 'static,
    ) -> PyResult<T> {
        let (sender, receiver) = channel();
        let cancel = self.current.begin();
        let own = cancel.clone();
        let job: Job<K> = Box::new(move |owned| {
            // The receiver is gone if the interpreter exits.
            let _ = sender.send(work(owned, &own));
        });
        cancel.begin_looks();
        let sent = self.jobs.locked().send(job);
        sent.map_err(|_| broken())?;
        let waited = detached(py, || {
            let receiver = receiver; // moved, not shared
            let waited = attend(&cancel, &receiver);
            cancel.end_looks();
            waited
        })?;
        match waited {
            (_, Some(error)) => Err(error),
            (result, None) => result.ok_or_else(broken),
        }
    }

    /// Cancels the current job.
    pub fn interrupt(&self) {
        self.current.interrupt();
    }
}

/// The current job, which other threads may cancel.
#[derive(Default)]
pub(crate) struct Current(Mutex<Cancel>);

impl Current {
    /// Begins a job.
    pub fn begin(&self) -> Cancel {
        let cancel = Cancel::new(None, None);
        *self.0.locked() = cancel.clone();
        cancel
    }

    /// Cancels the current job.
    pub fn interrupt(&self) {
        self.0.locked().stop(Stopped::Interrupt);
    }
}

fn broken() -> PyErr {
    PyRuntimeError::new_err("a partition failed earlier")
}
