//! Counterexamples to refinement, replayed step by step in the process itself.

use crate::base::ids::{Label, State};
use crate::data::terms::Term;
use crate::group::permutation::{compose, inverse};
use crate::ops::label_patterns::Rest;
use crate::orbits::batch::Batch;
use crate::orbits::refinement::alphabet::Meaning;
use crate::orbits::refinement::product::{Goal, Product, Violation};
use crate::orbits::traces::{choice, not_replayed};
use crate::process::goals::Preimage;
use crate::process::linear::stop::Stop;
use rustc_hash::FxHashSet;

/// A run of the process, and what happens after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    pub steps: Vec<RunStep>,
    /// Labels that the state after the run refuses although the specification does not allow it.
    pub refused: Option<Vec<Vec<u8>>>,
    /// Whether the state after the run diverges.
    pub diverges: bool,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    pub label: Vec<u8>,
    /// The number of the target, counted from 1, among the states that steps with this label lead
    /// to.
    pub choice: u32,
    /// Whether the label is internal, in the process or because it is hidden.
    pub internal: bool,
    /// The step of the representative of the pair's orbit.
    pub preimage: Preimage,
}

/// An allowed step from a pair: the text of its label, whether it counts in traces, and the target
/// pair.
struct Move {
    text: u32,
    counts: bool,
    target: Vec<Term>,
}

impl Product<'_, '_> {
    /// The counterexample for a goal that the exploration has found.
    pub fn counterexample(&mut self, goal: Goal) -> Result<Counterexample, Stop> {
        let mut steps = Vec::new();
        let mut pair = self.start();
        for (orbit, silent) in self.pairs.path(goal.orbit).into_iter().skip(1) {
            let (step, next) = self.toward(&pair, orbit, silent)?;
            steps.push(step);
            pair = next;
        }
        let mut counterexample = Counterexample { steps, refused: None, diverges: false };
        match goal.violation {
            Violation::Step => {
                let step = self.forbidden(&pair)?.ok_or_else(not_replayed)?;
                counterexample.steps.push(step);
            }
            Violation::Refusal => {
                counterexample.refused = Some(self.refused(&pair)?.ok_or_else(not_replayed)?);
            }
            Violation::Divergence => {
                self.check_divergence(goal.orbit, pair)?;
                counterexample.diverges = true;
            }
        }
        Ok(counterexample)
    }

    /// A step from a pair to a pair of this orbit.
    fn toward(
        &mut self,
        pair: &[Term],
        orbit: u32,
        silent: bool,
    ) -> Result<(RunStep, Vec<Term>), Stop> {
        let batch = self.steps(pair)?;
        for Move { text, counts, target } in self.moves(pair, &batch) {
            let least = self.system.least(&target)?;
            if counts != silent && self.system.orbits.known(&least) == Some(orbit) {
                return Ok((self.step(pair, &batch, text, &target)?, target));
            }
        }
        Err(not_replayed())
    }

    /// A step that the specification does not allow.
    fn forbidden(&mut self, pair: &[Term]) -> Result<Option<RunStep>, Stop> {
        let batch = self.steps(pair)?;
        let (normal, node) = (&self.pairs.specification.normal, State(pair[pair.len() - 1]));
        for (at, &label) in batch.labels.iter().enumerate() {
            let text = self.system.process.labels.texts[label as usize];
            let is_allowed = match self.pairs.alphabet.meaning(text) {
                Meaning::Internal => true,
                Meaning::Known(label) => normal.after(node, label).is_some(),
                Meaning::Foreign => false,
            };
            if !is_allowed {
                let target = self.target(&batch, at).to_vec();
                return self.step(pair, &batch, text, &target).map(Some);
            }
        }
        Ok(None)
    }

    /// Labels that the state of a pair may not refuse together but does, if it is stable.
    fn refused(&mut self, pair: &[Term]) -> Result<Option<Vec<Vec<u8>>>, Stop> {
        let batch = self.steps(pair)?;
        let normal = &self.pairs.specification.normal;
        let node = State(pair[pair.len() - 1]);
        let mut offered = Vec::new();
        for &label in &batch.labels {
            match self.pairs.alphabet.meaning(self.system.process.labels.texts[label as usize]) {
                Meaning::Internal => return Ok(None),
                Meaning::Known(label) => offered.push(label),
                Meaning::Foreign => {}
            }
        }
        offered.sort_unstable();
        offered.dedup();
        if normal.allows_offer(node, &offered) {
            return Ok(None);
        }
        let labels = normal.refused(node, &offered);
        Ok(Some(labels.into_iter().map(|label| normal.labels.get(label).to_vec()).collect()))
    }

    /// Replays internal steps from a pair of this orbit until a state is repeated.
    fn check_divergence(&mut self, orbit: u32, mut pair: Vec<Term>) -> Result<(), Stop> {
        // First up to an orbit that is repeated.
        let endless: FxHashSet<u32> = self.pairs.endless().into_iter().collect();
        let onward = |from: u32, silent: &[(u32, u32)]| {
            silent.iter().find(|&&(s, t)| s == from && endless.contains(&t)).map(|&(_, t)| t)
        };
        let mut visited = vec![(orbit, pair.clone())];
        let begin = loop {
            let from = visited[visited.len() - 1].0;
            let to = onward(from, self.pairs.silent()).ok_or_else(not_replayed)?;
            pair = self.toward(&pair, to, true)?.1;
            if let Some(begin) = visited.iter().position(|&(orbit, _)| orbit == to) {
                break begin;
            }
            visited.push((to, pair.clone()));
        };
        // Then the same steps again and again, moved by the element that maps the first state of
        // that orbit to the last one.
        let mut round: Vec<Vec<Term>> = visited.drain(begin..).map(|(_, pair)| pair).collect();
        let (left, right) =
            (self.system.least(&round[0])?.element, self.system.least(&pair)?.element);
        let element = compose(&inverse(&right), &left);
        let first = round[0].clone();
        while pair != first {
            for pair in &mut round {
                *pair = self.system.image(pair, &element)?;
            }
            let end = self.system.image(&pair, &element)?;
            let mut from = pair;
            for to in round[1..].iter().cloned().chain([end]) {
                let batch = self.steps(&from)?;
                let moves = self.moves(&from, &batch);
                if !moves.iter().any(|step| !step.counts && step.target == to) {
                    return Err(not_replayed());
                }
                from = to;
            }
            pair = from;
        }
        Ok(())
    }

    /// The steps of the state of a pair.
    fn steps(&mut self, pair: &[Term]) -> Result<Batch, Stop> {
        let width = self.system.process.parameters;
        let batch = self.system.all_steps(&pair[..width])?;
        self.pairs.alphabet.extend(self.system.process, self.pairs.specification);
        Ok(batch)
    }

    fn target<'b>(&self, batch: &'b Batch, step: usize) -> &'b [Term] {
        let width = self.system.process.parameters;
        &batch.targets[step * width..(step + 1) * width]
    }

    fn moves(&self, pair: &[Term], batch: &Batch) -> Vec<Move> {
        let node = State(pair[pair.len() - 1]);
        let mut moves = Vec::new();
        for (at, &label) in batch.labels.iter().enumerate() {
            let text = self.system.process.labels.texts[label as usize];
            let (counts, after) = match self.pairs.alphabet.meaning(text) {
                Meaning::Internal => (false, Some(node)),
                Meaning::Known(label) => (true, self.pairs.specification.normal.after(node, label)),
                Meaning::Foreign => (true, None),
            };
            if let Some(after) = after {
                let target = self.target(batch, at).iter().copied().chain([after.0]).collect();
                moves.push(Move { text, counts, target });
            }
        }
        moves
    }

    /// A step of `batch`, the steps from a pair; `target` is its target state or target pair.
    fn step(
        &mut self,
        pair: &[Term],
        batch: &Batch,
        text: u32,
        target: &[Term],
    ) -> Result<RunStep, Stop> {
        let target = &target[..self.system.process.parameters];
        let texts =
            batch.labels.iter().map(|&label| self.system.process.labels.texts[label as usize]);
        let steps = texts.enumerate().map(|(at, text)| (text, self.target(batch, at)));
        let choice = choice(steps.clone(), text, target);
        let at = steps.clone().position(|step| step == (text, target)).expect("it is one of them");
        let label = self.system.process.labels.labels.get(Label(text)).to_vec();
        let internal = self.pairs.specification.rest(&label) == Rest::Internal;
        let preimage = self.system.preimage_of(pair, batch.labels[at])?;
        Ok(RunStep { label, choice, internal, preimage })
    }
}
