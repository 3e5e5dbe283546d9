//! Sketches of weak signatures, without the closure of the internal steps.
//!
//! Internal steps lead to smaller states here. The signature of a state is made of the sets
//!
//! - `E(s) = {[s]} u U {E(t) : s -tau-> t}`, the blocks that are reached by internal steps, and
//! - `sig(s) = {(a,c) : s -a-> t, c in E(t)} u U {sig(t) : s -tau-> t}`.
//!
//! Neither is stored, but bits for their blocks ([`crate::bisimulation::weak::sketch`]), and the largest key of one, by
//! label. A block has the largest of its states for a key: where sets grow along a chain of internal
//! steps, until the bits are all set, what a step adds to a set has the largest key of all in it.
//!
//! As signatures they save nine tenths of the time of weak bisimulation with 1,000 labels, three
//! quarters of it where nothing can be merged, and cost nothing that can be measured. As guides of
//! searches they save a quarter of it with nine internal steps in ten and 900,000 transitions, and
//! little elsewhere. Measured in November 2026.

use crate::base::bitset::Bits;
use crate::base::cancel::{POLL_EVERY, Poll};
use crate::base::csr::Forward;
use crate::base::csr::incoming::{INTERNAL, Sources};
use crate::base::hash::quick;
use crate::base::ids::NONE;
use crate::base::{memory, parallel};
use crate::bisimulation::refine::refiner::Refiner;
use crate::bisimulation::refine::signature::{Local, Signature};
use crate::bisimulation::weak::sketch::{Sketch, add, behind, has, sketch};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is known of the blocks that a state reaches by internal steps.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reached {
    bits: Sketch,
    /// The largest key.
    top: u32,
    /// The block of the state itself.
    own: u32,
}

/// Places for the largest keys behind labels; labels may share one.
const PLACES: usize = if cfg!(test) { 2 } else { 8 };

fn place(label: u32) -> usize {
    label as usize % PLACES
}

/// What is known of the pairs of a label and a block that a state has weak transitions for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Offered {
    bits: Sketch,
    /// For every place the largest key plus one, 0 for none.
    tops: [u32; PLACES],
}

impl Offered {
    #[inline]
    fn add(&mut self, part: &Self) {
        add(&mut self.bits, part.bits);
        for (top, other) in self.tops.iter_mut().zip(part.tops) {
            *top = (*top).max(other);
        }
    }
}

/// Sketches of the signatures in a graph whose internal steps lead to smaller states, and stand before
/// all others of a state. They follow what becomes of a partition: only what changes is computed anew.
pub struct Weak<'a> {
    graph: &'a Forward<'a>,
    tau: u32,
    reach: Vec<Reached>,
    offer: Vec<Offered>,
    /// For every block its key.
    key: Vec<u32>,
    /// The states whose sketches the last sweep may have changed: of internal steps, and of others. While there
    /// are lists, `offered` are states that wait.
    reached: Bits,
    offered: Bits,
    backward: Option<Sources>,
}

/// The sketches of one seed are enough.
const SEED: u32 = 0;

impl<'a> Weak<'a> {
    /// The sketches of a graph.
    pub fn new(graph: &'a Forward<'a>, tau: u32) -> Self {
        let states = graph.states();
        Self {
            graph,
            tau,
            reach: memory::filled(Reached { bits: [0; 2], top: 0, own: NONE }, states),
            offer: memory::zeroes(states),
            key: Vec::new(),
            reached: Bits::new(states),
            offered: Bits::new(states),
            backward: None,
        }
    }

    fn reach(&self, state: u32, own: u32) -> Reached {
        let mut sum = Reached { bits: sketch(own, SEED), top: self.key[own as usize], own };
        for (_, target) in self.internal(state) {
            let part = &self.reach[target as usize];
            add(&mut sum.bits, part.bits);
            sum.top = sum.top.max(part.top);
        }
        sum
    }

    /// What a state offers, or only what its visible steps do.
    #[inline]
    fn offer(&self, state: u32, visible: bool) -> Offered {
        let mut sum = Offered::default();
        for (label, target) in self.graph.rows(state) {
            if label != self.tau {
                let part = &self.reach[target as usize];
                add(&mut sum.bits, behind(label, SEED, part.bits));
                let top = &mut sum.tops[place(label)];
                *top = (*top).max(part.top + 1);
            } else if !visible {
                sum.add(&self.offer[target as usize]);
            }
        }
        sum
    }

    /// The internal steps of a state.
    fn internal(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        self.graph.rows(state).take_while(|row| row.0 == self.tau)
    }

    /// Whether a state may reach a block by internal steps.
    pub fn may_reach(&self, state: u32, block: u32) -> bool {
        let found = &self.reach[state as usize];
        found.top >= self.key[block as usize] && has(found.bits, sketch(block, SEED))
    }

    /// Whether a state may have a weak transition to a block with a visible label.
    pub fn may_offer(&self, state: u32, label: u32, block: u32) -> bool {
        let found = &self.offer[state as usize];
        found.tops[place(label)] > self.key[block as usize]
            && has(found.bits, behind(label, SEED, sketch(block, SEED)))
    }
}

impl Weak<'_> {
    /// Give blocks their keys. The states whose block is another one or has another key.
    fn follow(&mut self, block: &[u32]) -> Bits {
        let mut key = vec![0; block.iter().max().map_or(0, |&last| last as usize + 1)];
        for (state, &block) in (0..).zip(block) {
            key[block as usize] = state;
        }
        let mut other = Bits::new(key.len());
        for (block, (new, old)) in (0..).zip(key.iter().zip(&self.key)) {
            if new != old {
                other.add(block);
            }
        }
        self.key = key;
        let mut moved = Bits::new(block.len());
        for (state, (&block, old)) in (0..).zip(block.iter().zip(&self.reach)) {
            if block != old.own || other.has(block) {
                moved.add(state);
            }
        }
        moved
    }

    /// Compute the sketches of a state and keep them; whether they were others before.
    fn reach_again(&mut self, state: u32, own: u32) -> bool {
        let new = self.reach(state, own);
        let old = std::mem::replace(&mut self.reach[state as usize], new);
        old != new
    }

    fn offer_again(&mut self, state: u32) -> bool {
        let new = self.offer(state, false);
        let old = std::mem::replace(&mut self.offer[state as usize], new);
        old != new
    }

    /// Compute the sketches of all states, as if all of them changed.
    fn pass(&mut self, block: &[u32], poll: Poll) -> Option<()> {
        self.offered = Bits::full(block.len());
        for (state, &own) in (0..).zip(block) {
            if (state as usize).is_multiple_of(POLL_EVERY) && !poll() {
                return None;
            }
            self.reach[state as usize] = self.reach(state, own);
        }
        // What does not depend on other offers at first, by all processors.
        let mut offer = std::mem::take(&mut self.offer);
        let visible = |first: usize, piece: &mut [Offered]| {
            for (state, offer) in (first as u32..).zip(piece) {
                *offer = self.offer(state, true);
            }
        };
        let done = parallel::fill(&mut offer, visible, poll);
        self.offer = offer;
        done?;
        for state in 0..block.len() as u32 {
            if (state as usize).is_multiple_of(POLL_EVERY) && !poll() {
                return None;
            }
            let mut steps = self.internal(state).peekable();
            if steps.peek().is_some() {
                let mut sum = self.offer[state as usize];
                steps.for_each(|(_, target)| sum.add(&self.offer[target as usize]));
                self.offer[state as usize] = sum;
            }
        }
        Some(())
    }

    /// Compute the sketches that may change because those of `moved` do.
    fn spread(&mut self, block: &[u32], mut moved: Bits, poll: Poll) -> Option<()> {
        let backward = match self.backward.take() {
            Some(backward) => backward,
            None => Sources::marked(self.graph, self.tau, |_| true, poll)?,
        };
        self.reached.clear();
        self.offered.clear();
        moved.visit_upwards(|state, moved| {
            if !self.reach_again(state, block[state as usize]) {
                return;
            }
            self.reached.add(state);
            for &source in backward.of(state) {
                if source & INTERNAL != 0 {
                    moved.add(source & !INTERNAL);
                } else {
                    self.offered.add(source);
                }
            }
        });
        let mut waiting = std::mem::take(&mut self.offered);
        let mut offered = Bits::new(block.len());
        waiting.visit_upwards(|state, waiting| {
            if !self.offer_again(state) {
                return;
            }
            offered.add(state);
            for &source in backward.of(state) {
                if source & INTERNAL != 0 {
                    waiting.add(source & !INTERNAL);
                }
            }
        });
        self.offered = offered;
        self.backward = Some(backward);
        Some(())
    }
}

/// Where more than one state in this many moved all sketches are computed again.
const SOME: usize = if cfg!(test) { 2 } else { 8 };

impl Signature for Weak<'_> {
    fn begin_sweep(&mut self, block: &[u32], _: &Bits, poll: Poll) -> Option<()> {
        let moved = self.follow(block);
        if moved.iter().count() > block.len() / SOME {
            self.pass(block, poll)
        } else {
            self.spread(block, moved, poll)
        }
    }

    fn touched(&self, state: u32, _: &[u32], _: &Bits, _: &Bits) -> bool {
        self.reached.has(state) || self.offered.has(state)
    }

    fn hash(&mut self, state: u32, _: &[u32]) -> u64 {
        let Reached { bits: [a, b], top, .. } = self.reach[state as usize];
        let Offered { bits: [c, d], tops } = self.offer[state as usize];
        let words = [b, c, d, u64::from(top)].into_iter();
        let tops = tops.chunks(2).map(|two| u64::from(two[0]) << 32 | u64::from(two[1]));
        words.chain(tops).fold(quick(1, a), quick)
    }

    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<u32>, poll: Poll) -> Option<()> {
        refiner.lists(self, moved, poll)
    }
}

impl Local for Weak<'_> {
    fn begin_lists(&mut self, _: &dyn Fn(u32) -> bool, poll: Poll) -> Option<()> {
        // What a state alone in its block can do still concerns those before it.
        if self.backward.is_none() {
            self.backward = Some(Sources::marked(self.graph, self.tau, |_| true, poll)?);
        }
        self.offered.clear();
        Some(())
    }

    fn affected(
        &mut self,
        moved: &[u32],
        block: &[u32],
        settled: &Bits,
        marked: &mut Bits,
        list: &mut Vec<u32>,
    ) {
        let Some(backward) = self.backward.take() else { return };
        // A block that is new has a key of its own from now on, and the others keep theirs.
        let known = self.key.len();
        for &state in moved {
            let block = block[state as usize] as usize;
            if block >= known {
                if block >= self.key.len() {
                    self.key.resize(block + 1, 0);
                }
                self.key[block] = self.key[block].max(state);
            }
        }
        // Smaller states first.
        let mut concern = |state: u32, marked: &mut Bits| {
            if !settled.has(state) && !marked.has(state) {
                marked.add(state);
                list.push(state);
            }
        };
        let mut waiting: BinaryHeap<Reverse<u32>> = moved.iter().map(|&s| Reverse(s)).collect();
        let mut offers: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let mut last = u32::MAX;
        while let Some(Reverse(state)) = waiting.pop() {
            if state == last {
                continue;
            }
            last = state;
            if !self.reach_again(state, block[state as usize]) {
                continue;
            }
            concern(state, marked);
            for &source in backward.of(state) {
                let state = source & !INTERNAL;
                if source & INTERNAL != 0 {
                    waiting.push(Reverse(state));
                } else if !self.offered.has(state) {
                    self.offered.add(state);
                    offers.push(Reverse(state));
                }
            }
        }
        while let Some(Reverse(state)) = offers.pop() {
            self.offered.remove(state);
            if !self.offer_again(state) {
                continue;
            }
            concern(state, marked);
            for &source in backward.of(state) {
                let state = source & !INTERNAL;
                if source & INTERNAL != 0 && !self.offered.has(state) {
                    self.offered.add(state);
                    offers.push(Reverse(state));
                }
            }
        }
        self.backward = Some(backward);
    }
}

#[cfg(test)]
mod tests;
