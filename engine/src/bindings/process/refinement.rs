//! Refinement of a specification by a linear process, on orbits.

use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::base::lock::Locked;
use crate::bindings::data::{Code, malformed};
use crate::bindings::lts::Lts;
use crate::bindings::preorders::model;
use crate::bindings::process::group_statistics::GroupStatistics;
use crate::bindings::process::orbits::Symmetry;
use crate::bindings::process::settings::{Goals, Settings};
use crate::bindings::process::{Process, ShownPreimage, preimage_shown};
use crate::bindings::work::{run, within_limit};
use crate::orbits::refinement::alphabet::{Specification, Spelling};
use crate::orbits::refinement::counterexample::Counterexample;
use crate::orbits::refinement::refine as engine_refine;
use crate::preorder::normal_form::NormalForm as EngineNormalForm;
use num_bigint::BigUint;
use pyo3::prelude::*;
use std::sync::Arc;

/// The normal form of a specification.
#[pyclass(frozen, module = "lts._engine")]
pub struct NormalForm(Arc<EngineNormalForm>);

/// The normal form of a specification. None if it takes more than `most` sets of states.
#[pyfunction]
fn normal_form(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    relation: &str,
    most: usize,
) -> PyResult<Option<NormalForm>> {
    let model = model(relation)?;
    let lts = lts.get().0.clone();
    let form =
        run(py, |cancel| EngineNormalForm::new(&lts.with_distinct_labels(), model, most, cancel))?;
    Ok(within_limit(form)?.map(|form| NormalForm(Arc::new(form))))
}

#[pymethods]
impl NormalForm {
    /// The number of nodes.
    #[getter]
    fn nodes(&self) -> usize {
        self.0.nodes()
    }

    /// The labels, by number.
    #[getter]
    fn labels(&self) -> Vec<Vec<u8>> {
        self.0.labels.iter().map(<[u8]>::to_vec).collect()
    }
}

type Step = (Vec<u8>, u32, bool, ShownPreimage);
type ShownCounterexample = (Vec<Step>, Option<Vec<Vec<u8>>>, bool);

/// The result of a refinement check.
#[pyclass(frozen, get_all, extends = GroupStatistics, module = "lts._engine")]
pub struct Refined {
    /// Steps (label, choice, whether it is internal, preimage), the refused labels, and whether the
    /// last state diverges.
    counterexample: Option<ShownCounterexample>,
    pairs: BigUint,
    /// The states of the pairs, their orbits, and the pairs whose state is a representative.
    states: (BigUint, usize, BigUint),
    explored: bool,
    spared: bool,
}

/// Action and arguments of a label, or else its images.
type RawSpelling = (Option<(Vec<u8>, Vec<Code>)>, Vec<Option<u32>>);

/// Whether a process refines a specification, explored under a group. `spellings` are the labels of
/// the specification: number of the action and arguments, if it can be a label of the process, and
/// otherwise its images, as numbers of labels or None.
#[pyfunction]
fn refine(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
    settings: Settings,
    normal: &Bound<'_, NormalForm>,
    spellings: Vec<RawSpelling>,
    silent: (Vec<Vec<u8>>, Vec<Vec<u8>>),
) -> PyResult<Py<Refined>> {
    let options = settings.under(&symmetry.get().proven, false, &Goals::default())?;
    let mut process = process.get().0.locked();
    let process = &mut *process;
    let symmetry = symmetry.get().of(process)?;
    let mut decoded = Vec::new();
    for (key, images) in spellings {
        let mut numbers = None;
        if let Some((action, arguments)) = key
            && let Some(action) = process.actions.iter().position(|known| *known == action)
        {
            let mut key = vec![u32::at(action)];
            for code in &arguments {
                key.push(process.data.terms.decode(code).map_err(malformed)?);
            }
            numbers = Some(key);
        }
        let images = images.into_iter().map(|image| image.map_or(Label::NONE, Label)).collect();
        decoded.push(Spelling { key: numbers, images });
    }
    let normal = Arc::clone(&normal.get().0);
    let (internal, hidden) = silent;
    let (internal, hidden) = (internal.into_iter().collect(), hidden.into_iter().collect());
    let specification = Specification::new(normal, decoded, internal, hidden);
    let (cancel, callbacks) = (settings.cancel(), settings.callbacks(Goals::default()));
    let result = callbacks.during(py, process, cancel, |process, callbacks| {
        engine_refine(process, symmetry, &specification, &options, callbacks)
    })?;
    let labels = Some(&*specification.normal.labels);
    let statistics = GroupStatistics::new(result.statistics, process, labels);
    let refined = Refined {
        counterexample: result.counterexample.map(counterexample_shown),
        pairs: result.pairs,
        states: (result.halves.states, result.halves.orbits, result.halves.representatives),
        explored: result.explored,
        spared: result.spared,
    };
    Py::new(py, PyClassInitializer::from(statistics).add_subclass(refined))
}

fn counterexample_shown(counterexample: Counterexample) -> ShownCounterexample {
    let steps = counterexample.steps.into_iter();
    let steps =
        steps.map(|step| (step.label, step.choice, step.internal, preimage_shown(step.preimage)));
    (steps.collect(), counterexample.refused, counterexample.diverges)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NormalForm>()?;
    module.add_class::<Refined>()?;
    module.add_function(wrap_pyfunction!(normal_form, module)?)?;
    module.add_function(wrap_pyfunction!(refine, module)?)
}
