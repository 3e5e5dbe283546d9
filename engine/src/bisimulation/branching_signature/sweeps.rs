//! What refinement asks of branching bisimulation.

use crate::base::bitset::Bits;
use crate::base::cancel::Poll;
use crate::base::csr::incoming::{INTERNAL, Sources};
use crate::base::hash::pair;
use crate::base::hash_sets::sum;
use crate::bisimulation::branching_signature::{Branching, REMAINS, REMAINS_HASH, UNKNOWN};
use crate::bisimulation::refine::branching_worklist::Rounds;
use crate::bisimulation::refine::refiner::Refiner;
use crate::bisimulation::refine::signature::Signature;

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
            return pair(start[state as usize], 0u32);
        }
        let after = self.after.has(state);
        if !self.gather(state, block) {
            if after {
                // Of few states somebody asks while few are looked at.
                let few = self.backward.is_some();
                let set = if few { UNKNOWN } else { self.sets.intern(&self.own) };
                self.set[state as usize] = set;
            }
            return sum(&self.own);
        }
        let mut set = self.set_behind(state, block);
        if set != REMAINS && !self.sets.holds(set, &self.own) {
            set = REMAINS;
        }
        if after {
            self.set[state as usize] = set;
        }
        if set == REMAINS { REMAINS_HASH } else { sum(self.sets.get(set)) }
    }

    fn begin_marks(&mut self, settled: &Bits, poll: Poll) -> Option<bool> {
        let keep = |state| !settled.has(state);
        self.backward = Some(Sources::marked(self.graph, self.tau, keep, poll)?);
        Some(true)
    }

    #[inline]
    fn mark(&self, moved: u32, mut mark: impl FnMut(u32)) {
        let Some(backward) = &self.backward else { return };
        for &source in backward.of(moved) {
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
            for &source in backward.of(state) {
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
