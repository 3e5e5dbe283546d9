//! What a thread of its own has, and does work on that Python asks for, one piece after the other.

use crate::base::cancel::asking;
use crate::bindings::interrupts::{Interrupts, LOOK, detached, new_thread, no_thread};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};

/// What a thread has, for as long as what it borrows is there.
pub(crate) trait Kept: 'static {
    type Here<'a>;
}

/// A piece of work.
pub(crate) type Job<K> = Box<dyn FnOnce(&mut <K as Kept>::Here<'_>) + Send>;

/// A thread that has something.
pub(crate) struct InThread<K: Kept> {
    jobs: Mutex<Sender<Job<K>>>,
    stop: Arc<AtomicBool>,
}

impl<K: Kept> InThread<K> {
    /// A thread that has work done as long as any comes; `stop` gets true when it is to end soon.
    pub fn begin(
        stop: Arc<AtomicBool>,
        work: impl FnOnce(Receiver<Job<K>>) + Send + 'static,
    ) -> PyResult<Self> {
        let (jobs, received) = channel();
        new_thread(move |thread| thread.spawn(move || work(received))).ok_or_else(no_thread)?;
        Ok(Self { jobs: Mutex::new(jobs), stop })
    }

    /// The result of work. Raises what the handler of a signal raises, once the work has ended.
    pub fn during<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut K::Here<'_>) -> T + Send + 'static,
    ) -> PyResult<T> {
        let (sender, receiver) = channel();
        let stop = Arc::clone(&self.stop);
        let job: Job<K> = Box::new(move |kept| {
            // Nobody waits any more where the interpreter ends.
            let _ = sender.send(asking(move || !stop.load(Ordering::Relaxed), || work(kept)));
        });
        self.stop.store(false, Ordering::Relaxed);
        let sent = self.jobs.lock().expect("no panic while locked").send(job);
        sent.map_err(|_| broken())?;
        let mut interrupts = Interrupts::default();
        let mut interrupted = false;
        let result = detached(py, || {
            let receiver = receiver; // not shared, but moved
            loop {
                match receiver.recv_timeout(LOOK) {
                    Ok(result) => return Some(result),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {
                        interrupted = interrupted || !interrupts.poll();
                        if interrupted {
                            // Each time: the end of the work before may have taken it back.
                            self.stop.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
        })?;
        if interrupted {
            return Err(interrupts.error());
        }
        result.ok_or_else(broken)
    }

    /// Has what is under way end soon.
    pub fn interrupt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn broken() -> PyErr {
    PyRuntimeError::new_err("a partition has failed before")
}
