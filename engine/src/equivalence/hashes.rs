//! Hashes of what states can do in some steps: equal for strongly bisimilar states, of whatever
//! systems.

use super::Poll;
use super::forward::Forward;
use super::strong::{Distinct, pair};
use crate::labels::Labels;
use crate::{memory, parallel};

/// What is kept of a hash.
const KEPT: u64 = if cfg!(test) { 1 } else { 0xffff_ffff };

/// Steps that [`hashes`] looks ahead.
pub const DEPTH: usize = 3;

/// Numbers for labels that depend on their bytes only (FNV-1a).
pub fn of_labels(labels: &Labels) -> Vec<u32> {
    let hash = |label: &[u8]| {
        let hash = label.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        pair((hash >> 32) as u32, hash as u32) as u32
    };
    labels.iter().map(hash).collect()
}

/// The hash of a state that can do one step more, from its own for one step less and the sum of
/// distinct [`pair`]s of the hash of a label and that of the state behind.
#[inline]
pub fn next(own: u32, sum: u64) -> u32 {
    (pair((sum >> 32) as u32 ^ own, sum as u32) & KEPT) as u32
}

/// For every state a hash of what it can do in [`DEPTH`] steps; `names` are the hashes of labels.
pub fn hashes(graph: &Forward, names: &[u32], poll: Poll) -> Option<Vec<u32>> {
    let mut old: Vec<u32> = Vec::new();
    for depth in 0..DEPTH {
        let mut new = memory::zeroes(graph.states());
        let behind = |target: u32| if depth == 0 { 0 } else { old[target as usize] };
        let work = |start: usize, piece: &mut [u32]| {
            let mut members = Distinct::default();
            for (state, new) in (start as u32..).zip(piece) {
                let rows = graph.rows(state);
                let sum = members.sum(rows.map(|(a, t)| pair(names[a as usize], behind(t))));
                *new = next(behind(state), sum);
            }
        };
        parallel::fill(&mut new, work, poll)?;
        old = new;
    }
    Some(old)
}
