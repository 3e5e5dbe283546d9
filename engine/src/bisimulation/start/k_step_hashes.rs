//! k-step hashes: hashes of what states can do in k steps, equal for strongly bisimilar states even
//! of different systems.
//!
//! As a start of strong bisimulation they save a quarter to a third of the time on butlers,
//! products and random systems; if a few sweeps separate everything, they cost as much as the rest.
//! Measured in November 2026. Canonical numbering needs them in any case, for its order.

use crate::base::cancel::{Cancel, Result, Stage};
use crate::base::csr::Forward;
use crate::base::hash::low_half;
use crate::base::hash::{self, pair};
use crate::base::ids::Id;
use crate::base::ids::State;
use crate::base::label_table::Labels;
use crate::base::stages::Measure;
use crate::base::{memory, parallel};
use crate::bisimulation::strong_signature::Distinct;

/// The bits of a hash that are stored.
const MASK: u64 = if cfg!(test) { 1 } else { 0xffff_ffff };

/// The number of steps of [`hashes`].
pub const DEPTH: usize = 3;

/// Hashes of labels that depend on their bytes only (FNV-1a).
pub fn of_labels(labels: &Labels) -> Vec<u32> {
    let hash = |label: &[u8]| {
        let hash = hash::bytes(label);
        low_half(pair((hash >> 32) as u32, low_half(hash)))
    };
    labels.iter().map(hash).collect()
}

/// The hash of a state for one more step: from its own hash so far, and the sum of the [`pair`]s of
/// a label's hash and the target's hash so far.
#[inline]
pub fn next(own: u32, sum: u64) -> u32 {
    (pair((sum >> 32) as u32 ^ own, low_half(sum)) & MASK) as u32
}

/// For every state the hash for [`DEPTH`] steps; `names` are the hashes of labels.
pub fn hashes(graph: &Forward, names: &[u32], cancel: &Cancel) -> Result<Vec<u32>> {
    let stage = stage(DEPTH, graph, cancel);
    let mut step_hashes = deeper(graph, names, None, (&stage, cancel))?;
    for _ in 1..DEPTH {
        step_hashes = deeper(graph, names, Some(&step_hashes), (&stage, cancel))?;
    }
    Ok(step_hashes)
}

/// The stage of computing the hashes for `steps` more steps.
pub fn stage(steps: usize, graph: &Forward, cancel: &Cancel) -> Stage {
    cancel.stage("hashing states", Measure::Share((steps * graph.states()) as u64))
}

/// The hashes for one more step than those of `step_hashes`; for one step if there are none.
pub fn deeper(
    graph: &Forward,
    names: &[u32],
    step_hashes: Option<&[u32]>,
    (stage, cancel): (&Stage, &Cancel),
) -> Result<Vec<u32>> {
    let mut new = memory::zeroes(graph.states());
    let behind = |target: State| step_hashes.map_or(0, |step_hashes| step_hashes[target]);
    let work = |start: usize, chunk: &mut [u32]| {
        let mut members = Distinct::default();
        for (state, new) in (u32::at(start)..).map(State).zip(chunk) {
            let transitions = graph.steps(state);
            let sum = members.sum(transitions.map(|(a, t)| pair(names[a], behind(t))));
            *new = next(behind(state), sum);
        }
    };
    parallel::fill(&mut new, work, |count| stage.add(count), cancel)?;
    Ok(new)
}

/// From this many hashes on only a sample is counted.
const MANY: usize = 1 << 20;
const SAMPLE: u32 = 3;

/// The approximate number of distinct hashes, estimated by how many bits of a table they set
/// (Whang, Vander-Zanden and Taylor, A linear-time probabilistic counting algorithm, 1990).
#[expect(
    clippy::cast_possible_truncation,
    reason = "an estimate, of less than the number of slots"
)]
pub fn distinct(hashes: &[u32]) -> usize {
    let sample = if hashes.len() < MANY { 0 } else { SAMPLE };
    let size = (hashes.len() >> sample).next_power_of_two().clamp(64, 1 << 31);
    let mut bits = vec![0u64; size / 64];
    for &hash in hashes {
        // Whether a hash is in the sample depends on the hash only.
        let scattered = pair(0u32, hash);
        if scattered & ((1 << sample) - 1) != 0 {
            continue;
        }
        let slot = (scattered >> 32) as usize & (size - 1);
        bits[slot / 64] |= 1 << (slot % 64);
    }
    let free: usize = bits.iter().map(|word| word.count_zeros() as usize).sum();
    let size = size as f64;
    ((-size * (free.max(1) as f64 / size).ln()).round() as usize) << sample
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_hashes_are_estimated() {
        let about = |hashes: &[u32], expected: usize| {
            let estimate = distinct(hashes);
            assert!(estimate.abs_diff(expected) * 50 <= expected, "{estimate} for {expected}");
        };
        let every: Vec<u32> = (0..100_000).collect();
        about(&every, 100_000);
        let shared: Vec<u32> = every.iter().map(|hash| hash / 5 * 2).collect();
        about(&shared, 20_000);
        let few: Vec<u32> = every.iter().map(|hash| hash % 3).collect();
        about(&few, 3);
        let many: Vec<u32> = (0..MANY as u32 * 2).collect();
        about(&many, many.len());
        let shared: Vec<u32> = many.iter().map(|hash| hash / 3 * 7).collect();
        about(&shared, many.len() / 3);
        assert_eq!((distinct(&[]), distinct(&[7]), distinct(&[7, 7, 8])), (0, 1, 2));
    }
}
