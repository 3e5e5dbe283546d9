//! Refinement of a specification by a linear process, on orbits.

use crate::base::ids::Label;
use crate::base::label_table::Labels;
use crate::bindings::data::{Code, malformed};
use crate::bindings::interrupts::Allowed;
use crate::bindings::lts::Lts;
use crate::bindings::preorders::{model, run};
use crate::bindings::process::callbacks::PythonCallbacks;
use crate::bindings::process::orbits::{Options, Shown, Symmetry, as_python, shown, strategy_name};
use crate::bindings::process::{Process, stopped, told};
use crate::lpe::goals::Wanted;
use crate::orbit_exploration::refinement::alphabet::{Specification, Spelling};
use crate::orbit_exploration::refinement::counterexample::Counterexample;
use crate::orbit_exploration::refinement::{Broken as EngineBroken, refine as engine_refine};
use crate::preorder::normal_form::{Asymmetry, Difference, NormalForm as EngineNormalForm};
use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// What a specification allows.
#[pyclass(frozen, module = "lts._engine")]
pub struct NormalForm(Arc<EngineNormalForm>);

/// The normal form of a specification; none if it takes more than `most` sets of states.
#[pyfunction]
fn normal_form(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    relation: &str,
    most: usize,
) -> PyResult<Option<NormalForm>> {
    let model = model(relation)?;
    let lts = &lts.get().0;
    let found = run(py, |poll| EngineNormalForm::new(lts, model, most, poll))?;
    Ok(found.map(|found| NormalForm(Arc::new(found))))
}

#[pymethods]
impl NormalForm {
    /// How many nodes it has.
    #[getter]
    fn nodes(&self) -> usize {
        self.0.nodes()
    }

    /// The labels, by number.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        self.0.labels.iter().map(|label| PyBytes::new(py, label)).collect()
    }
}

type Step = (Py<PyBytes>, u32, bool);
type ShownCounterexample = (Vec<Step>, Option<Vec<Py<PyBytes>>>, bool);
type Broken = (usize, &'static str, Py<PyAny>);

/// What a refinement check found.
#[pyclass(frozen, get_all, module = "lts._engine")]
pub struct Refined {
    /// Steps (label, choice, whether it is internal), what is refused, whether it diverges.
    counterexample: Option<ShownCounterexample>,
    /// Which generator is no symmetry, what it breaks, and why.
    broken: Option<Broken>,
    /// Which generator was proven to be a symmetry of the process and is none, and why.
    defect: Option<(usize, Py<PyAny>)>,
    incomplete: Option<&'static str>,
    limit_summand: Option<usize>,
    order: BigUint,
    strategy: &'static str,
    orbits: usize,
    pairs: BigUint,
    explored: bool,
    spared: bool,
    store: usize,
    checked: usize,
    proving: f64,
    sampled: usize,
}

/// Action and arguments of a label, or else its images.
type RawSpelling = (Option<(Vec<u8>, Vec<Code>)>, Vec<Option<u32>>);

/// Whether a process refines a specification, explored under a group. `spellings` are the labels of the
/// specification: number of action and arguments, if it can be a label of the process, and else its
/// images, numbers of labels or none.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn refine(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
    options: &Bound<'_, Options>,
    progress: Option<Py<PyAny>>,
    normal: &Bound<'_, NormalForm>,
    spellings: Vec<RawSpelling>,
    internal: Vec<Vec<u8>>,
    hidden: Vec<Vec<u8>>,
) -> PyResult<Refined> {
    let options = options.get().with(symmetry.get(), false, Wanted::default());
    let mut process = process.get().0.lock().expect("no panic while locked");
    let process = &mut *process;
    let symmetry = symmetry.get().of(process)?;
    let mut decoded = Vec::new();
    for (key, images) in spellings {
        let mut numbers = None;
        if let Some((action, arguments)) = key
            && let Some(action) = process.actions.iter().position(|known| *known == action)
        {
            let mut key = vec![action as u32];
            for code in &arguments {
                key.push(process.data.terms.decode(code).map_err(malformed)?);
            }
            numbers = Some(key);
        }
        let images = images.into_iter().map(|image| image.map_or(Label::NONE, Label)).collect();
        decoded.push(Spelling { key: numbers, images });
    }
    let normal = Arc::clone(&normal.get().0);
    let (internal, hidden) = (internal.into_iter().collect(), hidden.into_iter().collect());
    let specification = Specification { normal, spellings: decoded, internal, hidden };
    let callbacks = PythonCallbacks { progress, ..PythonCallbacks::default() };
    let allowed = Allowed::beyond(&options.limits);
    let found = callbacks.within(py, process, allowed, |process, callbacks| {
        engine_refine(process, symmetry, &specification, &options, callbacks)
    });
    let found = found?.map_err(stopped)?;
    let (incomplete, limit_summand) = told(found.incomplete);
    let labels = &specification.normal.labels;
    let broken = found.broken.map(|(which, broken)| {
        let (kind, why) = match broken {
            EngineBroken::Process(witness) => {
                let shown: Shown = shown(process, witness);
                ("process", as_python(py, &shown)?.unbind())
            }
            EngineBroken::Specification(asymmetry) => {
                let parts = asymmetry_shown(py, labels, &asymmetry).into_pyobject(py)?;
                ("specification", parts.into_any().unbind())
            }
            EngineBroken::Labels(one, other) => {
                let pair = (PyBytes::new(py, &one), PyBytes::new(py, &other));
                ("labels", pair.into_pyobject(py)?.into_any().unbind())
            }
        };
        PyResult::Ok((which, kind, why))
    });
    let defect = found.defect.map(|(which, witness)| {
        PyResult::Ok((which, as_python(py, &shown(process, witness))?.unbind()))
    });
    Ok(Refined {
        counterexample: found.counterexample.map(|found| counterexample_shown(py, found)),
        broken: broken.transpose()?,
        defect: defect.transpose()?,
        incomplete,
        limit_summand,
        order: found.order,
        strategy: strategy_name(found.strategy),
        orbits: found.orbits,
        pairs: found.pairs,
        explored: found.explored,
        spared: found.spared,
        store: found.store,
        checked: found.checked,
        sampled: found.sampled,
        proving: found.proving.as_secs_f64(),
    })
}

type ShownAsymmetry = (Vec<Py<PyBytes>>, Vec<Py<PyBytes>>, &'static str, Option<Py<PyBytes>>);

/// A trace, its image, what differs after them, and the label that it is about.
fn asymmetry_shown(py: Python<'_>, labels: &Labels, asymmetry: &Asymmetry) -> ShownAsymmetry {
    let text = |&label: &Label| PyBytes::new(py, labels.get(label)).unbind();
    let (kind, label) = match asymmetry.what {
        Difference::Missing(label) => ("missing", Some(text(&label))),
        Difference::Additional(label) => ("additional", Some(text(&label))),
        Difference::Divergence => ("divergence", None),
        Difference::Refusals => ("refusals", None),
    };
    let texts = |trace: &[Label]| trace.iter().map(text).collect();
    (texts(&asymmetry.trace), texts(&asymmetry.image), kind, label)
}

fn counterexample_shown(py: Python<'_>, found: Counterexample) -> ShownCounterexample {
    let bytes = |text: &[u8]| PyBytes::new(py, text).unbind();
    let steps = found.steps.iter().map(|s| (bytes(&s.label), s.choice, s.internal)).collect();
    let refused = found.refused.map(|labels| labels.iter().map(|l| bytes(l)).collect());
    (steps, refused, found.diverges)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NormalForm>()?;
    module.add_class::<Refined>()?;
    module.add_function(wrap_pyfunction!(normal_form, module)?)?;
    module.add_function(wrap_pyfunction!(refine, module)?)
}
