//! Hashes that branching bisimilar states share; refinement begins with them.
//!
//! In a round, the hash of a state is computed from a sketch of the steps that are possible after
//! internal steps between states with equal previous hashes; the sketch is a word with a bit for
//! each pair of a label and a hash. Internal steps lead to smaller states, whose hashes of this
//! round are already known: a step to a state with another previous hash counts with the new hash.
//! So one round separates states that differ only at the end of a whole path of such steps.
//!
//! They save four fifths of the time of branching and weak bisimulation on copies of a system with
//! internal steps without cycles, and half of it with nine internal steps in ten; on a mutex they
//! cost two fifths more. Measured in November 2026.

use crate::base::bitset::States;
use crate::base::cancel::{CHECK_EVERY, Cancel, Result};
use crate::base::csr::Forward;
use crate::base::hash::low_half;
use crate::base::hash::{self, pair};
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::memory;
use crate::base::partition::Partition;
use crate::base::stages::Measure;
use crate::bisimulation::start::k_step_hashes::distinct;

/// The most rounds of hashing.
const ROUNDS: usize = if cfg!(test) { 2 } else { 40 };

/// After this many rounds, another round is only worth it if it separates one state in `PROGRESS`,
/// and at least `WORTH`: a round visits all states, a sweep only the affected ones.
const EARLY: usize = if cfg!(test) { 0 } else { 12 };
const PROGRESS: usize = 256;
const WORTH: usize = 2048;

/// States whose transitions are read at once: their targets may be anywhere in memory, so the cache
/// misses overlap.
const BATCH: usize = 64;

/// The current data of a state.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Its hashes before and after this round, at positions round modulo 2.
    hash: [u32; 2],
    /// Its sketch in this round.
    sketch: u64,
}

/// Hashes that branching bisimilar states share. `start` has the final blocks of the settled
/// states, and one block of all others.
pub fn hashes(
    graph: &Forward,
    tau: Label,
    (start, settled): (&Partition, &States),
    cancel: &Cancel,
) -> Result<Vec<u32>> {
    let states = graph.states();
    let mut known: Vec<Known> = memory::zeroes(states);
    let mut hashes: Vec<u32> = memory::zeroes(states);
    for state in settled.iter() {
        let hash = low_half(pair(start.block[state], 2u32));
        hashes[state] = hash;
        known[state].hash = [hash; 2];
    }
    // It ends once a round finds few more hashes.
    let _stage = cancel.stage("hashing states", Measure::Share(0));
    let mut before = 1;
    for round in 1..=ROUNDS {
        hash(graph, tau, settled, &mut known, &mut hashes, round % 2, cancel)?;
        let count = distinct(&hashes);
        let least = if round > EARLY { WORTH.max(states / PROGRESS) } else { 1 };
        if count < before + least.max(before / 32) || count > states - states / 6 {
            break;
        }
        before = count;
    }
    Ok(hashes)
}

/// One round; `new` is the position of its hashes.
fn hash(
    graph: &Forward,
    tau: Label,
    settled: &States,
    known: &mut [Known],
    hashes: &mut [u32],
    new: usize,
    cancel: &Cancel,
) -> Result<()> {
    let old = 1 - new;
    let mut behind = Vec::new();
    for (batch, hashes) in hashes.chunks_mut(BATCH).enumerate() {
        if batch.is_multiple_of(CHECK_EVERY / BATCH) {
            cancel.check()?;
        }
        let first = batch * BATCH;
        let transitions = graph.starts[first] as usize..graph.starts[first + hashes.len()] as usize;
        let (label, target) = (&graph.label[transitions.clone()], &graph.target[transitions]);
        behind.clear();
        behind.extend(target.iter().map(|&target| known[target].hash[old]));
        let mut at = 0;
        for (state, result) in (u32::at(first)..).map(State).zip(hashes) {
            let own_transitions = at..at + graph.range(state).len();
            at = own_transitions.end;
            if settled.has(state) {
                continue;
            }
            let own = known[state].hash[old];
            let mut sketch = 0;
            let transitions =
                label[own_transitions.clone()].iter().zip(&target[own_transitions.clone()]);
            for ((&label, &target), &to) in transitions.zip(&behind[own_transitions]) {
                let mut to = to;
                if label == tau {
                    let target = known[target];
                    if to == own {
                        sketch |= target.sketch;
                        continue;
                    }
                    to = target.hash[new];
                }
                sketch |= 1 << (pair(label, to) & 63);
            }
            *result = mix(own, sketch);
            known[state].sketch = sketch;
            known[state].hash[new] = *result;
        }
    }
    Ok(())
}

/// The new hash of a state, from its previous hash and its sketch.
#[inline]
fn mix(own: u32, sketch: u64) -> u32 {
    (hash::mix(own.into(), sketch) >> 32) as u32
}
