//! Branching signatures as refinement uses them in its sweeps.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::incoming::Sources;
use crate::base::hash::pair;
use crate::base::hash_sets::sum;
use crate::base::ids::{Block, State};
use crate::bisimulation::branching_signature::{Branching, REMAINS, REMAINS_HASH, UNKNOWN};
use crate::bisimulation::refine::branching_worklist::BranchingRefinement;
use crate::bisimulation::refine::refiner::Refiner;
use crate::bisimulation::refine::signature::Signature;

impl Signature for Branching<'_> {
    fn begin_sweep(&mut self, _: &[Block], _: &States, _: &Cancel) -> Result<()> {
        if !std::mem::take(&mut self.first) {
            self.start = None;
        }
        if self.sets.is_crowded() {
            self.sets.compact(self.after.iter().map(State::index), &mut self.set);
        }
        Ok(())
    }

    fn begins_again(&self) -> bool {
        self.start.is_some()
    }

    #[inline]
    fn touched(&self, state: State, block: &[Block], moved: &States, touched: &States) -> bool {
        if !self.before.has(state) {
            let targets = &self.graph.target[self.graph.range(state)];
            return targets.iter().any(|&target| moved.has(target));
        }
        moved.has(state)
            || self.graph.steps(state).any(|(label, target)| {
                moved.has(target)
                    || label == self.tau && touched.has(target) && block[target] == block[state]
            })
    }

    #[inline]
    fn hash(&mut self, state: State, block: &[Block]) -> u64 {
        if let Some(start) = &self.start {
            return pair(start[state], 0u32);
        }
        let after = self.after.has(state);
        if !self.gather(state, block) {
            if after {
                // When few states are visited, the signatures of few are requested: intern them on
                // demand.
                let few = self.backward.is_some();
                let set = if few { UNKNOWN } else { self.sets.intern(&self.own) };
                self.set[state] = set;
            }
            return sum(&self.own);
        }
        let mut set = self.set_behind(state, block);
        if set != REMAINS && !self.sets.holds(set, &self.own) {
            set = REMAINS;
        }
        if after {
            self.set[state] = set;
        }
        if set == REMAINS { REMAINS_HASH } else { sum(self.sets.get(set)) }
    }

    fn begin_marks(&mut self, settled: &States, cancel: &Cancel) -> Result<bool> {
        let keep = |state| !settled.has(state);
        self.backward = Some(Sources::marked(self.graph, self.tau, keep, cancel)?);
        Ok(true)
    }

    #[inline]
    fn mark(&self, moved: State, mut mark: impl FnMut(State)) {
        let Some(backward) = &self.backward else { return };
        for &source in backward.of(moved) {
            mark(source.state());
        }
        if self.before.has(moved) {
            mark(moved);
        }
    }

    #[inline]
    fn hash_marking(&mut self, state: State, block: &[Block], mut mark: impl FnMut(State)) -> u64 {
        let old = self.set[state];
        let hash = self.hash(state, block);
        if self.set[state] != old
            && let Some(backward) = &self.backward
        {
            for &source in backward.of(state) {
                let inner = block[source.state()] == block[state];
                if source.is_internal() && inner {
                    mark(source.state());
                }
            }
        }
        hash
    }

    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<State>, cancel: &Cancel) -> Result<()> {
        BranchingRefinement::new(self, refiner, moved, cancel)?.run(cancel)
    }
}
