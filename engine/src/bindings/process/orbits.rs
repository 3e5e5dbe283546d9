//! Linear processes under a group of symmetries, and their quotients.

use crate::base::ids::Label;
use crate::base::parallel::THREADS;
use crate::bindings::data::{Code, EvaluationError, malformed};
use crate::bindings::interrupts::Allowed;
use crate::bindings::process::callbacks::PythonCallbacks;
use crate::bindings::process::{Process, ShownTrace, seconds, stopped, told, traces_shown};
use crate::bindings::symmetry::quotient::Quotient;
use crate::group::permutation::is_permutation;
use crate::lpe::explore::Limits;
use crate::lpe::goals::Wanted;
use crate::lpe::process::Process as EngineProcess;
use crate::orbit_exploration::canonical_state::Strategy;
use crate::orbit_exploration::lifting::carrier::Arrays;
use crate::orbit_exploration::lifting::symmetry::{Moves, Symmetry as EngineSymmetry};
use crate::orbit_exploration::refute::{Bounds, refute as engine_refute};
use crate::orbit_exploration::witness::Witness;
use crate::orbit_exploration::{Callbacks, Options as EngineOptions, label_permutations, reduce};
use crate::symmetry::annotated_quotient::Quotient as EngineQuotient;
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What a generator does to values, parameters and summands, and its maps: sort and symbol.
type RawGenerator = (Vec<u32>, Vec<u32>, Vec<u32>, Vec<(u32, u32)>);

/// Sort, get and set of arrays, contains and remove if they are partial, and whether they are
/// permuted by definition.
type RawArrays = (u32, u32, u32, Option<(u32, u32)>, bool);

/// The group that permutes `values`, called `names`, and the arrays that these index; and for every
/// summand whether the text proves that its steps and those of its images correspond.
#[pyclass(frozen, module = "lts._engine")]
pub struct Symmetry {
    values: Vec<Code>,
    names: Vec<String>,
    generators: Vec<RawGenerator>,
    arrays: Vec<RawArrays>,
    proven: Vec<bool>,
    first: Option<usize>,
}

#[pymethods]
impl Symmetry {
    /// With `first`, elements are written as what they do to so many of the values, if that will do.
    #[new]
    #[pyo3(signature = (values, names, generators, arrays, proven, first=None))]
    fn new(
        values: Vec<Code>,
        names: Vec<String>,
        generators: Vec<RawGenerator>,
        arrays: Vec<RawArrays>,
        proven: Vec<bool>,
        first: Option<usize>,
    ) -> Self {
        Self { values, names, generators, arrays, proven, first }
    }
}

impl Symmetry {
    /// What it does to a process.
    pub(crate) fn of(&self, process: &mut EngineProcess) -> PyResult<EngineSymmetry> {
        let terms = &mut process.data.terms;
        let values: PyResult<Vec<u32>> =
            self.values.iter().map(|code| terms.decode(code).map_err(malformed)).collect();
        let values = values?;
        let arrays = self.arrays.iter().map(|&(sort, get, set, partial, free)| {
            let index = terms.symbols[get as usize].arguments[1];
            let keys = values.iter().copied().filter(|&v| terms.sort(v) == index).collect();
            Arrays { sort, get, set, partial, free, keys }
        });
        let arrays = arrays.collect();
        let moves =
            self.generators.iter().cloned().map(|(values, positions, summands, maps)| Moves {
                values: values.into(),
                positions: positions.into(),
                summands: summands.into(),
                maps: maps.into(),
            });
        EngineSymmetry::new(values, self.names.clone(), arrays, moves.collect())
            .map_err(|message| EvaluationError::new_err((message, None::<usize>)))
    }
}

/// How an exploration under a group goes on: limits, representatives, threads.
#[pyclass(frozen, module = "lts._engine")]
pub struct Options {
    limits: Limits,
    strategy: Option<Strategy>,
    threads: usize,
    sample: usize,
    choices: u64,
}

#[pymethods]
impl Options {
    /// With `choices`, canonical images that take more of them are approximate, where that may be.
    #[new]
    #[pyo3(signature = (max_states, max_values, max_memory, timeout, strategy, threads, sample, choices=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        max_states: Option<usize>,
        max_values: usize,
        max_memory: Option<usize>,
        timeout: Option<f64>,
        strategy: Option<&str>,
        threads: usize,
        sample: usize,
        choices: Option<u64>,
    ) -> PyResult<Self> {
        let time = timeout.and_then(seconds);
        let limits = Limits { states: max_states, values: max_values, memory: max_memory, time };
        let strategy = strategy.map(strategy_called).transpose()?;
        let choices = choices.unwrap_or(u64::MAX);
        Ok(Self { limits, strategy, threads: threads.clamp(1, THREADS), sample, choices })
    }
}

impl Options {
    /// With what the engine is asked for besides.
    pub(crate) fn with(&self, symmetry: &Symmetry, rows: bool, wanted: Wanted) -> EngineOptions {
        EngineOptions {
            limits: self.limits,
            strategy: self.strategy,
            choices: self.choices,
            threads: self.threads,
            rows,
            certify: symmetry.proven.contains(&false),
            proven: symmetry.proven.clone(),
            sample: self.sample,
            wanted,
        }
    }
}

fn strategy_called(name: &str) -> PyResult<Strategy> {
    match name {
        "enumerate" => Ok(Strategy::Enumerate),
        "refine" => Ok(Strategy::Refine),
        other => Err(PyValueError::new_err(format!("no strategy `{other}`"))),
    }
}

pub(crate) fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Enumerate => "enumerate",
        Strategy::Refine => "refine",
    }
}

/// The quotient of a process under a group, certified.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn quotient(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
    options: &Bound<'_, Options>,
    progress: Option<Py<PyAny>>,
    rows: bool,
    deadlocks: bool,
    is_wanted: Option<Py<PyAny>>,
    enough: Option<usize>,
) -> PyResult<Reduced> {
    let wanted = Wanted { deadlocks, actions: is_wanted.is_some(), enough };
    let options = options.get().with(symmetry.get(), rows, wanted);
    let mut process = process.get().0.lock().expect("no panic while locked");
    let first = symmetry.get().first;
    let symmetry = symmetry.get().of(&mut process)?;
    let callbacks = PythonCallbacks { progress, is_wanted, ..PythonCallbacks::default() };
    let allowed = Allowed::beyond(&options.limits);
    let reduced = callbacks.within(py, &mut process, allowed, |process, callbacks| {
        reduce(process, symmetry, &options, callbacks)
    });
    let reduced = reduced?.map_err(stopped)?;
    let (incomplete, limit_summand) = told(reduced.incomplete);
    let witness = reduced.witness.map(|(which, witness)| (which, shown(&process, witness)));
    let defect = reduced.defect.map(|(which, witness)| (which, shown(&process, witness)));
    let onto = |quotient: EngineQuotient| match first {
        Some(count) => quotient.onto(count).unwrap_or_else(|quotient| *quotient),
        None => quotient,
    };
    let quotient = reduced.quotient.map(|quotient| Py::new(py, Quotient(onto(quotient))));
    let statistics = reduced.statistics;
    Ok(Reduced {
        quotient: quotient.transpose()?,
        witness,
        defect,
        incomplete,
        limit_summand,
        traces: traces_shown(py, reduced.traces),
        deadlocks: statistics.deadlocks,
        order: reduced.order,
        strategy: strategy_name(reduced.strategy),
        orbits: statistics.orbits,
        representatives: statistics.representatives,
        approximate: statistics.approximate,
        steps: statistics.steps,
        states: statistics.states,
        transitions: statistics.transitions,
        store: statistics.store,
        checked: statistics.checked,
        proving: statistics.proving.as_secs_f64(),
        sampled: statistics.sampled,
    })
}

/// A trace, its image, and the number of the permutation.
type ShownRefutation = (usize, Vec<Py<PyBytes>>, Vec<Py<PyBytes>>);

/// A trace of a process whose image under one of the permutations is none, if there is one among the
/// first `most` pairs of states and sets of states.
#[pyfunction]
fn refute(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
    most: usize,
    max_values: usize,
) -> PyResult<Option<ShownRefutation>> {
    let mut process = process.get().0.lock().expect("no panic while locked");
    let mut symmetry = symmetry.get().of(&mut process)?;
    let bounds = Bounds { pairs: most, set: most.min(1024), values: max_values };
    let callbacks = PythonCallbacks::default();
    let found = callbacks.within(py, &mut process, Allowed::default(), |process, callbacks| {
        symmetry.settle(process, |process, symmetry| {
            for (which, generator) in symmetry.generators.iter_mut().enumerate() {
                let mut poll = || callbacks.poll(0, 0);
                if let Some(found) = engine_refute(process, generator, bounds, &mut poll)? {
                    return Ok(Some((which, found)));
                }
            }
            Ok(None)
        })
    });
    // What maps of the specification do not permute has no images to look for.
    let Ok(Some((which, found))) = found?.map_err(stopped)? else { return Ok(None) };
    let shown = |labels: Vec<Vec<u8>>| {
        labels.iter().map(|label| PyBytes::new(py, label).unbind()).collect()
    };
    Ok(Some((which, shown(found.trace), shown(found.image))))
}

/// The labels of all steps of a process that were computed, closed under the permutations, and what
/// each permutation does to them; none where a label has no image of its own.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn label_images(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
) -> PyResult<Option<(Vec<Py<PyBytes>>, Vec<Vec<u32>>)>> {
    let mut process = process.get().0.lock().expect("no panic while locked");
    let mut symmetry = symmetry.get().of(&mut process)?;
    let found = symmetry.settle(&mut process, |process, symmetry| {
        label_permutations(process, &mut symmetry.generators)
    });
    let Ok(Ok(images)) = found.map_err(stopped)? else { return Ok(None) };
    let images: Vec<Vec<u32>> = images.iter().map(|image| image.to_vec()).collect();
    if !images.iter().all(|image| is_permutation(image)) {
        return Ok(None);
    }
    let labels = &process.labels.labels;
    Ok(Some((labels.iter().map(|label| PyBytes::new(py, label).unbind()).collect(), images)))
}

/// What an exploration under a symmetry found.
#[pyclass(frozen, module = "lts._engine")]
pub struct Reduced {
    #[pyo3(get)]
    quotient: Option<Py<Quotient>>,
    /// Which generator is no symmetry, and why.
    witness: Option<(usize, Shown)>,
    /// Which generator was proven to be one and is none, and why.
    defect: Option<(usize, Shown)>,
    #[pyo3(get)]
    incomplete: Option<&'static str>,
    #[pyo3(get)]
    limit_summand: Option<usize>,
    #[pyo3(get)]
    traces: Vec<ShownTrace>,
    #[pyo3(get)]
    deadlocks: BigUint,
    #[pyo3(get)]
    order: BigUint,
    #[pyo3(get)]
    strategy: &'static str,
    #[pyo3(get)]
    orbits: usize,
    #[pyo3(get)]
    representatives: usize,
    #[pyo3(get)]
    approximate: usize,
    #[pyo3(get)]
    steps: u64,
    #[pyo3(get)]
    states: BigUint,
    #[pyo3(get)]
    transitions: BigUint,
    #[pyo3(get)]
    store: usize,
    #[pyo3(get)]
    checked: usize,
    #[pyo3(get)]
    proving: f64,
    #[pyo3(get)]
    sampled: usize,
}

#[pymethods]
impl Reduced {
    #[getter]
    fn witness<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        numbered(py, self.witness.as_ref())
    }

    #[getter]
    fn defect<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        numbered(py, self.defect.as_ref())
    }
}

/// A witness with the number of the generator.
pub(crate) fn numbered<'py>(
    py: Python<'py>,
    found: Option<&(usize, Shown)>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some((which, shown)) = found else { return Ok(None) };
    Ok(Some((*which, as_python(py, shown)?).into_pyobject(py)?.into_any()))
}

type LocalSituation = Vec<(u32, Vec<u8>)>;
pub(crate) type Shown =
    (&'static str, u32, LocalSituation, LocalSituation, Vec<Vec<u8>>, Vec<Vec<u8>>);

/// A witness as Python takes it: what failed, the parameter or summand, the situation and its image,
/// and what was expected and found there.
pub(crate) fn shown(process: &EngineProcess, witness: Witness) -> Shown {
    match witness {
        Witness::Initial(parameter, value, image) => {
            ("initial", parameter, vec![], vec![], vec![image], vec![value])
        }
        Witness::Elements(value) => ("elements", 0, vec![], vec![], vec![], vec![value]),
        Witness::Value(value) => ("value", 0, vec![], vec![], vec![], vec![value]),
        Witness::Summand(summand) => ("summand", summand, vec![], vec![], vec![], vec![]),
        Witness::Label(label) => {
            let text = process.labels.labels.get(Label(label)).to_vec();
            ("label", label, vec![], vec![], vec![], vec![text])
        }
        Witness::Merged(sort, one, other, image) => {
            ("merged", sort, vec![], vec![], vec![one, other], vec![image])
        }
        Witness::Many(sort, value, most) => {
            ("many", sort, vec![], vec![], vec![most.to_string().into()], vec![value])
        }
        Witness::Steps(d) => ("steps", d.summand, d.situation, d.image, d.expected, d.found),
    }
}

/// A witness with its texts as bytes.
pub(crate) fn as_python<'py>(py: Python<'py>, shown: &Shown) -> PyResult<Bound<'py, PyAny>> {
    let (kind, number, situation, image, expected, found) = shown;
    let bytes = |items: &Vec<Vec<u8>>| -> Vec<Bound<'py, PyBytes>> {
        items.iter().map(|item| PyBytes::new(py, item)).collect()
    };
    let pairs = |items: &LocalSituation| -> Vec<(u32, Bound<'py, PyBytes>)> {
        items.iter().map(|(p, item)| (*p, PyBytes::new(py, item))).collect()
    };
    let parts = (*kind, *number, pairs(situation), pairs(image), bytes(expected), bytes(found));
    Ok(parts.into_pyobject(py)?.into_any())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Symmetry>()?;
    module.add_class::<Options>()?;
    module.add_class::<Reduced>()?;
    module.add_function(wrap_pyfunction!(refute, module)?)?;
    module.add_function(wrap_pyfunction!(label_images, module)?)?;
    module.add_function(wrap_pyfunction!(quotient, module)?)
}
