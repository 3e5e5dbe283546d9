//! Decoding: from a rho-encoding back to the quotient. Encodings from other sources are checked.

use crate::base::cancel::{Cancel, Stopped};
use crate::base::ids::Id;
use crate::base::ids::as_index;
use crate::base::ids::{Label, NONE, State};
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::base::stages::Measure;
use crate::group::action::Group;
use crate::group::compact_permutation::compact;
use crate::group::element_table::{Elements, IDENTITY};
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::NoGroup;
use crate::group::subgroup::Subgroups;
use crate::symmetry::annotated_quotient::{Cosets, Quotient, Step};
use crate::symmetry::rho::encode::MOST_POWERS;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// Why an LTS is not a rho-encoding.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NoEncoding {
    #[error("state {0} has two rho-steps, `{1}` and `{2}`")]
    TwoSteps(u32, String, String),
    #[error("two rho-steps lead to state {0}")]
    TwoStepsTo(u32),
    #[error("`{1}` at state {0} is not between 1 and {2}")]
    Range(u32, String, u32),
    #[error("the rho-cycle through state {0} has the sum {1}, which does not divide the order {2}")]
    Sum(u32, u64, u32),
    #[error("the initial state {0} is not fixed by the symmetry: its orbit has {1} states")]
    Initial(u32, BigUint),
    #[error("`{0}` is no element of the group")]
    NoElement(String),
    #[error("rho-steps say that states {0} and {1} are one state")]
    OneState(u32, u32),
    #[error(transparent)]
    Group(#[from] NoGroup),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The group elements of the rho-labels of an LTS.
pub enum RhoSteps {
    /// For every rho-label the power of the only generator; `None` for other labels.
    Powers(Vec<Option<u64>>),
    /// For every rho-label the element as a permutation of the points; `None` for other labels.
    Elements(Vec<Option<Permutation>>),
}

/// Decodes an LTS under a group that acts on `labels`.
pub fn decode(
    lts: &Lts,
    group: Arc<Group>,
    names: Vec<String>,
    labels: Labels,
    steps: &RhoSteps,
    cancel: &Cancel,
) -> Result<Quotient, NoEncoding> {
    let mut unchecked = 0;
    let mut elements = Elements::new(group.points);
    let steps: Vec<Option<u32>> = match steps {
        RhoSteps::Powers(steps) => {
            let order = group.order().iter_u32_digits().next().unwrap_or(1).min(MOST_POWERS);
            check_powers(lts, steps, order)?;
            let generator = elements.intern(group.generator(0));
            let mut powers = vec![IDENTITY];
            for power in 1..order as usize {
                powers.push(elements.compose(generator, powers[power - 1]));
            }
            steps.iter().map(|step| step.and_then(|k| powers.get(as_index(k)).copied())).collect()
        }
        RhoSteps::Elements(steps) => {
            let mut numbers = Vec::new();
            for (label, step) in (0..).map(Label).zip(steps) {
                numbers.push(match step {
                    None => None,
                    Some(step) if group.factors(step).is_some() => Some(elements.intern(step)),
                    Some(_) => return Err(NoEncoding::NoElement(text(lts, label))),
                });
            }
            numbers
        }
    };
    let (orbit, offset, stabilisers, stabiliser) =
        orbits(lts, &steps, &group, &mut elements, cancel)?;
    let initial = orbit[lts.initial];
    let order = group.order();
    let fixed = stabilisers.list[stabiliser[initial as usize] as usize].order();
    if fixed != order {
        return Err(NoEncoding::Initial(lts.initial.0, order / fixed));
    }
    let stabilisers = Arc::new(stabilisers);
    let mut cosets = Cosets::over(Arc::clone(&group), Arc::clone(&stabilisers), elements);
    // States of one orbit must be different cosets.
    let mut states: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let stage = cancel.stage("reading orbits", Measure::Share(lts.states.into()));
    for state in 0..lts.states {
        stage.check_every(&mut unchecked, 1)?;
        let own = orbit[state as usize];
        let coset = cosets.least(offset[state as usize], stabiliser[own as usize]);
        if let Some(other) = states.insert((own, coset), state) {
            return Err(NoEncoding::OneState(other, state));
        }
    }
    let mut stored: FxHashSet<(u32, Step)> = FxHashSet::default();
    drop(stage);
    let stage = cancel.stage("reading transitions", Measure::Share(lts.transitions() as u64));
    for t in 0..lts.transitions() {
        stage.reach(t);
        let label = lts.label[t];
        if steps[label].is_some() {
            continue;
        }
        let (s, e) = (lts.source[t], lts.target[t]);
        let label = labels.find(lts.labels.get(label)).expect("the table contains all labels");
        // Move the step so that it leaves the representative; then take its least image under the
        // stabiliser.
        let back = cosets.elements.inverse(offset[s]);
        let own = stabiliser[orbit[s] as usize];
        let reach = stabiliser[orbit[e] as usize];
        let moved = cosets.elements.compose(back, offset[e]);
        let step = (cosets.label(back, label.0), cosets.least(moved, reach), orbit[e]);
        let images = cosets.images(step, own, reach, cancel)?;
        cancel.check_every(&mut unchecked, images.len())?;
        let least = images.into_iter().min().expect("the step itself");
        stored.insert((orbit[s], least));
    }
    drop(stage);
    let mut stored: Vec<(u32, Step)> = stored.into_iter().collect();
    stored.sort_unstable();
    let internal = lts.internal.iter().filter_map(|&l| labels.find(lts.labels.get(l)));
    let internal = internal.map(u32::from).collect();
    Ok(Quotient {
        group,
        names,
        elements: cosets.elements,
        stabilisers,
        stabiliser,
        initial,
        source: stored.iter().map(|transition| transition.0).collect(),
        label: stored.iter().map(|transition| transition.1.0).collect(),
        shift: stored.iter().map(|transition| transition.1.1).collect(),
        target: stored.iter().map(|transition| transition.1.2).collect(),
        labels: Arc::new(labels),
        internal,
        sizes: OnceLock::new(),
    })
}

type Orbits = (Vec<u32>, Vec<u32>, Subgroups, Vec<u32>);

/// The orbits that the rho-steps connect: for every state its orbit and the element that maps the
/// orbit's first state there; and the stabilisers of the first states.
fn orbits(
    lts: &Lts,
    steps: &[Option<u32>],
    group: &Group,
    elements: &mut Elements,
    cancel: &Cancel,
) -> Result<Orbits, NoEncoding> {
    let states = lts.states as usize;
    let mut near: Vec<Vec<(u32, State)>> = vec![Vec::new(); states];
    for t in 0..lts.transitions() {
        let Some(step) = steps[lts.label[t]] else { continue };
        near[lts.source[t]].push((step, lts.target[t]));
        near[lts.target[t]].push((elements.inverse(step), lts.source[t]));
    }
    let (mut orbit, mut offset) = (vec![NONE; states], vec![IDENTITY; states]);
    let mut stabilisers = Subgroups::new(group.points);
    let (mut stabiliser, mut unchecked) = (Vec::new(), 0);
    for start in 0..states {
        if orbit[start] != NONE {
            continue;
        }
        let number = u32::at(stabiliser.len());
        let mut fixing: Vec<Permutation> = Vec::new();
        orbit[start] = number;
        let mut waiting = vec![State(u32::at(start))];
        while let Some(state) = waiting.pop() {
            cancel.check_every(&mut unchecked, 1 + near[state].len())?;
            for &(step, next) in &near[state] {
                let reached = elements.compose(step, offset[state]);
                if orbit[next] == NONE {
                    orbit[next] = number;
                    offset[next] = reached;
                    waiting.push(next);
                    continue;
                }
                let back = elements.inverse(offset[next]);
                let around = elements.compose(back, reached);
                if around != IDENTITY {
                    fixing.push(elements.get(around).into());
                }
            }
        }
        stabiliser.push(stabilisers.intern(compact(&fixing), cancel)?);
    }
    Ok((orbit, offset, stabilisers, stabiliser))
}

fn text(lts: &Lts, label: Label) -> String {
    String::from_utf8_lossy(lts.labels.get(label)).into_owned()
}

/// Checks the rho-steps of an encoding under a cyclic group: they form cycles, with at most one
/// step into and out of each state, and the sum of each cycle divides the order; a state alone has
/// no step.
fn check_powers(lts: &Lts, steps: &[Option<u64>], order: u32) -> Result<(), NoEncoding> {
    let states = lts.states as usize;
    let mut next = vec![State::NONE; states];
    let mut rho = vec![Label::NONE; states];
    let mut has_previous = vec![false; states];
    for t in 0..lts.transitions() {
        let (source, label, target) = (lts.source[t], lts.label[t], lts.target[t]);
        let Some(step) = steps[label] else { continue };
        if step < 1 || step >= u64::from(order) {
            return Err(NoEncoding::Range(source.0, text(lts, label), order.saturating_sub(1)));
        }
        let known = rho[source];
        if known != Label::NONE {
            if known == label && next[source] == target {
                continue; // a duplicate
            }
            return Err(NoEncoding::TwoSteps(source.0, text(lts, known), text(lts, label)));
        }
        if std::mem::replace(&mut has_previous[target], true) {
            return Err(NoEncoding::TwoStepsTo(target.0));
        }
        rho[source] = label;
        next[source] = target;
    }
    let mut seen = vec![false; states];
    for start in 0..states {
        if seen[start] {
            continue;
        }
        let (mut at, mut sum) = (start, 0u64);
        loop {
            seen[at] = true;
            if rho[at] == Label::NONE {
                if at != start || has_previous[at] {
                    return Err(NoEncoding::Sum(u32::at(at), sum, order));
                }
                sum = u64::from(order);
                break;
            }
            sum += steps[rho[at]].expect("a rho-step");
            at = next[at].index();
            if at == start {
                break;
            }
            if sum >= u64::from(order) || seen[at] {
                return Err(NoEncoding::Sum(u32::at(at), sum, order));
            }
        }
        if sum > u64::from(order) || !u64::from(order).is_multiple_of(sum) {
            return Err(NoEncoding::Sum(u32::at(start), sum, order));
        }
    }
    Ok(())
}
