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
use super::forward::{Backward, Forward, INTERNAL};
use super::hashes::distinct;
use super::kept::{Kept, sum};
use super::refine::{PIECE, Refiner, Signature};
use super::strong::pair;
use super::{POLL_EVERY, Poll};
use crate::{memory, parallel};

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
    /// Once few states move.
    pub(super) backward: Option<Backward>,
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
        Self { graph, tau, after, before, set, sets, own, backward: None, start: None, first: true }
    }

    /// The same, beginning with [`hashes`], if these are given.
    pub fn starting(self, hashes: Option<Vec<u32>>) -> Self {
        Self { start: hashes, ..self }
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

    fn begin_marks(&mut self, settled: &Bits, poll: Poll) -> Option<bool> {
        let keep = |state| !settled.has(state);
        self.backward = Some(Backward::new(self.graph, self.tau, keep, poll)?);
        Some(true)
    }

    #[inline]
    fn mark(&self, moved: u32, mut mark: impl FnMut(u32)) {
        let Some(backward) = &self.backward else { return };
        for &source in backward.sources(moved) {
            mark(source & !INTERNAL);
        }
        if self.before.has(moved) {
            mark(moved);
        }
    }

    #[inline]
    fn hash_marking(&mut self, state: u32, block: &[u32], mut mark: impl FnMut(u32)) -> u64 {
        let old = self.set[state as usize];
        let hash = self.hash(state, block);
        if self.set[state as usize] != old
            && let Some(backward) = &self.backward
        {
            for &source in backward.sources(state) {
                let inner = block[(source & !INTERNAL) as usize] == block[state as usize];
                if source & INTERNAL != 0 && inner {
                    mark(source & !INTERNAL);
                }
            }
        }
        hash
    }

    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<u32>, poll: Poll) -> Option<()> {
        Rounds::new(self, refiner, moved, poll)?.run(poll)
    }
}

/// Rounds of hashing, at most.
const ROUNDS: usize = if cfg!(test) { 2 } else { 40 };

/// After so many rounds, one more must tell apart one state in so many, and so many at least: a round
/// looks at all states, and a sweep only at those that others concern.
const EARLY: usize = if cfg!(test) { 0 } else { 12 };
const PROGRESS: usize = 256;
const WORTH: usize = 2048;

/// Hashes that branching bisimilar states share, and whether it took many rounds until these did not
/// change much any more.
///
/// A round takes the union of what states can do after
/// internal steps between states that had one hash, as a sketch: two words with a bit for each pair
/// of a label and a hash.
pub fn hashes(graph: &Forward, tau: u32, poll: Poll) -> Option<(Vec<u32>, bool)> {
    let states = graph.states();
    let mut old: Vec<u32> = memory::zeroes(states);
    let mut new: Vec<u32> = memory::zeroes(states);
    let mut sketches: Vec<[u64; 2]> = memory::zeroes(states);
    let mut inner = Bits::new(states);
    let (mut before, mut far) = (1, false);
    for round in 1..=ROUNDS {
        inner.clear();
        let pieces = (sketches.chunks_mut(PIECE).enumerate())
            .zip(new.chunks_mut(PIECE))
            .zip(inner.words_mut().chunks_mut(PIECE / 64));
        type Piece<'p> = (((usize, &'p mut [[u64; 2]]), &'p mut [u32]), &'p mut [u64]);
        let work = |(((piece, sketches), new), inner): Piece| {
            for (i, (sketch, new)) in sketches.iter_mut().zip(new).enumerate() {
                let state = (piece * PIECE + i) as u32;
                let own = old[state as usize];
                *sketch = [0; 2];
                for (label, target) in graph.rows(state) {
                    let to = old[target as usize];
                    if label == tau && to == own {
                        inner[i / 64] |= 1 << (i % 64);
                        continue;
                    }
                    let hash = pair(label, to);
                    sketch[0] |= 1 << (hash & 63);
                    sketch[1] |= 1 << (hash >> 6 & 63);
                }
                *new = mix(own, *sketch);
            }
        };
        parallel::for_each(pieces, work, poll)?;
        // Internal steps lead to smaller states, whose sketches are complete by now.
        for (i, state) in inner.iter().enumerate() {
            if i.is_multiple_of(POLL_EVERY) && !poll() {
                return None;
            }
            let own = old[state as usize];
            let mut sketch = sketches[state as usize];
            for (label, target) in graph.rows(state) {
                if label == tau && old[target as usize] == own {
                    let part = sketches[target as usize];
                    sketch = [sketch[0] | part[0], sketch[1] | part[1]];
                }
            }
            sketches[state as usize] = sketch;
            new[state as usize] = mix(own, sketch);
        }
        std::mem::swap(&mut old, &mut new);
        let count = distinct(&old);
        far = round > EARLY;
        let least = if far { WORTH.max(states / PROGRESS) } else { 1 };
        if count < before + least.max(before / 32) || count > states - states / 16 {
            break;
        }
        before = count;
    }
    Some((old, far))
}

/// The hash of a state from its own so far and its sketch.
#[inline]
fn mix(own: u32, [one, other]: [u64; 2]) -> u32 {
    (pair(own, 1) ^ one)
        .wrapping_mul(0xff51_afd7_ed55_8ccd)
        .rotate_left(32)
        .wrapping_add(other)
        .wrapping_mul(0xc4ce_b9fe_1a85_ec53)
        .wrapping_shr(32) as u32
}
