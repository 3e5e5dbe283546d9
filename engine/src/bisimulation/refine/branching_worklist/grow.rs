//! Who leaves a block: groups of bottom states, grown backwards along internal steps.

use crate::base::csr::incoming::INTERNAL;
use crate::bisimulation::refine::branching_worklist::{BELONGS, Rounds};

impl Rounds<'_, '_> {
    /// Grow a group of bottom states backwards by the states of their block that belong to it.
    pub(crate) fn grow(&mut self, block: u32, bottom: &[u32], set: u32, mark: u32) {
        let Self { signature, refiner, backward, growth, grown, started, .. } = self;
        let mut at = grown.len();
        for &state in bottom {
            growth[state as usize] = mark;
            grown.push(state);
        }
        while let Some(&state) = grown.get(at) {
            at += 1;
            if !signature.after.has(state) {
                continue;
            }
            for &source in backward.of(state) {
                let s = source & !INTERNAL;
                if source & INTERNAL == 0 || refiner.block[s as usize] != block {
                    continue;
                }
                if growth[s as usize] == 0 {
                    growth[s as usize] = signature.inert(s, &refiner.block).count() as u32;
                    started.push(s);
                }
                growth[s as usize] -= 1;
                if growth[s as usize] > 0 {
                    continue;
                }
                // All its internal steps inside the block lead to states of groups; it is not met
                // again.
                let mut targets = signature.inert(s, &refiner.block);
                let one = targets.all(|target| growth[target as usize] == mark);
                drop(targets);
                if one {
                    signature.gather(s, &refiner.block);
                    if signature.sets.holds(set, &signature.own) {
                        growth[s as usize] = mark;
                        grown.push(s);
                    }
                }
            }
        }
    }

    /// Put into `grown` the states of a block that can do more than its bottom states, which are
    /// clean: those of `others`, and all with internal steps to them.
    pub(crate) fn more(&mut self, block: u32, others: &[(u32, u32)]) -> std::ops::Range<usize> {
        let Self { signature, refiner, backward, growth, grown, .. } = self;
        let begin = grown.len();
        for &(_, state) in others {
            signature.gather(state, &refiner.block);
            if !signature.sets.holds(self.set[block as usize], &signature.own) {
                growth[state as usize] = BELONGS;
                grown.push(state);
            }
        }
        let mut at = begin;
        while let Some(&state) = grown.get(at) {
            at += 1;
            for &source in backward.of(state) {
                let s = source & !INTERNAL;
                let inside = source & INTERNAL != 0 && refiner.block[s as usize] == block;
                if inside && growth[s as usize] == 0 {
                    growth[s as usize] = BELONGS;
                    grown.push(s);
                }
            }
        }
        begin..grown.len()
    }
}
