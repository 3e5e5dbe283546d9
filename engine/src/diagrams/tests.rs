//! Diagrams against all markings, visited one after the other.

use crate::base::cancel::{Cancel, NoResult};
use crate::diagrams::conditions::{Condition, Sum};
use crate::diagrams::net::{Change, Event, Net};
use crate::diagrams::saturation::reachable;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The numbers of nets with fewer than 2^32 tokens on every place, and of other nets.
static WITHIN: AtomicUsize = AtomicUsize::new(0);
static BEYOND: AtomicUsize = AtomicUsize::new(0);

/// All reachable markings, and the number of steps, by visiting one marking after the other; `None`
/// beyond `most`.
fn all_markings(net: &Net, most: usize) -> Option<(BTreeSet<Vec<u64>>, usize)> {
    let initial: Vec<u64> = net.initial.iter().map(|&tokens| tokens.into()).collect();
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut waiting = std::vec![initial];
    let mut steps = 0;
    while let Some(marking) = waiting.pop() {
        for event in &net.events {
            let mut next = marking.clone();
            let is_enabled = event.changes.iter().all(|change| {
                let place = change.place as usize;
                let (takes, puts) = (u64::from(change.takes), u64::from(change.puts));
                let enough = marking[place] >= takes;
                next[place] = (marking[place] + puts).wrapping_sub(takes);
                enough
            });
            if is_enabled {
                steps += 1;
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some((seen, steps))
}

/// The counts by visiting one marking after the other; `None` beyond `most`.
fn one_by_one(net: &Net, most: usize) -> Option<(usize, usize, u64, u64)> {
    let (seen, steps) = all_markings(net, most)?;
    let sum = seen.iter().map(|marking| marking.iter().sum()).max();
    let most = seen.iter().flatten().copied().max();
    Some((seen.len(), steps, sum.unwrap_or(0), most.unwrap_or(0)))
}

/// A sum over some of this many places.
fn sums(places: usize) -> impl Strategy<Value = Sum> {
    prop::collection::btree_map(0..places as u32, -2i64..3, 0..=places)
        .prop_map(|factors| factors.into_iter().collect())
}

/// Conditions on the markings of a net, the last of which depends on the others. Some of the sums
/// change with the first steps: their bounds lie around their value in the initial marking.
fn conditions(net: &Net) -> impl Strategy<Value = Vec<Condition>> + use<> {
    let parts = |number: usize| prop::collection::vec(0..number, 0..4);
    let initial: Vec<u64> = net.initial.iter().map(|&tokens| tokens.into()).collect();
    let bounds = (-4i64..8, 0i64..6, 0..4u8, 0..4u8);
    let sum = (sums(initial.len()), bounds).prop_map(move |(sum, (low, size, open, near))| {
        let (no_low, no_high) = (open == 1, open == 2);
        let low = if near > 0 { value(&sum, &initial) + low.signum() } else { low };
        let high = if no_high { i64::MAX } else { low + size };
        Condition::Sum(sum, if no_low { i64::MIN } else { low }, high)
    });
    let joined = |number: usize| {
        prop_oneof![
            parts(number).prop_map(Condition::All),
            parts(number).prop_map(Condition::Some),
            (0..number).prop_map(Condition::Not),
        ]
    };
    let first = prop::collection::vec(sum, 4);
    (first, joined(4), joined(5), joined(6)).prop_map(|(mut all, fifth, sixth, last)| {
        all.extend([fifth, sixth, last]);
        all
    })
}

/// Whether a condition holds of a marking.
fn holds(conditions: &[Condition], number: usize, marking: &[u64]) -> bool {
    match &conditions[number] {
        Condition::All(parts) => parts.iter().all(|&part| holds(conditions, part, marking)),
        Condition::Some(parts) => parts.iter().any(|&part| holds(conditions, part, marking)),
        &Condition::Not(part) => !holds(conditions, part, marking),
        Condition::Sum(sum, low, high) => (*low..=*high).contains(&value(sum, marking)),
    }
}

fn value(sum: &[(u32, i64)], marking: &[u64]) -> i64 {
    sum.iter().map(|&(place, factor)| factor * marking[place as usize] as i64).sum()
}

/// The numbers of conditions that held of all markings, of some, and of none.
static OF_ALL: AtomicUsize = AtomicUsize::new(0);
static OF_SOME: AtomicUsize = AtomicUsize::new(0);
static OF_NONE: AtomicUsize = AtomicUsize::new(0);

fn nets() -> impl Strategy<Value = Net> {
    (1usize..7).prop_flat_map(|places| {
        let change = (0..places as u32, 0u32..3, 0u32..3);
        let event = prop::collection::vec(change, 0..4).prop_map(|changes| {
            let mut changes: Vec<Change> = (changes.into_iter())
                .map(|(place, takes, puts)| Change { place, takes, puts })
                .collect();
            changes.sort_by_key(|change| change.place);
            changes.dedup_by_key(|change| change.place);
            Event { changes }
        });
        let events = prop::collection::vec(event, 0..8);
        let initial = prop::collection::vec(0u32..4, places);
        (initial, events).prop_map(|(initial, events)| Net { initial, events })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn counts_agree_with_enumeration(net in nets()) {
        let Some((states, steps, marking, place)) = one_by_one(&net, 3000) else {
            return Ok(());
        };
        let start: Vec<u32> = (0..net.initial.len() as u32).collect();
        let positions = net.improved(&start);
        for positions in [start, positions] {
            let cancel = Cancel::never();
            let diagram = reachable(net.renumbered(&positions), usize::MAX, &cancel);
            let diagram = diagram.expect("nothing stops it").counts(&cancel);
            let diagram = diagram.expect("nothing stops it");
            prop_assert_eq!(&diagram.states, &BigUint::from(states));
            prop_assert_eq!(&diagram.transitions, &BigUint::from(steps));
            prop_assert_eq!(diagram.marking, marking);
            prop_assert_eq!(diagram.place, place);
        }
    }

    #[test]
    fn token_counts_beyond_32_bits_reach_the_limit(
        mut net in nets(), unit in prop::sample::select(&[1u32 << 29, 1 << 30, u32::MAX / 3]),
    ) {
        for tokens in &mut net.initial {
            *tokens *= unit;
        }
        for change in net.events.iter_mut().flat_map(|event| &mut event.changes) {
            (change.takes, change.puts) = (change.takes * unit, change.puts * unit);
        }
        // The markings are those of the small net, so there may be infinitely many.
        let Some((states, _, marking, place)) = one_by_one(&net, 200) else { return Ok(()) };
        let cancel = Cancel::never();
        let diagram = reachable(net, usize::MAX, &cancel);
        prop_assert_eq!(diagram.is_ok(), place <= u64::from(u32::MAX));
        if let Ok(diagram) = diagram {
            let diagram = diagram.counts(&cancel).expect("nothing stops it");
            prop_assert_eq!(&diagram.states, &BigUint::from(states));
            prop_assert_eq!((diagram.marking, diagram.place), (marking, place));
        }
        let wraps = if place > u64::from(u32::MAX) { &BEYOND } else { &WITHIN };
        wraps.fetch_add(1, Ordering::Relaxed);
        let (within, beyond) = (WITHIN.load(Ordering::Relaxed), BEYOND.load(Ordering::Relaxed));
        prop_assert!(within + beyond < 1000 || within.min(beyond) > 10, "{within} {beyond}");
    }

    #[test]
    fn conditions_agree_with_enumeration(
        (net, conditions, sum) in nets().prop_flat_map(|net| {
            let (conditions, sums) = (conditions(&net), sums(net.initial.len()));
            (Just(net), conditions, sums)
        }),
    ) {
        let Some((markings, _)) = all_markings(&net, 1000) else { return Ok(()) };
        let cancel = Cancel::never();
        let mut diagram = reachable(net, usize::MAX, &cancel).expect("nothing stops it");
        for number in (0..conditions.len()).rev() {
            let all = &conditions[..=number];
            let count = markings.iter().filter(|marking| holds(all, number, marking)).count();
            let is_possible = diagram.is_possible(all, usize::MAX, &cancel);
            prop_assert_eq!(is_possible.expect("nothing stops it"), count > 0);
            let kind = match count {
                0 => &OF_NONE,
                _ if count < markings.len() => &OF_SOME,
                _ => &OF_ALL,
            };
            kind.fetch_add(1, Ordering::Relaxed);
        }
        let greatest = markings.iter().map(|marking| value(&sum, marking)).max();
        let diagram = diagram.greatest(&sum, usize::MAX, &cancel).expect("nothing stops it");
        prop_assert_eq!(Some(diagram), greatest);
        let counts = [&OF_ALL, &OF_SOME, &OF_NONE].map(|kind| kind.load(Ordering::Relaxed));
        let total = counts.iter().sum::<usize>();
        prop_assert!(total < 1000 || counts.iter().all(|&count| count > 20), "{counts:?}");
    }

    #[test]
    fn orders_are_permutations(net in nets()) {
        let start: Vec<u32> = (0..net.initial.len() as u32).collect();
        let mut positions = net.improved(&start);
        positions.sort_unstable();
        prop_assert_eq!(positions, start);
    }
}

#[test]
fn a_net_without_bounds_reaches_the_limit() {
    let grows = Change { place: 0, takes: 0, puts: 1 };
    let net = Net { initial: std::vec![0], events: std::vec![Event { changes: std::vec![grows] }] };
    assert!(reachable(net, 1_000, &Cancel::never()).is_err());
}

#[test]
fn conditions_with_too_many_nodes_reach_the_limit() {
    let either = |place| {
        [Change { place, takes: 1, puts: 0 }, Change { place: place + 1, takes: 0, puts: 1 }]
    };
    let events = (0..30).map(|pair| Event { changes: either(2 * pair).to_vec() }).collect();
    let initial = (0..60).map(|place| u32::from(place % 2 == 0)).collect();
    let cancel = Cancel::never();
    let mut diagram = reachable(Net { initial, events }, usize::MAX, &cancel).expect("it is small");
    // All sums of different powers of two are different.
    let sum: Sum = (0..30).map(|bit| (2 * bit, 1 << (bit % 15))).collect();
    let odd = Condition::Sum(sum, 12_345, 12_345);
    assert_eq!(diagram.is_possible(std::slice::from_ref(&odd), usize::MAX, &cancel), Ok(true));
    assert_eq!(diagram.is_possible(&[odd], 1_000, &cancel), Err(NoResult::Limit));
}
