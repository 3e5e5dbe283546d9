//! Splitting a block into the parts that leave it and the rest.

use crate::base::ids::{Block, Id, NONE, State};
use crate::bisimulation::refine::branching_worklist::{BranchingRefinement, LeavingStates};
use crate::bisimulation::refine::refiner::{Refiner, report_part};

impl BranchingRefinement<'_, '_> {
    /// Split a block into the parts and the rest; the largest of these keeps the number.
    pub(crate) fn split(&mut self, block: Block, parts: &[LeavingStates]) {
        let Self { refiner, partition, count, set, grown, moved, .. } = self;
        let Refiner { hash, settled, .. } = &mut **refiner;
        let left: usize = parts.iter().map(|part| part.states.len()).sum();
        let (mut largest, mut keeper) = (partition.size(block) as usize - left, NONE);
        for (i, part) in (0..).zip(parts) {
            if part.states.len() > largest {
                (largest, keeper) = (part.states.len(), i);
            }
        }
        let of_rest = (hash[block], count[block], set[block]);
        // The number of a part: the number of the block if it keeps that, else a new one.
        let mut number = |keeps: bool, facts| {
            if keeps {
                (hash[block], count[block], set[block]) = facts;
                return block;
            }
            hash.push(facts.0);
            count.push(facts.1);
            set.push(facts.2);
            Block::at(hash.len() - 1)
        };
        let mut report = |part: &[State], keeps: bool| report_part(part, !keeps, settled, moved);
        let is_all = left == partition.size(block) as usize;
        let mut cut = partition.cut(block);
        for (i, part) in (0..).zip(parts) {
            // A part of bottom states only does not need its signature.
            let set = if part.states.len() > part.bottom as usize { part.set } else { NONE };
            let states = &grown[part.states.clone()];
            cut.part(states, number(i == keeper, (part.hash, part.bottom, set)));
            report(states, i == keeper);
        }
        if !is_all {
            report(cut.rest(number(keeper == NONE, of_rest)), keeper == NONE);
        }
    }
}
