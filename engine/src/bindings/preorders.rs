//! Minimisation and comparison modulo relations other than bisimulations; also comparison by
//! bisimulations.

use crate::base::ids::Label;
use crate::bindings::column::Column;
use crate::bindings::lts::Lts;
use crate::bindings::work::{run, within_limit};
use crate::bisimulation::minimise;
use crate::bisimulation::minimise::Equivalence;
use crate::compare::bisimulation_game::{Relation, Rules};
use crate::compare::limits::Limits;
use crate::compare::{Evidence, Kind, Name, Witness, compare as compare_systems};
use crate::preorder;
use crate::preorder::PreorderEquivalence;
use crate::preorder::model::{End, Model};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

fn equivalence(name: &str) -> PyResult<PreorderEquivalence> {
    let known = PreorderEquivalence::named(name);
    known.ok_or_else(|| PyValueError::new_err(format!("no equivalence is called {name}")))
}

/// The minimal system and the classes, if there are any. None at the limit.
#[pyfunction]
fn minimise_by_preorder(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    name: &str,
    keep_unreachable: bool,
    max_states: usize,
) -> PyResult<Option<(Lts, Option<Column>)>> {
    let equivalence = equivalence(name)?;
    let lts = lts.get().0.clone();
    let minimum = run(py, |cancel| {
        let lts = lts.with_distinct_labels();
        preorder::minimise(&lts, equivalence, keep_unreachable, max_states, cancel)
    })?;
    Ok(within_limit(minimum)?.map(|minimum| {
        let classes = minimum.classes.map(|classes| Column(Arc::new(classes)));
        (Lts(minimum.lts), classes)
    }))
}

/// Divergence is represented by loops with a label that is chosen later.
fn bisimulation(equivalence: Equivalence) -> Kind {
    let relation = match equivalence.kind {
        minimise::Kind::Strong => Relation::Strong,
        minimise::Kind::Branching => Relation::Branching,
        minimise::Kind::Weak => Relation::Weak,
    };
    let Equivalence { rooted, divergence, .. } = equivalence;
    let rules = Rules { relation, rooted, divergence: divergence.then_some(Label::NONE) };
    Kind::Bisimulation(rules, equivalence)
}

fn kind(name: &str, preorder: bool) -> PyResult<Kind> {
    let both = !preorder;
    let simulation = |relation| Ok(Kind::Simulation { relation, both });
    let refinement = |model| Ok(Kind::Refinement { model, both });
    if let Some(equivalence) = Equivalence::named(name).filter(|_| both) {
        return Ok(bisimulation(equivalence));
    }
    match name {
        "tau-star-a" if both => Ok(Kind::TauStarA),
        "coupled-simulation" => simulation(Relation::CoupledSimulation),
        "ready-simulation" => simulation(Relation::ReadySimulation),
        "simulation" => simulation(Relation::Simulation),
        "weak-simulation" => simulation(Relation::WeakSimulation),
        "branching-simulation" if preorder => simulation(Relation::BranchingSimulation),
        name => refinement(model(name)?),
    }
}

/// The model of a preorder of this name.
pub(crate) fn model(name: &str) -> PyResult<Model> {
    let known = Model::named(name);
    known.ok_or_else(|| PyValueError::new_err(format!("no relation is called {name}")))
}

/// A path: transition numbers; the refused labels, the offered label, and the missing traces after
/// it; and whether its last state diverges.
#[derive(Default, IntoPyObject)]
struct Path {
    transitions: Vec<u32>,
    refused: Option<Vec<Name>>,
    offered: Option<Name>,
    lacks: Option<Vec<Vec<Name>>>,
    diverges: bool,
}

impl Path {
    fn new(transitions: Vec<u32>, end: End<Name>) -> Self {
        let path = Self { transitions, ..Self::default() };
        match end {
            End::Done => path,
            End::Refuses(labels) => Self { refused: Some(labels), ..path },
            End::Offers(label, labels) => {
                Self { refused: Some(labels), offered: Some(label), ..path }
            }
            End::Lacks(traces) => Self { lacks: Some(traces), ..path },
            End::Diverges => Self { diverges: true, ..path },
        }
    }
}

type Formula = (Vec<u8>, Vec<u32>);

/// Whether a relation holds, whether the left system has the evidence, and the evidence.
#[derive(IntoPyObject)]
struct Compared {
    holds: bool,
    of_left: bool,
    formula: Option<Formula>,
    path: Option<Path>,
}

/// Whether the relation holds; whether the left system has the evidence; a formula with the
/// transitions of a run that shows it, or a path. None at the limit.
#[pyfunction]
fn compare(
    py: Python<'_>,
    left: &Bound<'_, Lts>,
    right: &Bound<'_, Lts>,
    name: &str,
    preorder: bool,
    looks: (usize, usize),
    max_states: usize,
) -> PyResult<Option<Compared>> {
    let (near, far) = looks;
    let limits = Limits { near, far, states: max_states };
    let kind = kind(name, preorder)?;
    let (left, right) = (&left.get().0, &right.get().0);
    let comparison = run(py, |cancel| compare_systems(left, right, kind, limits, cancel))?;
    Ok(within_limit(comparison)?.map(|comparison| {
        let holds = comparison.holds;
        let (of_left, formula, path) = match comparison.evidence {
            None => (false, None, None),
            Some(Evidence { of_left, witness: Witness::Formula { text, transitions } }) => {
                (of_left, Some((text, transitions)), None)
            }
            Some(Evidence { of_left, witness: Witness::Path { transitions, end } }) => {
                (of_left, None, Some(Path::new(transitions, end)))
            }
        };
        Compared { holds, of_left, formula, path }
    }))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(compare, module)?)?;
    module.add_function(wrap_pyfunction!(minimise_by_preorder, module)?)
}
