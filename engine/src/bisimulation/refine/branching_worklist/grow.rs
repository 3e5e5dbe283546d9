//! The states that leave a block: groups of bottom states, grown backwards along internal steps.

use crate::base::ids::Id;
use crate::base::ids::{Block, State};
use crate::bisimulation::refine::branching_worklist::{BELONGS, BranchingRefinement};

impl BranchingRefinement<'_, '_> {
    /// Grow a group of bottom states backwards by the states of their block that belong to it.
    pub(crate) fn grow(&mut self, block: Block, bottom: &[State], set: u32, mark: u32) {
        let Self { signature, partition, backward, growth, grown, started, .. } = self;
        let mut at = grown.len();
        for &state in bottom {
            growth[state] = mark;
            grown.push(state);
        }
        while let Some(&state) = grown.get(at) {
            at += 1;
            if !signature.after.has(state) {
                continue;
            }
            for &source in backward.of(state) {
                let s = source.state();
                if !source.is_internal() || partition.of(s) != block {
                    continue;
                }
                if growth[s] == 0 {
                    growth[s] = u32::at(signature.inert(s, partition.map()).count());
                    started.push(s);
                }
                growth[s] -= 1;
                if growth[s] > 0 {
                    continue;
                }
                // All its inert steps lead to states of groups, so it is visited for the last time.
                let mut targets = signature.inert(s, partition.map());
                let belongs = targets.all(|target| growth[target] == mark);
                drop(targets);
                if belongs {
                    signature.gather(s, partition.map());
                    if signature.sets.holds(set, &signature.own) {
                        growth[s] = mark;
                        grown.push(s);
                    }
                }
            }
        }
    }

    /// For a block whose bottom states are all clean, put into `grown` the states that can do more
    /// than the bottom states: those among `others`, and all states with inert steps to them.
    pub(crate) fn more(
        &mut self,
        block: Block,
        others: &[(Block, State)],
    ) -> std::ops::Range<usize> {
        let Self { signature, partition, backward, growth, grown, .. } = self;
        let begin = grown.len();
        for &(_, state) in others {
            signature.gather(state, partition.map());
            if !signature.sets.holds(self.set[block], &signature.own) {
                growth[state] = BELONGS;
                grown.push(state);
            }
        }
        let mut at = begin;
        while let Some(&state) = grown.get(at) {
            at += 1;
            for &source in backward.of(state) {
                let s = source.state();
                let inside = source.is_internal() && partition.of(s) == block;
                if inside && growth[s] == 0 {
                    growth[s] = BELONGS;
                    grown.push(s);
                }
            }
        }
        begin..grown.len()
    }
}
