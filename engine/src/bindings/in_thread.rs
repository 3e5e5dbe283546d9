//! What a thread of its own has, and does work on that Python asks for, one piece after the other.

use crate::base::cancel::{Cancel, Stopped};
use crate::base::reserve::make_room;
use crate::bindings::work::{attend, direct, new_thread, no_thread};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

/// What a thread has, for as long as what it borrows is there.
pub(crate) trait Kept: 'static {
    type Here<'a>;
}

/// A piece of work.
pub(crate) type Job<K> = Box<dyn FnOnce(&mut <K as Kept>::Here<'_>) + Send>;

/// A thread that has something.
pub(crate) struct InThread<K: Kept> {
    jobs: Mutex<Sender<Job<K>>>,
    current: Current,
}

impl<K: Kept> InThread<K> {
    /// A thread that has work done as long as any comes.
    pub fn begin(work: impl FnOnce(Receiver<Job<K>>) + Send + 'static) -> PyResult<Self> {
        let (jobs, received) = channel();
        let start = move |thread: Builder| thread.spawn(move || work(received));
        new_thread(make_room, start).ok_or_else(no_thread)?;
        Ok(Self { jobs: Mutex::new(jobs), current: Current::default() })
    }

    /// The result of work. Raises what the handler of a signal raises, once the work has ended.
    pub fn during<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut K::Here<'_>, &Cancel) -> T + Send + 'static,
    ) -> PyResult<T> {
        let (sender, receiver) = channel();
        let cancel = self.current.begin();
        let own = cancel.clone();
        let job: Job<K> = Box::new(move |kept| {
            // Nobody waits any more where the interpreter ends.
            let _ = sender.send(work(kept, &own));
        });
        let sent = self.jobs.lock().expect("no panic while locked").send(job);
        sent.map_err(|_| broken())?;
        let waited = direct(py, || {
            let receiver = receiver; // not shared, but moved
            attend(&cancel, &receiver)
        })?;
        match waited {
            (_, Some(error)) => Err(error),
            (result, None) => result.ok_or_else(broken),
        }
    }

    /// Has what is under way end soon.
    pub fn interrupt(&self) {
        self.current.interrupt();
    }
}

/// The work that is under way, which other threads may end.
#[derive(Default)]
pub(crate) struct Current(Mutex<Cancel>);

impl Current {
    /// Work begins.
    pub fn begin(&self) -> Cancel {
        let cancel = Cancel::new(None, None);
        *self.0.lock().expect("no panic while locked") = cancel.clone();
        cancel
    }

    /// Has it end soon.
    pub fn interrupt(&self) {
        self.0.lock().expect("no panic while locked").stop(Stopped::Interrupt);
    }
}

fn broken() -> PyErr {
    PyRuntimeError::new_err("a partition has failed before")
}
