//! The signature of branching bisimulation: what a state can do after internal steps inside its
//! block, but for such steps.
//!
//! Internal steps lead to smaller states here. A state without an internal step inside its block is
//! a *bottom* state; its signature is that of its own transitions. Signatures of other states are
//! never computed (they are unions that may be large), because a block is stable if and only if its
//! bottom states have one signature, and all transitions of its other states out of the block, or
//! visible ones, are in it (Groote and Vaandrager, An efficient algorithm for branching bisimulation
//! and stuttering equivalence, 1990). So a state belongs to a group of equal bottom states if all its
//! internal steps inside the block lead into the group and all else that it can do is in the group's
//! signature. States that belong to no group can do more than any of them: they are what remains of
//! the block, and the next round's concern.
//!
//! Refinement begins with hashes of what is some steps ahead; these are unions, as sketches.

use super::bits::Bits;
use super::branching_rounds::Rounds;
use super::forward::Forward;
use super::kept::{Kept, sum};
use super::refine::{Refiner, Signature};
use super::strong::pair;
use super::{POLL_EVERY, Poll};
use crate::memory;

/// Signatures in a graph whose internal steps lead to smaller states.
pub struct Branching<'a> {
    pub(super) graph: &'a Forward<'a>,
    pub(super) tau: u32,
    /// The states that an internal step leads to.
    pub(super) after: Bits,
    /// The states that have an internal step.
    pub(super) before: Bits,
    /// For every state in `after` where the signature of its group is kept, or [`REMAINS`].
    pub(super) set: Vec<u32>,
    pub(super) sets: Kept,
    pub(super) own: Vec<u64>,
    /// Hashes that take the place of signatures in the first sweep, until the second begins.
    start: Option<Vec<u32>>,
    first: bool,
}

/// The set of a state that belongs to no group, and the hash of all of these.
const REMAINS: u32 = u32::MAX;
const REMAINS_HASH: u64 = 0x5bf0_3635_16d4_9f2b;

impl<'a> Branching<'a> {
    /// The signatures of the states of a graph with the internal label `tau`.
    pub fn new(graph: &'a Forward<'a>, tau: u32) -> Self {
        let states = graph.states();
        let (mut after, mut before) = (Bits::new(states), Bits::new(states));
        for state in 0..states as u32 {
            for (label, target) in graph.rows(state) {
                if label == tau {
                    debug_assert!(target < state);
                    after.add(target);
                    before.add(state);
                }
            }
        }
        let (set, sets, own) = (vec![0; states], Kept::default(), Vec::new());
        Self { graph, tau, after, before, set, sets, own, start: None, first: true }
    }

    /// The same, beginning with [`hashes`].
    pub fn starting(self, poll: Poll) -> Option<Self> {
        let start = Some(hashes(self.graph, self.tau, poll)?);
        Some(Self { start, ..self })
    }

    /// Put what a state can do itself into `own`, sorted, and return whether it has internal steps
    /// inside its block.
    pub(super) fn gather(&mut self, state: u32, block: &[u32]) -> bool {
        let b = block[state as usize];
        let mut inert = false;
        self.own.clear();
        for (label, target) in self.graph.rows(state) {
            let to = block[target as usize];
            if label == self.tau && to == b {
                inert = true;
            } else {
                self.own.push(pair(label, to));
            }
        }
        if self.own.len() > 1 {
            self.own.sort_unstable();
            self.own.dedup();
        }
        inert
    }

    /// The targets of the internal steps of a state inside its block.
    pub(super) fn inert<'b>(
        &'b self,
        state: u32,
        block: &'b [u32],
    ) -> impl Iterator<Item = u32> + 'b {
        let b = block[state as usize];
        let rows = self.graph.rows(state);
        rows.filter(move |&(a, t)| a == self.tau && block[t as usize] == b).map(|row| row.1)
    }
}

impl Signature for Branching<'_> {
    fn begin_sweep(&mut self, _: &[u32], _: &Bits, _: Poll) -> Option<()> {
        if !std::mem::take(&mut self.first) {
            self.start = None;
        }
        if self.sets.is_crowded() {
            self.sets.compact(self.after.iter().map(|state| state as usize), &mut self.set);
        }
        Some(())
    }

    fn begins_again(&self) -> bool {
        self.start.is_some()
    }

    #[inline]
    fn touched(&self, state: u32, block: &[u32], moved: &Bits, touched: &Bits) -> bool {
        if !self.before.has(state) {
            let targets = &self.graph.target[self.graph.range(state)];
            return targets.iter().any(|&target| moved.has(target));
        }
        moved.has(state)
            || self.graph.rows(state).any(|(label, target)| {
                moved.has(target)
                    || label == self.tau
                        && touched.has(target)
                        && block[target as usize] == block[state as usize]
            })
    }

    #[inline]
    fn hash(&mut self, state: u32, block: &[u32]) -> u64 {
        if let Some(start) = &self.start {
            return pair(start[state as usize], 0);
        }
        let inert = self.gather(state, block);
        let kept = self.after.has(state);
        if !inert {
            if kept {
                self.set[state as usize] = self.sets.intern(&self.own);
            }
            return sum(&self.own);
        }
        let mut targets = self.inert(state, block);
        let first = targets.next().map_or(REMAINS, |target| self.set[target as usize]);
        let one = first != REMAINS && targets.all(|target| self.set[target as usize] == first);
        drop(targets);
        let belongs = one && self.sets.holds(first, &self.own);
        if kept {
            self.set[state as usize] = if belongs { first } else { REMAINS };
        }
        if belongs { sum(self.sets.get(first)) } else { REMAINS_HASH }
    }

    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<u32>, poll: Poll) -> Option<()> {
        Rounds::new(self, refiner, moved, poll)?.run(poll)
    }
}

/// Rounds of hashing, at most, and states of which it is seen whether one more is worth it.
const ROUNDS: usize = if cfg!(test) { 2 } else { 12 };
const SAMPLE: usize = 4096;

/// Hashes that branching bisimilar states share. A round takes the union of what states can do after
/// internal steps between states that had one hash, as a sketch: two words with a bit for each pair
/// of a label and a hash.
fn hashes(graph: &Forward, tau: u32, poll: Poll) -> Option<Vec<u32>> {
    let states = graph.states();
    let mut old: Vec<u32> = memory::zeroes(states);
    let mut new: Vec<u32> = memory::zeroes(states);
    let mut sketches: Vec<[u64; 2]> = memory::zeroes(states);
    let mut before = 1;
    for _ in 0..ROUNDS {
        for state in 0..states as u32 {
            if (state as usize).is_multiple_of(POLL_EVERY) && !poll() {
                return None;
            }
            let own = old[state as usize];
            let mut sketch = [0; 2];
            for (label, target) in graph.rows(state) {
                let to = old[target as usize];
                let part = if label == tau && to == own {
                    sketches[target as usize]
                } else {
                    let hash = pair(label, to);
                    [1 << (hash & 63), 1 << (hash >> 6 & 63)]
                };
                sketch[0] |= part[0];
                sketch[1] |= part[1];
            }
            sketches[state as usize] = sketch;
            let [one, other] = sketch;
            new[state as usize] = (pair(own, 1) ^ one)
                .wrapping_mul(0xff51_afd7_ed55_8ccd)
                .rotate_left(32)
                .wrapping_add(other)
                .wrapping_mul(0xc4ce_b9fe_1a85_ec53)
                .wrapping_shr(32) as u32;
        }
        std::mem::swap(&mut old, &mut new);
        let mut sample: Vec<u32> =
            old.iter().step_by(states.div_ceil(SAMPLE).max(1)).copied().collect();
        let size = sample.len();
        sample.sort_unstable();
        sample.dedup();
        if sample.len() < before + before / 16 + 1 || sample.len() > size - size / 16 {
            break;
        }
        before = sample.len();
    }
    Some(old)
}
