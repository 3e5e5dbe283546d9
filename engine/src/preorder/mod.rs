//! Minimisation modulo equivalences that are coarser than bisimulation or incomparable to it, and
//! refinement of specifications.
//!
//! This file combines the steps of minimisation. Read `determinise` (traces) and `simulation`
//! first, then `coupled_simulation` and `branching_simulation`; `formula_of_removal` makes
//! distinguishing formulas from the first of these two. Refinement: `model` defines the models,
//! `normal_form` is the deterministic form of a specification, and `failures` checks a system
//! against a specification, with the help of `impossible_futures` for the model of that name. All
//! of them use `subset` to compare sets.

pub mod branching_simulation;
pub mod coupled_simulation;
pub mod determinise;
pub mod failures;
pub mod formula_of_removal;
pub mod impossible_futures;
pub mod model;
pub mod normal_form;
pub mod simulation;
pub mod subset;

use crate::base::cancel::{Cancel, Limited};
use crate::base::csr::graph::Graph;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::lts::Lts;
use crate::bisimulation::minimise::{self as bisimulation, Equivalence, Kind, strong};
use crate::preorder::coupled_simulation::{coupled_normal_form, coupled_simulation};
use crate::preorder::determinise::{determinise, visible_steps};
use crate::preorder::simulation::Simulation;
use std::sync::Arc;

/// The equivalences of this module. All internal labels are one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreorderEquivalence {
    Trace,
    WeakTrace,
    TauStarA,
    Simulation,
    WeakSimulation,
    ReadySimulation,
    CoupledSimulation,
}

impl PreorderEquivalence {
    /// The equivalence of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "trace" => Self::Trace,
            "weak-trace" => Self::WeakTrace,
            "tau-star-a" => Self::TauStarA,
            "simulation" => Self::Simulation,
            "weak-simulation" => Self::WeakSimulation,
            "ready-simulation" => Self::ReadySimulation,
            "coupled-simulation" => Self::CoupledSimulation,
            _ => return None,
        })
    }

    /// A finer equivalence, used to reduce a system first.
    fn finer(self) -> Equivalence {
        Equivalence::plain(match self {
            Self::Trace | Self::Simulation | Self::ReadySimulation => Kind::Strong,
            Self::WeakTrace | Self::TauStarA => Kind::Branching,
            Self::WeakSimulation | Self::CoupledSimulation => Kind::Weak,
        })
    }
}

/// A minimal system, and for every state of the input its state there.
pub struct Minimum {
    pub lts: Lts,
    /// [`State::NONE`] for a state without a counterpart in the result. `None` for trace
    /// equivalences, where the states of the result are not classes.
    pub classes: Option<Vec<State>>,
}

/// The minimal system, its states numbered as by strong minimisation.
///
/// `max_states` bounds the sets of a subset construction and the classes of a simulation while they
/// are computed, unless it is that of a deterministic system; more are a `NoResult::Limit`.
pub fn minimise(
    lts: &Lts,
    equivalence: PreorderEquivalence,
    keep_unreachable: bool,
    max_states: usize,
    cancel: &Cancel,
) -> Limited<Minimum> {
    let renamed = one_internal(lts);
    let finer = equivalence.finer();
    let (small, first) = bisimulation::minimise(&renamed, finer, keep_unreachable, cancel)?;
    let graph = Graph::new(&small, true, cancel)?;
    let (result, second) = match equivalence {
        PreorderEquivalence::Trace => (determinise(&graph, false, max_states, cancel)?, None),
        PreorderEquivalence::WeakTrace => (determinise(&graph, true, max_states, cancel)?, None),
        PreorderEquivalence::TauStarA => {
            let all: Vec<State> = graph.each_state().collect();
            let steps = visible_steps(&graph, &all, cancel)?;
            let (block, blocks) = strong(&steps, cancel)?;
            (steps.quotient(&block, blocks, cancel)?, Some(block))
        }
        PreorderEquivalence::Simulation | PreorderEquivalence::ReadySimulation => {
            let ready = equivalence == PreorderEquivalence::ReadySimulation;
            let kind = if ready { Simulation::Ready } else { Simulation::Plain };
            let (least, block) = simulation::minimise(&graph, kind, max_states, cancel)?;
            (least, Some(block))
        }
        PreorderEquivalence::WeakSimulation => {
            let all: Vec<State> = graph.each_state().collect();
            let steps = visible_steps(&graph, &all, cancel)?;
            let kind = Simulation::Weak;
            let (least, block) = simulation::minimise(&steps, kind, max_states, cancel)?;
            (least, Some(block))
        }
        PreorderEquivalence::CoupledSimulation => {
            let order = coupled_simulation(&graph, max_states, cancel)?;
            (coupled_normal_form(&graph, &order, cancel)?, Some(order.block))
        }
    };
    let strong = Equivalence::plain(Kind::Strong);
    let result = system(&result, &small);
    let (lts, third) = bisimulation::minimise(&result, strong, keep_unreachable, cancel)?;
    let classes = second.map(|second| {
        let class = |state: &State| {
            let block = second.get(state.index())?;
            third.get(block.index()).copied()
        };
        first.iter().map(|state| class(state).unwrap_or(State::NONE)).collect()
    });
    Ok(Minimum { lts, classes })
}

/// The same system with at most one internal label, which does not depend on the order of the
/// labels.
pub fn one_internal(lts: &Lts) -> Lts {
    if lts.internal.len() < 2 {
        return lts.clone();
    }
    let tau = bisimulation::internal_label(lts);
    let internal = lts.internal_mask();
    let label = lts.label.iter().map(|&a| if internal[a] { tau } else { a });
    Lts { label: Arc::new(label.collect()), internal: Arc::new(vec![tau]), ..lts.clone() }
}

/// A graph as an LTS with the label table of another.
fn system(graph: &Graph, named: &Lts) -> Lts {
    let mut columns: (Vec<State>, Vec<Label>, Vec<State>) = Default::default();
    graph.all().for_each(|(source, label, target)| {
        columns.0.push(source);
        columns.1.push(label);
        columns.2.push(target);
    });
    let (labels, internal) = (Arc::clone(&named.labels), Arc::clone(&named.internal));
    Lts::from_valid(graph.initial, u32::at(graph.states), columns, labels, internal)
}
