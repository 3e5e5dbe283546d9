//! A partition of a system that is being minimised, which Python drives one superstep at a time.

use crate::base::cancel::Cancel;
use crate::base::lock::Locked;
use crate::base::spill::{Spillable, Traffic};
use crate::bindings::data::malformed;
use crate::bindings::emergency::Returned;
use crate::bindings::in_thread::Current;
use crate::bindings::partition::Away;
use crate::bindings::partition_errors::on_disk;
use crate::bindings::work::run_under;
use crate::partition::minimise::Failure;
use crate::partition::minimise::load::{LoadOptions, Loading};
use crate::partition::minimise::part::Part as EnginePart;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::mem::replace;
use std::path::PathBuf;
use std::sync::Mutex;

type Batch = Vec<u8>;
type Inbox = Vec<PyBackedBytes>;

/// The phase that a partition is in.
enum Phase {
    Loading(Loading),
    Ready(Box<EnginePart>),
    Failed,
}

/// A partition of a system that is being minimised.
#[pyclass(frozen, module = "lts._engine")]
pub struct Part {
    phase: Mutex<Phase>,
    current: Current,
}

fn broken() -> PyErr {
    PyRuntimeError::new_err("a partition failed earlier, or is in another superstep")
}

impl Part {
    /// Runs work and returns its result.
    fn during<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Phase, &Cancel) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done =
            run_under(py, &self.current.begin(), |cancel| work(&mut self.phase.locked(), cancel))?;
        done.map_err(|failure| match failure {
            Failure::Unreadable => malformed("another partition sent a malformed batch".into()),
            Failure::Full => PyMemoryError::new_err(
                "a partition and a minimal system have at most 2^32 - 2 states",
            ),
            Failure::Disk(error) => on_disk(error),
            Failure::Stop(stop) => stop.into(),
        })
    }

    fn loading<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Loading) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done = self.during(py, |phase, _| match phase {
            Phase::Loading(loading) => work(loading).map(Some),
            _ => Ok(None),
        })?;
        done.ok_or_else(broken)
    }

    fn ready<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut EnginePart, &Cancel) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done = self.during(py, |phase, cancel| match phase {
            Phase::Ready(part) => work(part, cancel).map(Some),
            _ => Ok(None),
        })?;
        done.ok_or_else(broken)
    }
}

/// The size of the system, and its initial state.
#[derive(FromPyObject)]
struct RawManifest {
    states: u64,
    initial: u64,
}

/// The options for all partitions. `labels` has for each label its label in the minimisation. `tau`
/// is the internal label if internal steps are followed; with `divergence`, divergence is observed
/// as a step with an additional label.
#[derive(FromPyObject)]
struct RawJob {
    partitions: usize,
    found: RawManifest,
    labels: Vec<u32>,
    tau: Option<u32>,
    divergence: bool,
}

#[pymethods]
impl Part {
    /// The partition `index` of a job. While transitions are loaded they are in a file at `path`,
    /// if given.
    #[new]
    #[pyo3(signature = (index, job, path))]
    fn new(index: usize, job: RawJob, path: Option<PathBuf>) -> PyResult<Self> {
        let RawJob { partitions, found: RawManifest { states, initial }, labels, tau, divergence } =
            job;
        if index >= partitions {
            return Err(PyValueError::new_err("there is no such partition"));
        }
        let none = crate::base::ids::NONE;
        let kinds = labels.iter().copied().chain(tau).max().map_or(0, |label| label + 1);
        let delta = if divergence && tau.is_some() { kinds } else { none };
        let tau = tau.unwrap_or(none);
        let options = LoadOptions { index, partitions, states, initial, labels, kinds, tau, delta };
        let loading = Loading::new(options, path.as_deref()).map_err(|failure| match failure {
            Failure::Disk(error) => on_disk(error),
            _ => PyMemoryError::new_err("a partition has at most 2^32 - 2 states"),
        })?;
        Ok(Self { phase: Mutex::new(Phase::Loading(loading)), current: Current::default() })
    }

    /// Batches of transitions, given as columns of 64, 32 and 64 bits, for the partitions that own
    /// their sources.
    fn scatter(
        &self,
        py: Python<'_>,
        source: PyBackedBytes,
        label: PyBackedBytes,
        target: PyBackedBytes,
    ) -> PyResult<Returned<Vec<Batch>>> {
        self.loading(py, |loading| loading.scatter(&source, &label, &target)).map(Returned)
    }

    /// Takes transitions with own sources.
    fn accept(&self, py: Python<'_>, batches: Inbox) -> PyResult<()> {
        self.loading(py, |loading| loading.accept(&batches))
    }

    /// Ends loading; returns requests to the owners of targets for updates about them.
    fn subscribe(&self, py: Python<'_>) -> PyResult<Returned<Vec<Batch>>> {
        let requests = self.during(py, |phase, cancel| {
            let Phase::Loading(loading) = replace(phase, Phase::Failed) else { return Ok(None) };
            let mut part = Box::new(EnginePart::new(loading.finish(cancel)?));
            let batches = part.requests();
            *phase = Phase::Ready(part);
            Ok(Some(batches))
        })?;
        requests.ok_or_else(broken).map(Returned)
    }

    /// Takes the requests of other partitions for updates.
    fn link(&self, py: Python<'_>, batches: Inbox) -> PyResult<()> {
        self.ready(py, |part, _| part.link(&batches))
    }

    /// Applies changes of blocks from an earlier run, as returned by `moves`.
    fn restore(&self, py: Python<'_>, moves: PyBackedBytes) -> PyResult<()> {
        self.ready(py, |part, _| part.restore(&moves))
    }

    /// Returns for the owners of blocks the numbers of states in them.
    fn count(&self, py: Python<'_>) -> PyResult<Returned<Vec<Batch>>> {
        self.ready(py, |part, _| part.count()).map(Returned)
    }

    /// Takes these numbers; returns updates about blocks for the partitions that watch the states.
    fn counted(&self, py: Python<'_>, batches: Inbox) -> PyResult<Returned<Vec<Batch>>> {
        self.ready(py, |part, _| part.counted(&batches)).map(Returned)
    }

    /// Takes updates from other partitions.
    fn receive_blocks(&self, py: Python<'_>, batches: Inbox) -> PyResult<()> {
        self.ready(py, |part, _| part.receive_updates(&batches))
    }

    /// Like `hear`, then removes states that are not divergent; also returns how many.
    fn trim(&self, py: Python<'_>, batches: Inbox) -> PyResult<Returned<(u64, Vec<Batch>)>> {
        self.ready(py, |part, cancel| part.trim(&batches, cancel)).map(Returned)
    }

    /// Like `hear`; returns for the owners of blocks those that have to be visited.
    fn touch(&self, py: Python<'_>, batches: Inbox) -> PyResult<Returned<Vec<Batch>>> {
        self.ready(py, |part, cancel| part.touch(&batches, cancel)).map(Returned)
    }

    /// Takes the blocks to visit; returns how many of them are own, and sends them to all
    /// partitions.
    fn choose(&self, py: Python<'_>, batches: Inbox) -> PyResult<Returned<(u64, Vec<Batch>)>> {
        self.ready(py, |part, _| part.owner()?.choose(&batches)).map(Returned)
    }

    /// Computes signatures for the blocks in `batches`, or for all, with sets of at most `most`
    /// pairs; `chunk` is the number of the chunk and the number of chunks.
    fn sign(
        &self,
        py: Python<'_>,
        batches: Inbox,
        all: bool,
        most: usize,
        chunk: (u32, u32),
    ) -> PyResult<Returned<Vec<Batch>>> {
        let chunk = (chunk.0, chunk.1.max(1));
        self.ready(py, |part, cancel| part.sign(&batches, all, most, chunk, cancel)).map(Returned)
    }

    /// Takes the sets of targets of internal steps; returns how many sets it sends in turn, and
    /// these.
    fn spread(&self, py: Python<'_>, batches: Inbox) -> PyResult<Returned<(u64, Vec<Batch>)>> {
        self.ready(py, |part, cancel| part.spread(&batches, cancel)).map(Returned)
    }

    /// Sends signatures to their owners; also returns how many states have a set that is too large.
    fn offer(&self, py: Python<'_>) -> PyResult<Returned<(u64, Vec<Batch>)>> {
        self.ready(py, |part, cancel| part.offer(cancel)).map(Returned)
    }

    /// Takes own signatures; returns their counts for the owners of blocks.
    fn merge(&self, py: Python<'_>, batches: Inbox) -> PyResult<Returned<Vec<Batch>>> {
        self.ready(py, |part, _| part.owner()?.merge(&batches)).map(Returned)
    }

    /// Splits own blocks; returns how many numbers are new, and the answers.
    fn split(&self, py: Python<'_>, batches: Inbox) -> PyResult<Returned<(u64, Vec<Batch>)>> {
        self.ready(py, |part, _| part.owner()?.split(&batches)).map(Returned)
    }

    /// Returns the block numbers for the own signatures to the partitions that sent them.
    fn answer(&self, py: Python<'_>, batches: Inbox) -> PyResult<Returned<Vec<Batch>>> {
        self.ready(py, |part, _| part.owner()?.answer(&batches)).map(Returned)
    }

    /// Takes block numbers; returns how many states are in new blocks, and updates.
    fn apply(&self, py: Python<'_>, batches: Inbox) -> PyResult<Returned<(u64, Vec<Batch>)>> {
        self.ready(py, |part, _| part.apply(&batches)).map(Returned)
    }

    /// A chunk of the changes of the round, for nodes from `start` on, and where the next chunk
    /// begins.
    fn moves(&self, py: Python<'_>, start: u32) -> PyResult<Returned<(Batch, Option<u32>)>> {
        self.ready(py, |part, _| part.moves(start)).map(Returned)
    }

    /// The own signatures, as columns of 32 bits: blocks, lengths of their sets in words, and the
    /// sets.
    fn signatures(&self, py: Python<'_>) -> PyResult<Returned<(Batch, Batch, Batch)>> {
        let [blocks, lengths, words] = self.ready(py, |part, _| Ok(part.owner()?.signatures()))?;
        let bytes = |column: Vec<u32>| column.into_iter().flat_map(u32::to_le_bytes).collect();
        Ok(Returned((bytes(blocks), bytes(lengths), bytes(words))))
    }

    /// The block of the initial state, if this partition owns that.
    fn initial_block(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        self.ready(py, |part, _| part.initial_block())
    }

    /// Spills everything in memory to a file at this path; it is read again when needed.
    fn spill(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.during(py, |phase, _| match phase {
            Phase::Loading(loading) => loading.spill(),
            Phase::Ready(part) => Ok(part.spill(path)?),
            Phase::Failed => Ok(()),
        })
    }

    /// The spilled bytes of transitions, states, signatures and owned data, and the traffic.
    fn away(&self, py: Python<'_>) -> PyResult<Away> {
        self.during(py, |phase, _| {
            let Phase::Ready(part) = phase else {
                return Ok(Away::new(vec![0; 4], Traffic::default()));
            };
            Ok(Away::new(part.spilled_bytes(), part.traffic()))
        })
    }

    /// The approximate memory in bytes that the end of loading needs for some time.
    fn bytes_at_the_end(&self, py: Python<'_>) -> PyResult<u64> {
        self.loading(py, |loading| Ok(loading.bytes_at_the_end()))
    }

    /// The approximate bytes of the data between two rounds.
    fn bytes(&self, py: Python<'_>) -> PyResult<usize> {
        self.ready(py, |part, _| Ok(part.bytes()))
    }

    /// Cancels the current work.
    fn interrupt(&self) {
        self.current.interrupt();
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Part>()
}
