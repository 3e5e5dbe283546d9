//! Bisimulations against their definitions: naive refinement by signatures, computed as sets by
//! searching.
//!
//! In tests the sweeps end after one round, and sketches are exact for few blocks only, so that
//! small systems take all the code paths that large ones take.

use crate::base::cancel::{CHECK_EVERY, Cancel, Stopped};
use crate::base::csr::Forward;
use crate::base::hash_sets::tests::HASH_MASK;
use crate::base::ids::{Label, State};
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::base::partition::Partition;
use crate::base::stages::{Measure, Shown};
use crate::bisimulation::branching_signature::Branching;
use crate::bisimulation::minimise::{Equivalence, Kind, minimise};
use crate::bisimulation::refine::patience::tests::SWEEPS;
use crate::bisimulation::refine::refine;
use crate::bisimulation::start::acyclic_blocks::tests::HASH_MASK as ACYCLIC_HASH_MASK;
use crate::bisimulation::strong_signature::Strong;
use crate::bisimulation::verify::{Verdict, certify};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Transition = (u32, u32, u32);

const NAMES: [&[u8]; 4] = [b"tau", b"a", b"b", b"c"];
/// The label of loops that stand for divergence.
const LOOP: u32 = 9;

pub(super) fn system(states: u32, transitions: &[Transition]) -> Lts {
    let labels: Labels = NAMES.into_iter().collect();
    let source = transitions.iter().map(|transition| transition.0).collect();
    let label = transitions.iter().map(|transition| transition.1).collect();
    let target = transitions.iter().map(|transition| transition.2).collect();
    Lts::new(0, states, source, label, target, labels).unwrap()
}

/// The states reached by internal steps through states that satisfy `inside`.
fn silent(
    transitions: &BTreeSet<Transition>,
    from: u32,
    inside: &dyn Fn(u32) -> bool,
) -> BTreeSet<u32> {
    let mut visited = BTreeSet::from([from]);
    let mut waiting = vec![from];
    while let Some(s) = waiting.pop() {
        for &(_, _, t) in transitions.range((s, 0, 0)..(s, 1, 0)) {
            if inside(t) && visited.insert(t) {
                waiting.push(t);
            }
        }
    }
    visited
}

pub(super) fn naive(states: u32, transitions: &[Transition], equivalence: Equivalence) -> Vec<u32> {
    let mut transitions: BTreeSet<Transition> = transitions.iter().copied().collect();
    if equivalence.divergence {
        let cyclic: Vec<u32> = (0..states)
            .filter(|&s| {
                let mut steps = transitions.range((s, 0, 0)..(s, 1, 0));
                steps.any(|transition| silent(&transitions, transition.2, &|_| true).contains(&s))
            })
            .collect();
        transitions.extend(cyclic.into_iter().map(|s| (s, LOOP, s)));
    }
    let mut block = vec![0u32; states as usize];
    loop {
        let mut numbers: BTreeMap<(u32, BTreeSet<(u32, u32)>), u32> = BTreeMap::new();
        let mut next = Vec::new();
        for s in 0..states {
            let b = block[s as usize];
            let mut signature = BTreeSet::new();
            match equivalence.kind {
                Kind::Strong => {
                    signature.extend(
                        transitions
                            .range((s, 0, 0)..(s + 1, 0, 0))
                            .map(|transition| (transition.1, block[transition.2 as usize])),
                    );
                }
                Kind::Branching => {
                    for u in silent(&transitions, s, &|t| block[t as usize] == b) {
                        let steps = transitions.range((u, 0, 0)..(u + 1, 0, 0));
                        let steps =
                            steps.map(|transition| (transition.1, block[transition.2 as usize]));
                        signature.extend(steps.filter(|&step| step != (0, b)));
                    }
                }
                Kind::Weak => {
                    for u in silent(&transitions, s, &|_| true) {
                        signature.insert((0, block[u as usize]));
                        for transition in transitions.range((u, 1, 0)..(u + 1, 0, 0)) {
                            let behind = silent(&transitions, transition.2, &|_| true);
                            signature.extend(
                                behind.into_iter().map(|t| (transition.1, block[t as usize])),
                            );
                        }
                    }
                }
            }
            let new = numbers.len() as u32;
            next.push(*numbers.entry((b, signature)).or_insert(new));
        }
        let before = block.iter().collect::<BTreeSet<_>>().len();
        block = next;
        if numbers.len() == before {
            return block;
        }
    }
}

fn all() -> Vec<Equivalence> {
    let kinds = [Kind::Strong, Kind::Branching, Kind::Weak];
    let plain = kinds.map(Equivalence::plain);
    let divergent = plain[1..].iter().map(|&plain| Equivalence { divergence: true, ..plain });
    plain.iter().copied().chain(divergent).collect()
}

/// Random transitions; chains, also long internal ones, are more likely than by chance.
fn systems() -> impl Strategy<Value = (u32, Vec<Transition>)> {
    (1u32..14).prop_flat_map(|states| {
        let transition = (0..states, prop_oneof![3 => Just(0u32), 3 => 1u32..4], 0..states);
        let step = (0..states, prop_oneof![4 => Just(0u32), 1 => 1u32..3]);
        let step = step.prop_map(move |(s, a)| (s, a, (s + 1) % states));
        let transitions = prop::collection::vec(prop_oneof![1 => transition, 1 => step], 0..30);
        (Just(states), transitions)
    })
}

/// Random transitions without cycles except loops; each state may occur several times.
fn acyclic_systems() -> impl Strategy<Value = (u32, Vec<Transition>)> {
    (1u32..8, 1u32..3).prop_flat_map(|(states, copies)| {
        let transition = (0..states, prop_oneof![2 => Just(0u32), 3 => 1u32..4], 0..states);
        let transition = transition.prop_map(|(s, a, t)| (s.max(t), a, s.min(t)));
        let chain = (1..states.max(2), 0u32..3);
        let chain = chain.prop_map(move |(s, a)| (s % states, a, (s % states).saturating_sub(1)));
        let transitions = prop::collection::vec(prop_oneof![1 => transition, 1 => chain], 0..20);
        transitions.prop_map(move |transitions| {
            let copied = (0..copies).flat_map(|copy| {
                let name = move |state: u32, copy: u32| state * copies + copy % copies;
                transitions.iter().zip(copy..).map(move |(&(s, a, t), i)| {
                    let to = if s == t { copy } else { i };
                    (name(s, copy), a, name(t, to))
                })
            });
            (states * copies, copied.collect())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn classes_agree_with_the_definition((states, transitions) in systems()) {
        let lts = system(states, &transitions);
        for equivalence in all() {
            let expected = naive(states, &transitions, equivalence);
            let (_, class) = minimise(&lts, equivalence, true, &Cancel::never()).unwrap();
            for s in 0..states as usize {
                for t in 0..s {
                    prop_assert_eq!(
                        expected[s] == expected[t], class[s] == class[t],
                        "{:?}: {} and {} of {:?}", equivalence, s, t, transitions
                    );
                }
            }
        }
    }

    /// Every state several times: strong bisimulation merges many states before the other kinds
    /// begin.
    #[test]
    fn classes_of_copies_agree_with_the_definition(
        (states, transitions) in systems(), copies in 2u32..4,
    ) {
        let copied: Vec<Transition> = (0..copies).flat_map(|copy| {
            transitions.iter().zip(copy..).map(move |(&(s, a, t), i)| (s * copies + copy, a, t * copies + i % copies))
        }).collect();
        let lts = system(states * copies, &copied);
        for equivalence in all() {
            let expected = naive(states, &transitions, equivalence);
            let (least, class) = minimise(&lts, equivalence, true, &Cancel::never()).unwrap();
            let (other, _) = minimise(&system(states, &transitions), equivalence, true, &Cancel::never()).unwrap();
            prop_assert_eq!(least.states, other.states);
            for s in 0..states * copies {
                for t in 0..s {
                    prop_assert_eq!(
                        expected[(s / copies) as usize] == expected[(t / copies) as usize],
                        class[s as usize] == class[t as usize],
                        "{:?}: {} and {} of {:?}", equivalence, s, t, copied
                    );
                }
            }
        }
    }

    #[test]
    fn minimal_systems_are_equivalent_and_canonical(
        (states, transitions) in systems(), order in any::<prop::sample::Index>(),
    ) {
        let lts = system(states, &transitions);
        // The same system with its states in reverse order, each twice.
        let turned: Vec<Transition> = transitions.iter().rev().enumerate().flat_map(|(i, &(s, a, t))| {
            let name = |state: u32, copy: usize| {
                let state = (state + order.index(states as usize) as u32) % states;
                if copy == 0 { state } else { 2 * states - 1 - state }
            };
            [(name(s, 0), a, name(t, i)), (name(s, 1), a, name(t, i / 2))]
        }).collect();
        let mut twice = system(2 * states, &turned);
        twice.initial = State(order.index(states as usize) as u32 % states);
        for equivalence in all() {
            let (least, _) = minimise(&lts, equivalence, false, &Cancel::never()).unwrap();
            let mut both = transitions.clone();
            let shift = |i: usize| (least.source[i].0 + states, least.target[i].0 + states);
            both.extend((0..least.transitions()).map(|i| {
                let name = least.labels.get(least.label[i]);
                let label = NAMES.iter().position(|&other| other == name).unwrap();
                (shift(i).0, label as u32, shift(i).1)
            }));
            let block = naive(states + least.states, &both, equivalence);
            prop_assert_eq!(block[0], block[states as usize], "{:?} {:?}", equivalence, transitions);
            let (again, _) = minimise(&least, equivalence, false, &Cancel::never()).unwrap();
            let (other, _) = minimise(&twice, equivalence, false, &Cancel::never()).unwrap();
            for same in [&again, &other] {
                prop_assert_eq!(text(&least), text(same), "{:?} {:?}", equivalence, transitions);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Blocks that are determined by those of successors, also if their hashes collide.
    #[test]
    fn acyclic_classes_agree_with_the_definition(
        (states, transitions) in acyclic_systems(), turned in any::<bool>(), bits in 5u32..9,
        cycle in prop::option::of((0u32..4, 0u32..16, 0u32..16)),
    ) {
        let name = |state: u32| if turned { states - 1 - state } else { state };
        let mut transitions: Vec<Transition> = transitions.iter().map(|&(s, a, t)| (name(s), a, name(t))).collect();
        transitions.extend(cycle.map(|(a, s, t)| (s % states, a, t % states)));
        let lts = system(states, &transitions);
        for equivalence in all() {
            let expected = naive(states, &transitions, equivalence);
            for mask in [!0, (1 << bits) - 1] {
                ACYCLIC_HASH_MASK.set(mask);
                let (_, class) = minimise(&lts, equivalence, true, &Cancel::never()).unwrap();
                ACYCLIC_HASH_MASK.set(!0);
                for s in 0..states as usize {
                    for t in 0..s {
                        prop_assert_eq!(
                            expected[s] == expected[t], class[s] == class[t],
                            "{:?}: {} and {} of {:?}", equivalence, s, t, transitions
                        );
                    }
                }
            }
        }
    }
}

/// Hashes of sets of transitions are restricted to these bits.
fn with_equal_hashes(
    bits: u64,
    (states, transitions): &(u32, Vec<Transition>),
) -> Result<(), TestCaseError> {
    let lts = system(*states, transitions);
    let equivalence = Equivalence::plain(Kind::Branching);
    let expected = naive(*states, transitions, equivalence);
    HASH_MASK.set(bits);
    let (_, class) = minimise(&lts, equivalence, true, &Cancel::never()).unwrap();
    HASH_MASK.set(!0);
    for s in 0..*states as usize {
        for t in 0..s {
            let (expected, class) = (expected[s] == expected[t], class[s] == class[t]);
            prop_assert_eq!(expected, class, "{} and {} of {:?}", s, t, transitions);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn colliding_hashes_never_separate_more_states(
        system in systems(), bits in prop::sample::select(vec![3, 0, !0 << 32]),
    ) {
        with_equal_hashes(bits, &system)?;
    }
}

/// Many internal steps, all to smaller states.
fn silent_systems() -> impl Strategy<Value = (u32, Vec<Transition>)> {
    (2u32..24).prop_flat_map(|states| {
        let transition = (0..states, prop_oneof![2 => Just(0u32), 1 => 1u32..3], 0..states);
        let transition = transition.prop_filter("no loops", |&(s, a, t)| a != 0 || s != t);
        let transition = transition
            .prop_map(|(s, a, t)| if a == 0 { (s.max(t), a, s.min(t)) } else { (s, a, t) });
        (Just(states), prop::collection::vec(transition, 0..=2 * states as usize))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// If every hash is that of one signature only, refinement alone must reach the coarsest
    /// partition: a difference would only cost time and not show in any result. Sweeps continue for
    /// some rounds, with marks from the start, later or never.
    #[test]
    fn refinement_without_collisions_is_complete(
        (states, transitions) in silent_systems(),
        sweeps in (prop_oneof![0u32..3, Just(100)], prop_oneof![Just(1usize), Just(4), Just(100)]),
    ) {
        let lts = system(states, &transitions);
        let graph = Forward::new(&lts, &Cancel::never()).unwrap();
        let kinds = [(Kind::Strong, Label::NONE), (Kind::Branching, Label(0))];
        for (kind, tau) in kinds {
            let start = Partition::trivial(states as usize);
            SWEEPS.set(Some(sweeps));
            let partition = if kind == Kind::Strong {
                refine(start, &mut Strong::new(&graph), false, &Cancel::never()).unwrap()
            } else {
                refine(start, &mut Branching::new(&graph, tau), false, &Cancel::never()).unwrap()
            };
            SWEEPS.set(None);
            let verdict = certify(&graph, tau, partition, &Cancel::never()).unwrap();
            let Verdict::Stable(stable, _) = verdict else {
                return Err(TestCaseError::fail(format!("{kind:?}: {transitions:?}")));
            };
            let expected = naive(states, &transitions, Equivalence::plain(kind));
            prop_assert_eq!(stable.blocks, expected.iter().collect::<BTreeSet<_>>().len());
        }
    }
}

/// A group of bottom states with several signatures, and states that belong to it by any one of
/// these.
#[test]
fn groups_with_colliding_signatures_are_not_separated() {
    let transitions = [
        [(0, 1, 12), (0, 0, 4), (8, 0, 0), (13, 0, 0), (1, 1, 8), (2, 0, 5), (2, 0, 7), (3, 0, 0)],
        [(4, 3, 4), (5, 3, 9), (6, 1, 2), (7, 0, 5), (7, 1, 2), (8, 3, 3), (9, 0, 8), (11, 0, 8)],
        [
            (8, 0, 1),
            (10, 3, 13),
            (10, 0, 1),
            (10, 1, 0),
            (10, 3, 9),
            (12, 0, 9),
            (13, 0, 11),
            (8, 0, 1),
        ],
    ];
    let system = (15, transitions.concat());
    for bits in [3, 0, !0 << 32] {
        with_equal_hashes(bits, &system).unwrap();
    }
}

fn text(lts: &Lts) -> Vec<u8> {
    let mut text = format!("{} {}\n", lts.initial.0, lts.states).into_bytes();
    crate::aut::write::transitions(lts, 0..lts.transitions(), &mut text);
    text
}

/// Chains that split off one state per round, and internal chains whose bottom changes with every
/// round: the work must be proportional to the changes.
#[test]
fn long_chains_take_few_checks() {
    let n = 30_000;
    let visible: Vec<Transition> = (0..n).map(|s| (s, 1, s + 1)).collect();
    let loops = (0..n).step_by(7).map(|s| (s, 1 + s % 3, s));
    let internal: Vec<Transition> = (0..n).map(|s| (s, 0, s + 1)).chain(loops).collect();
    for (transitions, kind) in [(visible, Kind::Strong), (internal, Kind::Branching)] {
        let lts = system(n + 1, &transitions);
        let checks = Cancel::checks_of(|cancel| {
            minimise(&lts, Equivalence::plain(kind), false, cancel).unwrap();
        });
        assert!(checks < 2000, "{kind:?} took {checks} checks");
    }
}

#[test]
fn all_work_stops_when_cancelled() {
    let n = 70_000;
    let transitions: Vec<Transition> = (0..n).map(|s| (s, s % 3, (s * 7 + 1) % n)).collect();
    let lts = system(n, &transitions);
    for equivalence in all() {
        let checks = Cancel::checks_of(|cancel| {
            minimise(&lts, equivalence, false, cancel).unwrap();
        });
        assert!(checks > 3);
        for allowed in (0..checks).step_by(checks / 4 + 1) {
            let stopped = minimise(&lts, equivalence, false, &Cancel::after(allowed));
            assert_eq!(stopped.err(), Some(Stopped::Interrupt));
        }
    }
}

/// All stages of a minimisation with a known total: their names, last counts and totals.
fn shares(lts: &Lts, equivalence: Equivalence) -> Vec<(String, u64, u64)> {
    let cancel = Cancel::never();
    minimise(lts, equivalence, false, &cancel).expect("it is never cancelled");
    assert_eq!(cancel.stages().shown(), []);
    let ended = cancel.stages().ended.lock().unwrap();
    let share = |stage: &Shown| match stage.measure {
        Measure::Share(total) if total > 0 => Some((stage.name.to_string(), stage.count, total)),
        _ => None,
    };
    ended.iter().filter_map(share).collect()
}

#[test]
fn stages_end_at_their_totals() {
    // A ring of three classes, with an internal cycle at every state, and a state without steps;
    // each class has one state with so many steps that they are compared as sets.
    const THIRD: u32 = 3 * CHECK_EVERY as u32 / 4;
    let states = 2 * 3 * THIRD;
    let mut transitions: Vec<Transition> = Vec::new();
    for i in 0..3 * THIRD {
        // In no order of their sources.
        let s = i.wrapping_mul(7) % (3 * THIRD);
        transitions.push((2 * s, 1 + s % 3, 2 * (s + 1) % states));
        transitions.extend([(2 * s, 0, 2 * s + 1), (2 * s + 1, 0, 2 * s)]);
        transitions.extend(
            (0..u32::from(s < 3)).flat_map(|_| (0..9).map(|_| (2 * s, 1 + s % 3, 2 * s + 2))),
        );
    }
    let lts = system(states + 1, &transitions);
    let mut names = BTreeSet::new();
    for kind in [Kind::Strong, Kind::Branching, Kind::Weak] {
        for (name, count, total) in shares(&lts, Equivalence::plain(kind)) {
            // What is less than a step between two checks is not counted.
            assert!(count <= total, "{kind:?}, {name}: {count} of {total}");
            assert!(total - count < CHECK_EVERY as u64, "{kind:?}, {name}: {count} of {total}");
            if total > CHECK_EVERY as u64 {
                names.insert(name);
            }
        }
    }
    let expected = [
        "collapsing internal cycles",
        "finding internal cycles",
        "hashing states",
        "sorting transitions",
        "verifying",
    ];
    assert!(expected.iter().all(|&name| names.contains(name)), "{names:?}");
}
