//! The proof that a permutation is a symmetry of a linear process.
//!
//! Let R_i be the parameters that summand i reads and rows_i(x) its local steps if they have the
//! values x. If g fixes the initial state, permutes the summands with R_g(i) = g(R_i), and
//! rows_g(i)(g x) = g rows_i(x) for every x that occurs in a visited state or an image of one, then
//! out(g s) = g out(s) for every reachable state s, even if only representatives were visited.
//!
//! Summands for which the second condition is proven for all x, from the specification, are not
//! compared. If it is proven for i and all generators, it is proven for g(i), since it is proven
//! for all summands of an orbit or none. The x of the other summands are closed under the
//! generators on their own, so those of proven summands are not needed.

use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::base::stages::Measure;
use crate::group::action::Group;
use crate::group::permutation::is_permutation;
use crate::group::schreier_sims::NoGroup;
use crate::process::explore::Limits;
use crate::process::linear::stop::Stop;
use crate::process::linear::{Local, Process};
use crate::symmetry::orbits_of_lts::joined;
use crate::symmetry_of_process::action_on::values::Values;
use crate::symmetry_of_process::lifting::Lifting;
use crate::symmetry_of_process::lifting::symmetry::Generator;
use crate::symmetry_of_process::witness::{Difference, Witness};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks the conditions that need no exploration: the initial state, and the shape of the
/// summands.
pub fn certify_start(
    process: &mut Process,
    generator: &mut Generator,
) -> Result<Option<Witness>, Stop> {
    let initial = process.initial.clone();
    let mut image = Vec::new();
    generator.lifting.apply(&mut process.data, &initial, &mut image)?;
    for (parameter, (&value, &moved)) in initial.iter().zip(&image).enumerate() {
        if value != moved {
            let shown = |term| process.data.terms.show(term);
            return Ok(Some(Witness::Initial(u32::at(parameter), shown(value), shown(moved))));
        }
    }
    for (i, summand) in process.summands.iter().enumerate().filter(|(_, s)| !s.decides) {
        let other = &process.summands[generator.summands[i] as usize];
        let moved = |parameters: &mut dyn Iterator<Item = u32>| {
            let mut moved: Vec<u32> =
                parameters.map(|p| generator.lifting.positions[p as usize]).collect();
            moved.sort_unstable();
            moved
        };
        let written = |parameters: &[(u32, u32)]| {
            let mut written: Vec<u32> = parameters.iter().map(|&(p, _)| p).collect();
            written.sort_unstable();
            written
        };
        if summand.action != other.action
            || moved(&mut summand.reads.iter().copied()) != other.reads
            || moved(&mut summand.updates.iter().map(|&(p, _)| p)) != written(&other.updates)
        {
            return Ok(Some(Witness::Summand(u32::at(i))));
        }
    }
    Ok(None)
}

/// Compares every local situation of every summand with its images under the generators, adding
/// images until none is new; `checked` counts the comparisons.
///
/// Summands that are `proven`, a set that the generators permute, are skipped. The tables must
/// contain the situations of all visited states. A witness is returned with the number of the
/// generator.
pub fn certify(
    process: &mut Process,
    generators: &mut [Generator],
    proven: &[bool],
    limits: Limits,
    checked: &mut usize,
    report: &mut dyn FnMut(),
) -> Result<Option<(usize, Witness)>, Stop> {
    let mut done = vec![0u32; process.summands.len()];
    let mut returned = vec![FxHashSet::default(); generators.len()];
    let mut key = Vec::new();
    let situations = process.data.cancel.stage("situations", Measure::Growing);
    loop {
        let mut progress = false;
        for (i, done) in done.iter_mut().enumerate().filter(|&(i, _)| !proven[i]) {
            while (*done as usize) < process.tables[i].keys.len() {
                let number = *done;
                *done += 1;
                progress = true;
                for (which, generator) in generators.iter_mut().enumerate() {
                    *checked += 1;
                    if checked.is_multiple_of(4096) {
                        situations.reach(*checked);
                        process.data.cancel.check()?;
                        report();
                    }
                    key.clear();
                    key.extend_from_slice(process.tables[i].keys.get(number));
                    for &value in &key {
                        if returned[which].insert(value) && !returns(process, generator, value)? {
                            let value = Witness::Value(process.data.terms.show(value));
                            return Ok(Some((which, value)));
                        }
                    }
                    if let Some(witness) = compare(process, generator, i, number, limits)? {
                        return Ok(Some((which, witness)));
                    }
                }
            }
        }
        if !progress {
            return Ok(None);
        }
    }
}

/// Compares the steps of summand `i` in the local situation of this number with those of its image.
pub(crate) fn compare(
    process: &mut Process,
    generator: &mut Generator,
    i: usize,
    number: u32,
    limits: Limits,
) -> Result<Option<Witness>, Stop> {
    let mut full = vec![0; process.parameters];
    let key = process.tables[i].keys.get(number).to_vec();
    for (j, &value) in key.iter().enumerate() {
        let parameter = process.summands[i].reads[j] as usize;
        let image = generator.lifting.lift(&mut process.data, value)?;
        full[generator.lifting.positions[parameter] as usize] = image;
    }
    let other = generator.summands[i] as usize;
    let local = process.local_steps(other, &full, &mut Vec::new(), limits.values)?;
    let Local::All(image) = local else {
        return Err(Stop::Evaluation(
            "a sum has too many values in the image of a state".into(),
            Some(other),
        ));
    };
    let mut expected = steps(process, Some(&mut generator.lifting), i, number)?;
    let mut actual = steps(process, None, other, image)?;
    for steps in [&mut expected, &mut actual] {
        steps.sort_unstable();
        steps.dedup();
    }
    if expected == actual {
        return Ok(None);
    }
    let difference = difference(process, i, number, other, image, expected, actual);
    Ok(Some(Witness::Steps(Box::new(difference))))
}

/// Proves that the group acts on values of constructors with equations, including the array sorts:
/// an element does the same to them whichever product of generators it is written as, and that is
/// the image that [`Values`] has used; and the facts of the image are the images of the facts. All
/// other values are moved through the points inside them.
///
/// `values` holds the values of all visited states. A witness is a value that is moved by an
/// element which moves no point, and then the generator is the first one unless a power of one
/// generator is such an element, or a value whose image has other facts.
pub fn certify_action(
    process: &mut Process,
    generators: &mut [Generator],
    values: &mut Values,
) -> Result<Option<(usize, Witness)>, Stop> {
    let mut unfree: Vec<u32> = values.unfree();
    let mut numbers: FxHashMap<u32, u32> = unfree.iter().copied().zip(0..).collect();
    if unfree.is_empty() || generators.is_empty() {
        return Ok(None);
    }
    let mut images: Vec<Vec<u32>> = vec![Vec::new(); generators.len()];
    let mut at = 0;
    while at < unfree.len() {
        process.data.cancel.check()?;
        for (which, (generator, images)) in generators.iter_mut().zip(&mut images).enumerate() {
            if !returns(process, generator, unfree[at])? {
                return Ok(Some((which, Witness::Value(process.data.terms.show(unfree[at])))));
            }
            let image = generator.lifting.lift(&mut process.data, unfree[at])?;
            let next = u32::at(unfree.len());
            let number = *numbers.entry(image).or_insert(next);
            if number == next {
                unfree.push(image);
            }
            images.push(number);
        }
        at += 1;
    }
    for &value in &unfree {
        values.learn(&mut process.data, generators, value)?;
    }
    for (which, (generator, images)) in generators.iter().zip(&images).enumerate() {
        let wrong = unfree.iter().zip(images).find(|&(&value, &image)| {
            values.facts_of(value, Some(&generator.values))
                != values.facts_of(unfree[image as usize], None)
        });
        if let Some((&value, _)) = wrong {
            return Ok(Some((which, Witness::Elements(process.data.terms.show(value)))));
        }
    }
    let shown = |process: &Process, value: u32| {
        Ok(Some((0, Witness::Value(process.data.terms.show(value)))))
    };
    let degree = generators[0].values.len();
    let mut extended = Vec::new();
    for (which, (generator, images)) in generators.iter().zip(&images).enumerate() {
        if !is_permutation(images) {
            let mut sorted = images.clone();
            sorted.sort_unstable();
            let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]);
            let twice = twice.expect("as many images as values")[0];
            return Ok(Some((
                which,
                Witness::Value(process.data.terms.show(unfree[twice as usize])),
            )));
        }
        extended.push(joined(&generator.values, images));
    }
    let group = match Group::new(degree, unfree.len(), extended, &process.data.cancel) {
        Ok(group) => group,
        Err(NoGroup::NotFaithful(value)) => return shown(process, unfree[value as usize]),
        Err(error) => return Err(error.into()),
    };
    for (value, element, image) in values.unfree_images() {
        let factors = group.factors(&element).expect("an element of the group");
        if unfree[group.image(&factors, numbers[&value]) as usize] != image {
            return shown(process, value);
        }
    }
    Ok(None)
}

/// Whether the order of g on a value divides the order of g. If not, adding images may never end:
/// with `c(d1) = s(c(d0))`, the exchange of `d0` and `d1` moves `c(d0)` to ever larger values.
fn returns(process: &mut Process, generator: &mut Generator, value: u32) -> Result<bool, Stop> {
    let mut at = value;
    let mut period = BigUint::ZERO;
    loop {
        process.data.cancel.check()?;
        at = generator.lifting.lift(&mut process.data, at)?;
        period += 1u32;
        if at == value {
            return Ok((&generator.order % period) == BigUint::ZERO);
        }
        if period > generator.order {
            return Ok(false);
        }
    }
}

/// The local steps of a summand under a key, or their images: each a label, followed by pairs of
/// parameter and new value, sorted by parameter.
fn steps(
    process: &mut Process,
    mut lifting: Option<&mut Lifting>,
    i: usize,
    key: u32,
) -> Result<Vec<Vec<u32>>, Stop> {
    let (begin, end) = process.tables[i].spans[key as usize];
    let mut steps = Vec::new();
    for step in begin..end {
        let width = process.tables[i].width;
        let start = step as usize * width;
        let cells = process.tables[i].steps[start..start + width].to_vec();
        let label = match &mut lifting {
            Some(lifting) => lifting.label(process, cells[0])?,
            None => cells[0],
        };
        let mut updates = Vec::new();
        for (j, &value) in cells[1..].iter().enumerate() {
            let parameter = process.summands[i].updates[j].0;
            updates.push(match &mut lifting {
                Some(lifting) => {
                    let value = lifting.lift(&mut process.data, value)?;
                    (lifting.positions[parameter as usize], value)
                }
                None => (parameter, value),
            });
        }
        updates.sort_unstable();
        let mut step = vec![label];
        step.extend(updates.into_iter().flat_map(|(parameter, value)| [parameter, value]));
        steps.push(step);
    }
    Ok(steps)
}

fn difference(
    process: &Process,
    i: usize,
    key: u32,
    other: usize,
    image: u32,
    expected: Vec<Vec<u32>>,
    found: Vec<Vec<u32>>,
) -> Difference {
    let situation = |summand: usize, key: u32| {
        let values = process.tables[summand].keys.get(key);
        let reads = process.summands[summand].reads.iter();
        reads.zip(values).map(|(&p, &value)| (p, process.data.terms.show(value))).collect()
    };
    let shown = |steps: Vec<Vec<u32>>, without: &[Vec<u32>]| {
        let differing = steps.into_iter().filter(|step| !without.contains(step));
        let text = |step: Vec<u32>| {
            let label = process.labels.texts[step[0] as usize];
            let mut text = process.labels.labels.get(Label(label)).to_vec();
            for update in step[1..].chunks(2) {
                text.extend_from_slice(format!(" #{}=", update[0]).as_bytes());
                text.extend_from_slice(&process.data.terms.show(update[1]));
            }
            text
        };
        differing.map(text).collect()
    };
    Difference {
        summand: u32::at(i),
        situation: situation(i, key),
        image: situation(other, image),
        expected: shown(expected.clone(), &found),
        found: shown(found, &expected),
    }
}
