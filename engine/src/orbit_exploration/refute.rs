//! Traces that show that a permutation is no symmetry, whatever it does to states.
//!
//! A symmetry maps traces to traces. So pairs are explored, breadth first, of a state and all states
//! that the image of the trace leads to: if the state has a step whose image none of those has, the
//! trace with that step is one of the process and its image is none. As the powers of a permutation
//! come back to it, traces need be looked at in one direction only.

use crate::base::ids::Label;
use crate::data::terms::Term;
use crate::lpe::process::stop::Stop;
use crate::lpe::process::{Local, Process};
use crate::orbit_exploration::lifting::symmetry::Generator;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// A trace that the process has, and whose image it has not: only the last label is missing there.
pub struct Refutation {
    pub trace: Vec<Vec<u8>>,
    pub image: Vec<Vec<u8>>,
}

/// How far the search goes.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Pairs, states in a set, and values of a sum.
    pub pairs: usize,
    pub set: usize,
    pub values: usize,
}

/// Label key and target.
type Step = (u32, u32);

/// States met, with their steps.
struct States<'a> {
    process: &'a mut Process,
    values: usize,
    numbers: FxHashMap<Box<[Term]>, u32>,
    states: Vec<Box<[Term]>>,
    steps: Vec<Option<Box<[Step]>>>,
}

impl States<'_> {
    fn number(&mut self, state: &[Term]) -> u32 {
        let next = self.states.len() as u32;
        match self.numbers.entry(state.into()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.states.push(place.key().clone());
                self.steps.push(None);
                *place.insert(next)
            }
        }
    }

    /// The steps of a state; none if a sum has too many values.
    fn steps(&mut self, state: u32) -> Result<Option<&[Step]>, Stop> {
        if self.steps[state as usize].is_none() {
            let from = self.states[state as usize].clone();
            let (mut key, mut target, mut found) = (Vec::new(), Vec::new(), Vec::new());
            for i in 0..self.process.summands.len() {
                let local = self.process.local_steps(i, &from, &mut key, self.values)?;
                let Local::All(known) = local else { return Ok(None) };
                let (begin, end) = self.process.tables[i].spans[known as usize];
                for row in begin..end {
                    let label = self.process.successor(i, row, &from, &mut target);
                    found.push((label, self.number(&target)));
                }
            }
            found.sort_unstable();
            found.dedup();
            self.steps[state as usize] = Some(found.into());
        }
        Ok(self.steps[state as usize].as_deref())
    }
}

/// A pair, and how it was met: from which pair, by which label key.
struct Pair {
    state: u32,
    set: u32,
    from: u32,
    label: u32,
}

/// A shortest refutation of a generator, if there is one within the bounds.
pub fn refute(
    process: &mut Process,
    generator: &mut Generator,
    bounds: Bounds,
) -> Result<Option<Refutation>, Stop> {
    let initial = process.initial.clone();
    let mut states = States {
        process,
        values: bounds.values,
        numbers: FxHashMap::default(),
        states: Vec::new(),
        steps: Vec::new(),
    };
    let start = states.number(&initial);
    let mut sets: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
    let mut members: Vec<Box<[u32]>> = vec![Box::from([start])];
    sets.insert(Box::from([start]), 0);
    let mut met: FxHashSet<(u32, u32)> = FxHashSet::default();
    met.insert((start, 0));
    let mut pairs = vec![Pair { state: start, set: 0, from: 0, label: 0 }];
    let mut at = 0;
    while at < pairs.len() {
        if at % 256 == 0 {
            states.process.data.cancel.check()?;
        }
        let Pair { state, set, .. } = pairs[at];
        let Some(own) = states.steps(state)?.map(<[_]>::to_vec) else { return Ok(None) };
        let mut after: FxHashMap<u32, u32> = FxHashMap::default();
        for (label, target) in own {
            let image = generator.lifting.label(states.process, label)?;
            let next = match after.get(&image) {
                Some(&known) => known,
                None => {
                    let text = states.process.labels.texts[image as usize];
                    let mut reached = Vec::new();
                    for &member in &members[set as usize].clone() {
                        let Some(steps) = states.steps(member)?.map(<[_]>::to_vec) else {
                            return Ok(None);
                        };
                        let texts = &states.process.labels.texts;
                        let same = steps.iter().filter(|(l, _)| texts[*l as usize] == text);
                        reached.extend(same.map(|&(_, target)| target));
                    }
                    reached.sort_unstable();
                    reached.dedup();
                    if reached.is_empty() {
                        return told(&mut states, generator, &pairs, at, label).map(Some);
                    }
                    if reached.len() > bounds.set {
                        return Ok(None);
                    }
                    let number = members.len() as u32;
                    let known = *sets.entry(reached.clone().into()).or_insert(number);
                    if known == number {
                        members.push(reached.into());
                    }
                    after.insert(image, known);
                    known
                }
            };
            if met.insert((target, next)) {
                if pairs.len() >= bounds.pairs {
                    return Ok(None);
                }
                pairs.push(Pair { state: target, set: next, from: at as u32, label });
            }
        }
        at += 1;
    }
    Ok(None)
}

fn told(
    states: &mut States<'_>,
    generator: &mut Generator,
    pairs: &[Pair],
    at: usize,
    last: u32,
) -> Result<Refutation, Stop> {
    let mut labels = vec![last];
    let mut at = at;
    while at > 0 {
        labels.push(pairs[at].label);
        at = pairs[at].from as usize;
    }
    labels.reverse();
    let (mut trace, mut image) = (Vec::new(), Vec::new());
    for label in labels {
        let moved = generator.lifting.label(states.process, label)?;
        let text = |label: u32| {
            let known = &states.process.labels;
            known.labels.get(Label(known.texts[label as usize])).to_vec()
        };
        trace.push(text(label));
        image.push(text(moved));
    }
    Ok(Refutation { trace, image })
}
