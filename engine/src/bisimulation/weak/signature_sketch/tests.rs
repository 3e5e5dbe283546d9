use crate::base::cancel::Cancel;
use crate::bisimulation::weak::signature_sketch::*;
use crate::bisimulation::weak::stabilise::tests::{TAU, Transition, graph, signature, systems};
use bytemuck::cast_slice;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Splits a part off some blocks of a partition; returns the states of the parts.
fn split(block: &mut [u32], apart: u64) -> Vec<u32> {
    let mut moved = Vec::new();
    let blocks = block.iter().max().map_or(0, |&last| last + 1);
    let mut next = blocks;
    for old in 0..blocks {
        let (with, without): (Vec<u32>, Vec<u32>) = (0..block.len() as u32)
            .filter(|&state| block[state as usize] == old)
            .partition(|&state| apart >> state & 1 == 1);
        if !with.is_empty() && !without.is_empty() {
            with.iter().for_each(|&state| block[state as usize] = next);
            next += 1;
            moved.extend(with);
        }
    }
    moved
}

fn hashes(sketches: &mut Weak, block: &[u32]) -> Vec<u64> {
    (0..block.len() as u32).map(|state| sketches.hash(State(state), cast_slice(block))).collect()
}

/// Checks that states with equal signatures have equal hashes, and that reachable goals are never
/// excluded.
fn agree(
    sketches: &mut Weak,
    transitions: &BTreeSet<Transition>,
    block: &[u32],
) -> Result<(), TestCaseError> {
    let mut known = BTreeMap::new();
    for (state, hash) in (0..).zip(hashes(sketches, block)) {
        let can = signature(transitions, state, block);
        for &(label, goal) in &can {
            let may = match label {
                TAU => sketches.may_reach(State(state), Block(goal)),
                label => sketches.may_offer(State(state), Label(label), Block(goal)),
            };
            prop_assert!(may, "{state} -{label}-> {goal}");
        }
        prop_assert_eq!(*known.entry(can).or_insert(hash), hash);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn sketches_are_updated_with_the_partition(
        (states, transitions) in systems(),
        apart in prop::collection::vec(any::<(u64, u64)>(), 1..5),
        (most, thin) in (0usize..5, any::<bool>()),
    ) {
        let graph = graph(states, &transitions);
        let mut sketches = Weak::new(&graph, Label(TAU));
        let mut block = vec![0; states as usize];
        let cancel: &Cancel = &Cancel::never();
        let none = States::default();
        sketches.begin_sweep(cast_slice(&block), &none, cancel).unwrap();
        agree(&mut sketches, &transitions, &block)?;
        let mut parts = apart.iter().map(|&(a, b)| if thin { a & b } else { a });
        for apart in parts.by_ref().take(most) {
            let before = hashes(&mut sketches, &block);
            split(&mut block, apart);
            sketches.begin_sweep(cast_slice(&block), &none, cancel).unwrap();
            agree(&mut sketches, &transitions, &block)?;
            for (state, hash) in (0..).zip(hashes(&mut sketches, &block)) {
                let touched = sketches.touched(State(state), cast_slice(&block), &none, &none);
                prop_assert!(touched || hash == before[state as usize]);
            }
        }
        sketches.begin_lists(&|_| true, cancel).unwrap();
        for apart in parts {
            let before = hashes(&mut sketches, &block);
            let moved = split(&mut block, apart);
            let (mut marked, mut list) = (Bits::default(), Vec::new());
            sketches.affected(cast_slice(&moved), cast_slice(&block), &none, &mut marked, &mut list);
            agree(&mut sketches, &transitions, &block)?;
            for (state, hash) in (0..).zip(hashes(&mut sketches, &block)) {
                prop_assert!(list.contains(&State(state)) || hash == before[state as usize]);
            }
        }
    }
}

/// The last state leaves a block, so that the block's key changes. Of two states of the block with
/// equal signatures, only one has an internal step to a state whose sketch changes.
#[test]
fn hashes_are_updated_with_the_key_of_a_block() {
    let transitions = [(2, TAU, 0), (2, TAU, 1), (3, TAU, 1), (3, TAU, 2), (4, TAU, 2)].into();
    let graph = graph(10, &transitions);
    let mut sketches = Weak::new(&graph, Label(TAU));
    let mut block = vec![0, 0, 1, 2, 2, 2, 3, 3, 3, 3];
    let cancel: &Cancel = &Cancel::never();
    sketches.begin_sweep(cast_slice(&block), &Bits::default(), cancel).unwrap();
    let known = sketches.reach[2].bits;
    block[1] = (4..).find(|&new| has(known, sketch(new, SEED))).unwrap();
    block[5] = block.iter().max().unwrap() + 1;
    sketches.begin_sweep(cast_slice(&block), &Bits::default(), cancel).unwrap();
    agree(&mut sketches, &transitions, &block).unwrap();
}
