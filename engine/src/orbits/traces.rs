//! Traces of the original to goals found in its quotient, replayed step by step.

use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::group::permutation::{Permutation, compose, inverse};
use crate::group::subgroup::Subgroup;
use crate::orbits::explorer::Explorer;
use crate::orbits::orbit_goals::Goal;
use crate::orbits::orbit_table::of_image;
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::process::goals::{Preimage, Trace};
use crate::process::linear::stop::Stop;
use rustc_hash::FxHashSet;

/// A path of the original.
struct Walk {
    /// The orbits of the states; if the goal is a label, not that of the last state.
    orbits: Vec<u32>,
    states: Vec<Vec<Term>>,
    /// The label of the last step, if the goal is a label.
    last: Option<u32>,
}

impl Explorer<'_, '_> {
    /// One trace for each goal.
    pub fn traces(&mut self) -> Result<Vec<Trace>, Stop> {
        let goals = self.numbering.search.goals.clone();
        goals.into_iter().map(|goal| self.trace(goal)).collect()
    }

    fn trace(&mut self, goal: Goal) -> Result<Trace, Stop> {
        let Walk { orbits, mut states, mut last } = self.walk(goal)?;
        if let (Some(reached), Some(label)) = (last, goal.label)
            && reached != label
        {
            // Move the whole path so that it ends with the requested label.
            let element = self.leading(reached, label)?;
            for state in &mut states {
                *state = self.system.image(state, &element)?;
            }
            last = Some(label);
        }
        let (mut steps, mut preimages) = (Vec::new(), Vec::new());
        for (pair, orbit) in states.windows(2).zip(orbits) {
            let to_end = steps.len() + 2 == states.len();
            let (step, label) = self.step(&pair[0], &pair[1], last.filter(|_| to_end))?;
            steps.push(step);
            preimages.push(self.preimage(&pair[0], orbit, label)?);
        }
        Ok(Trace { deadlock: goal.label.is_none(), steps, preimages })
    }

    /// A path from the initial state to a goal.
    fn walk(&mut self, goal: Goal) -> Result<Walk, Stop> {
        let width = self.system.process.parameters;
        let mut states = vec![self.system.process.initial.clone()];
        let orbits = self.numbering.search.path(goal.orbit);
        for &orbit in &orbits[1..] {
            let batch = self.system.all_steps(&states[states.len() - 1])?;
            let (mut next, mut exact) = (None, None);
            for at in 0..batch.labels.len() {
                let target = &batch.targets[at * width..(at + 1) * width];
                if self.reaching(target, orbit, &mut exact)?.is_some() {
                    next = Some(target.to_vec());
                    break;
                }
            }
            states.push(next.ok_or_else(not_replayed)?);
        }
        let Some(goal_label) = goal.label else { return Ok(Walk { orbits, states, last: None }) };
        let images = self.label_images(goal_label)?;
        let batch = self.system.all_steps(&states[states.len() - 1])?;
        let at = batch.labels.iter().position(|label| images.iter().any(|(key, _)| key == label));
        let at = at.ok_or_else(not_replayed)?;
        states.push(batch.targets[at * width..(at + 1) * width].to_vec());
        Ok(Walk { orbits, states, last: Some(batch.labels[at]) })
    }

    /// The representative's step that a step from a state of this orbit is the image of.
    fn preimage(&mut self, state: &[Term], orbit: u32, label: u32) -> Result<Preimage, Stop> {
        let element = self.reaching(state, orbit, &mut None)?.ok_or_else(not_replayed)?;
        let element = self.system.orbits.stabiliser_of(orbit).least_of_coset(&element);
        let mut image = Vec::new();
        self.system.orbits.image(orbit, &mut image);
        self.system.preimage(&image, element, state, label)
    }

    /// An element that maps the representative of this orbit to a state, if the state is in the
    /// orbit; caches the canonical image of the orbit.
    fn reaching(
        &mut self,
        state: &[Term],
        orbit: u32,
        exact: &mut Option<Least>,
    ) -> Result<Option<Permutation>, Stop> {
        let least = self.system.least(state)?;
        if self.system.orbits.known(&least) == Some(orbit) {
            return Ok(Some(inverse(&least.element)));
        }
        if least.is_exact && !self.system.orbits.is_approximate(orbit) {
            return Ok(None);
        }
        let own = self.exactly(state)?;
        let exact = match exact {
            Some(exact) => exact,
            None => {
                let mut image = Vec::new();
                self.system.orbits.image(orbit, &mut image);
                exact.insert(self.exactly(&image)?)
            }
        };
        let is_in = exact.image == own.image;
        Ok(is_in.then(|| compose(&inverse(&own.element), &exact.element)))
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
        let image = self.label_images(from)?.into_iter().find(|&(label, _)| label == to);
        image.map(|(_, element)| element).ok_or_else(not_replayed)
    }

    /// The label of a step and the number of its target among the states that steps with this
    /// label lead to; and the label's key.
    fn step(
        &mut self,
        from: &[Term],
        to: &[Term],
        label: Option<u32>,
    ) -> Result<((Vec<u8>, u32), u32), Stop> {
        let width = self.system.process.parameters;
        let batch = self.system.all_steps(from)?;
        let texts = &self.system.process.labels.texts;
        let step = |(at, &label): (usize, &u32)| {
            (texts[label as usize], &batch.targets[at * width..(at + 1) * width])
        };
        let steps: Vec<(u32, &[Term])> = batch.labels.iter().enumerate().map(step).collect();
        let label = label.map(|label| texts[label as usize]);
        let is_target = |&(text, target): &(u32, &[Term])| {
            target == to && label.is_none_or(|label| label == text)
        };
        let at = steps.iter().position(is_target).ok_or_else(not_replayed)?;
        let (text, key) = (steps[at].0, batch.labels[at]);
        let choice = choice(steps.iter().copied(), text, to);
        let label = self.system.process.labels.labels.get(Label(text)).to_vec();
        Ok(((label, choice), key))
    }
}

impl SymmetricProcess<'_, '_> {
    /// The representative's step that a step from a state, or from a pair of a state and something
    /// else, is the image of. The representative is the canonical image, which must be exact; of
    /// the elements that lead from it to the state the least one is taken.
    pub fn preimage_of(&mut self, state: &[Term], label: u32) -> Result<Preimage, Stop> {
        let least = self.least(state)?;
        let (points, fixing) =
            (self.action.group.points, of_image(&least.element, &least.stabiliser));
        let stabiliser = Subgroup::new(points, &fixing, &self.process.data.cancel)?;
        let element = stabiliser.least_of_coset(&inverse(&least.element));
        self.preimage(&least.image, element, state, label)
    }

    /// The step of a representative that an element maps to a step with this label from `state`.
    fn preimage(
        &mut self,
        representative: &[Term],
        element: Permutation,
        state: &[Term],
        label: u32,
    ) -> Result<Preimage, Stop> {
        let Self { process, action, carrier, .. } = self;
        let own = action.lifting(carrier, &inverse(&element)).label(process, label)?;
        let back = action.lifting(carrier, &element).label(process, own)?;
        if back != label || self.image(representative, &element)? != state {
            return Err(not_replayed());
        }
        let labels = &self.process.labels;
        let label = labels.labels.get(Label(labels.texts[own as usize])).to_vec();
        Ok(Preimage { label, element })
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
