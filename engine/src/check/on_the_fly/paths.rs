//! Decides whether a process has a path accepted by an automaton, on orbits of states; for formulas
//! that consist of a single path quantifier.

use crate::base::ids::Id;
use crate::check::data_formula::Coded;
use crate::check::fair_paths::automaton_states::AutomatonFormula;
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::no_path::NoPath;
use crate::check::fair_paths::{FairPathSearch, Outcome};
use crate::check::on_the_fly::orbit_graph::OrbitGraph;
use crate::check::on_the_fly::question::Question;
use crate::check::on_the_fly::state_graph::StateGraph;
use crate::check::on_the_fly::{Checked, certify};
use crate::orbits::canonical_state::Besides;
use crate::orbits::statistics::{Callbacks, OrbitOptions};
use crate::orbits::symmetric_process::{Group, SymmetricProcess, begin, with_proven_group};
use crate::process::explore::Incomplete;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::symmetry_of_process::lifting::symmetry::Symmetry;
use num_bigint::BigUint;
use rustc_hash::FxHashSet;

/// Like [`check`](super::check), for a `root` that is an automaton state: the answer is whether
/// there is a path. `None` if there are too many automaton states.
pub fn find_path<F: AutomatonFormula>(
    process: &mut Process,
    mut symmetry: Symmetry,
    formula: &mut Coded<F>,
    question: &Question,
    options: &OrbitOptions,
    callbacks: &mut dyn Callbacks,
) -> Result<Option<Checked>, Stop> {
    let result = if symmetry.generators.is_empty() {
        let (_, statistics) = begin(process, &mut symmetry, options)?;
        find_alone(process, statistics.into(), formula, question, options, callbacks)
    } else {
        find_under(process, symmetry, formula, question, options, callbacks)
    };
    match result {
        Ok(result) => Ok(Some(result)),
        Err(NoPath::Stop(stop)) => Err(stop),
        Err(NoPath::States | NoPath::Nodes) => Ok(None),
    }
}

/// Searches among single states, without a group.
fn find_alone<F: AutomatonFormula>(
    process: &mut Process,
    mut checked: Checked,
    formula: &mut Coded<F>,
    question: &Question,
    options: &OrbitOptions,
    callbacks: &mut dyn Callbacks,
) -> Result<Checked, NoPath> {
    let mut graph = StateGraph::new(process, options, question, callbacks);
    let mut search = FairPathSearch::new(&mut graph, formula, question.root)?;
    let outcome = match search.run() {
        Err(NoPath::States) => return Err(NoPath::States),
        Err(_) if search.graph.incomplete.is_some() => Outcome::Stopped,
        outcome => outcome?,
    };
    let count = |search: &FairPathSearch<F, StateGraph>, state| {
        let controls = search.nodes.bits(state).iter().map(|word| word.count_ones() as usize);
        controls.sum::<usize>()
    };
    let known = (0..u32::at(search.graph.states())).filter(|&state| search.graph.is_known(state));
    checked.explored = known.map(|state| count(&search, state)).sum();
    checked.states = search.graph.explored();
    checked.statistics.orbits = search.nodes.count();
    checked.statistics.store = search.graph.bytes() + search.nodes.bytes();
    checked.pairs = search.nodes.count().into();
    let shown = match outcome {
        Outcome::Stopped => {
            let incomplete = search.graph.incomplete;
            checked.statistics.incomplete = incomplete.or(Some(Incomplete::Interrupted));
            return Ok(checked);
        }
        Outcome::Accepted(shown) => Some(shown),
        Outcome::Nothing => None,
    };
    checked.holds = Some(shown.is_some());
    if let (Some(shown), Some(most)) = (&shown, question.evidence) {
        let lasso = search.lasso(shown)?;
        checked.evidence = search.walked(&lasso, question.root, most)?;
    }
    Ok(checked)
}

fn find_under<F: AutomatonFormula>(
    process: &mut Process,
    symmetry: Symmetry,
    formula: &mut Coded<F>,
    question: &Question,
    options: &OrbitOptions,
    callbacks: &mut dyn Callbacks,
) -> Result<Checked, NoPath> {
    let mut limit = None;
    let mut answer =
        |checked: &mut Checked, process: &mut Process, group: Group, has_tests: &[bool]| {
            let (on_values, action) = group;
            let alone = Besides::default();
            let system =
                SymmetricProcess::new(process, on_values, action, options, alone, has_tests)?;
            let mut graph = OrbitGraph::new(system, question, &mut *callbacks)?;
            let mut search = FairPathSearch::new(&mut graph, &mut *formula, question.root)?;
            let outcome = match search.run() {
                Err(NoPath::States) => return Err(NoPath::States),
                Err(_) if search.graph.system.incomplete.is_some() => Outcome::Stopped,
                outcome => outcome?,
            };
            checked.count(&mut search)?;
            let statistics = &mut checked.statistics;
            let shown = match outcome {
                Outcome::Stopped => {
                    let incomplete = search.graph.system.incomplete;
                    statistics.incomplete = incomplete.or(Some(Incomplete::Interrupted));
                    return Ok(None);
                }
                Outcome::Accepted(shown) => Some(shown),
                Outcome::Nothing => None,
            };
            checked.holds = Some(shown.is_some());
            if let Some(summand) = search.graph.system.unknown_test()? {
                return Ok(Some(summand));
            }
            let states = search.graph.sampled();
            let OrbitGraph { system, callbacks, .. } = &mut *search.graph;
            let formula = search.automaton.formula();
            certify(system, formula, &states, checked.explored, *callbacks, statistics)?;
            if let (Some(shown), Some(most), true) =
                (&shown, question.evidence, statistics.is_certified())
            {
                let lasso = search.lasso(shown)?;
                checked.evidence = search.replayed(&lasso, question.root, most)?;
            }
            Ok(None)
        };
    let checked =
        with_proven_group(process, symmetry, options, |checked, process, group, has_tests| {
            match answer(checked, process, group, has_tests) {
                Err(NoPath::Stop(stop)) => Err(stop),
                Err(error) => {
                    limit = Some(error);
                    Ok(None)
                }
                Ok(summand) => Ok(summand),
            }
        })?;
    limit.map_or(Ok(checked), Err)
}

impl Checked {
    /// Counts what a search has visited: orbits of pairs, and the pairs that they represent.
    fn count<F: AutomatonFormula>(
        &mut self,
        search: &mut FairPathSearch<F, OrbitGraph>,
    ) -> Result<(), NoPath> {
        self.explored = 0;
        self.statistics.store = search.graph.bytes() + search.nodes.bytes();
        (self.statistics.orbits, self.pairs) = (0, BigUint::ZERO);
        // The number of nodes, by the stabiliser of their state.
        let mut nodes = vec![0_u64; search.graph.system.orbits.stabilisers.list.len()];
        for orbit in 0..u32::at(search.graph.system.orbits.count()) {
            let stabiliser = search.graph.system.orbits.stabiliser[orbit as usize] as usize;
            let own = search.nodes.bits(orbit).iter().map(|word| word.count_ones() as usize);
            let own = own.sum::<usize>();
            let is_known = search.graph.is_known(orbit);
            if stabiliser == 0 || own == 0 {
                self.statistics.orbits += own;
                self.explored += if is_known { own } else { 0 };
                nodes[stabiliser] += own as u64;
                continue;
            }
            let (orbits, all) = search.orbits_of_automaton_states(orbit)?;
            self.statistics.orbits += orbits;
            self.explored += if is_known { orbits } else { 0 };
            nodes[stabiliser] += all as u64;
        }
        for (stabiliser, &nodes) in search.graph.system.orbits.stabilisers.list.iter().zip(&nodes) {
            self.pairs += &self.statistics.order / stabiliser.order() * nodes;
        }
        Ok(())
    }
}

impl<F: AutomatonFormula> FairPathSearch<'_, F, OrbitGraph<'_, '_>> {
    /// The automaton states visited with the state `orbit`: the number of their orbits under the
    /// stabiliser of the state, and the number of automaton states in these orbits.
    fn orbits_of_automaton_states(&mut self, orbit: u32) -> Result<(usize, usize), NoPath> {
        let fixing = self.graph.system.orbits.stabiliser_of(orbit).images().to_vec();
        let fixing: Vec<u32> = fixing.iter().map(|element| self.graph.intern(element)).collect();
        let (mut visited, mut orbits, mut unchecked) = (FxHashSet::default(), 0, 0);
        for control in self.nodes.controls(orbit).collect::<Vec<_>>() {
            if !visited.insert(control) {
                continue;
            }
            orbits += 1;
            let mut waiting = vec![control];
            while let Some(control) = waiting.pop() {
                let cancel = &self.graph.system.process.data.cancel;
                cancel.check_every(&mut unchecked, 1 + fixing.len())?;
                for &element in &fixing {
                    let image = self.automaton.moved_state(control, element, self.graph)?;
                    if visited.insert(image) {
                        waiting.push(image);
                    }
                }
            }
        }
        Ok((orbits, visited.len()))
    }
}
