//! A partition of orbits as Python drives it, in a thread of its own.

use crate::base::ids::Label;
use crate::base::put_away::{InGroups, Traffic};
use crate::bindings::data::{EvaluationError, malformed};
use crate::bindings::in_thread::{InThread, Kept};
use crate::bindings::interrupts::detached;
use crate::bindings::orbit_failures::{Ended, Unfitting};
use crate::bindings::partition::{longs, on_disk, shown as as_bytes, words};
use crate::bindings::process::Process;
use crate::bindings::process::account::strategy_name;
use crate::bindings::process::orbits::Symmetry;
use crate::bindings::process::settings::{Goals, Settings};
use crate::bindings::process::witness::{Shown, numbered, shown};
use crate::group::permutation::Permutation;
use crate::orbit_exploration::lifting::symmetry::Symmetry as EngineSymmetry;
use crate::orbit_exploration::statistics::{Account, Broken};
use crate::orbit_exploration::symmetric_process::begin;
use crate::partition::Key;
use crate::partition::orbits::orbit_part::{Counts, Options as PartOptions, OrbitPart};
use crate::partition::orbits::partner::Failure;
use crate::partition::orbits::result::OwnOrbits;
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;

type Batch = Py<PyBytes>;
/// A label as the partition numbers it, its text, and its first step.
type Told = (u32, Batch, Key);
/// Where the steps end that were found, and of which summand there were too many.
type Short = Option<(Key, usize)>;
/// Steps, states, transitions and deadlocks.
type RawCounts = (u64, BigUint, BigUint, BigUint);
/// Numbers of orbits, those of their stabilisers, the generators of each stabiliser, and elements.
type RawOrbits = (Batch, Batch, Vec<Vec<Vec<u32>>>, Vec<Vec<u32>>);
/// A summand that is to be bound, situations that were compared, seconds, and what was sampled.
type Proven = (Option<u32>, usize, f64, usize);

/// What all partitions are asked for: `rows` says whether transitions are made. The tests of the
/// summands that are `bound` are not looked at; `points` are values that turned out to be points, and
/// what generators do to them.
#[derive(FromPyObject)]
struct RawJob {
    partitions: usize,
    rows: bool,
    bound: Vec<u32>,
    points: Vec<(Vec<PyBackedBytes>, Vec<Vec<u32>>)>,
}

/// A partition of the orbits of a process under a group.
#[pyclass(frozen, module = "lts._engine")]
pub struct OrbitPartition {
    thread: InThread<Orbits>,
    #[pyo3(get)]
    order: BigUint,
    #[pyo3(get)]
    strategy: &'static str,
    /// Which generator is no symmetry, as the text shows, and why.
    refused: Option<(usize, Shown)>,
}

/// What its thread has.
struct Orbits;

impl Kept for Orbits {
    type Here<'a> = OrbitPart<'a>;
}

fn told(part: &mut OrbitPart<'_>, broken: Option<(usize, Broken)>) -> Option<(usize, Shown)> {
    let (which, Broken::Process(witness)) = broken? else { return None };
    Some((which, shown(part.process(), witness)))
}

impl OrbitPartition {
    /// The result of work, or what stopped it.
    fn during<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut OrbitPart<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let found = self.thread.during(py, |part| {
            work(part).map_err(|failure| Ended::from(part.process(), failure))
        })?;
        found.map_err(|ended| ended.error(py))
    }
}

#[pymethods]
impl OrbitPartition {
    /// The partition that a job says, under a symmetry of the process.
    #[new]
    fn new(
        py: Python<'_>,
        process: Py<Process>,
        symmetry: &Bound<'_, Symmetry>,
        settings: Settings,
        index: usize,
        job: RawJob,
    ) -> PyResult<Self> {
        let RawJob { partitions, rows, bound, points } = job;
        if index >= partitions {
            return Err(PyValueError::new_err("there is no such partition"));
        }
        let exploring = settings.under(&symmetry.get().proven, rows, &Goals::default())?;
        let (stop, mut made, action, account);
        {
            let mut process = process.get().0.lock().expect("no panic while locked");
            if bound.iter().any(|&summand| summand as usize >= process.summands.len()) {
                return Err(PyValueError::new_err("there is no such summand"));
            }
            let mut wider = symmetry.get().of(&mut process)?;
            for (members, images) in points {
                let terms = &mut process.data.terms;
                let members: Option<Vec<u32>> =
                    members.iter().map(|bytes| terms.from_bytes(bytes)).collect();
                let members = members.ok_or_else(|| malformed("these are no values".into()))?;
                let images: Vec<Permutation> = images.into_iter().map(Into::into).collect();
                wider = wider
                    .with_points(&process.data, &members, &images)
                    .map_err(|message| EvaluationError::new_err((message, None::<usize>)))?;
            }
            made = wider;
            let found = begin(&mut process, &mut made, &exploring);
            (action, account) = found.map_err(|stop| Ended::of(&process, stop).error(py))?;
            stop = Arc::clone(&process.data.stop);
        }
        let options = PartOptions { index, partitions, exploring, bound };
        let (order, strategy) = (account.order, account.strategy);
        let refused = account.broken;
        let is_refused = refused.is_some();
        let (sender, receiver) = channel();
        let thread = InThread::<Orbits>::begin(stop, move |jobs| {
            let EngineSymmetry { carrier, mut generators, .. } = made;
            let mut process = process.get().0.lock().expect("no panic while locked");
            let acting = (&carrier, &mut generators[..]);
            let made = OrbitPart::new(&mut process, acting, &action, &options, is_refused);
            let mut part = match made {
                Ok(part) => part,
                Err(stop) => {
                    let _ = sender.send(Err(Ended::of(&process, stop)));
                    return;
                }
            };
            let refused = told(&mut part, refused);
            let _ = sender.send(Ok(refused));
            for job in jobs {
                job(&mut part);
                part.process().data.go_on();
            }
        })?;
        let begun = detached(py, || {
            let receiver = receiver; // not shared, but moved
            receiver.recv()
        })?;
        let begun = begun.map_err(|_| malformed("a partition did not begin".into()))?;
        let refused = begun.map_err(|ended| ended.error(py))?;
        Ok(Self { thread, order, strategy: strategy_name(strategy), refused })
    }

    #[getter]
    fn refused<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        numbered(py, self.refused.as_ref())
    }

    /// Looks at the orbits that are left below `until`. Returns labels that are new here, a summand with
    /// too many values, and a batch for every partition.
    #[allow(clippy::type_complexity)]
    fn expand(&self, py: Python<'_>, until: u64) -> PyResult<(Vec<Told>, Short, Vec<Batch>)> {
        let (expanded, texts, batches) = self.during(py, move |part| {
            let (expanded, batches) = part.expand(until)?;
            let labels = &part.process().labels.labels;
            let texts = expanded.labels.iter().map(|&(text, _)| labels.get(Label(text)).to_vec());
            let texts: Vec<_> = texts.collect();
            Ok((expanded, texts, batches))
        })?;
        let told = expanded.labels.into_iter().zip(texts);
        let told = told.map(|((text, key), shown)| (text, PyBytes::new(py, &shown).unbind(), key));
        Ok((told.collect(), expanded.short, as_bytes(py, batches)))
    }

    /// Takes what others met; returns keys of what is new, for every partition. The orbits of the level
    /// are those from `start` to below `end`.
    fn receive(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        start: u64,
        end: u64,
    ) -> PyResult<Vec<Batch>> {
        Ok(as_bytes(py, self.during(py, move |part| part.receive(&batches, start..end))?))
    }

    /// Takes keys; returns how many there are, and ranks for every partition.
    fn rank(&self, py: Python<'_>, batches: Vec<PyBackedBytes>) -> PyResult<(u64, Vec<Batch>)> {
        let (count, batches) = self.during(py, move |part| part.rank(&batches))?;
        Ok((count, as_bytes(py, batches)))
    }

    /// The key that has this rank here, if there is one.
    fn ranked(&self, py: Python<'_>, rank: usize) -> PyResult<Option<Key>> {
        self.thread.during(py, move |part| part.ranked(rank))
    }

    /// Takes ranks; returns the number of orbits that are ours, and, where rows are made, answers for
    /// every partition. `firsts` has for every partition the number of the first orbit that it ranks;
    /// what is met at `cut` or later is left out.
    #[pyo3(signature = (batches, firsts, cut))]
    fn number(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        firsts: Vec<u64>,
        cut: Option<Key>,
    ) -> PyResult<(usize, Vec<Batch>)> {
        let found = self.during(py, move |part| part.number(&batches, &firsts, cut))?;
        Ok((found.0, as_bytes(py, found.1)))
    }

    /// Takes answers, and ends the level; `labels` are pairs of our numbers and those of the system.
    /// Returns what was counted.
    #[pyo3(signature = (batches, labels, cut))]
    fn settle(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        labels: Vec<(u32, u32)>,
        cut: Option<Key>,
    ) -> PyResult<RawCounts> {
        let found = self.during(py, move |part| part.settle(&batches, &labels, cut))?;
        let Counts { steps, states, transitions, deadlocks } = found;
        Ok((steps, states, transitions, deadlocks))
    }

    /// What came since the last checkpoint, once a level is complete.
    fn save(&self, py: Python<'_>) -> PyResult<Batch> {
        let checkpoint = self.thread.during(py, |part| part.save())?;
        Ok(PyBytes::new(py, &checkpoint).unbind())
    }

    /// Takes a checkpoint back, after those before it.
    fn load(&self, py: Python<'_>, checkpoint: PyBackedBytes) -> PyResult<()> {
        self.during(py, move |part| part.load(&checkpoint))
    }

    /// Goes on with the level that begins with orbit `start`.
    fn resume(&self, py: Python<'_>, start: u64) -> PyResult<()> {
        self.during(py, move |part| part.resume(start))
    }

    /// The rows that were made and not taken: columns of sources, targets, labels and shifts. Shifts
    /// are numbered by the checkpoint after which they are taken.
    fn take(&self, py: Python<'_>) -> PyResult<[Batch; 4]> {
        let rows = self.thread.during(py, |part| std::mem::take(&mut part.rows))?;
        let (label, shift) = (words(py, &rows.label)?, words(py, &rows.shift)?);
        Ok([longs(py, &rows.source)?, longs(py, &rows.target)?, label, shift])
    }

    /// The orbits that are ours.
    fn orbits(&self, py: Python<'_>) -> PyResult<RawOrbits> {
        let found = self.during(py, |part| part.own_orbits())?;
        let OwnOrbits { numbers, stabilisers, groups, elements } = found;
        let list = |group: Vec<Permutation>| group.iter().map(|one| one.to_vec()).collect();
        Ok((
            longs(py, &numbers)?,
            words(py, &stabilisers)?,
            groups.into_iter().map(list).collect(),
            elements.iter().map(|element| element.to_vec()).collect(),
        ))
    }

    /// The texts of labels, closed under the generators, and what each of these does to them; or which
    /// generator is none, and why.
    #[allow(clippy::type_complexity)]
    fn labels<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Vec<Batch>, Vec<Vec<u32>>, Option<Bound<'py, PyAny>>)> {
        let found = self.during(py, |part| {
            let found = part.labels().map_err(Failure::from)?;
            Ok(found.map_err(|(which, witness)| Some((which, shown(part.process(), witness)))))
        })?;
        match found {
            Ok((texts, images)) => {
                let texts = texts.iter().map(|text| PyBytes::new(py, text).unbind()).collect();
                Ok((texts, images.iter().map(|image| image.to_vec()).collect(), None))
            }
            Err(witness) => Ok((Vec::new(), Vec::new(), numbered(py, witness.as_ref())?)),
        }
    }

    /// What the points of the group are called, and what the generators do to them.
    fn points(&self, py: Python<'_>) -> PyResult<(Vec<String>, Vec<Vec<u32>>)> {
        self.thread.during(py, |part| {
            let (names, generators) = part.points();
            (names.to_vec(), generators.iter().map(|own| own.to_vec()).collect())
        })
    }

    /// Bytes of the orbits.
    fn bytes(&self, py: Python<'_>) -> PyResult<usize> {
        self.thread.during(py, |part| part.bytes())
    }

    /// Frees the memory of the orbits, which are in a file at this place until they are wanted.
    fn put_away(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.thread.during(py, move |part| part.put_away(path))?.map_err(on_disk)
    }

    /// Bytes of each group that are put away, bytes that were put away and were taken back up to now,
    /// and seconds for that.
    fn away(&self, py: Python<'_>) -> PyResult<(Vec<u64>, u64, u64, f64)> {
        let (groups, Traffic { written, read, time }) =
            self.thread.during(py, |part| (part.bytes_away(), part.traffic()))?;
        Ok((groups, written, read, time.as_secs_f64()))
    }

    /// Proves the symmetry on what was met here: how much was compared; which generator is none and
    /// why; which was proven to be one and is none, and why.
    #[allow(clippy::type_complexity)]
    fn prove<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Proven, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>)> {
        let (witness, defect, numbers) = self.during(py, |part| {
            let account = match part.prove()? {
                Ok(account) => account,
                Err(summand) => return Ok((None, None, (Some(summand), 0, 0.0, 0))),
            };
            let Account { checked, proving, sampled, broken, defect, .. } = account;
            let defect = defect.map(|(which, witness)| (which, Broken::Process(witness)));
            let numbers = (None, checked, proving.as_secs_f64(), sampled);
            Ok((told(part, broken), told(part, defect), numbers))
        })?;
        Ok((numbers, numbered(py, witness.as_ref())?, numbered(py, defect.as_ref())?))
    }

    /// The maps of values met here that no equation fits, as those of a process.
    fn normal_forms(&self, py: Python<'_>) -> PyResult<Vec<(u32, Batch)>> {
        let found = self.thread.during(py, |part| {
            let found = part.process().data.normal_forms.iter();
            found.map(|(&symbol, text)| (symbol, text.clone())).collect::<Vec<_>>()
        })?;
        Ok(found.into_iter().map(|(s, text)| (s, PyBytes::new(py, &text).unbind())).collect())
    }

    /// Has what is under way end soon.
    fn interrupt(&self) {
        self.thread.interrupt();
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Unfitting", module.py().get_type::<Unfitting>())?;
    module.add_class::<OrbitPartition>()
}
