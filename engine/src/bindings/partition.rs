//! A partition of states or of orbits, which Python drives: its thread does one superstep after the
//! other.

use crate::base::cancel::Cancel;
use crate::base::lock::Locked;
use crate::base::spill::{Spillable, Traffic};
use crate::bindings::emergency::Returned;
use crate::bindings::in_thread::InThread;
use crate::bindings::members::{Begun, Here, Member, OrbitJob, Proven, begin, either, proven};
use crate::bindings::partition_errors::{Ended, on_disk};
use crate::bindings::process::Process;
use crate::bindings::process::orbits::Symmetry;
use crate::bindings::process::settings::Settings;
use crate::bindings::process::witness::{Shown, shown};
use crate::group::permutation::Permutation;
use crate::partition::Key;
use crate::partition::generation::{Partition as EnginePartition, PartitionOptions};
use crate::partition::supersteps::{Counts, Failure, GlobalTransitions, Original};
use crate::process::chunk::Obstacle;
use crate::process::explore::statistics::Cap;
use crate::process::linear::stop::Stop;
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::path::PathBuf;

type Batch = Vec<u8>;
/// Concatenated columns of little-endian numbers.
type Column = Py<PyBytes>;

/// A partition of a state space that is being generated, or of its orbits under a group.
#[pyclass(frozen, module = "lts._engine")]
pub struct Partition {
    thread: InThread<Member>,
    /// What is known about the group before the exploration, for a partition of orbits.
    begun: Option<Begun>,
}

/// The result of expanding the states of a level.
#[derive(IntoPyObject)]
struct Expanded {
    labels: Vec<NewLabel>,
    deadlocks: Vec<u64>,
    ended: Option<Cut>,
}

/// A label: its number in the partition, its text, that without hidden actions, and its first step.
#[derive(IntoPyObject)]
struct NewLabel {
    own: u32,
    text: Batch,
    shown: Batch,
    first: Key,
}

/// The key before which all steps were found, the kind of the obstacle, a message, and the summand.
#[derive(IntoPyObject)]
struct Cut {
    key: Key,
    kind: &'static str,
    message: String,
    summand: Option<usize>,
}

/// The counts of a level: `original` are the numbers of states, transitions and deadlocks of the
/// original. And the bytes of states and tables.
#[derive(IntoPyObject)]
struct Settled {
    transitions: u64,
    deadlocks: u64,
    original: (BigUint, BigUint, BigUint),
    store: usize,
    tables: usize,
}

/// The spilled bytes of each group, the bytes written and read so far, and the seconds this took.
#[derive(IntoPyObject)]
pub(super) struct Away {
    groups: Vec<u64>,
    written: u64,
    read: u64,
    time: f64,
}

impl Away {
    pub fn new(groups: Vec<u64>, Traffic { written, read, time }: Traffic) -> Self {
        Self { groups, written, read, time: time.as_secs_f64() }
    }
}

/// Columns of the numbers of orbits and of their stabilisers; the generators of each stabiliser;
/// and elements.
#[derive(IntoPyObject)]
struct OwnOrbits {
    numbers: Column,
    stabilisers: Column,
    groups: Vec<Vec<Vec<u32>>>,
    elements: Vec<Vec<u32>>,
}

/// The names of points, and each generator's permutation of them.
type Points = (Vec<String>, Vec<Vec<u32>>);

/// Texts of labels, and each generator's permutation of them; or a generator that is not a
/// symmetry, and the reason.
type OwnLabels = (Vec<Vec<u8>>, Vec<Vec<u32>>, Option<(usize, Shown)>);

fn cut((key, obstacle): (Key, Obstacle)) -> Cut {
    let (kind, message, summand) = match obstacle {
        Obstacle::Values(summand) => ("values", String::new(), Some(summand)),
        Obstacle::Failed(Stop::Labels(summand)) => ("labels", String::new(), summand),
        Obstacle::Failed(Stop::Calls(summand)) => ("calls", String::new(), Some(summand)),
        Obstacle::Failed(Stop::Evaluation(message, summand)) => ("error", message, summand),
        Obstacle::Failed(Stop::Steps(message, summand)) => ("steps", message, summand),
        Obstacle::Failed(_) => ("error", "rewriting was stopped".into(), None),
    };
    Cut { key, kind, message, summand }
}

/// The options for all partitions: the maximum and initial caps on values of sums; whether to store
/// keys for `traces`; and the most deadlocks reported per level.
#[derive(FromPyObject)]
struct RawJob {
    partitions: usize,
    max_values: usize,
    first_values: usize,
    traces: bool,
    deadlocks: usize,
}

impl Partition {
    /// Runs work and returns its result, or raises its failure.
    fn during<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Here<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let result = self.thread.during(py, |here, cancel| {
            here.process().data.begin(cancel.clone());
            let result = work(here).map_err(|failure| Ended::from(here.process(), failure));
            here.process().data.begin(Cancel::never());
            result
        })?;
        result.map_err(|ended| ended.error())
    }
}

#[pymethods]
impl Partition {
    /// The partition `index` of a job, of the states of a process that is not explored otherwise;
    /// labels are written without the actions that `hidden` names.
    #[staticmethod]
    fn of_states(
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
        let options = PartitionOptions { index, partitions, cap, traces, deadlocks, hidden };
        let thread = InThread::<Member>::begin(move |jobs| {
            let mut process = process.get().0.locked();
            let mut here = Here::States(Box::new(EnginePartition::new(&mut process, options)));
            for job in jobs {
                job(&mut here);
            }
        })?;
        Ok(Self { thread, begun: None })
    }

    /// The partition `index` of a job, of the orbits under a symmetry of the process.
    #[staticmethod]
    fn of_orbits(
        py: Python<'_>,
        process: Py<Process>,
        symmetry: &Bound<'_, Symmetry>,
        settings: Settings,
        index: usize,
        job: OrbitJob,
    ) -> PyResult<Self> {
        let (thread, begun) = begin(py, process, symmetry, settings, index, job)?;
        Ok(Self { thread, begun: Some(begun) })
    }

    /// What is known about the group before the exploration: its order, the strategy for
    /// representatives, and a generator that the specification shows not to be a symmetry, with the
    /// reason.
    fn group(&self) -> Option<Begun> {
        self.begun.clone()
    }

    /// Expands the states not expanded yet with numbers below `until`. Returns the result, and a
    /// batch for every partition.
    fn expand(&self, py: Python<'_>, until: u64) -> PyResult<Returned<(Expanded, Vec<Batch>)>> {
        let (expanded, texts, batches) = self.during(py, move |here| {
            either!(here, part => {
                let (expanded, batches) = part.expand(until)?;
                let labels = expanded.labels.iter();
                let texts: Vec<_> = labels.map(|&(label, _)| part.label(label)).collect();
                Ok((expanded, texts, batches))
            })
        })?;
        let labels = expanded.labels.into_iter().zip(texts);
        let labels =
            labels.map(|((own, first), (text, shown))| NewLabel { own, text, shown, first });
        let (deadlocks, ended) = (expanded.deadlocks, expanded.obstacle.map(cut));
        Ok(Returned((Expanded { labels: labels.collect(), deadlocks, ended }, batches)))
    }

    /// Takes the states that others visited; returns the keys of new ones, for every partition. The
    /// sources of the level are those from `start` to below `end`.
    fn receive(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        start: u64,
        end: u64,
    ) -> PyResult<Returned<Vec<Batch>>> {
        self.during(py, move |here| either!(here, part => part.receive(&batches, start..end)))
            .map(Returned)
    }

    /// Takes keys; returns their number, and ranks for every partition.
    fn rank(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
    ) -> PyResult<Returned<(u64, Vec<Batch>)>> {
        self.during(py, move |here| either!(here, part => part.level.ranking.rank(&batches)))
            .map(Returned)
    }

    /// The key with this rank here, if there is one.
    fn ranked(&self, py: Python<'_>, rank: usize) -> PyResult<Option<Key>> {
        self.during(py, move |here| Ok(either!(here, part => part.level.ranking.ranked(rank))))
    }

    /// Takes ranks; returns the number of own states, and for every partition the numbers that it
    /// requested. `firsts` has for every partition the number of the first state that it ranks;
    /// states visited at `cut` or later are left out.
    #[pyo3(signature = (batches, firsts, cut))]
    fn number(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        firsts: Vec<u64>,
        cut: Option<Key>,
    ) -> PyResult<Returned<(usize, Vec<Batch>)>> {
        self.during(py, move |here| either!(here, part => part.number(&batches, &firsts, cut)))
            .map(Returned)
    }

    /// Takes numbers, and ends the level; `labels` are pairs of a label's number here and in the
    /// whole system.
    #[pyo3(signature = (batches, labels, cut))]
    fn finish_level(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        labels: Vec<(u32, u32)>,
        cut: Option<Key>,
    ) -> PyResult<Returned<Settled>> {
        let (counts, (store, tables)) = self.during(py, move |here| {
            either!(here, part => Ok((part.finish_level(&batches, &labels, cut)?, part.bytes())))
        })?;
        let Counts { transitions, deadlocks, original } = counts;
        let Original { states, transitions: all, deadlocks: dead } = original;
        Ok(Returned(Settled {
            transitions,
            deadlocks,
            original: (states, all, dead),
            store,
            tables,
        }))
    }

    /// A checkpoint of the data added since the last one: to be made after new states are numbered,
    /// and for orbits after a level is complete.
    fn save(&self, py: Python<'_>) -> PyResult<Returned<Batch>> {
        self.during(py, |here| either!(here, part => part.save())).map(Returned)
    }

    /// Loads the next checkpoint.
    fn load(&self, py: Python<'_>, checkpoint: PyBackedBytes) -> PyResult<()> {
        self.during(py, move |here| either!(here, part => part.load(&checkpoint)))
    }

    /// Continues with the level that begins with state `start`.
    fn resume(&self, py: Python<'_>, start: u64) -> PyResult<()> {
        self.during(py, move |here| either!(here, part => part.resume(start)))
    }

    /// Cancels the current work, which keeps what was found.
    fn interrupt(&self) {
        self.thread.interrupt();
    }

    /// Takes the transitions completed since the last call: columns of sources and targets of 64
    /// bits each, then of labels, and for orbits of shifts, of 32 bits. Shifts are numbered as in
    /// the checkpoint that was made last.
    fn take(&self, py: Python<'_>) -> PyResult<Vec<Column>> {
        let (taken, is_of_orbits) = self.during(py, |here| {
            let is_of_orbits = matches!(here, Here::Orbits(_));
            Ok((either!(here, part => std::mem::take(&mut part.transitions)), is_of_orbits))
        })?;
        let GlobalTransitions { source, label, shift, target } = taken;
        let mut columns = vec![longs(py, &source)?, longs(py, &target)?, words(py, &label)?];
        if is_of_orbits {
            columns.push(words(py, &shift)?);
        }
        Ok(columns)
    }

    /// The numbers of the own states, at most `most` from position `start` on: a column of 64 bits.
    fn states(&self, py: Python<'_>, start: usize, most: usize) -> PyResult<Column> {
        let own = self.during(py, move |here| {
            Ok(here.states()?.numbers()?.from(start).take(most).collect::<Vec<u64>>())
        })?;
        longs(py, &own)
    }

    /// Frees everything but the numbers of the own states, after the last level.
    fn release(&self, py: Python<'_>) -> PyResult<()> {
        self.during(py, |here| {
            here.states()?.release();
            Ok(())
        })
    }

    /// The key with which a state was visited, if this partition owns it.
    fn parent(&self, py: Python<'_>, state: u64) -> PyResult<Option<Key>> {
        self.during(py, move |here| here.states()?.parent(state))
    }

    /// The label and the choice of a step, if this partition owns its source.
    fn step(
        &self,
        py: Python<'_>,
        source: u64,
        index: u32,
    ) -> PyResult<Returned<Option<(Batch, u32)>>> {
        self.during(py, move |here| here.states()?.step((source, index))).map(Returned)
    }

    /// The orbits that this partition owns.
    fn orbits(&self, py: Python<'_>) -> PyResult<Returned<OwnOrbits>> {
        let owned = self.during(py, |here| here.orbits()?.own_orbits())?;
        let list = |group: Vec<Permutation>| {
            group.iter().map(|permutation| permutation.to_vec()).collect()
        };
        Ok(Returned(OwnOrbits {
            numbers: longs(py, &owned.numbers)?,
            stabilisers: words(py, &owned.stabilisers)?,
            groups: owned.groups.into_iter().map(list).collect(),
            elements: list(owned.elements),
        }))
    }

    /// The texts of labels, closed under the generators, and each generator's permutation of them;
    /// or a generator that is not a symmetry, and the reason.
    fn labels(&self, py: Python<'_>) -> PyResult<Returned<OwnLabels>> {
        self.during(py, |here| {
            let part = here.orbits()?;
            Ok(match part.labels()? {
                Ok((texts, images)) => {
                    (texts, images.iter().map(|permutation| permutation.to_vec()).collect(), None)
                }
                Err((which, witness)) => {
                    (Vec::new(), Vec::new(), Some((which, shown(part.process(), witness))))
                }
            })
        })
        .map(Returned)
    }

    /// The names of the group's points, and each generator's permutation of them.
    fn points(&self, py: Python<'_>) -> PyResult<Returned<Points>> {
        self.during(py, |here| {
            let (names, generators) = here.orbits()?.points();
            Ok((names.to_vec(), generators.iter().map(|own| own.to_vec()).collect()))
        })
        .map(Returned)
    }

    /// Proves the symmetry on everything that was visited here.
    fn prove(&self, py: Python<'_>) -> PyResult<Returned<Proven>> {
        self.during(py, |here| {
            let part = here.orbits()?;
            let proof = part.prove()?;
            Ok(proven(part, proof))
        })
        .map(Returned)
    }

    /// Spills everything in memory to a file at this path; it is read again when needed.
    fn spill(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let done = self.thread.during(py, |here, _| either!(here, part => part.spill(path)))?;
        done.map_err(on_disk)
    }

    /// The spilled bytes of each group, and the traffic.
    fn away(&self, py: Python<'_>) -> PyResult<Away> {
        self.during(py, |here| {
            Ok(either!(here, part => Away::new(part.spilled_bytes(), part.traffic())))
        })
    }

    /// The maps for whose values no equation matched here, as for a process.
    fn normal_forms(&self, py: Python<'_>) -> PyResult<Returned<Vec<(u32, Batch)>>> {
        self.during(py, |here| {
            let forms = here.process().data.normal_forms.iter();
            Ok(forms.map(|(&symbol, text)| (symbol, text.clone())).collect())
        })
        .map(Returned)
    }
}

fn longs(py: Python<'_>, numbers: &[u64]) -> PyResult<Column> {
    column(py, numbers, |number| number.to_le_bytes())
}

fn words(py: Python<'_>, numbers: &[u32]) -> PyResult<Column> {
    column(py, numbers, |number| number.to_le_bytes())
}

fn column<T: Copy, const N: usize>(
    py: Python<'_>,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> PyResult<Column> {
    let column = PyBytes::new_with(py, numbers.len() * N, |column| {
        for (entry, &number) in column.as_chunks_mut::<N>().0.iter_mut().zip(numbers) {
            *entry = bytes(number);
        }
        Ok(())
    })?;
    Ok(column.unbind())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Partition>()
}
