//! A partition as Python drives it: a thread has it, and does one superstep after the other.

use crate::base::put_away::{DiskError, InGroups, Traffic};
use crate::bindings::data::malformed;
use crate::bindings::in_thread::{InThread, Kept};
use crate::bindings::process::Process;
use crate::lpe::chunk::Trouble;
use crate::lpe::explore::statistics::Cap;
use crate::lpe::process::stop::Stop;
use crate::partition::Key;
use crate::partition::expand::Expanded;
use crate::partition::generation::{Failure, Options, Partition as EnginePartition};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

type Batch = Py<PyBytes>;
/// A label as the partition numbers it, its text, whether it is hidden, and its first step.
type Told = (u32, Batch, bool, Key);
/// Where the steps end that were found, what it is, a message, and the summand.
type Ended = (Key, &'static str, String, Option<usize>);

/// A partition of a state space that is being generated.
#[pyclass(frozen, module = "lts._engine")]
pub struct Partition(InThread<Generated>);

/// What its thread has.
struct Generated;

impl Kept for Generated {
    type Here<'a> = EnginePartition<'a>;
}

fn failed(failure: Failure) -> PyErr {
    match failure {
        Failure::Unreadable => malformed("another partition sent what is no batch".into()),
        Failure::Full => PyMemoryError::new_err("a partition has 2^32 - 2 states at most"),
        Failure::Disk(error) => on_disk(error),
    }
}

/// What is raised where what was put away cannot be written, or read.
pub(super) fn on_disk(error: DiskError) -> PyErr {
    PyOSError::new_err((error.0, io::Error::from_raw_os_error(error.0).to_string()))
}

pub(super) fn shown(py: Python<'_>, batches: Vec<Vec<u8>>) -> Vec<Batch> {
    batches.into_iter().map(|batch| PyBytes::new(py, &batch).unbind()).collect()
}

fn ended(trouble: Option<(Key, Trouble)>) -> Option<Ended> {
    let (key, trouble) = trouble?;
    let (kind, message, summand) = match trouble {
        Trouble::Values(summand) => ("values", String::new(), Some(summand)),
        Trouble::Failed(Stop::Labels(summand)) => ("labels", String::new(), summand),
        Trouble::Failed(Stop::Calls(summand)) => ("calls", String::new(), Some(summand)),
        Trouble::Failed(Stop::Evaluation(message, summand)) => ("error", message, summand),
        Trouble::Failed(_) => ("error", "rewriting was stopped".into(), None),
    };
    Some((key, kind, message, summand))
}

/// What all partitions are asked for: how many values of a sum are tried, and at first. With `traces`,
/// it is kept how each state was met; of a level as many sources without steps are told as there are
/// `deadlocks`.
#[derive(FromPyObject)]
struct RawJob {
    partitions: usize,
    max_values: usize,
    first_values: usize,
    traces: bool,
    deadlocks: usize,
}

#[pymethods]
impl Partition {
    /// The partition that a job says, of the states of a process that nothing else explores; names of
    /// what is `hidden` are written as `tau`.
    #[new]
    fn new(
        process: Py<Process>,
        index: usize,
        job: RawJob,
        hidden: Vec<Vec<u8>>,
    ) -> PyResult<Self> {
        let RawJob { partitions, max_values, first_values, traces, deadlocks } = job;
        if index >= partitions {
            return Err(PyValueError::new_err("there is no such partition"));
        }
        let hidden = hidden.into_iter().collect();
        let cap = Cap::new(first_values, max_values);
        let options = Options { index, partitions, cap, traces, deadlocks, hidden };
        let stop = Arc::clone(&process.get().0.lock().expect("no panic while locked").data.stop);
        let begun = InThread::<Generated>::begin(stop, move |jobs| {
            let mut process = process.get().0.lock().expect("no panic while locked");
            let mut partition = EnginePartition::new(&mut process, options);
            for job in jobs {
                job(&mut partition);
                partition.process().data.go_on();
            }
        });
        begun.map(Self)
    }

    /// Looks at the states that are left below `until`. Returns labels that are new here, sources
    /// without steps, what ended it if something did, and a batch for every partition.
    #[allow(clippy::type_complexity)]
    fn expand(
        &self,
        py: Python<'_>,
        until: u64,
    ) -> PyResult<(Vec<Told>, Vec<u64>, Option<Ended>, Vec<Batch>)> {
        let (expanded, texts, batches) = self
            .0
            .during(py, move |partition| {
                let (expanded, batches) = partition.expand(until)?;
                let labels = expanded.labels.iter();
                let texts: Vec<_> = labels.map(|&(label, _)| partition.shown(label)).collect();
                Ok((expanded, texts, batches))
            })?
            .map_err(failed)?;
        let Expanded { labels, deadlocks, trouble } = expanded;
        let told = labels.into_iter().zip(texts).map(|((label, key), (text, hidden))| {
            (label, PyBytes::new(py, &text).unbind(), hidden, key)
        });
        Ok((told.collect(), deadlocks, ended(trouble), shown(py, batches)))
    }

    /// Takes targets; returns keys of those that are new, for every partition. The sources of the
    /// level are those from `start` to below `end`.
    fn receive(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        start: u64,
        end: u64,
    ) -> PyResult<Vec<Batch>> {
        let found = self.0.during(py, move |partition| partition.receive(&batches, start..end))?;
        Ok(shown(py, found.map_err(failed)?))
    }

    /// Takes keys; returns how many there are, and ranks for every partition.
    fn rank(&self, py: Python<'_>, batches: Vec<PyBackedBytes>) -> PyResult<(u64, Vec<Batch>)> {
        let found = self.0.during(py, move |partition| partition.rank(&batches))?;
        let (count, batches) = found.map_err(failed)?;
        Ok((count, shown(py, batches)))
    }

    /// The key that has this rank here, if there is one.
    fn ranked(&self, py: Python<'_>, rank: usize) -> PyResult<Option<Key>> {
        self.0.during(py, move |partition| partition.ranked(rank))
    }

    /// Takes ranks; returns the number of states that are ours, and numbers for every partition.
    /// `firsts` has for every partition the number of the first state that it ranks; what is met at
    /// `cut` or later is left out.
    #[pyo3(signature = (batches, firsts, cut))]
    fn number(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        firsts: Vec<u64>,
        cut: Option<Key>,
    ) -> PyResult<(usize, Vec<Batch>)> {
        let found = self.0.during(py, move |partition| {
            let batches = partition.number(&batches, &firsts, cut)?;
            Ok((partition.numbers()?.len(), batches))
        })?;
        let (states, batches) = found.map_err(failed)?;
        Ok((states, shown(py, batches)))
    }

    /// Takes numbers, and ends the level; `labels` are pairs of our numbers and those of the system.
    /// Returns the numbers of transitions, and of sources without steps.
    #[pyo3(signature = (batches, labels, cut))]
    fn settle(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        labels: Vec<(u32, u32)>,
        cut: Option<Key>,
    ) -> PyResult<(u64, u64)> {
        let found = self.0.during(py, move |partition| partition.settle(&batches, &labels, cut))?;
        let counts = found.map_err(failed)?;
        Ok((counts.transitions, counts.deadlocks))
    }

    /// What came since the last checkpoint, to be made once new states have numbers.
    fn save(&self, py: Python<'_>) -> PyResult<Batch> {
        let checkpoint = self.0.during(py, |partition| partition.save())?.map_err(failed)?;
        Ok(PyBytes::new(py, &checkpoint).unbind())
    }

    /// Takes a checkpoint back, after those before it.
    fn load(&self, py: Python<'_>, checkpoint: PyBackedBytes) -> PyResult<()> {
        self.0.during(py, move |partition| partition.load(&checkpoint))?.map_err(failed)
    }

    /// Goes on with the level that begins with state `start`.
    fn resume(&self, py: Python<'_>, start: u64) -> PyResult<()> {
        self.0.during(py, move |partition| partition.resume(start))
    }

    /// Has what is under way end soon, with whatever was found.
    fn interrupt(&self) {
        self.0.interrupt();
    }

    /// The transitions that were completed since they were last taken: columns of 64, 32 and 64 bits.
    fn take(&self, py: Python<'_>) -> PyResult<(Batch, Batch, Batch)> {
        let taken = self.0.during(py, |partition| std::mem::take(&mut partition.transitions))?;
        Ok((longs(py, &taken.source)?, words(py, &taken.label)?, longs(py, &taken.target)?))
    }

    /// The numbers of the states that are ours, at most so many from place `start` on: a column of 64
    /// bits.
    fn states(&self, py: Python<'_>, start: usize, most: usize) -> PyResult<Batch> {
        let own = self
            .0
            .during(py, move |partition| {
                Ok(partition.numbers()?.from(start).take(most).collect::<Vec<u64>>())
            })?
            .map_err(failed)?;
        longs(py, &own)
    }

    /// Forgets all but the numbers of our states: no level comes any more.
    fn release(&self, py: Python<'_>) -> PyResult<()> {
        self.0.during(py, |partition| partition.release())
    }

    /// How a state was met, if it is ours.
    fn parent(&self, py: Python<'_>, state: u64) -> PyResult<Option<Key>> {
        self.0.during(py, move |partition| partition.parent(state))?.map_err(failed)
    }

    /// The label and the choice of a step, if its source is ours.
    fn step(&self, py: Python<'_>, source: u64, index: u32) -> PyResult<Option<(Batch, u32)>> {
        let step = self.0.during(py, move |partition| partition.step((source, index)))?;
        let step = step.map_err(failed)?;
        Ok(step.map(|(label, choice)| (PyBytes::new(py, &label).unbind(), choice)))
    }

    /// Puts what is in memory away in a file of this name; what is wanted again is taken back then.
    fn put_away(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.0.during(py, move |partition| partition.put_away(path))?.map_err(on_disk)
    }

    /// Bytes that are put away, of states, tables, steps under way, and what is asked for; and those
    /// that were written, and read, up to now, and seconds for that.
    fn away(&self, py: Python<'_>) -> PyResult<(Vec<u64>, u64, u64, f64)> {
        self.0.during(py, |partition| {
            let Traffic { written, read, time } = partition.traffic();
            (partition.bytes_away(), written, read, time.as_secs_f64())
        })
    }

    /// Bytes of states and of tables.
    fn sizes(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        self.0.during(py, |partition| partition.bytes())
    }

    /// The maps of values met here that no equation fits, as those of a process.
    fn normal_forms(&self, py: Python<'_>) -> PyResult<Vec<(u32, Batch)>> {
        let found = self.0.during(py, |partition| {
            let found = partition.process().data.normal_forms.iter();
            found.map(|(&symbol, text)| (symbol, text.clone())).collect::<Vec<_>>()
        })?;
        Ok(found.into_iter().map(|(s, text)| (s, PyBytes::new(py, &text).unbind())).collect())
    }
}

pub(super) fn longs(py: Python<'_>, numbers: &[u64]) -> PyResult<Batch> {
    column(py, numbers, |number| number.to_le_bytes())
}

pub(super) fn words(py: Python<'_>, numbers: &[u32]) -> PyResult<Batch> {
    column(py, numbers, |number| number.to_le_bytes())
}

fn column<T: Copy, const N: usize>(
    py: Python<'_>,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> PyResult<Batch> {
    let column = PyBytes::new_with(py, numbers.len() * N, |column| {
        for (place, &number) in column.as_chunks_mut::<N>().0.iter_mut().zip(numbers) {
            *place = bytes(number);
        }
        Ok(())
    })?;
    Ok(column.unbind())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Partition>()
}
