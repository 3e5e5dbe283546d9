//! Traces of the original to goals found in its quotient, replayed step by step.

use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::data::terms::Term;
use crate::group::permutation::{Permutation, compose};
use crate::lpe::goals::Trace;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::explorer::Explorer;
use crate::orbit_exploration::orbit_goals::Goal;
use crate::orbit_exploration::symmetric_process::SymmetricProcess;
use rustc_hash::FxHashSet;

impl Explorer<'_, '_> {
    /// One trace for each goal.
    pub fn traces(&mut self) -> Result<Vec<Trace>, Stop> {
        let goals = self.numbering.search.goals.clone();
        goals.into_iter().map(|goal| self.trace(goal)).collect()
    }

    fn trace(&mut self, goal: Goal) -> Result<Trace, Stop> {
        let (mut states, mut last) = self.walk(goal)?;
        if let (Some(found), Some(wanted)) = (last, goal.label)
            && found != wanted
        {
            // Move the whole path so that it ends with the requested label.
            let element = self.leading(found, wanted)?;
            for state in &mut states {
                *state = self.system.image(state, &element)?;
            }
            last = Some(wanted);
        }
        let mut steps = Vec::new();
        for pair in states.windows(2) {
            let to_end = steps.len() + 2 == states.len();
            steps.push(self.step(&pair[0], &pair[1], last.filter(|_| to_end))?);
        }
        Ok(Trace { deadlock: goal.label.is_none(), steps })
    }

    /// States of the original on a path from the initial state to a goal, and the label of the last
    /// step if the goal is a label.
    fn walk(&mut self, goal: Goal) -> Result<(Vec<Vec<Term>>, Option<u32>), Stop> {
        let width = self.system.process.parameters;
        let mut states = vec![self.system.process.initial.clone()];
        for orbit in self.numbering.search.path(goal.orbit).into_iter().skip(1) {
            let batch = self.system.all_steps(&states[states.len() - 1])?;
            let (mut next, mut exact) = (None, None);
            for at in 0..batch.labels.len() {
                let target = &batch.targets[at * width..(at + 1) * width];
                if self.is_in(target, orbit, &mut exact)? {
                    next = Some(target.to_vec());
                    break;
                }
            }
            states.push(next.ok_or_else(not_replayed)?);
        }
        let Some(wanted) = goal.label else { return Ok((states, None)) };
        let images = self.label_images(wanted)?;
        let batch = self.system.all_steps(&states[states.len() - 1])?;
        let at = batch.labels.iter().position(|label| images.iter().any(|(key, _)| key == label));
        let at = at.ok_or_else(not_replayed)?;
        states.push(batch.targets[at * width..(at + 1) * width].to_vec());
        Ok((states, Some(batch.labels[at])))
    }

    /// Whether a state is in an orbit; caches the canonical image of the orbit.
    fn is_in(
        &mut self,
        state: &[Term],
        orbit: u32,
        exact: &mut Option<Vec<Term>>,
    ) -> Result<bool, Stop> {
        let least = self.system.least(state)?;
        if self.system.orbits.known(&least) == Some(orbit) {
            return Ok(true);
        }
        if least.is_exact && !self.system.orbits.is_approximate(orbit) {
            return Ok(false);
        }
        let own = self.exactly(state)?.image;
        if exact.is_none() {
            let mut image = Vec::new();
            self.system.orbits.image(orbit, &mut image);
            *exact = Some(self.exactly(&image)?.image);
        }
        Ok(exact.as_ref() == Some(&own))
    }

    /// The images of a label, each with an element that leads there.
    fn label_images(&mut self, label: u32) -> Result<Vec<(u32, Permutation)>, Stop> {
        let mut images = vec![(label, self.system.action.group.identity())];
        let mut known: FxHashSet<u32> = [label].into_iter().collect();
        let mut at = 0;
        while at < images.len() {
            let SymmetricProcess { process, generators, action, .. } = &mut self.system;
            for (i, generator) in generators.iter_mut().enumerate() {
                let image = generator.lifting.label(process, images[at].0)?;
                if known.insert(image) {
                    images.push((image, compose(action.group.generator(i), &images[at].1)));
                }
            }
            at += 1;
        }
        Ok(images)
    }

    /// An element that maps one label to the other.
    fn leading(&mut self, from: u32, to: u32) -> Result<Permutation, Stop> {
        let found = self.label_images(from)?.into_iter().find(|&(label, _)| label == to);
        found.map(|(_, element)| element).ok_or_else(not_replayed)
    }

    /// The label of a step, and the number of its target among the states that steps with this
    /// label lead to.
    fn step(
        &mut self,
        from: &[Term],
        to: &[Term],
        label: Option<u32>,
    ) -> Result<(Vec<u8>, u32), Stop> {
        let width = self.system.process.parameters;
        let batch = self.system.all_steps(from)?;
        let texts = &self.system.process.labels.texts;
        let step = |(at, &label): (usize, &u32)| {
            (texts[label as usize], &batch.targets[at * width..(at + 1) * width])
        };
        let steps: Vec<(u32, &[Term])> = batch.labels.iter().enumerate().map(step).collect();
        let label = label.map(|label| texts[label as usize]);
        let found = |&&(text, target): &&(u32, &[Term])| {
            target == to && label.is_none_or(|label| label == text)
        };
        let &(text, _) = steps.iter().find(found).ok_or_else(not_replayed)?;
        let choice = choice(steps.iter().copied(), text, to);
        Ok((self.system.process.labels.labels.get(Label(text)).to_vec(), choice))
    }
}

/// The number of a state, counted from 1, among the distinct states that steps with one label lead
/// to; the steps are given by label texts and targets.
pub(crate) fn choice<'a>(
    steps: impl Iterator<Item = (u32, &'a [Term])>,
    text: u32,
    to: &[Term],
) -> u32 {
    let mut same: Vec<&[Term]> = Vec::new();
    for (other, target) in steps {
        if other == text && !same.contains(&target) {
            same.push(target);
        }
    }
    u32::at(same.iter().position(|&target| target == to).expect("it is one of them")) + 1
}

/// The error that a path found on orbits cannot be replayed: some proof of the symmetry is wrong,
/// but this does not show that the permutation is not a symmetry.
pub(crate) fn not_replayed() -> Stop {
    Stop::Unproven
}
