//! Minimisation on quotients against minimisation of their originals.
//!
//! In tests sketches are exact for few classes only, so that small systems take all the code paths
//! that large ones take.

use crate::base::cancel::Cancel;
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::bisimulation::minimise::{Equivalence, minimise as minimise_lts};
use crate::group::action::Group;
use crate::group::compact_permutation::{CompactPermutation, compact};
use crate::group::element_table::Elements;
use crate::group::permutation::{Permutation, identity};
use crate::group::subgroup::Subgroups;
use crate::symmetry::annotated_quotient::{Cosets, Quotient};
use crate::symmetry::minimise::class_partition::Partition;
use crate::symmetry::minimise::limits::Bounds;
use crate::symmetry::minimise::orbit_steps::Outgoing;
use crate::symmetry::minimise::system::System;
use crate::symmetry::minimise::verify::Blocks;
use crate::symmetry::minimise::{minimise, split_by_targets};
use crate::symmetry::rho::expand::expand;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

const POINTS: usize = 4;
const CASES: u32 = 2000;
const EQUIVALENCES: [&str; 7] = [
    "weak",
    "divergence-preserving-weak",
    "rooted-weak",
    "branching",
    "divergence-preserving-branching",
    "rooted-branching",
    "strong",
];
const NAMES: [&[u8]; 7] = [b"tau", b"b", b"c", b"a(0)", b"a(1)", b"a(2)", b"a(3)"];

fn group(generators: &[Permutation]) -> Group {
    let on_all = |g: &Permutation| -> Permutation {
        let fixed = (0..3).map(|label| POINTS as u32 + label);
        g.iter().copied().chain(fixed).chain(g.iter().map(|&x| POINTS as u32 + 3 + x)).collect()
    };
    Group::new(POINTS, NAMES.len(), generators.iter().map(on_all).collect(), &Cancel::never())
        .unwrap()
}

/// A source, a label, an element, and a target; internal steps are more likely.
type Transition = (u8, u32, u8, u8);

/// The quotient of orbits with these stabilisers; all elements are given as numbers, modulo the
/// number of elements. The first orbit is the initial state.
fn quotient(
    generators: &[Permutation],
    stabilisers: &[[u8; 2]],
    transitions: &[Transition],
) -> Quotient {
    let group = Arc::new(group(generators));
    let all = group.elements(&Cancel::never()).unwrap();
    let element = |number: u8| all[usize::from(number) % all.len()].clone();
    let mut subgroups = Subgroups::new(POINTS);
    let mut stabiliser = vec![subgroups.intern(compact(&all), &Cancel::never()).unwrap()];
    for numbers in stabilisers {
        let generators =
            numbers.iter().map(|&number| CompactPermutation::of(&element(number))).collect();
        stabiliser.push(subgroups.intern(generators, &Cancel::never()).unwrap());
    }
    let subgroups = Arc::new(subgroups);
    let mut cosets =
        Cosets::over(Arc::clone(&group), Arc::clone(&subgroups), Elements::new(POINTS));
    let orbits = stabiliser.len();
    let mut stored: Vec<[u32; 4]> = Vec::new();
    for &(source, label, number, target) in transitions {
        let [source, target] = [source, target].map(|orbit| usize::from(orbit) % orbits);
        let shift = cosets.elements.intern(&element(number));
        let least = cosets.least(shift, stabiliser[target]);
        stored.push([source as u32, label.saturating_sub(3), least, target as u32]);
    }
    stored.sort_unstable();
    let column = |i: usize| stored.iter().map(|row| row[i]).collect();
    Quotient {
        group,
        names: (0..POINTS).map(|x| x.to_string()).collect(),
        elements: cosets.elements,
        stabilisers: subgroups,
        stabiliser,
        initial: 0,
        source: column(0),
        label: column(1),
        shift: column(2),
        target: column(3),
        labels: Arc::new(NAMES.into_iter().collect::<Labels>()),
        internal: vec![0],
        sizes: OnceLock::new(),
    }
}

/// Transitions with texts as labels.
type TextTransitions = BTreeSet<(u32, Vec<u8>, u32)>;

/// The minimal system in a form that equivalent systems share.
fn least(lts: &Lts, equivalence: Equivalence) -> (u32, usize, TextTransitions) {
    let (least, _) = minimise_lts(lts, equivalence, false, &Cancel::never()).unwrap();
    let columns = least.source.iter().zip(least.label.iter()).zip(least.target.iter());
    let transitions =
        columns.map(|((&s, &a), &t)| (s.0, least.labels.get(a).to_vec(), t.0)).collect();
    (least.states, least.transitions(), transitions)
}

fn permutation() -> impl Strategy<Value = Permutation> {
    Just(identity(POINTS).to_vec()).prop_shuffle().prop_map(Permutation::from)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) })]

    #[test]
    fn the_minimal_quotient_is_that_of_the_minimal_system(
        generators in prop::collection::vec(permutation(), 0..3),
        stabilisers in prop::collection::vec([0u8..24, 0u8..24], 1..12),
        transitions in prop::collection::vec((0u8..12, 0u32..10, 0u8..24, 0u8..12), 1..30),
        name in prop::sample::select(&EQUIVALENCES[..]),
    ) {
        let equivalence = Equivalence::named(name).unwrap();
        let quotient = quotient(&generators, &stabilisers, &transitions);
        let minimal = minimise(&quotient, equivalence, 1 << 20, &Cancel::never()).unwrap();
        let expanded = expand(&minimal, &Cancel::never()).unwrap();
        let expected = least(&expand(&quotient, &Cancel::never()).unwrap(), equivalence);
        prop_assert_eq!((expanded.states, expanded.transitions()), (expected.0, expected.1));
        prop_assert_eq!(least(&expanded, equivalence), expected);
    }
}

#[test]
fn classes_on_a_cycle_of_internal_steps_are_split() {
    // 1 -tau-> 0 and 3 -tau-> 2, where the sketches do not distinguish 0 and 3, nor 1 and 2.
    let transitions = [(1, 0, 0, 0), (3, 0, 0, 2)];
    let quotient = quotient(&[], &[[0, 0]; 3], &transitions);
    let (outgoing, cosets) = Outgoing::new(&quotient, 0, &Cancel::never()).unwrap();
    let mut partition = Partition::new(4, cosets, &quotient.group, &Cancel::never()).unwrap();
    let fixing = (0..4).map(|orbit| (orbit, Vec::new())).collect();
    partition.split(&mut [0, 1, 1, 0], &fixing, &Cancel::never()).unwrap();
    let system = System { outgoing: &outgoing, tau: 0, divergence: false };
    let cancel = &Cancel::never();
    let blocks = Blocks::new(system, &mut partition, cancel).unwrap();
    let missing = blocks.missing(system, &mut partition, cancel).unwrap();
    assert_eq!(missing.len(), 2);
    let mut bounds = Bounds { limit: 1 << 10, cancel, stabiliser: &outgoing.stabiliser };
    split_by_targets::split(system, &mut partition, &missing, &mut bounds).unwrap();
    assert_eq!(partition.class.iter().collect::<BTreeSet<_>>().len(), 4);
}
