//! Linear processes under a group of symmetries, and their quotients.

use crate::base::cancel::Cancel;
use crate::base::lock::Locked;
use crate::bindings::data::{Code, Data, EvaluationError, malformed};
use crate::bindings::process::callbacks::PythonCallbacks;
use crate::bindings::process::group_statistics::GroupStatistics;
use crate::bindings::process::settings::{Goals, Settings};
use crate::bindings::process::{Process, ShownTrace, traces_shown};
use crate::bindings::symmetry::quotient::Quotient;
use crate::data::terms::Term;
use crate::group::permutation::is_permutation;
use crate::orbits::{label_permutations, reduce};
use crate::process::linear::Process as EngineProcess;
use crate::symmetry_of_process::lifting::carrier::Arrays;
use crate::symmetry_of_process::lifting::symmetry::{Moves, Symmetry as EngineSymmetry};
use crate::symmetry_of_process::refute::{Bounds, refute as engine_refute};
use num_bigint::BigUint;
use pyo3::prelude::*;

/// The permutations of a generator, of values, parameters and summands, and its maps: sort and
/// symbol (`lts/specification/codes.py`).
#[derive(Clone, FromPyObject)]
struct RawMoves {
    values: Vec<u32>,
    positions: Vec<u32>,
    summands: Vec<u32>,
    maps: Vec<(u32, u32)>,
}

/// The sort of arrays with its get and set, contains and remove if they are partial, and whether
/// they are permuted by definition.
#[derive(FromPyObject)]
struct RawArrays {
    sort: u32,
    get: u32,
    set: u32,
    partial: Option<(u32, u32)>,
    free: bool,
}

/// A group that permutes `values`, called `names`, and the arrays that these index; and for every
/// summand whether it is proven, from the specification, that its steps correspond to those of its
/// images.
#[pyclass(frozen, module = "lts._engine")]
pub struct Symmetry {
    values: Vec<Code>,
    names: Vec<String>,
    generators: Vec<RawMoves>,
    arrays: Vec<RawArrays>,
    pub(crate) proven: Vec<bool>,
    first: Option<usize>,
}

#[pymethods]
impl Symmetry {
    /// With `first`, elements are written as permutations of this many of the first values, if
    /// these suffice.
    #[new]
    #[pyo3(signature = (values, names, generators, arrays, proven, first=None))]
    fn new(
        values: Vec<Code>,
        names: Vec<String>,
        generators: Vec<RawMoves>,
        arrays: Vec<RawArrays>,
        proven: Vec<bool>,
        first: Option<usize>,
    ) -> Self {
        Self { values, names, generators, arrays, proven, first }
    }
}

impl Symmetry {
    /// The symmetry of a process.
    pub(crate) fn of(&self, process: &mut EngineProcess) -> PyResult<EngineSymmetry> {
        let terms = &mut process.data.terms;
        let values: PyResult<Vec<u32>> =
            self.values.iter().map(|code| terms.decode(code).map_err(malformed)).collect();
        let values = values?;
        let arrays = self.arrays.iter().map(|&RawArrays { sort, get, set, partial, free }| {
            let index = terms.symbols[get as usize].arguments[1];
            let keys = values.iter().copied().filter(|&v| terms.sort(v) == index).collect();
            Arrays { sort, get, set, partial, free, keys }
        });
        let arrays = arrays.collect();
        let moves = self.generators.iter().cloned().map(|generator| Moves {
            values: generator.values.into(),
            positions: generator.positions.into(),
            summands: generator.summands.into(),
            maps: generator.maps.into(),
        });
        EngineSymmetry::new(values, self.names.clone(), arrays, moves.collect())
            .map_err(|message| EvaluationError::new_err((message, None::<usize>)))
    }
}

/// The certified quotient of a process under a group; without `with_quotient` only its counts.
#[pyfunction]
fn quotient(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
    settings: Settings,
    goals: Goals,
    with_quotient: bool,
) -> PyResult<Py<Reduced>> {
    let options = settings.under(&symmetry.get().proven, with_quotient, &goals)?;
    let mut process = process.get().0.locked();
    let first = symmetry.get().first;
    let symmetry = symmetry.get().of(&mut process)?;
    let (cancel, callbacks) = (settings.cancel(), settings.callbacks(goals));
    let reduced = callbacks.during(py, &mut process, cancel, |process, callbacks| {
        let mut reduced = reduce(process, symmetry, &options, callbacks)?;
        if let Some(count) = first
            && let Some(quotient) = reduced.quotient.take()
        {
            let cancel = &process.data.cancel;
            reduced.quotient = Some(match quotient.onto(count, cancel) {
                Ok(quotient) => quotient,
                Err(quotient) => cancel.check().map(|()| *quotient)?,
            });
        }
        Ok(reduced)
    })?;
    let statistics = GroupStatistics::new(reduced.statistics, &process, None);
    let quotient = reduced.quotient.map(|quotient| Py::new(py, Quotient(quotient)));
    let reduced = Reduced {
        quotient: quotient.transpose()?,
        idle: reduced.idle,
        traces: traces_shown(reduced.traces),
        deadlocks: reduced.deadlocks,
        representatives: reduced.representatives,
        approximate: reduced.approximate,
        steps: reduced.steps,
        followed: reduced.followed,
        states: reduced.states,
        transitions: reduced.transitions,
    };
    Py::new(py, PyClassInitializer::from(statistics).add_subclass(reduced))
}

/// The number of the permutation, a trace, and its image.
type ShownRefutation = (usize, Vec<Vec<u8>>, Vec<Vec<u8>>);

/// A trace of a process whose image under one of the permutations is not a trace, if there is one
/// within the first `most` pairs of a state and a set of states.
#[pyfunction]
fn refute(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
    most: usize,
    max_values: usize,
) -> PyResult<Option<ShownRefutation>> {
    let mut process = process.get().0.locked();
    let mut symmetry = symmetry.get().of(&mut process)?;
    let bounds = Bounds { pairs: most, set: most.min(1024), values: max_values };
    let (cancel, callbacks) = (Cancel::new(None, None), PythonCallbacks::default());
    let refutation = callbacks.during(py, &mut process, cancel, |process, _| {
        symmetry.with_more_points(process, |process, symmetry| {
            for (which, generator) in symmetry.generators.iter_mut().enumerate() {
                if let Some(refutation) = engine_refute(process, generator, bounds)? {
                    return Ok(Some((which, refutation)));
                }
            }
            Ok(None)
        })
    });
    // A generator whose maps do not permute values has no images to look for.
    let Ok(Some((which, refutation))) = refutation? else { return Ok(None) };
    Ok(Some((which, refutation.trace, refutation.image)))
}

/// The labels of all computed steps of a process, closed under the permutations, and each
/// permutation's images of them; None if equal labels have different images.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn label_images(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
) -> PyResult<Option<(Vec<Vec<u8>>, Vec<Vec<u32>>)>> {
    let mut process = process.get().0.locked();
    let mut symmetry = symmetry.get().of(&mut process)?;
    let (cancel, callbacks) = (Cancel::new(None, None), PythonCallbacks::default());
    let result = callbacks.during(py, &mut process, cancel, |process, _| {
        symmetry.with_more_points(process, |process, symmetry| {
            label_permutations(process, &mut symmetry.generators)
        })
    });
    let Ok(Ok(images)) = result? else { return Ok(None) };
    let images: Vec<Vec<u32>> = images.iter().map(|image| image.to_vec()).collect();
    if !images.iter().all(|image| is_permutation(image)) {
        return Ok(None);
    }
    Ok(Some((process.labels.labels.iter().map(<[u8]>::to_vec).collect(), images)))
}

/// For each permutation the images of values, which are terms of `data`. The process has the
/// symbols of `data` under the same numbers, and perhaps more. None if a permutation does not
/// permute them.
#[pyfunction]
fn value_images(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
    data: &Bound<'_, Data>,
    values: Vec<Term>,
) -> PyResult<Option<Vec<Vec<Term>>>> {
    let mut process = process.get().0.locked();
    let mut symmetry = symmetry.get().of(&mut process)?;
    let own = data.get();
    let copies = values.into_iter().map(|value| own.copied_to(&mut process.data.terms, value));
    let copies = copies.collect::<PyResult<Vec<Term>>>()?;
    let (cancel, callbacks) = (Cancel::new(None, None), PythonCallbacks::default());
    let images = callbacks.during(py, &mut process, cancel, |process, _| {
        symmetry.with_more_points(process, |process, symmetry| {
            let mut images = Vec::new();
            for generator in &mut symmetry.generators {
                for &value in &copies {
                    process.data.cancel.check()?;
                    images.push(generator.lifting.lift(&mut process.data, value)?);
                }
            }
            Ok(images)
        })
    });
    let Ok(images) = images? else { return Ok(None) };
    let images = images.into_iter().map(|image| own.copied_from(&process.data.terms, image));
    let images = images.collect::<PyResult<Vec<Term>>>()?;
    Ok(Some(images.chunks(copies.len().max(1)).map(<[Term]>::to_vec).collect()))
}

/// The result of an exploration under a symmetry.
#[pyclass(frozen, get_all, extends = GroupStatistics, module = "lts._engine")]
pub struct Reduced {
    quotient: Option<Py<Quotient>>,
    idle: Vec<bool>,
    traces: Vec<ShownTrace>,
    deadlocks: BigUint,
    representatives: usize,
    approximate: usize,
    steps: u64,
    followed: u64,
    states: BigUint,
    transitions: BigUint,
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Symmetry>()?;
    module.add_class::<Reduced>()?;
    module.add_function(wrap_pyfunction!(refute, module)?)?;
    module.add_function(wrap_pyfunction!(label_images, module)?)?;
    module.add_function(wrap_pyfunction!(value_images, module)?)?;
    module.add_function(wrap_pyfunction!(quotient, module)?)
}
