//! The rho-encoding of a quotient as an LTS (van Langevelde, SEN-R0303, Definitions 6.3 and 6.16,
//! extended to groups that are not cyclic).
//!
//! The encoding consists of a set C of states of the original with one member of every transition
//! orbit between them, and of rho-steps between the members of each orbit in C. For a group of one
//! generator g, a step PREFIX(k) leads to the next member, where k is the least power of g that
//! maps to it; a state alone in its orbit has a loop labelled with its period, and none if that is
//! the order of g. For other groups a step is labelled with the cycles of an element, and the first
//! member of an orbit has a loop for each generator of its stabiliser.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::base::lts::Lts;
use crate::base::stages::Measure;
use crate::group::element_table::IDENTITY;
use crate::group::permutation::{compose, inverse};
use crate::ops::reachable::restrict;
use crate::symmetry::annotated_quotient::{Cosets, Quotient};
use crate::symmetry::rho::choose_members::fewest_states;
use crate::symmetry::rho::members::Members;
use bytemuck::cast_vec;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The choice of the member of every transition orbit that is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one that leaves the representative of its source: the first one visited breadth first.
    BreadthFirst,
    /// One between states that are in C already; if there is none, the state is added that lets
    /// most transition orbits be stored. Breadth first if the original is too large to enumerate.
    Greedy,
}

/// The most transitions of the original for a greedy choice, which enumerates them.
const MOST_GREEDY: u32 = 4_000_000;

/// The largest order of a group of one generator whose elements are written as powers.
pub const MOST_POWERS: u32 = 1 << 16;

/// A prefix for rho-labels that is not an action of the system: `rho`, `rho_`, `rho__`, ..
pub fn rho_prefix(quotient: &Quotient) -> String {
    let mut prefix = String::from("rho");
    let taken = |prefix: &str| {
        quotient.labels.iter().any(|label| {
            let end = label.iter().position(|&byte| byte == b'(').unwrap_or(label.len());
            &label[..end] == prefix.as_bytes()
        })
    };
    while taken(&prefix) {
        prefix.push('_');
    }
    prefix
}

/// The order of the group, if it has one generator and the order is at most [`MOST_POWERS`].
pub fn powers(quotient: &Quotient) -> Option<u32> {
    let order = quotient.group.order();
    let few = order <= BigUint::from(MOST_POWERS);
    (quotient.group.generators.len() == 1 && few)
        .then(|| order.iter_u32_digits().next().expect("at least 1"))
}

/// A state of the original: its orbit, and the least element that maps the representative to it.
type Member = (u32, u32);

/// One member of every transition orbit.
type Stored = Vec<(Member, u32, Member)>;

/// The encoding, with states numbered breadth first over actions and rho-steps, and the prefix of
/// its rho-labels.
pub fn encode(quotient: &Quotient, order: Order, cancel: &Cancel) -> Result<(Lts, String)> {
    let is_greedy =
        order == Order::Greedy && quotient.count(cancel)?.1 <= BigUint::from(MOST_GREEDY);
    let (transitions, mut cosets) =
        if is_greedy { greedy(quotient, cancel)? } else { first_visited(quotient) };
    let prefix = rho_prefix(quotient);
    let mut labels = (*quotient.labels).clone();
    let mut numbers: FxHashMap<Member, u32> = FxHashMap::default();
    let mut chosen: Vec<Member> = Vec::new();
    let mut number = |member: Member| {
        let next = u32::at(chosen.len());
        let number = *numbers.entry(member).or_insert(next);
        if number == next {
            chosen.push(member);
        }
        number
    };
    let initial = number((quotient.initial, IDENTITY));
    let mut columns: [Vec<u32>; 3] = Default::default();
    let stage = cancel.stage("encoding transitions", Measure::Share(transitions.len() as u64));
    let mut unchecked = 0;
    for (source, label, target) in transitions {
        stage.check_every(&mut unchecked, 1)?;
        for (column, value) in columns.iter_mut().zip([number(source), label, number(target)]) {
            column.push(value);
        }
    }
    drop(stage);
    let mut add = |from: Member, label: String, to: Member| {
        let label = labels.intern(label.as_bytes()).0;
        for (column, value) in columns.iter_mut().zip([numbers[&from], label, numbers[&to]]) {
            column.push(value);
        }
    };
    chosen.sort_unstable();
    match powers(quotient) {
        Some(order) => {
            let exponents = exponents(quotient, order, &mut cosets);
            for members in chosen.chunk_by(|a, b| a.0 == b.0) {
                cancel.check_every(&mut unchecked, members.len())?;
                let orbit = members[0].0;
                let size = quotient.stabiliser_of(orbit).order();
                let period = order / size.iter_u32_digits().next().expect("at least 1");
                let power = |member: &Member| exponents[&member.1] % period;
                let mut members = members.to_vec();
                members.sort_unstable_by_key(power);
                for (i, member) in members.iter().enumerate() {
                    let next = &members[(i + 1) % members.len()];
                    let (at, to) = (power(member), power(next));
                    let step = if to > at { to - at } else { period + to - at };
                    // A state alone in its orbit that only the identity fixes has no step.
                    if step != order {
                        add(*member, format!("{prefix}({step})"), *next);
                    }
                }
            }
        }
        None => {
            for members in chosen.chunk_by(|a, b| a.0 == b.0) {
                cancel.check_every(&mut unchecked, members.len())?;
                let first = cosets.elements.get(members[0].1).to_vec();
                for generator in quotient.stabiliser_of(members[0].0).images() {
                    let moved = compose(&compose(&first, generator), &inverse(&first));
                    add(members[0], format!("{prefix}{}", cycles(quotient, &moved)), members[0]);
                }
                for (i, &member) in members.iter().enumerate().filter(|_| members.len() > 1) {
                    let next = members[(i + 1) % members.len()];
                    let back = inverse(cosets.elements.get(member.1));
                    let step = compose(cosets.elements.get(next.1), &back);
                    add(member, format!("{prefix}{}", cycles(quotient, &step)), next);
                }
            }
        }
    }
    let internal = Arc::new(cast_vec(quotient.internal.clone()));
    let states = u32::at(numbers.len());
    let lts = Lts::of_numbers(initial, states, columns, Arc::new(labels), internal);
    Ok((restrict(&lts, cancel)?, prefix))
}

fn greedy(quotient: &Quotient, cancel: &Cancel) -> Result<(Stored, Cosets)> {
    let members = Members::new(quotient, cancel)?;
    let stored = fewest_states(quotient, &members, cancel)?;
    let end = |state: u32, orbit: u32| (orbit, members.element[state as usize]);
    let transitions = stored.iter().enumerate().map(|(transition, &t)| {
        let source = end(members.source[t], quotient.source[transition]);
        (source, members.label[t], end(members.target[t], quotient.target[transition]))
    });
    Ok((transitions.collect(), members.cosets))
}

fn first_visited(quotient: &Quotient) -> (Stored, Cosets) {
    let transitions = (0..quotient.source.len()).map(|transition| {
        let target = (quotient.target[transition], quotient.shift[transition]);
        ((quotient.source[transition], IDENTITY), quotient.label[transition], target)
    });
    (transitions.collect(), Cosets::new(quotient))
}

/// For each element the power of the generator that it is.
fn exponents(quotient: &Quotient, order: u32, cosets: &mut Cosets) -> FxHashMap<u32, u32> {
    let generator = cosets.elements.intern(quotient.group.generator(0));
    let mut at = IDENTITY;
    let mut powers = FxHashMap::default();
    for exponent in 0..order {
        powers.insert(at, exponent);
        at = cosets.elements.compose(generator, at);
    }
    powers
}

/// The cycles of an element, each in parentheses, with the names of the points.
fn cycles(quotient: &Quotient, element: &[u32]) -> String {
    let mut text = String::new();
    let mut seen = vec![false; element.len()];
    for start in 0..element.len() {
        if seen[start] || element[start] as usize == start {
            continue;
        }
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            text.push(if at == start { '(' } else { ' ' });
            text.push_str(&quotient.names[at]);
            at = element[at] as usize;
        }
        text.push(')');
    }
    if text.is_empty() { "()".into() } else { text }
}
