//! The quotient of a linear process under a symmetry, explored on the fly, breadth first.

use super::certificate::{Witness, certify, certify_start};
use super::explore::Limits;
use super::linear::{Local, Process, Stop};
use super::symmetry::Generator;
use crate::rows::Rows;
use crate::symmetry::quotient::Quotient;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What was found under a symmetry.
pub struct Reduced {
    /// The quotient, unless the permutation turned out to be no symmetry.
    pub quotient: Result<Quotient, Witness>,
    /// Whether everything was explored; if not, the symmetry is not certified.
    pub complete: bool,
    pub limit_summand: Option<usize>,
    /// Local situations that the certificate compared with their images.
    pub checked: usize,
}

impl Reduced {
    fn refused(witness: Witness, checked: usize) -> Self {
        Self { quotient: Err(witness), complete: true, limit_summand: None, checked }
    }
}

/// The orbits met so far. An orbit is found by its least member; `first` is the member met first.
struct Orbits {
    least: Rows,
    first: Vec<u32>,
    /// `first = g^offset least`.
    offsets: Vec<u32>,
    periods: Vec<u32>,
}

/// Explores one state of each orbit, the first that is met, and then certifies the symmetry on what
/// was visited and its images.
pub fn reduce(
    process: &mut Process,
    generator: &mut Generator,
    limits: Limits,
    poll: &mut dyn FnMut() -> bool,
) -> Result<Reduced, Stop> {
    if let Some(witness) = certify_start(process, generator)? {
        return Ok(Reduced::refused(witness, 0));
    }
    let most = limits.states.unwrap_or(u32::MAX as usize - 1);
    let order = generator.order;
    let mut orbits = Orbits {
        least: Rows::new(process.parameters),
        first: Vec::new(),
        offsets: Vec::new(),
        periods: Vec::new(),
    };
    let initial = process.initial.clone();
    if let Err(witness) = orbits.find(process, generator, &initial)? {
        return Ok(Reduced::refused(witness, 0));
    }
    let mut rows: [Vec<u32>; 4] = Default::default();
    let (mut state, mut next, mut key) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = FxHashSet::default();
    let (mut complete, mut limit_summand) = (most > 0, None);
    let mut current = 0;
    'orbits: while complete && current < orbits.periods.len() {
        if current % 1024 == 0 && !poll() {
            return Err(Stop::Interrupted);
        }
        let width = process.parameters;
        state.clear();
        state.extend_from_slice(&orbits.first[current * width..(current + 1) * width]);
        seen.clear();
        for i in 0..process.summands.len() {
            // No more values are tried than may give orbits, until that turns out too few.
            let mut cap = limits.values.min(most.saturating_add(1));
            loop {
                let local = process.local_steps(i, &state, &mut key, cap)?;
                let (begin, end) = match local {
                    Local::All(known) => process.tables[i].spans[known as usize],
                    Local::Some(span) => span,
                };
                for row in begin..end {
                    let step = process.successor(i, row, &state, &mut next);
                    let (target, shift) = match orbits.find(process, generator, &next)? {
                        Ok(found) => found,
                        Err(witness) => return Ok(Reduced::refused(witness, 0)),
                    };
                    if orbits.periods.len() > most {
                        complete = false;
                        break 'orbits;
                    }
                    // One row for each orbit under the stabiliser of the state, <g^period>.
                    let (period, reach) =
                        (orbits.periods[current], orbits.periods[target as usize]);
                    if !seen.insert((process.labels.texts[step as usize], target, shift)) {
                        continue;
                    }
                    for (column, value) in
                        rows.iter_mut().zip([current as u32, step, shift, target])
                    {
                        column.push(value);
                    }
                    let (mut image, mut moved) = (step, shift);
                    for _ in 1..order / period {
                        for _ in 0..period {
                            image = generator.label(process, image)?;
                        }
                        moved = (moved + period) % reach;
                        seen.insert((process.labels.texts[image as usize], target, moved));
                    }
                }
                if matches!(local, Local::All(_)) {
                    break;
                }
                if cap >= limits.values {
                    complete = false;
                    limit_summand = Some(i);
                    break 'orbits;
                }
                cap = cap.saturating_mul(4).min(limits.values);
            }
        }
        current += 1;
    }
    let mut checked = 0;
    if complete && let Some(witness) = certify(process, generator, limits, &mut checked, poll)? {
        return Ok(Reduced::refused(witness, checked));
    }
    // Where a limit stopped the exploration, images of labels need not come to an end.
    let permutation = match complete.then(|| label_permutation(process, generator)).transpose()? {
        None => (0..process.labels.labels.len() as u32).collect(),
        Some(Ok(permutation)) => permutation,
        Some(Err(witness)) => return Ok(Reduced::refused(witness, checked)),
    };
    let [source, steps, shift, target] = rows;
    let labels = process.labels.labels.clone();
    let quotient = Quotient {
        order,
        initial: 0,
        periods: orbits.periods,
        source,
        label: steps.into_iter().map(|step| process.labels.texts[step as usize]).collect(),
        shift,
        target,
        permutation,
        internal: labels.find(b"tau").into_iter().collect(),
        labels: Arc::new(labels),
    };
    Ok(Reduced { quotient: Ok(quotient), complete, limit_summand, checked })
}

impl Orbits {
    /// The orbit of a state and the k, below its period, with `state = g^k first`; or a value that the
    /// powers of g do not bring back.
    fn find(
        &mut self,
        process: &mut Process,
        generator: &mut Generator,
        state: &[u32],
    ) -> Result<Result<(u32, u32), Witness>, Stop> {
        let order = generator.order;
        let (mut image, mut next) = (state.to_vec(), Vec::new());
        let (mut least, mut at, mut period) = (state.to_vec(), 0, 0);
        for power in 1..=order {
            generator.apply(&mut process.data, &image, &mut next)?;
            std::mem::swap(&mut image, &mut next);
            if image == state {
                period = power;
                break;
            }
            if image < least {
                least.clone_from(&image);
                at = power;
            }
        }
        if period == 0 || !order.is_multiple_of(period) {
            // Not a group action here: some value does not come back.
            let value = state.iter().zip(&image).find(|(value, image)| value != image);
            let value = *value.map_or(&state[0], |(value, _)| value);
            return Ok(Err(Witness::Value(process.data.terms.show(value))));
        }
        // least = g^at state, so state = g^(-at) least.
        let offset = (period - at % period) % period;
        let (orbit, new) = self.least.intern(&least);
        if new {
            self.first.extend_from_slice(state);
            self.offsets.push(offset);
            self.periods.push(period);
        }
        Ok(Ok((orbit, (offset + period - self.offsets[orbit as usize]) % period)))
    }
}

/// g on the texts of all labels, after adding images until none is new.
fn label_permutation(
    process: &mut Process,
    generator: &mut Generator,
) -> Result<Result<Vec<u32>, Witness>, Stop> {
    let mut images: Vec<u32> = Vec::new();
    let mut key = 0;
    while key < process.labels.keys.len() {
        let image = generator.label(process, key as u32)?;
        let (text, moved) = (process.labels.texts[key], process.labels.texts[image as usize]);
        if images.len() <= text as usize {
            images.resize(process.labels.labels.len(), u32::MAX);
        }
        let known = images[text as usize];
        if known != u32::MAX && known != moved {
            return Ok(Err(Witness::Label(text)));
        }
        images[text as usize] = moved;
        key += 1;
    }
    Ok(Ok(images))
}
