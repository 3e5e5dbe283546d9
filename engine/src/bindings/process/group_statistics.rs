//! The Python class with the statistics of every exploration under a group.

use crate::base::ids::Label;
use crate::base::label_table::Labels;
use crate::bindings::process::limit_of;
use crate::bindings::process::witness::{Shown, shown};
use crate::orbits::canonical_state::Strategy;
use crate::orbits::statistics::{Broken, GroupStatistics as EngineStatistics};
use crate::preorder::normal_form::{Asymmetry, Difference};
use crate::process::linear::Process;
use num_bigint::BigUint;
use pyo3::prelude::*;

/// Statistics of every exploration under a group.
#[pyclass(frozen, get_all, subclass, module = "lts._engine")]
pub struct GroupStatistics {
    order: BigUint,
    strategy: &'static str,
    incomplete: Option<&'static str>,
    limit_summand: Option<usize>,
    orbits: usize,
    store: usize,
    checked: usize,
    proving: f64,
    sampled: usize,
    /// A generator that is not a symmetry, the kind of evidence, and the evidence.
    broken: Option<(usize, &'static str, Why)>,
    /// A generator that was proven to be a symmetry and is not, and the reason.
    defect: Option<(usize, Shown)>,
}

/// The evidence that a generator is not a symmetry.
#[derive(Clone, IntoPyObject)]
enum Why {
    Process(Shown),
    Specification(ShownAsymmetry),
    Labels((Vec<u8>, Vec<u8>)),
}

impl GroupStatistics {
    /// The statistics of a process; `labels` are those of its specification in a comparison.
    pub(crate) fn new(
        statistics: EngineStatistics,
        process: &Process,
        labels: Option<&Labels>,
    ) -> Self {
        let (incomplete, limit_summand) = limit_of(statistics.incomplete);
        let why = |broken| match broken {
            Broken::Process(witness) => ("process", Why::Process(shown(process, witness))),
            Broken::Specification(asymmetry) => {
                let labels = labels.expect("it is compared with some");
                ("specification", Why::Specification(asymmetry_shown(labels, &asymmetry)))
            }
            Broken::Labels(left, right) => ("labels", Why::Labels((left, right))),
        };
        let broken = statistics.broken.map(|(which, broken)| {
            let (what, why) = why(broken);
            (which, what, why)
        });
        Self {
            order: statistics.order,
            strategy: strategy_name(statistics.strategy),
            incomplete,
            limit_summand,
            orbits: statistics.orbits,
            store: statistics.store,
            checked: statistics.checked,
            proving: statistics.proving.as_secs_f64(),
            sampled: statistics.sampled,
            broken,
            defect: statistics.defect.map(|(which, witness)| (which, shown(process, witness))),
        }
    }
}

pub(crate) fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Enumerate => "enumerate",
        Strategy::Refine => "refine",
    }
}

/// A trace, its image, what differs after them, and the label that differs.
#[derive(Clone, IntoPyObject)]
struct ShownAsymmetry {
    trace: Vec<Vec<u8>>,
    image: Vec<Vec<u8>>,
    what: &'static str,
    label: Option<Vec<u8>>,
}

fn asymmetry_shown(labels: &Labels, asymmetry: &Asymmetry) -> ShownAsymmetry {
    let text = |&label: &Label| labels.get(label).to_vec();
    let (what, label) = match asymmetry.difference {
        Difference::Missing(label) => ("missing", Some(text(&label))),
        Difference::Additional(label) => ("additional", Some(text(&label))),
        Difference::Divergence => ("divergence", None),
        Difference::Refusals => ("refusals", None),
    };
    let texts = |trace: &[Label]| trace.iter().map(text).collect();
    ShownAsymmetry { trace: texts(&asymmetry.trace), image: texts(&asymmetry.image), what, label }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GroupStatistics>()
}
