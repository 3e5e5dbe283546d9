//! A partition of orbits as Python drives it, in a thread of its own.

use crate::bindings::data::{EvaluationError, malformed};
use crate::bindings::in_thread::{InThread, Kept};
use crate::bindings::partition::shown as as_bytes;
use crate::bindings::process::orbits::{Options, Shown, Symmetry, numbered, shown, strategy_name};
use crate::bindings::process::{Process, stopped};
use crate::group::permutation::Permutation;
use crate::lpe::goals::Wanted;
use crate::lpe::process::Process as EngineProcess;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::group_on_process::Action;
use crate::orbit_exploration::lifting::symmetry::Symmetry as EngineSymmetry;
use crate::orbit_exploration::witness::Witness;
use crate::partition::orbits::orbit_part::{Options as PartOptions, OrbitPart};
use crate::partition::orbits::partner::Failure;
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

type Batch = Py<PyBytes>;
/// Orbits, those that are not expanded, steps, a summand with too many values, and bytes.
type Progress = (usize, usize, u64, Option<usize>, usize);
/// Orbits, steps, states, transitions, deadlocks and bytes.
type Counts = (usize, u64, BigUint, BigUint, BigUint, usize);
/// A summand that is to be bound, situations that were compared, seconds, and what was sampled.
type Proven = (Option<u32>, usize, f64, usize);

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

/// Why there is no result.
enum Ended {
    Unreadable,
    Stop(Stop),
    /// Which generator is no symmetry, and why.
    Witness(Box<(usize, Shown)>),
    /// Values that have to be points, as bytes, and what each generator does to them: all partitions
    /// have to know of them.
    Points(Vec<Vec<u8>>, Vec<Vec<u32>>),
}

impl Ended {
    fn of(process: &EngineProcess, stop: Stop) -> Self {
        let unfit = match stop {
            Stop::Unfit(unfit) => *unfit,
            stop => return Self::Stop(stop),
        };
        match unfit.told(&process.data) {
            Ok((which, witness)) => Self::Witness(Box::new((which, shown(process, witness)))),
            Err((members, images)) => {
                let bytes = |&member: &u32| {
                    let mut bytes = Vec::new();
                    process.data.terms.to_bytes(member, &mut bytes);
                    bytes
                };
                let images = images.iter().map(|image| image.to_vec()).collect();
                Self::Points(members.iter().map(bytes).collect(), images)
            }
        }
    }

    fn error(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Unreadable => malformed("another partition sent what is no batch".into()),
            Self::Stop(stop) => stopped(stop),
            Self::Witness(witness) => match numbered(py, Some(&witness)) {
                Ok(witness) => Unfitting::new_err((witness.map(Bound::unbind), None::<RawPoints>)),
                Err(error) => error,
            },
            Self::Points(members, images) => {
                let shown = |one: &Vec<u8>| PyBytes::new(py, one).unbind();
                let members: Vec<_> = members.iter().map(shown).collect();
                Unfitting::new_err((None::<Py<PyAny>>, Some((members, images))))
            }
        }
    }
}

/// Values as bytes, and what each generator does to them.
type RawPoints = (Vec<Batch>, Vec<Vec<u32>>);

pyo3::create_exception!(
    _engine,
    Unfitting,
    pyo3::exceptions::PyException,
    "Values that maps move do not fit the group: a witness, or values that have to be points."
);

fn told(part: &mut OrbitPart<'_>, witness: Option<(usize, Witness)>) -> Option<(usize, Shown)> {
    witness.map(|(which, witness)| (which, shown(part.process(), witness)))
}

#[pymethods]
impl OrbitPartition {
    /// Partition `index` of so many. The tests of the summands that are `bound` are not looked at;
    /// `points` are values that turned out to be points, and what generators do to them.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        process: Py<Process>,
        symmetry: &Bound<'_, Symmetry>,
        options: &Bound<'_, Options>,
        index: usize,
        partitions: usize,
        bound: Vec<u32>,
        points: Vec<(Vec<PyBackedBytes>, Vec<Vec<u32>>)>,
    ) -> PyResult<Self> {
        if index >= partitions {
            return Err(PyValueError::new_err("there is no such partition"));
        }
        let nothing = Wanted { deadlocks: false, actions: false, enough: None };
        let exploring = options.get().with(symmetry.get(), false, nothing);
        let (stop, made, action);
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
            let EngineSymmetry { carrier, names, generators } = &made;
            let found = Action::new(process.parameters, carrier, names, generators);
            action = found
                .map_err(|error| EvaluationError::new_err((error.to_string(), None::<usize>)))?;
            stop = Arc::clone(&process.data.stop);
        }
        let options = PartOptions { index, partitions, exploring, bound };
        let order = action.group.order();
        let (sender, receiver) = channel();
        let thread = InThread::<Orbits>::begin(stop, move |jobs| {
            let EngineSymmetry { carrier, mut generators, .. } = made;
            let mut process = process.get().0.lock().expect("no panic while locked");
            let made = OrbitPart::new(&mut process, &carrier, &mut generators, &action, options);
            let mut part = match made {
                Ok(part) => part,
                Err(stop) => {
                    let _ = sender.send(Err(Ended::of(&process, stop)));
                    return;
                }
            };
            let refused = part.refused.take();
            let refused = told(&mut part, refused);
            let _ = sender.send(Ok((part.strategy, refused)));
            for job in jobs {
                job(&mut part);
                part.process().data.go_on();
            }
        })?;
        let begun = py.detach(|| {
            let receiver = receiver; // not shared, but moved
            receiver.recv()
        });
        let begun = begun.map_err(|_| malformed("a partition did not begin".into()))?;
        let (strategy, refused) = begun.map_err(|ended| ended.error(py))?;
        Ok(Self { thread, order, strategy: strategy_name(strategy), refused })
    }

    #[getter]
    fn refused<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        numbered(py, self.refused.as_ref())
    }

    /// Takes a batch of every partition, and expands orbits until they have about so many steps, or
    /// that takes so many seconds. Returns how far it came, and a batch for every partition.
    fn explore(
        &self,
        py: Python<'_>,
        batches: Vec<PyBackedBytes>,
        steps: usize,
        time: f64,
    ) -> PyResult<(Progress, Vec<Batch>)> {
        let time = Duration::from_secs_f64(time);
        let found = self.thread.during(py, move |part| {
            part.explore(&batches, steps, time).map_err(|failure| match failure {
                Failure::Unreadable => Ended::Unreadable,
                Failure::Stop(stop) => Ended::of(part.process(), stop),
            })
        })?;
        let (found, batches) = found.map_err(|ended| ended.error(py))?;
        let progress = (found.orbits, found.left, found.steps, found.values, found.store);
        Ok((progress, as_bytes(py, batches)))
    }

    /// Proves the symmetry on what was met here: how much was compared; which generator is none and
    /// why; which was proven to be one and is none, and why.
    #[allow(clippy::type_complexity)]
    fn prove<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Proven, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>)> {
        let proven = self.thread.during(py, |part| {
            let mut proven = part.prove().map_err(|stop| Ended::of(part.process(), stop))?;
            let (witness, defect) = (proven.witness.take(), proven.defect.take());
            Ok((told(part, witness), told(part, defect), proven))
        })?;
        let (witness, defect, proven) = proven.map_err(|ended: Ended| ended.error(py))?;
        let numbers = (proven.unknown, proven.checked, proven.time.as_secs_f64(), proven.sampled);
        Ok((numbers, numbered(py, witness.as_ref())?, numbered(py, defect.as_ref())?))
    }

    /// The numbers of what was expanded here.
    fn counts(&self, py: Python<'_>) -> PyResult<Counts> {
        let counts = self.thread.during(py, |part| part.counts())?;
        let (states, transitions) = (counts.states, counts.transitions);
        Ok((counts.orbits, counts.steps, states, transitions, counts.deadlocks, counts.store))
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
