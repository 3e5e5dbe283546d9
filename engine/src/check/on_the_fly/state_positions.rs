//! The game on numbered pairs of a state and a part of the formula, without a group.

use crate::base::cancel::Cancel;
use crate::base::ids::NONE;
use crate::check::data_formula::{Choices, Coded, DataFormula};
use crate::check::fair_paths::graph::Graph;
use crate::check::on_the_fly::game::{Edge, Moves, Pair, Positions};
use crate::check::on_the_fly::state_graph::StateGraph;
use crate::orbits::batch::{BATCH, STEPS};
use crate::process::explore::Incomplete;
use crate::process::linear::stop::Stop;
use crate::process::store::pair_table::Pairs;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The positions without a group: pairs of a state and a part.
pub(crate) struct StatePositions<'a> {
    pub graph: StateGraph<'a>,
    positions: Pairs,
}

impl<'a> StatePositions<'a> {
    pub fn new(graph: StateGraph<'a>) -> Self {
        Self { graph, positions: Pairs::default() }
    }

    /// Calls `to` with every edge of a pair; the steps of its state must be known.
    fn lead<F: DataFormula>(
        &self,
        formula: &mut Coded<F>,
        state: u32,
        choice: &Choices,
        mut to: impl FnMut(Option<u32>, [u32; 2]),
    ) -> Result<(), Stop> {
        choice.stays.iter().for_each(|&inner| to(None, [state, inner]));
        if !choice.need_steps() {
            return Ok(());
        }
        if !choice.here.is_empty() {
            let own = self.graph.steps(state).map(|at| self.graph.step(at).label);
            let own: Vec<u32> = own.collect();
            for inner in formula.here(choice, self.graph.labels(), &own)? {
                to(None, [state, inner]);
            }
        }
        let mut after = Vec::new();
        for step in self.graph.steps(state).map(|at| self.graph.step(at)) {
            formula.after(choice, self.graph.labels(), step.label, &mut after)?;
            after.iter().for_each(|&inner| to(Some(step.label), [step.target, inner]));
        }
        Ok(())
    }
}

impl<F: DataFormula> Positions<F> for StatePositions<'_> {
    type Targets = Vec<[u32; 2]>;

    fn start(&mut self, _: &mut Coded<F>, root: u32) -> Result<Pair, Stop> {
        Ok(vec![self.graph.initial().0, root])
    }

    fn width(&self) -> usize {
        1
    }

    fn intern(&mut self, pair: &[u32]) -> Result<u32, Stop> {
        Ok(self.positions.intern([pair[0], pair[1]]).0)
    }

    fn position(&mut self, pair: &[u32]) -> Result<Option<u32>, Stop> {
        Ok(Some(self.positions.find([pair[0], pair[1]])).filter(|&known| known != NONE))
    }

    fn edges(
        &mut self,
        formula: &mut Coded<F>,
        pair: &[u32],
    ) -> Result<(Arc<Choices>, Vec<Edge>), Stop> {
        let choices = formula.choices(pair[1])?;
        let mut edges = Vec::new();
        self.lead(formula, pair[0], &choices, |label, to| edges.push((label, to.to_vec())))?;
        Ok((choices, edges))
    }

    fn count(&self) -> usize {
        self.positions.len()
    }

    fn moves(
        &mut self,
        formula: &mut Coded<F>,
        first: usize,
    ) -> Result<Moves<Self::Targets>, Stop> {
        let last = self.positions.len().min(first + BATCH);
        let pairs = self.positions.pairs()[first..last].iter();
        let pairs = pairs.map(|&[state, part]| Ok((state, formula.choices(part)?)));
        let pairs = pairs.collect::<Result<Vec<(u32, Arc<Choices>)>, Stop>>()?;
        let requested = pairs.iter().filter(|(_, choice)| choice.need_steps());
        let mut requested: Vec<u32> = requested.map(|&(state, _)| state).collect();
        let mut seen = FxHashSet::default();
        requested.retain(|&state| !self.graph.is_known(state) && seen.insert(state));
        if !requested.is_empty() {
            self.graph.expand(&requested)?;
        }
        let (mut moves, mut steps) = (Moves::default(), 0);
        let targets: &mut Vec<[u32; 2]> = &mut moves.targets;
        for (state, choice) in pairs {
            let needs_steps = choice.need_steps();
            let is_known = self.graph.is_known(state) && self.graph.is_whole(state);
            if steps >= STEPS || needs_steps && !is_known {
                // It is made with the next positions, or a limit was reached.
                break;
            }
            steps += if needs_steps { self.graph.steps(state).len() } else { 0 };
            let before = targets.len();
            self.lead(formula, state, &choice, |_, to| targets.push(to))?;
            moves.degrees.push(targets.len() - before);
            moves.choices.push(choice);
        }
        Ok(moves)
    }

    fn number(
        &mut self,
        targets: Vec<[u32; 2]>,
        degrees: &[usize],
        made: &mut dyn FnMut(&mut Self, usize, &[u32]) -> bool,
    ) -> Result<(), Stop> {
        let (mut targets, mut numbers) = (targets.into_iter(), Vec::new());
        for (at, &degree) in degrees.iter().enumerate() {
            numbers.clear();
            let own = targets.by_ref().take(degree);
            numbers.extend(own.map(|pair| self.positions.intern(pair).0));
            if !made(self, at, &numbers) {
                return Ok(());
            }
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        false
    }

    fn incomplete(&mut self) -> &mut Option<Incomplete> {
        &mut self.graph.incomplete
    }

    fn look(&mut self, made: usize, bytes: usize) -> Result<(), Stop> {
        self.graph.callbacks.progress(self.positions.len(), made);
        self.graph.look(bytes)
    }

    fn bytes(&self) -> usize {
        self.graph.bytes() + self.positions.bytes()
    }

    fn cancel(&mut self) -> &Cancel {
        self.graph.cancel()
    }
}
