//! The states from which every path ends, or stays in one state from some point on, and their
//! blocks.
//!
//! A state from which every path ends is not equivalent to any other kind of state. Its block is
//! determined by the blocks of its successors, so one bottom-up sweep finds the blocks of all of
//! them. After Dovier, Piazza and Policriti, An efficient algorithm for computing bisimulation
//! equivalence (Theor. Comput. Sci. 311, 2004); of their ranks this uses the case in which
//! refinement needs most rounds: long paths that end. Loops are allowed as long as there is no
//! longer cycle anywhere, as a state on such a cycle may be equivalent to a state with a loop.
//!
//! Blocks are hashes here, computed from the hashes of successors, so the sweep needs no table
//! lookups, whose cache misses could not overlap. Blocks are numbered afterwards, in batches.
//!
//! `acyclic_blocks` says what this saves; this file only provides the order.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::hash::low_half;
use crate::base::hash::quick;
use crate::base::ids::Id;
use crate::base::ids::{Block, State};
use crate::base::memory;
use crate::base::memory::room;
use crate::base::partition::Partition;
use crate::base::stages::Measure;
use std::mem;

/// States that are numbered at once.
const BATCH: usize = 64;

/// A partition and its settled states: the blocks of states whose blocks are final, and one block
/// of all others.
///
/// `hash_of(state, hashes)` computes the hash of a state, which represents its block, from the
/// hashes of its successors.
pub fn acyclic_partition(
    graph: &Forward,
    hash_of: impl FnMut(State, &[u64]) -> u64,
    cancel: &Cancel,
) -> Result<(Partition, States)> {
    let states = graph.states();
    let mut sweep = Sweep {
        graph,
        hash_of,
        hashes: Vec::new(),
        known: States::new(states),
        ending: States::new(states),
    };
    // Most often it is decided in two sweeps; how many states will be left then is not known.
    let _stage = cancel.stage("finding states without cycles", Measure::Share(0));
    let down = graph.leads_upwards(|_| true);
    let mut fresh = sweep.sweep(down, cancel)?;
    if fresh > 0 && fresh < states {
        fresh = sweep.sweep(!down, cancel)?;
    }
    if fresh > 0 && sweep.known.count() < states {
        sweep.wait(cancel)?;
    }
    let Sweep { hashes, known, ending, .. } = sweep;
    let settled = if known.count() == states { known } else { ending };
    if settled.count() == 0 {
        return Ok((Partition::trivial(states), settled));
    }
    Ok((numbered(&hashes, &settled, cancel)?, settled))
}

/// The states visited so far.
struct Sweep<'a, H> {
    graph: &'a Forward<'a>,
    hash_of: H,
    hashes: Vec<u64>,
    /// The states with a hash, and those of them from which every path ends.
    known: States,
    ending: States,
}

impl<H: FnMut(State, &[u64]) -> u64> Sweep<'_, H> {
    /// Visit every state once, and compute the hashes of those whose successors have hashes; return
    /// how many are new.
    fn sweep(&mut self, down: bool, cancel: &Cancel) -> Result<usize> {
        let states = u32::at(self.graph.states());
        let mut new = 0;
        for i in 0..states {
            cancel.check_at(i as usize)?;
            let state = State(if down { states - 1 - i } else { i });
            let behind = &self.graph.target[self.graph.range(state)];
            if !self.known.has(state)
                && behind.iter().all(|&target| target == state || self.known.has(target))
            {
                self.know(state);
                new += 1;
            }
        }
        Ok(new)
    }

    /// Compute all hashes that can be computed. A state without a hash waits for one of its
    /// successors.
    fn wait(&mut self, cancel: &Cancel) -> Result<()> {
        let graph = self.graph;
        let states = graph.states();
        // For every state the head of the list of states that wait for it; for a waiting state the
        // transition to the state that it waits for, and the next in the list.
        let mut first = memory::filled(State::NONE, states);
        let mut waits: Vec<(u32, State)> = memory::zeroes(states);
        let mut ready = Vec::new();
        let mut steps = 0;
        for other in graph.each_state() {
            if self.known.has(other) {
                continue;
            }
            ready.push((other, graph.starts[other]));
            while let Some((state, transition)) = ready.pop() {
                steps += 1;
                cancel.check_at(steps)?;
                let transitions = transition as usize..graph.range(state).end;
                let open = |&target: &State| target != state && !self.known.has(target);
                if let Some(at) = graph.target[transitions.clone()].iter().position(open) {
                    let transition = transitions.start + at;
                    let first = &mut first[graph.target[transition]];
                    waits[state] = (u32::at(transition), mem::replace(first, state));
                    continue;
                }
                self.know(state);
                let mut waiting = mem::replace(&mut first[state], State::NONE);
                while waiting != State::NONE {
                    let (transition, next) = waits[waiting];
                    ready.push((waiting, transition + 1));
                    waiting = next;
                }
            }
        }
        Ok(())
    }

    /// Compute the hash of a state, all of whose successors have hashes.
    fn know(&mut self, state: State) {
        if self.hashes.is_empty() {
            self.hashes = memory::zeroes(self.graph.states());
        }
        let hash = (self.hash_of)(state, &self.hashes);
        self.hashes[state] = hash;
        self.known.add(state);
        let behind = &self.graph.target[self.graph.range(state)];
        if behind.iter().all(|&target| self.ending.has(target)) {
            self.ending.add(state);
        }
    }
}

/// The partition of the settled states by their hashes, numbered by least states, and one block of
/// all others.
///
/// The slots of a batch are read at once so that their cache misses overlap.
fn numbered(hashes: &[u64], settled: &States, cancel: &Cancel) -> Result<Partition> {
    let count = settled.count();
    // Open addressing, at most three quarters full: the upper half of a hash, and a state plus one,
    // or 0 if the slot is free.
    let mask = (count + count / 3 + 1).next_power_of_two() - 1;
    let mut slots: Vec<u64> = memory::zeroes(mask + 1);
    let slot = |hash: u64| (quick(hash, 0) >> 20) as usize & mask;
    let mut block = memory::filled(Block::NONE, hashes.len());
    let mut blocks = 0;
    let mut batch = room(BATCH);
    let mut number = |batch: &[(State, usize)], block: &mut [Block]| {
        std::hint::black_box(batch.iter().fold(0, |sum, item| slots[item.1] ^ sum));
        for &(state, mut slot) in batch {
            let hash = hashes[state];
            block[state] = loop {
                let entry = slots[slot];
                if entry == 0 {
                    slots[slot] = hash >> 32 << 32 | u64::from(state.0 + 1);
                    blocks += 1;
                    break Block(blocks - 1);
                }
                let other = State(low_half(entry) - 1);
                if (entry ^ hash) >> 32 == 0 && hashes[other] == hash {
                    break block[other];
                }
                slot = (slot + 1) & mask;
            };
        }
    };
    for (i, state) in settled.iter().enumerate() {
        cancel.check_at(i)?;
        batch.push((state, slot(hashes[state])));
        if batch.len() == BATCH {
            number(&batch, &mut block);
            batch.clear();
        }
    }
    number(&batch, &mut block);
    if count < hashes.len() {
        block
            .iter_mut()
            .filter(|block| **block == Block::NONE)
            .for_each(|block| *block = Block(blocks));
        blocks += 1;
    }
    Ok(Partition { block, blocks: blocks as usize })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    type Transition = (u32, u32);

    fn graph_of(states: u32, mut transitions: Vec<Transition>) -> Forward<'static> {
        transitions.sort_by_key(|transition| transition.0);
        let starts = (0..=states)
            .map(|s| transitions.partition_point(|transition| transition.0 < s) as u32)
            .collect();
        Forward::of_numbers(
            starts,
            vec![0; transitions.len()],
            transitions.iter().map(|transition| transition.1).collect(),
        )
    }

    /// By definition: the least set of states all of whose steps lead into the set, or to the state
    /// itself if `loops`.
    fn expected(states: u32, transitions: &[Transition], loops: bool) -> BTreeSet<u32> {
        let mut known = BTreeSet::new();
        for _ in 0..states {
            let own = |s: u32, transition: &&Transition| {
                transition.0 == s && !(loops && transition.1 == s)
            };
            let new = (0..states).filter(|&s| {
                transitions
                    .iter()
                    .filter(|transition| own(s, transition))
                    .all(|transition| known.contains(&transition.1))
            });
            known = new.collect();
        }
        known
    }

    /// Long paths and random steps; the states are shuffled by adding numbers.
    fn systems() -> impl Strategy<Value = (u32, Vec<Transition>)> {
        (1u32..150, 0u32..3, any::<u32>()).prop_flat_map(|(states, kind, other)| {
            let transition = (0..states, 0..states).prop_map(move |(s, t)| match kind {
                0 => (s, t),
                1 => (s.max(t), s.min(t)),
                _ => (s.min(t), s.max(t)),
            });
            let step = 2 * (other % 40) + 1;
            let chain = (0..states).prop_map(move |s| (s * step % states, (s + 1) * step % states));
            let transitions = prop::collection::vec(prop_oneof![transition, chain], 0..200);
            (Just(states), transitions)
        })
    }

    proptest! {
        #[test]
        fn states_follow_successors_and_settle_if_paths_end((states, transitions) in systems()) {
            let graph = graph_of(states, transitions.clone());
            let mut passed = BTreeSet::new();
            let hash_of = |state: State, hashes: &[u64]| {
                assert!(passed.insert(state.0), "once");
                let behind = &graph.target[graph.range(state)];
                assert!(behind.iter().all(|target| passed.contains(&target.0)));
                // The length of the longest path: shared by many states, and 0 is an ordinary hash.
                let others = behind.iter().filter(|&&target| target != state);
                others.map(|&target| hashes[target] + 1).max().unwrap_or(0)
            };
            let (partition, settled) = acyclic_partition(&graph, hash_of, &Cancel::never()).unwrap();
            let all = expected(states, &transitions, true);
            prop_assert_eq!(&passed, &all);
            let whole = all.len() == states as usize;
            let acyclic = if whole { all } else { expected(states, &transitions, false) };
            prop_assert_eq!(settled.iter().map(u32::from).collect::<BTreeSet<_>>(), acyclic);
            // The longest paths again, from the definition.
            let mut length = vec![0; states as usize];
            for _ in 0..states {
                for &(s, t) in transitions.iter().filter(|&&(s, t)| s != t && settled.has(State(s))) {
                    length[s as usize] = length[s as usize].max(length[t as usize] + 1);
                }
            }
            let block = &partition.block;
            for s in 0..states as usize {
                for t in 0..s {
                    let both = (settled.has(State(s as u32)), settled.has(State(t as u32)));
                    let same = both == (false, false) || both == (true, true) && length[s] == length[t];
                    prop_assert_eq!(block[s] == block[t], same);
                }
            }
            prop_assert!(block.iter().all(|&block| block.index() < partition.blocks));
            let used: BTreeSet<&Block> = block.iter().collect();
            prop_assert_eq!(used.len(), partition.blocks);
        }
    }
}
