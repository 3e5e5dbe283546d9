//! Weak bisimulation without the closure of the internal steps.
//!
//! Internal steps lead to smaller states here. The signature of a state is made of the sets
//!
//! - `E(s) = {[s]} u U {E(t) : s -tau-> t}`, the blocks that are reached by internal steps, and
//! - `sig(s) = {(a,c) : s -a-> t, c in E(t)} u U {sig(t) : s -tau-> t}`.
//!
//! Neither is stored, but their sketches ([`super::sketch`]). Refinement by sketches may separate too
//! little, but never too much; [`super::stable`] finds out what was missed.

use super::bits::Bits;
use super::columns::Rounds;
use super::forward::{Backward, Forward, INTERNAL};
use super::refine::{Local, Partition, Refiner, Signature, refine};
use super::sketch::{Sketch, add, behind, sketch};
use super::stable::{Verdict, certify};
use super::{POLL_EVERY, Poll};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Sketches of the signatures in a graph whose internal steps lead to smaller states.
struct Weak<'a> {
    graph: &'a Forward<'a>,
    tau: u32,
    seed: u32,
    reach: Vec<Sketch>,
    offer: Vec<Sketch>,
    changed: Bits,
    backward: Option<Backward>,
}

impl<'a> Weak<'a> {
    fn new(graph: &'a Forward<'a>, tau: u32, seed: u32) -> Self {
        let states = graph.states();
        Self {
            graph,
            tau,
            seed,
            reach: vec![[0; 2]; states],
            offer: vec![[0; 2]; states],
            changed: Bits::new(states),
            backward: None,
        }
    }

    fn reach(&self, state: u32, block: &[u32]) -> Sketch {
        let mut sum = sketch(block[state as usize], self.seed);
        for (label, target) in self.graph.rows(state) {
            if label == self.tau {
                add(&mut sum, self.reach[target as usize]);
            }
        }
        sum
    }

    fn offer(&self, state: u32) -> Sketch {
        let mut sum = [0; 2];
        for (label, target) in self.graph.rows(state) {
            if label == self.tau {
                add(&mut sum, self.offer[target as usize]);
            } else {
                add(&mut sum, behind(label, self.seed, self.reach[target as usize]));
            }
        }
        sum
    }
}

impl Signature for Weak<'_> {
    fn begin_sweep(&mut self, block: &[u32], _: &Bits, poll: Poll) -> Option<()> {
        self.changed.clear();
        for pass in 0..2 {
            for state in 0..block.len() as u32 {
                if (state as usize).is_multiple_of(POLL_EVERY) && !poll() {
                    return None;
                }
                let new = if pass == 0 { self.reach(state, block) } else { self.offer(state) };
                let old = if pass == 0 { &mut self.reach } else { &mut self.offer };
                if old[state as usize] != new {
                    old[state as usize] = new;
                    self.changed.add(state);
                }
            }
        }
        Some(())
    }

    fn touched(&self, state: u32, _: &[u32], _: &Bits, _: &Bits) -> bool {
        self.changed.has(state)
    }

    fn hash(&mut self, state: u32, _: &[u32]) -> u64 {
        let [a, b] = self.reach[state as usize];
        let [c, d] = self.offer[state as usize];
        let mix = |sum: u64, word: u64| {
            let sum = (sum ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
            sum ^ sum >> 32
        };
        [b, c, d].into_iter().fold(mix(1, a), mix)
    }

    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<u32>, poll: Poll) -> Option<()> {
        refiner.lists(self, moved, poll)
    }
}

impl Local for Weak<'_> {
    fn begin_lists(&mut self, _: &dyn Fn(u32) -> bool, poll: Poll) -> Option<()> {
        // What a state alone in its block can do still concerns those before it.
        self.backward = Some(Backward::new(self.graph, self.tau, |_| true, poll)?);
        self.changed.clear();
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
        // Smaller states first; `changed` holds what waits.
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
            let new = self.reach(state, block);
            if new == self.reach[state as usize] {
                continue;
            }
            self.reach[state as usize] = new;
            concern(state, marked);
            for &source in backward.sources(state) {
                let state = source & !INTERNAL;
                if source & INTERNAL != 0 {
                    waiting.push(Reverse(state));
                } else if !self.changed.has(state) {
                    self.changed.add(state);
                    offers.push(Reverse(state));
                }
            }
        }
        while let Some(Reverse(state)) = offers.pop() {
            self.changed.remove(state);
            let new = self.offer(state);
            if new == self.offer[state as usize] {
                continue;
            }
            self.offer[state as usize] = new;
            concern(state, marked);
            for &source in backward.sources(state) {
                let state = source & !INTERNAL;
                if source & INTERNAL != 0 && !self.changed.has(state) {
                    self.changed.add(state);
                    offers.push(Reverse(state));
                }
            }
        }
        self.backward = Some(backward);
    }
}

/// The coarsest weak bisimulation of a graph whose internal steps lead to smaller states, and the
/// essential transitions between its blocks.
pub fn weak(graph: &Forward, tau: u32, poll: Poll) -> Option<(Partition, Forward<'static>)> {
    let mut partition = Partition::trivial(graph.states());
    for seed in 0.. {
        partition = refine(partition, &mut Weak::new(graph, tau, seed), false, poll)?;
        partition = Rounds::new(graph, tau, partition).shrunk(poll)?;
        match certify(graph, tau, partition, poll)? {
            Verdict::Stable(partition, essential) => return Some((partition, essential)),
            Verdict::Split(split) => partition = split,
        }
    }
    None
}
