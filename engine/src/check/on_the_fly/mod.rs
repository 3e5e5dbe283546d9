//! Decides on the fly whether a formula holds in the initial state of a process, using orbits of
//! pairs of a state and a part of the formula.
//!
//! Let G act on such pairs: on states as before, on parts by its action on the data in them. An
//! element g maps the steps of a state to those of its image, and the labels in a part to those in
//! its image. So it maps the edges of a pair to those of its image, and preserves player and
//! priority. Hence a pair is won if and only if its image is. Consider the game with one pair of
//! each orbit, where an edge leads to the orbit of its target. It has the same winner as the whole
//! game: a play on orbits lifts to a play on pairs, step by step, with the same priorities, and a
//! strategy that depends on orbits only wins every such play.
//!
//! The symmetry is proven only for the explored states and their images. No others occur in plays
//! by the winner's strategy, so unexplored pairs need no proof.
//!
//! Without a group the same game is played on numbered pairs, whose steps are computed as in state
//! space generation.
//!
//! Read `question`, then `game` with `state_positions` and `orbit_positions`, then `evidence`; this
//! file combines them. For formulas about paths only, a path is searched for instead: `paths`, with
//! `orbit_graph` and `replay`.

pub mod evidence;
pub mod game;
pub mod known_steps;
pub mod orbit_graph;
pub mod orbit_positions;
pub mod paths;
pub mod question;
pub mod replay;
pub mod state_graph;
pub mod state_positions;

use crate::base::ids::Label;
use crate::check::data_formula::{Coded, DataFormula};
use crate::check::on_the_fly::evidence::Evidence;
use crate::check::on_the_fly::game::{Game, Positions};
use crate::check::on_the_fly::orbit_positions::OrbitPositions;
use crate::check::on_the_fly::question::Question;
use crate::check::on_the_fly::state_graph::StateGraph;
use crate::check::on_the_fly::state_positions::StatePositions;
use crate::data::terms::Term;
use crate::group::permutation::{Permutation, identity};
use crate::orbits;
use crate::orbits::canonical_state::Besides;
use crate::orbits::statistics::{Broken, Callbacks, GroupStatistics, OrbitOptions};
use crate::orbits::symmetric_process::{SymmetricProcess, begin, with_proven_group};
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::symmetry_of_process::action_on::nodes::NodeAction;
use crate::symmetry_of_process::lifting::symmetry::Symmetry;
use num_bigint::BigUint;

/// The result of model checking.
pub struct Checked {
    pub statistics: GroupStatistics,
    /// `None` if a limit was reached first, or the permutations are no symmetry.
    pub holds: Option<bool>,
    /// The evidence, if it was requested and is not too large.
    pub evidence: Option<Evidence>,
    /// The number of orbits of pairs explored; `pairs` is the number of pairs in all orbits
    /// visited.
    pub explored: usize,
    pub pairs: BigUint,
    /// Without generators, the number of states whose steps were requested.
    pub states: usize,
}

impl From<GroupStatistics> for Checked {
    fn from(statistics: GroupStatistics) -> Self {
        let (evidence, pairs) = (None, BigUint::ZERO);
        Self { statistics, holds: None, evidence, explored: 0, pairs, states: 0 }
    }
}

/// Decides whether a formula holds, and, if requested, certifies the symmetry on the explored
/// states and their images.
pub fn check<F: DataFormula>(
    process: &mut Process,
    mut symmetry: Symmetry,
    formula: &mut Coded<F>,
    question: &Question,
    options: &OrbitOptions,
    callbacks: &mut dyn Callbacks,
) -> Result<Checked, Stop> {
    if symmetry.generators.is_empty() {
        let (_, statistics) = begin(process, &mut symmetry, options)?;
        return check_alone(process, statistics.into(), formula, question, options, callbacks);
    }
    with_proven_group(
        process,
        symmetry,
        options,
        |checked: &mut Checked, process, group, has_tests| {
            let ((on_values, action), statistics) = (group, &mut checked.statistics);
            let shapes: Vec<Permutation> =
                on_values.1.iter().map(|_| identity(question.shapes)).collect();
            let nodes = NodeAction::new(&action.group, &shapes, &process.data.cancel)?;
            let besides = Besides { values: formula.slots(), nodes: Some(nodes) };
            let system =
                SymmetricProcess::new(process, on_values, action, options, besides, has_tests)?;
            let positions = OrbitPositions { system, callbacks: &mut *callbacks };
            let mut game = Game::new(positions, &mut *formula, question.most);
            let decision = game.run(question.root)?;
            checked.holds = decision.as_ref().map(|decision| decision.holds);
            checked.explored = game.arena.len();
            statistics.store = game.bytes();
            let Game { positions: OrbitPositions { system, callbacks }, formula, .. } = &mut game;
            statistics.incomplete = system.incomplete.filter(|_| decision.is_none());
            statistics.orbits = system.orbits.count();
            checked.pairs = system.members();
            let Some(decision) = decision else { return Ok(None) };
            if let Some(summand) = system.unknown_test()? {
                return Ok(Some(summand));
            }
            let states = system.sampled();
            certify(system, formula, &states, checked.explored, *callbacks, statistics)?;
            // All states in the evidence are images of explored ones.
            if let (Some(most), true) = (question.evidence, statistics.is_certified()) {
                checked.evidence = game.evidence(&decision, question, most)?;
            }
            Ok(None)
        },
    )
}

/// Decides whether a formula holds, on pairs, without a group.
fn check_alone<F: DataFormula>(
    process: &mut Process,
    mut checked: Checked,
    formula: &mut Coded<F>,
    question: &Question,
    options: &OrbitOptions,
    callbacks: &mut dyn Callbacks,
) -> Result<Checked, Stop> {
    let graph = StateGraph::new(process, options, question, callbacks);
    let mut game = Game::new(StatePositions::new(graph), formula, question.most);
    let decision = game.run(question.root)?;
    let orbits = Positions::<F>::count(&game.positions);
    checked.holds = decision.as_ref().map(|decision| decision.holds);
    checked.explored = game.arena.len();
    checked.states = game.positions.graph.explored();
    checked.pairs = orbits.into();
    checked.statistics.store = game.bytes();
    checked.statistics.orbits = orbits;
    let Some(decision) = decision else {
        checked.statistics.incomplete = *Positions::<F>::incomplete(&mut game.positions);
        return Ok(checked);
    };
    if let Some(most) = question.evidence {
        checked.evidence = game.evidence(&decision, question, most)?;
    }
    Ok(checked)
}

/// Certifies that the permutations are symmetries of what was explored and preserve the internal
/// labels; what has been proven from the text is tested again in `states`.
pub(crate) fn certify<F: DataFormula>(
    system: &mut SymmetricProcess<'_, '_>,
    formula: &mut Coded<F>,
    states: &[Term],
    explored: usize,
    callbacks: &mut dyn Callbacks,
    statistics: &mut GroupStatistics,
) -> Result<(), Stop> {
    let count = statistics.orbits;
    let mut report = || callbacks.progress(count, explored);
    let Some(texts) = orbits::certify(system, states, statistics, &mut report)? else {
        return Ok(());
    };
    let (process, mut unchecked) = (&*system.process, 0);
    for (which, texts) in texts.iter().enumerate() {
        for (label, &image) in (0..).zip(texts.iter()) {
            process.data.cancel.check_every(&mut unchecked, 1)?;
            let text = |label| process.labels.labels.get(Label(label)).to_vec();
            let (label, image) = (text(label), text(image));
            if formula.is_internal(&label)? != formula.is_internal(&image)? {
                statistics.broken = Some((which, Broken::Labels(label, image)));
                return Ok(());
            }
        }
    }
    Ok(())
}
