//! What Python is told of every exploration under a group.

use crate::base::ids::Label;
use crate::base::label_table::Labels;
use crate::bindings::process::told;
use crate::bindings::process::witness::{as_python, shown};
use crate::lpe::process::Process;
use crate::orbit_exploration::canonical_state::Strategy;
use crate::orbit_exploration::statistics::{Account as EngineAccount, Broken};
use crate::preorder::normal_form::{Asymmetry, Difference};
use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What there is to tell of every exploration under a group.
#[pyclass(frozen, get_all, subclass, module = "lts._engine")]
pub struct Account {
    order: BigUint,
    strategy: &'static str,
    incomplete: Option<&'static str>,
    limit_summand: Option<usize>,
    orbits: usize,
    store: usize,
    checked: usize,
    proving: f64,
    sampled: usize,
    /// Which generator is no symmetry, what it breaks, and why.
    broken: Option<(usize, &'static str, Py<PyAny>)>,
    /// Which generator was proven to be a symmetry and is none, and why.
    defect: Option<(usize, Py<PyAny>)>,
}

impl Account {
    /// An account of a process, in comparison with something that has these labels, if it is in one.
    pub(crate) fn new(
        py: Python<'_>,
        account: EngineAccount,
        process: &Process,
        labels: Option<&Labels>,
    ) -> PyResult<Self> {
        let (incomplete, limit_summand) = told(account.incomplete);
        let why = |witness| as_python(py, &shown(process, witness)).map(Bound::unbind);
        let bytes = |text: &[u8]| PyBytes::new(py, text).unbind();
        let broken = account.broken.map(|(which, broken)| {
            let (what, why) = match broken {
                Broken::Process(witness) => ("process", why(witness)?),
                Broken::Specification(asymmetry) => {
                    let labels = labels.expect("it is compared with some");
                    let parts = asymmetry_shown(py, labels, &asymmetry).into_pyobject(py)?;
                    ("specification", parts.into_any().unbind())
                }
                Broken::Labels(one, other) => {
                    let pair = (bytes(&one), bytes(&other)).into_pyobject(py)?;
                    ("labels", pair.into_any().unbind())
                }
            };
            PyResult::Ok((which, what, why))
        });
        let defect = account.defect.map(|(which, witness)| PyResult::Ok((which, why(witness)?)));
        Ok(Self {
            order: account.order,
            strategy: strategy_name(account.strategy),
            incomplete,
            limit_summand,
            orbits: account.orbits,
            store: account.store,
            checked: account.checked,
            proving: account.proving.as_secs_f64(),
            sampled: account.sampled,
            broken: broken.transpose()?,
            defect: defect.transpose()?,
        })
    }
}

pub(crate) fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Enumerate => "enumerate",
        Strategy::Refine => "refine",
    }
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

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Account>()
}
