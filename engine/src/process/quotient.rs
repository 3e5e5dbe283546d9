//! The quotient of a linear process under a group of symmetries, explored on the fly, breadth first.

use super::certificate::{Witness, certify, certify_start};
use super::explore::Limits;
use super::linear::{Local, Process, Stop};
use super::symmetry::{Carrier, Generator, Lifting};
use crate::group::action::{Group, NoAction};
use crate::group::elements::{Elements, IDENTITY};
use crate::group::permutation::Permutation;
use crate::group::subgroup::Subgroups;
use crate::rows::Rows;
use crate::symmetry::orbits::joined;
use crate::symmetry::quotient::Quotient;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What was found under a group of permutations.
pub struct Reduced {
    /// The quotient, or which generator turned out to be no symmetry, and why.
    pub quotient: Result<Quotient, (usize, Witness)>,
    /// Whether everything was explored; if not, the symmetry is not certified.
    pub complete: bool,
    pub limit_summand: Option<usize>,
    /// Local situations that the certificate compared with their images.
    pub checked: usize,
}

impl Reduced {
    fn refused(witness: (usize, Witness), checked: usize) -> Self {
        Self { quotient: Err(witness), complete: true, limit_summand: None, checked }
    }
}

/// The members that one orbit may have: they are walked through for each transition.
const MOST_MEMBERS: usize = 1 << 20;

/// The orbits met so far. An orbit is found by its least member; `first` is the member met first.
struct Orbits {
    least: Rows,
    first: Vec<u32>,
    /// The element that takes the first member to the least one.
    offsets: Vec<u32>,
    stabiliser: Vec<u32>,
    stabilisers: Subgroups,
    elements: Elements,
    /// The generators as elements.
    generators: Vec<u32>,
}

/// Explores one state of each orbit, the first that is met, and then certifies the symmetry on what
/// was visited and its images. `names` are those of the values of the carrier.
pub fn reduce(
    process: &mut Process,
    carrier: &Carrier,
    names: &[String],
    generators: &mut [Generator],
    limits: Limits,
    poll: &mut dyn FnMut() -> bool,
) -> Result<Reduced, Stop> {
    for (which, generator) in generators.iter_mut().enumerate() {
        if let Some(witness) = certify_start(process, generator)? {
            return Ok(Reduced::refused((which, witness), 0));
        }
    }
    let action = Action::new(process.parameters, carrier, names, generators).map_err(no_group)?;
    let mut stabilising: FxHashMap<u32, Lifting> = FxHashMap::default();
    let most = limits.states.unwrap_or(u32::MAX as usize - 1);
    let mut orbits = Orbits::new(process.parameters, &action.group);
    let initial = process.initial.clone();
    if let Err(witness) = orbits.find(process, generators, &initial, poll)? {
        return Ok(Reduced::refused(witness, 0));
    }
    let mut rows: [Vec<u32>; 4] = Default::default();
    let (mut state, mut next, mut key) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = FxHashSet::default();
    let (mut complete, mut limit_summand) = (most > 0, None);
    let mut current = 0;
    'orbits: while complete && current < orbits.stabiliser.len() {
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
                    let (target, shift) = match orbits.find(process, generators, &next, poll)? {
                        Ok(found) => found,
                        Err(witness) => return Ok(Reduced::refused(witness, 0)),
                    };
                    if orbits.stabiliser.len() > most {
                        complete = false;
                        break 'orbits;
                    }
                    // One row for each orbit under the stabiliser of the state.
                    if seen.contains(&(process.labels.texts[step as usize], shift, target)) {
                        continue;
                    }
                    for (column, value) in
                        rows.iter_mut().zip([current as u32, step, shift, target])
                    {
                        column.push(value);
                    }
                    let mut waiting = vec![(step, shift)];
                    while let Some((step, shift)) = waiting.pop() {
                        if !seen.insert((process.labels.texts[step as usize], shift, target)) {
                            continue;
                        }
                        for fixing in orbits.fixing(current) {
                            let lifting = stabilising.entry(fixing).or_insert_with(|| {
                                action.lifting(carrier, orbits.elements.get(fixing))
                            });
                            let image = lifting.label(process, step)?;
                            waiting.push((image, orbits.moved(fixing, shift, target)));
                        }
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
    if complete && let Some(witness) = certify(process, generators, limits, &mut checked, poll)? {
        return Ok(Reduced::refused(witness, checked));
    }
    // Where a limit stopped the exploration, images of labels need not come to an end.
    let permutations = if complete {
        match label_permutations(process, generators)? {
            Ok(permutations) => permutations,
            Err(witness) => return Ok(Reduced::refused(witness, checked)),
        }
    } else {
        let labels = process.labels.labels.len() as u32;
        generators.iter().map(|_| (0..labels).collect()).collect()
    };
    let labels = process.labels.labels.clone();
    let extended = permutations
        .iter()
        .zip(&action.group.generators)
        .map(|(permutation, own)| joined(&own[..action.group.points], permutation));
    let group = Group::new(action.group.points, labels.len(), extended.collect());
    let [source, steps, shift, target] = rows;
    let quotient = Quotient {
        group: Arc::new(group.map_err(no_group)?),
        names: action.names,
        elements: orbits.elements,
        stabilisers: Arc::new(orbits.stabilisers),
        stabiliser: orbits.stabiliser,
        initial: 0,
        source,
        label: steps.into_iter().map(|step| process.labels.texts[step as usize]).collect(),
        shift,
        target,
        internal: labels.find(b"tau").into_iter().collect(),
        labels: Arc::new(labels),
    };
    Ok(Reduced { quotient: Ok(quotient), complete, limit_summand, checked })
}

fn no_group(error: NoAction) -> Stop {
    Stop::Evaluation(error.to_string(), None)
}

/// The group on its points, which are the values of the carrier if those tell its elements apart,
/// and else the parameters too.
struct Action {
    group: Group,
    names: Vec<String>,
    values: usize,
    parameters: usize,
}

impl Action {
    fn new(
        parameters: usize,
        carrier: &Carrier,
        names: &[String],
        generators: &[Generator],
    ) -> Result<Self, NoAction> {
        let values = carrier.values.len();
        let both: Vec<Permutation> =
            generators.iter().map(|g| joined(&g.values, &g.lifting.positions)).collect();
        let mut names = names.to_vec();
        let group = match Group::new(values, parameters, both.clone()) {
            Err(NoAction::NotFaithful(_)) => {
                names.extend((1..=parameters).map(|i| format!("#{i}")));
                Group::new(values + parameters, 0, both)?
            }
            found => found?,
        };
        Ok(Self { group, names, values, parameters })
    }

    /// What an element does to states.
    fn lifting(&self, carrier: &Carrier, element: &[u32]) -> Lifting {
        let positions = if self.group.points > self.values {
            element[self.values..].iter().map(|&p| p - self.values as u32).collect()
        } else {
            let factors = self.group.factors(element).expect("an element of the group");
            (0..self.parameters as u32).map(|p| self.group.image(&factors, p)).collect()
        };
        Lifting::new(carrier, &element[..self.values], positions)
    }
}

type Found = Result<(u32, u32), (usize, Witness)>;

impl Orbits {
    fn new(parameters: usize, group: &Group) -> Self {
        let mut elements = Elements::new(group.points);
        let generators =
            (0..group.generators.len()).map(|i| elements.intern(group.generator(i))).collect();
        Self {
            least: Rows::new(parameters),
            first: Vec::new(),
            offsets: Vec::new(),
            stabiliser: Vec::new(),
            stabilisers: Subgroups::new(group.points),
            elements,
            generators,
        }
    }

    /// Generators of the stabiliser of an orbit's first member.
    fn fixing(&mut self, orbit: usize) -> Vec<u32> {
        let stabiliser = self.stabiliser[orbit] as usize;
        let generators = &self.stabilisers.list[stabiliser].generators;
        generators.iter().map(|generator| self.elements.intern(generator)).collect()
    }

    /// The coset of `element * shift` in an orbit.
    fn moved(&mut self, element: u32, shift: u32, orbit: u32) -> u32 {
        let product = self.elements.compose(element, shift);
        self.least_of_coset(product, orbit)
    }

    fn least_of_coset(&mut self, element: u32, orbit: u32) -> u32 {
        let stabiliser = &self.stabilisers.list[self.stabiliser[orbit as usize] as usize];
        if stabiliser.is_trivial() {
            return element;
        }
        let least = stabiliser.least_of_coset(self.elements.get(element));
        self.elements.intern(&least)
    }

    /// The orbit of a state and the least k of its coset with `state = k first`; or a value that the
    /// generators do not permute.
    fn find(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
        state: &[u32],
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Found, Stop> {
        let mut members = Rows::new(process.parameters);
        members.intern(state);
        let mut element = vec![IDENTITY];
        let mut fixing: FxHashSet<u32> = FxHashSet::default();
        let (mut at, mut least) = (0u32, 0u32);
        let mut image = Vec::new();
        while (at as usize) < members.len() {
            if at % 4096 == 4095 && !poll() {
                return Err(Stop::Interrupted);
            }
            for (which, generator) in generators.iter_mut().enumerate() {
                generator.lifting.apply(&mut process.data, members.get(at), &mut image)?;
                let (number, new) = members.intern(&image);
                let product = self.elements.compose(self.generators[which], element[at as usize]);
                if new {
                    element.push(product);
                    if members.get(number) < members.get(least) {
                        least = number;
                    }
                } else {
                    let back = self.elements.inverse(element[number as usize]);
                    fixing.insert(self.elements.compose(back, product));
                }
                if members.len() > MOST_MEMBERS {
                    // Not a group action here, or one whose orbits are out of reach.
                    let value = state.iter().zip(&image).find(|(value, image)| value != image);
                    let value = *value.map_or(&state[0], |(value, _)| value);
                    return Ok(Err((which, Witness::Value(process.data.terms.show(value)))));
                }
            }
            at += 1;
        }
        let to_least = element[least as usize];
        let (orbit, new) = self.least.intern(members.get(least));
        if new {
            fixing.remove(&IDENTITY);
            let fixing = fixing.into_iter().map(|element| self.elements.get(element).into());
            let stabiliser = self.stabilisers.intern(fixing.collect());
            self.stabiliser.push(stabiliser.map_err(|error| no_group(error.into()))?);
            self.first.extend_from_slice(state);
            self.offsets.push(to_least);
        }
        let back = self.elements.inverse(to_least);
        let shift = self.elements.compose(back, self.offsets[orbit as usize]);
        Ok(Ok((orbit, self.least_of_coset(shift, orbit))))
    }
}

/// What the generators do to the texts of all labels, after adding images until none is new.
#[allow(clippy::type_complexity)]
fn label_permutations(
    process: &mut Process,
    generators: &mut [Generator],
) -> Result<Result<Vec<Permutation>, (usize, Witness)>, Stop> {
    let mut images: Vec<Vec<u32>> = vec![Vec::new(); generators.len()];
    let mut key = 0;
    while key < process.labels.keys.len() {
        for (which, generator) in generators.iter_mut().enumerate() {
            let image = generator.lifting.label(process, key as u32)?;
            let (text, moved) = (process.labels.texts[key], process.labels.texts[image as usize]);
            let images = &mut images[which];
            if images.len() <= text as usize {
                images.resize(process.labels.labels.len(), u32::MAX);
            }
            let known = images[text as usize];
            if known != u32::MAX && known != moved {
                return Ok(Err((which, Witness::Label(text))));
            }
            images[text as usize] = moved;
        }
        key += 1;
    }
    Ok(Ok(images.into_iter().map(Permutation::from).collect()))
}
