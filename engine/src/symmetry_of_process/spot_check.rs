//! Spot checks of what was proven from the specification, where this costs little.
//!
//! A proof from the specification relies on properties of many functions; this check relies on none
//! of them. For some of the visited states, and for some local situations of each proven summand,
//! it compares the images of the steps with the steps of the image, under each generator. A
//! difference is a defect of the proof or of the program.

use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::data::terms::Term;
use crate::process::explore::Limits;
use crate::process::linear::stop::Stop;
use crate::process::linear::{Local, Process};
use crate::symmetry_of_process::certificate::compare;
use crate::symmetry_of_process::lifting::Lifting;
use crate::symmetry_of_process::lifting::symmetry::Generator;
use crate::symmetry_of_process::witness::{Difference, Witness};

/// The approximate maximum number of steps that are compared.
const STEPS: usize = 1 << 16;

/// Up to `most` numbers below `count`, evenly spread from the first to the last.
pub(crate) fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let most = most.min(count);
    (0..most).map(move |i| if most < 2 { 0 } else { i * (count - 1) / (most - 1) })
}

/// Compares the steps of the concatenated `states`, and of `situations` local situations of each
/// summand that is `proven`, with those of their images. A witness is returned with the number of
/// the generator; `compared` counts states and situations.
pub(crate) fn spot_check(
    process: &mut Process,
    generators: &mut [Generator],
    proven: &[bool],
    states: &[Term],
    situations: usize,
    limits: Limits,
    compared: &mut usize,
) -> Result<Option<(usize, Witness)>, Stop> {
    let mut left = STEPS;
    let mut image = Vec::new();
    for state in states.chunks_exact(process.parameters.max(1)) {
        let Some(own) = steps(process, proven, state, limits, &mut left)? else { continue };
        for (which, generator) in generators.iter_mut().enumerate() {
            generator.lifting.apply(&mut process.data, state, &mut image)?;
            let Some(mut actual) = steps(process, proven, &image, limits, &mut left)? else {
                continue;
            };
            let mut expected = Vec::with_capacity(own.len());
            for step in &own {
                expected.push(moved(process, &mut generator.lifting, step)?);
            }
            *compared += 1;
            for steps in [&mut expected, &mut actual] {
                steps.sort_unstable();
                steps.dedup_by(|a, b| a.is_like(b));
            }
            if !are_equal(&expected, &actual) {
                let states = (state, &image[..]);
                let difference = difference(process, states, &expected, &actual);
                return Ok(Some((which, Witness::Steps(Box::new(difference)))));
            }
        }
    }
    for i in (0..proven.len()).filter(|&i| proven[i]) {
        for number in spread(process.tables[i].keys.len(), situations) {
            for (which, generator) in generators.iter_mut().enumerate() {
                if left == 0 {
                    return Ok(None);
                }
                let (begin, end) = process.tables[i].spans[number];
                left = left.saturating_sub((end - begin) as usize + 1);
                *compared += 1;
                if let Some(witness) = compare(process, generator, i, u32::at(number), limits)? {
                    return Ok(Some((which, witness)));
                }
            }
        }
    }
    Ok(None)
}

/// A step for comparison: the label's text and the changed parameters with their new values are
/// compared; the label key is needed to find the image.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ComparedStep {
    text: u32,
    changes: Vec<(u32, Term)>,
    label: u32,
    summand: u32,
}

impl ComparedStep {
    fn is_like(&self, other: &Self) -> bool {
        self.text == other.text && self.changes == other.changes
    }
}

fn are_equal(left: &[ComparedStep], right: &[ComparedStep]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a.is_like(b))
}

/// The steps of a state by proven summands; `None` if there are too many.
fn steps(
    process: &mut Process,
    proven: &[bool],
    state: &[Term],
    limits: Limits,
    left: &mut usize,
) -> Result<Option<Vec<ComparedStep>>, Stop> {
    let (mut key, mut steps) = (Vec::new(), Vec::new());
    for i in (0..proven.len()).filter(|&i| proven[i]) {
        let local = process.local_steps(i, state, &mut key, limits.values.min(*left))?;
        let Local::All(known) = local else { return Ok(None) };
        let (begin, end) = process.tables[i].spans[known as usize];
        *left = left.saturating_sub((end - begin) as usize);
        for step in begin..end {
            let mut changes = Vec::new();
            let label = process.changes(i, step, state, &mut changes);
            let text = process.labels.texts[label as usize];
            steps.push(ComparedStep { text, changes, label, summand: u32::at(i) });
        }
    }
    Ok((*left > 0).then_some(steps))
}

/// The image of a step, as a step of the image of its source: parameters that the step does not
/// change have the values of that image.
fn moved(
    process: &mut Process,
    lifting: &mut Lifting,
    step: &ComparedStep,
) -> Result<ComparedStep, Stop> {
    let label = lifting.label(process, step.label)?;
    let mut changes = Vec::with_capacity(step.changes.len());
    for &(parameter, value) in &step.changes {
        let to = lifting.positions[parameter as usize];
        changes.push((to, lifting.lift(&mut process.data, value)?));
    }
    changes.sort_unstable();
    Ok(ComparedStep {
        text: process.labels.texts[label as usize],
        changes,
        label,
        summand: step.summand,
    })
}

fn difference(
    process: &Process,
    (state, image): (&[Term], &[Term]),
    expected: &[ComparedStep],
    actual: &[ComparedStep],
) -> Difference {
    let has =
        |steps: &[ComparedStep], step: &ComparedStep| steps.iter().any(|other| other.is_like(step));
    let lacking = |steps: &[ComparedStep], others: &[ComparedStep]| -> Vec<Vec<u8>> {
        let text = |step: &ComparedStep| {
            let mut text = process.labels.labels.get(Label(step.text)).to_vec();
            for &(parameter, value) in &step.changes {
                text.extend_from_slice(format!(" #{parameter}=").as_bytes());
                text.extend_from_slice(&process.data.terms.show(value));
            }
            text
        };
        steps.iter().filter(|step| !has(others, step)).map(text).collect()
    };
    let first = expected.iter().find(|step| !has(actual, step));
    let first = first.or_else(|| actual.iter().find(|step| !has(expected, step)));
    let shown = |state: &[Term]| {
        (0..).zip(state).map(|(p, &value)| (p, process.data.terms.show(value))).collect()
    };
    Difference {
        summand: first.map_or(0, |step| step.summand),
        situation: shown(state),
        image: shown(image),
        expected: lacking(expected, actual),
        found: lacking(actual, expected),
    }
}
