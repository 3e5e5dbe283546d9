//! Linear processes as Python passes them, and the generation of their states.

pub mod callbacks;
pub mod group_statistics;
pub mod network;
pub mod orbits;
pub mod refinement;
pub mod settings;
pub mod simulation;
pub mod statistics;
pub mod witness;

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::lock::Locked;
use crate::bindings::column::bytes;
use crate::bindings::data::{Code, EvaluationError, RawData, StepLimit, data, malformed};
use crate::bindings::lts::Lts;
use crate::bindings::process::callbacks::PythonCallbacks;
use crate::bindings::process::network::{RawVectors, network};
use crate::bindings::process::settings::{Goals, Settings};
use crate::bindings::process::statistics::Statistics;
use crate::bindings::work::{LimitPassed, run};
use crate::data::numbers::Number;
use crate::process::explore::{
    Exploration as EngineExploration, ExploreOptions, Incomplete, Output, generate,
};
use crate::process::goals::{Preimage, Trace};
use crate::process::linear::Process as EngineProcess;
use crate::process::linear::simultaneous::{Alternative, Simultaneous};
use crate::process::linear::stop::{MAX_CALLS, MAX_LABELS, Stop};
use crate::process::linear::summand::Summand;
use crate::process::type_check::Check;
use bytemuck::cast_slice;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rustc_hash::FxHashMap;
use std::sync::Mutex;

pyo3::create_exception!(
    _engine,
    LabelLimit,
    pyo3::exceptions::PyException,
    "The labels are too long: (bytes that they may take, number of the summand or None)."
);

pyo3::create_exception!(
    _engine,
    CallLimit,
    pyo3::exceptions::PyException,
    "Too many calls wait on a stack: (calls that may wait, number of the summand)."
);

pyo3::create_exception!(
    _engine,
    Unproven,
    pyo3::exceptions::PyException,
    "A result on orbits could not be replayed in the system itself."
);

/// A summand, with others of the same action that update the same parameters
/// (`lts/specification/codes.py`).
#[derive(FromPyObject)]
struct RawSummand {
    sorts: Vec<u32>,
    conditions: Vec<(Code, bool)>,
    equations: Vec<(Code, Code)>,
    action: Vec<u8>,
    arguments: Vec<Code>,
    updates: Vec<(u32, Code)>,
    also: Vec<RawSummand>,
}

/// A summand that takes part in steps of several processes: its number, and the names of its actions.
type RawPart = (usize, RawSummand, Vec<Vec<u8>>);

/// The summands of parallel processes that step at the same time, and the names that are admitted
/// together, unless all are.
#[derive(FromPyObject)]
struct RawSimultaneous {
    processes: Vec<Vec<RawPart>>,
    admitted: Option<Vec<Vec<Vec<u8>>>>,
}

fn decode_simultaneous(
    raw: &RawSimultaneous,
    actions: &mut Vec<Vec<u8>>,
    decode: &mut impl FnMut(&Code) -> PyResult<u32>,
) -> PyResult<Simultaneous> {
    let mut known: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
    let mut numbers = |names: &[Vec<u8>]| -> Vec<u32> {
        let number = |name: &Vec<u8>| {
            let next = u32::at(known.len());
            *known.entry(name.clone()).or_insert(next)
        };
        names.iter().map(number).collect()
    };
    let mut processes = Vec::with_capacity(raw.processes.len());
    for process in &raw.processes {
        let mut own = Vec::with_capacity(process.len());
        for (number, summand, names) in process {
            let decoded = decode_summand(summand, actions, decode)?;
            own.push(Alternative::new(*number, decoded, &summand.action, numbers(names)));
        }
        processes.push(own);
    }
    let admitted = raw.admitted.as_ref();
    let admitted = admitted.map(|bags| bags.iter().map(|names| numbers(names)).collect());
    Ok(Simultaneous::new(processes, admitted))
}

/// A linear process, with the tables of its local steps.
#[pyclass(frozen, module = "lts._engine")]
pub struct Process(pub Mutex<EngineProcess>);

impl From<Stop> for PyErr {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Evaluation(message, summand) => EvaluationError::new_err((message, summand)),
            Stop::Steps(message, summand) => StepLimit::new_err((message, summand)),
            Stop::Labels(summand) => LabelLimit::new_err((MAX_LABELS, summand)),
            Stop::Calls(summand) => CallLimit::new_err((MAX_CALLS, summand)),
            Stop::Unproven => Unproven::new_err(()),
            Stop::Unfit(_) => unreachable!("it begins again, or has a witness"),
            Stop::Stopped(why) => why.into(),
        }
    }
}

fn decode_summand(
    raw: &RawSummand,
    actions: &mut Vec<Vec<u8>>,
    decode: &mut impl FnMut(&Code) -> PyResult<u32>,
) -> PyResult<Summand> {
    let RawSummand { sorts, conditions, equations, action, arguments, updates, .. } = raw;
    let number = actions.iter().position(|known| known == action).unwrap_or_else(|| {
        actions.push(action.clone());
        actions.len() - 1
    });
    Ok(Summand {
        sorts: sorts.clone(),
        conditions: conditions
            .iter()
            .map(|(condition, value)| Ok((decode(condition)?, *value)))
            .collect::<PyResult<_>>()?,
        equations: equations
            .iter()
            .map(|(left, right)| Ok((decode(left)?, decode(right)?)))
            .collect::<PyResult<_>>()?,
        action: u32::at(number),
        arguments: arguments.iter().map(&mut *decode).collect::<PyResult<_>>()?,
        updates: updates
            .iter()
            .map(|(parameter, term)| Ok((*parameter, decode(term)?)))
            .collect::<PyResult<_>>()?,
        reads: Vec::new(),
        also: Vec::new(),
        together: None,
        is_simultaneous: false,
        decides: false,
    })
}

#[pymethods]
impl Process {
    /// A process. `decisions` are summands whose only argument is a condition that has to be
    /// decided whenever their own conditions hold.
    #[new]
    #[pyo3(signature = (data, initial, summands, decisions, simultaneous=None))]
    fn new(
        py: Python<'_>,
        data: RawData,
        initial: Vec<Code>,
        summands: Vec<RawSummand>,
        decisions: Vec<RawSummand>,
        simultaneous: Option<RawSimultaneous>,
    ) -> PyResult<Self> {
        let mut data = self::data(py, data)?;
        let terms = &mut data.terms;
        let mut decode = |code: &Code| terms.decode(code).map_err(malformed);
        let initial = initial.iter().map(&mut decode).collect::<PyResult<Vec<_>>>()?;
        let mut actions: Vec<Vec<u8>> = Vec::new();
        let mut decoded = Vec::new();
        for own in summands {
            let mut summand = decode_summand(&own, &mut actions, &mut decode)?;
            for other in &own.also {
                let other = decode_summand(other, &mut actions, &mut decode)?;
                let written = |summand: &Summand| -> Vec<u32> {
                    summand.updates.iter().map(|&(parameter, _)| parameter).collect()
                };
                if other.action != summand.action || written(&other) != written(&summand) {
                    return Err(PyValueError::new_err(
                        "alternatives of a summand with different actions or parameters",
                    ));
                }
                summand.also.push(other);
            }
            decoded.push(summand);
        }
        for decision_code in &decisions {
            if decision_code.arguments.len() != 1 {
                return Err(PyValueError::new_err("one condition is expected"));
            }
            let decision = decode_summand(decision_code, &mut actions, &mut decode)?;
            decoded.push(Summand { decides: true, ..decision });
        }
        let simultaneous = simultaneous
            .map(|raw| decode_simultaneous(&raw, &mut actions, &mut decode))
            .transpose()?;
        let mut process = EngineProcess::new(data, initial, actions, decoded)?;
        if let Some(simultaneous) = simultaneous {
            process.add_simultaneous(simultaneous);
        }
        Ok(Self(Mutex::new(process)))
    }

    /// The process of a network: components, the resulting labels, and vectors grouped by the
    /// components that take part. With names for the components, states and labels are constants on
    /// which a group can act.
    #[staticmethod]
    #[pyo3(signature = (components, labels, groups, names=None))]
    fn network(
        components: Vec<PyRef<'_, Lts>>,
        labels: Vec<Vec<u8>>,
        groups: Vec<RawVectors>,
        names: Option<Vec<Vec<u8>>>,
    ) -> PyResult<Self> {
        Ok(Self(Mutex::new(network(&components, labels, groups, names)?)))
    }

    /// Declares parameters to be call stacks, whose depth is bounded.
    fn bound_calls(&self, stacks: Vec<u32>) {
        self.0.locked().stacks = stacks;
    }

    /// From now on checks that every value is built from constructors and has its declared sort;
    /// only the symbols `unset` may be the whole value of a parameter.
    fn check_values(&self, unset: Vec<u32>) -> PyResult<()> {
        let mut process = self.0.locked();
        let inner = &mut *process;
        let check = Check::new(&mut inner.data, unset, &inner.initial)
            .map_err(|message| EvaluationError::new_err((message, None::<usize>)))?;
        inner.check = Some(check);
        Ok(())
    }

    /// The maps for whose values no equation matched so far: their symbols, and for each the
    /// shortest such application.
    fn normal_forms(&self) -> Vec<(u32, Vec<u8>)> {
        let process = self.0.locked();
        process.data.normal_forms.iter().map(|(&symbol, text)| (symbol, text.clone())).collect()
    }

    /// The labels of the local steps found so far.
    fn labels(&self) -> Vec<Vec<u8>> {
        let process = self.0.locked();
        process.labels.labels.iter().map(<[u8]>::to_vec).collect()
    }

    /// Whether the local steps found so far have this label.
    fn has_label(&self, label: &[u8]) -> bool {
        self.0.locked().labels.labels.find(label).is_some()
    }

    /// The number of labels of the local steps found so far.
    fn label_count(&self) -> usize {
        self.0.locked().labels.labels.len()
    }

    /// The names of the actions, and the terms of labels found so far: see
    /// `lts.specification.label_terms`.
    fn label_terms<'py>(
        &self,
        py: Python<'py>,
        labels: Vec<Vec<u8>>,
    ) -> PyResult<RawLabelTerms<'py>> {
        let process = self.0.locked();
        let EngineProcess { data, labels: keys, .. } = &*process;
        let terms = run(py, |cancel| keys.structure(data, &labels, cancel))??;
        let column = |column: &[u32]| bytes(py, cast_slice(column));
        let arrays = (column(&terms.keys)?, column(&terms.nodes)?);
        Ok((process.actions.clone(), arrays.0, arrays.1, terms.numerals))
    }

    /// The largest number so far in a sort of numbers, which is given by its index; None if it
    /// exceeds 64 bits or there is none.
    fn largest_number(&self, which: u32) -> Option<i64> {
        match self.0.locked().data.terms.largest_number(which) {
            Some(&Number::Small(number)) => Some(number),
            _ => None,
        }
    }

    /// Explores the states; raises exceptions of callbacks.
    fn generate(
        &self,
        py: Python<'_>,
        settings: Settings,
        goals: Goals,
        columns: bool,
        write: Option<Py<PyAny>>,
        hidden: Vec<Vec<u8>>,
    ) -> PyResult<Exploration> {
        let (limits, threads, query) = (settings.limits(), settings.threads(), goals.query());
        let output = match (&write, columns) {
            (Some(_), _) => Output::Text,
            (None, true) => Output::Columns,
            (None, false) => Output::Nothing,
        };
        let options = ExploreOptions { limits, threads, output, hidden, query };
        let mut process = self.0.locked();
        let callbacks = PythonCallbacks { write, ..settings.callbacks(goals) };
        // The exploration checks the time limit itself.
        let cancel = Cancel::new(None, limits.memory);
        let is_partial = |exploration: &EngineExploration| exploration.incomplete.is_some();
        let exploration =
            callbacks.telling(py, &mut process, cancel, is_partial, |process, callbacks| {
                generate(process, &options, callbacks)
            })?;
        let (incomplete, limit_summand) = limit_of(exploration.incomplete);
        Ok(Exploration {
            statistics: Py::new(py, Statistics::from(&exploration.statistics))?,
            lts: exploration.lts.map(|lts| Py::new(py, Lts(lts))).transpose()?,
            incomplete,
            limit_summand,
            traces: traces_shown(exploration.traces),
        })
    }
}

/// Names of actions, keys of labels, nodes and numerals, as in `LabelTerms`.
type RawLabelTerms<'py> =
    (Vec<Vec<u8>>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Vec<(u32, String)>);

/// The name of the limit that made an exploration incomplete, and the summand that it is about.
pub(crate) fn limit_of(incomplete: Option<Incomplete>) -> (Option<&'static str>, Option<usize>) {
    let Some(incomplete) = incomplete else { return (None, None) };
    match incomplete {
        Incomplete::States => (Some("states"), None),
        Incomplete::Values(summand) => (Some("values"), Some(summand)),
        Incomplete::Labels(summand) => (Some("labels"), summand),
        Incomplete::Calls(summand) => (Some("calls"), Some(summand)),
        Incomplete::Memory => (Some("memory"), None),
        Incomplete::Time => (Some("time"), None),
        Incomplete::Interrupted => (Some("interrupted"), None),
        Incomplete::Enough => (Some("found"), None),
    }
}

/// The label of a representative's step, and the element that maps it to the step of a run.
pub(crate) type ShownPreimage = (Vec<u8>, Vec<u32>);

pub(crate) fn preimage_shown(preimage: Preimage) -> ShownPreimage {
    (preimage.label, preimage.element.into())
}

/// Whether a trace leads to a deadlock, its steps (label and choice), and their preimages.
pub(crate) type ShownTrace = (bool, Vec<(Vec<u8>, u32)>, Vec<ShownPreimage>);

pub(crate) fn traces_shown(traces: Vec<Trace>) -> Vec<ShownTrace> {
    let shown = |trace: Trace| {
        let preimages = trace.preimages.into_iter().map(preimage_shown).collect();
        (trace.deadlock, trace.steps, preimages)
    };
    traces.into_iter().map(shown).collect()
}

/// The result of a generation.
#[pyclass(frozen, get_all, module = "lts._engine")]
pub struct Exploration {
    statistics: Py<Statistics>,
    lts: Option<Py<Lts>>,
    incomplete: Option<&'static str>,
    limit_summand: Option<usize>,
    traces: Vec<ShownTrace>,
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MAX_LABELS", MAX_LABELS)?;
    module.add("LabelLimit", module.py().get_type::<LabelLimit>())?;
    module.add("LimitPassed", module.py().get_type::<LimitPassed>())?;
    module.add("MAX_CALLS", MAX_CALLS)?;
    module.add("CallLimit", module.py().get_type::<CallLimit>())?;
    module.add("Unproven", module.py().get_type::<Unproven>())?;
    module.add_class::<Process>()?;
    module.add_class::<Exploration>()
}
