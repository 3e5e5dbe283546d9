//! Traces that refute a symmetry, however the permutation acts on states.
//!
//! A symmetry maps traces to traces. So pairs of a state and the set of all states that the image
//! of the trace leads to are explored, breadth first. If the state has a step whose image no state
//! of the set has, then the trace with that step is a trace of the process, but its image is not. A
//! power of a permutation is its inverse, so traces need only be checked in one direction.

use crate::base::ids::Label;
use crate::base::interner::Interner;
use crate::base::paths::path_to;
use crate::data::terms::Term;
use crate::process::linear::stop::Stop;
use crate::process::linear::{Local, Process};
use crate::process::store::pair_table::Pairs;
use crate::symmetry_of_process::lifting::symmetry::Generator;
use rustc_hash::FxHashMap;

/// A trace of the process whose image is not one; only the last label of the image is impossible.
pub struct Refutation {
    pub trace: Vec<Vec<u8>>,
    pub image: Vec<Vec<u8>>,
}

/// The bounds of the search.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// The most pairs, states in a set, and values of a sum.
    pub pairs: usize,
    pub set: usize,
    pub values: usize,
}

/// Label key and target.
type Step = (u32, u32);

/// The visited states, with their steps as far as they were computed.
struct States<'a> {
    process: &'a mut Process,
    values: usize,
    states: Interner<Term>,
    steps: Vec<Option<Box<[Step]>>>,
}

impl States<'_> {
    /// The steps of a state; `None` if a sum has too many values.
    fn steps(&mut self, state: u32) -> Result<Option<&[Step]>, Stop> {
        self.steps.resize(self.states.len(), None);
        if self.steps[state as usize].is_none() {
            let from = self.states.get(state).to_vec();
            let (mut key, mut target, mut steps) = (Vec::new(), Vec::new(), Vec::new());
            for i in 0..self.process.summands.len() {
                let local = self.process.local_steps(i, &from, &mut key, self.values)?;
                let Local::All(known) = local else { return Ok(None) };
                let (begin, end) = self.process.tables[i].spans[known as usize];
                for step in begin..end {
                    let label = self.process.successor(i, step, &from, &mut target);
                    steps.push((label, self.states.intern(&target).0));
                }
            }
            steps.sort_unstable();
            steps.dedup();
            self.steps[state as usize] = Some(steps.into());
        }
        Ok(self.steps[state as usize].as_deref())
    }
}

/// A shortest refutation of a generator; `None` if there is none within the bounds.
pub fn refute(
    process: &mut Process,
    generator: &mut Generator,
    bounds: Bounds,
) -> Result<Option<Refutation>, Stop> {
    let initial = process.initial.clone();
    let values = bounds.values;
    let mut states = States { process, values, states: Interner::default(), steps: Vec::new() };
    let start = states.states.intern(&initial).0;
    let mut sets: Interner<u32> = Interner::default();
    sets.intern(&[start]);
    // Pairs of a state and a set; for each the pair it was reached from and the label key.
    let mut pairs = Pairs::default();
    pairs.intern([start, 0]);
    let mut reached_by = vec![(0, 0)];
    let mut at = 0;
    while at < pairs.len() {
        if at % 256 == 0 {
            states.process.data.cancel.check()?;
        }
        let [state, set] = pairs.pairs()[at];
        let Some(own) = states.steps(state)?.map(<[_]>::to_vec) else { return Ok(None) };
        let mut after: FxHashMap<u32, u32> = FxHashMap::default();
        for (label, target) in own {
            let image = generator.lifting.label(states.process, label)?;
            let next = match after.get(&image) {
                Some(&known) => known,
                None => {
                    let text = states.process.labels.texts[image as usize];
                    let mut reached = Vec::new();
                    for member in sets.get(set).to_vec() {
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
                        return refutation(&mut states, generator, &reached_by, at, label)
                            .map(Some);
                    }
                    if reached.len() > bounds.set {
                        return Ok(None);
                    }
                    let known = sets.intern(&reached).0;
                    after.insert(image, known);
                    known
                }
            };
            if pairs.intern([target, next]).1 {
                if pairs.len() > bounds.pairs {
                    return Ok(None);
                }
                reached_by.push((at, label));
            }
        }
        at += 1;
    }
    Ok(None)
}

/// The trace to a pair followed by a step, and its image.
fn refutation(
    states: &mut States<'_>,
    generator: &mut Generator,
    reached_by: &[(usize, u32)],
    at: usize,
    last: u32,
) -> Result<Refutation, Stop> {
    let mut labels = path_to(at, |at| (at > 0).then(|| reached_by[at]));
    labels.push(last);
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
