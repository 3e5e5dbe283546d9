//! The data of a partition's thread, of states or of orbits; how a partition of orbits begins, and
//! the result of its proof.

use crate::base::lock::Locked;
use crate::bindings::data::{EvaluationError, malformed};
use crate::bindings::in_thread::{InThread, Owned};
use crate::bindings::partition_errors::Ended;
use crate::bindings::process::Process;
use crate::bindings::process::group_statistics::strategy_name;
use crate::bindings::process::orbits::Symmetry;
use crate::bindings::process::settings::{Goals, Settings};
use crate::bindings::process::witness::{Shown, shown};
use crate::bindings::work::{direct, run};
use crate::group::permutation::Permutation;
use crate::orbits::statistics::{Broken, GroupStatistics};
use crate::orbits::symmetric_process;
use crate::partition::generation::Partition as EnginePartition;
use crate::partition::orbits::orbit_part::{OrbitPart, OrbitPartOptions};
use crate::partition::supersteps::Failure;
use crate::process::linear::Process as EngineProcess;
use crate::symmetry_of_process::lifting::symmetry::Symmetry as EngineSymmetry;
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::sync::mpsc::channel;

/// The data of the thread: a partition of states or of orbits.
pub(super) struct Member;

impl Owned for Member {
    type Here<'a> = Here<'a>;
}

pub(super) enum Here<'a> {
    States(Box<EnginePartition<'a>>),
    Orbits(Box<OrbitPart<'a>>),
}

/// Evaluates an expression for either kind of partition.
macro_rules! either {
    ($here:expr, $part:ident => $work:expr) => {
        match $here {
            Here::States($part) => $work,
            Here::Orbits($part) => $work,
        }
    };
}

pub(super) use either;

impl<'a> Here<'a> {
    pub fn process(&mut self) -> &mut EngineProcess {
        either!(self, part => part.process())
    }

    pub fn states(&mut self) -> Result<&mut EnginePartition<'a>, Failure> {
        match self {
            Self::States(part) => Ok(part),
            Self::Orbits(_) => Err(Failure::Unreadable),
        }
    }

    pub fn orbits(&mut self) -> Result<&mut OrbitPart<'a>, Failure> {
        match self {
            Self::Orbits(part) => Ok(part),
            Self::States(_) => Err(Failure::Unreadable),
        }
    }
}

/// The options for all partitions: `with_quotient` says whether the quotient is stored. The
/// summands in `bound` have no tests; `points` are values that turned out to be points, with each
/// generator's permutation of them.
#[derive(FromPyObject)]
pub(super) struct OrbitJob {
    partitions: usize,
    with_quotient: bool,
    bound: Vec<u32>,
    points: Vec<(Vec<PyBackedBytes>, Vec<Vec<u32>>)>,
}

/// What is known before the exploration.
#[derive(Clone, IntoPyObject)]
pub(super) struct Begun {
    pub order: BigUint,
    pub strategy: &'static str,
    /// A generator that the specification shows not to be a symmetry, and the reason.
    pub refused: Option<(usize, Shown)>,
}

/// The witness of a refuted symmetry, for Python.
fn witness(part: &mut OrbitPart<'_>, broken: Option<(usize, Broken)>) -> Option<(usize, Shown)> {
    let (which, Broken::Process(witness)) = broken? else { return None };
    Some((which, shown(part.process(), witness)))
}

/// Starts a thread with a partition of the orbits of a process.
pub(super) fn begin(
    py: Python<'_>,
    process: Py<Process>,
    symmetry: &Bound<'_, Symmetry>,
    settings: Settings,
    index: usize,
    job: OrbitJob,
) -> PyResult<(InThread<Member>, Begun)> {
    let OrbitJob { partitions, with_quotient, bound, points } = job;
    if index >= partitions {
        return Err(PyValueError::new_err("there is no such partition"));
    }
    let exploring = settings.under(&symmetry.get().proven, with_quotient, &Goals::default())?;
    let (owned, symmetry) = (&process, symmetry.get());
    let (made, action, statistics) = run(py, |cancel| {
        let mut process = owned.get().0.locked();
        if bound.iter().any(|&summand| summand as usize >= process.summands.len()) {
            return Err(PyValueError::new_err("there is no such summand"));
        }
        let mut made = symmetry.of(&mut process)?;
        for (members, images) in points {
            let terms = &mut process.data.terms;
            let members: Option<Vec<u32>> =
                members.iter().map(|bytes| terms.from_bytes(bytes)).collect();
            let members = members.ok_or_else(|| malformed("these are not values".into()))?;
            let images: Vec<Permutation> = images.into_iter().map(Into::into).collect();
            made = made
                .with_points(&process.data, &members, &images)
                .map_err(|message| EvaluationError::new_err((message, None::<usize>)))?;
        }
        let prepared = process
            .under(cancel, |process| symmetric_process::begin(process, &mut made, &exploring));
        let (action, statistics) = prepared.map_err(|stop| Ended::of(&process, stop).error())?;
        PyResult::Ok((made, action, statistics))
    })??;
    let options = OrbitPartOptions { index, partitions, exploring, bound };
    let (order, strategy) = (statistics.order, strategy_name(statistics.strategy));
    let refused = statistics.broken;
    let is_refused = refused.is_some();
    let (sender, receiver) = channel();
    let thread = InThread::<Member>::begin(move |jobs| {
        let EngineSymmetry { carrier, mut generators, .. } = made;
        let mut process = process.get().0.locked();
        let on_values = (&carrier, &mut generators[..]);
        let made = OrbitPart::new(&mut process, on_values, &action, &options, is_refused);
        let mut part = match made {
            Ok(part) => Box::new(part),
            Err(stop) => {
                let _ = sender.send(Err(Ended::of(&process, stop)));
                return;
            }
        };
        let refused = witness(&mut part, refused);
        let _ = sender.send(Ok(refused));
        let mut here = Here::Orbits(part);
        for job in jobs {
            job(&mut here);
        }
    })?;
    let begun = direct(py, || {
        let receiver = receiver; // moved, not shared
        receiver.recv()
    })?;
    let begun = begun.map_err(|_| malformed("a partition has not begun".into()))?;
    let refused = begun.map_err(|ended| ended.error())?;
    Ok((thread, Begun { order, strategy, refused }))
}

/// The result of a partition's proof: a summand that has to be `bound`; or the number of
/// comparisons and spot checks, and the time in seconds; a generator that is not a symmetry, and
/// the reason; a generator that was proven to be a symmetry and is not, and the reason.
#[derive(Default, IntoPyObject)]
pub(super) struct Proven {
    unknown: Option<u32>,
    checked: usize,
    time: f64,
    sampled: usize,
    witness: Option<(usize, Shown)>,
    defect: Option<(usize, Shown)>,
}

/// Converts the engine's result of a proof.
pub(super) fn proven(part: &mut OrbitPart<'_>, proof: Result<GroupStatistics, u32>) -> Proven {
    let statistics = match proof {
        Ok(statistics) => statistics,
        Err(summand) => return Proven { unknown: Some(summand), ..Proven::default() },
    };
    let GroupStatistics { checked, proving, sampled, broken, defect, .. } = statistics;
    let defect = defect.map(|(which, witness)| (which, Broken::Process(witness)));
    Proven {
        unknown: None,
        checked,
        time: proving.as_secs_f64(),
        sampled,
        witness: witness(part, broken),
        defect: witness(part, defect),
    }
}
