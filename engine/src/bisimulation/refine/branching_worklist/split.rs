//! Splitting a block into the parts that leave it and the rest.

use crate::base::ids::Id;
use crate::base::ids::{Block, NONE};
use crate::bisimulation::refine::block_members::Change;
use crate::bisimulation::refine::branching_worklist::{Part, Rounds};
use crate::bisimulation::refine::refiner::Refiner;

impl Rounds<'_, '_> {
    /// Split a block into the parts and the rest; the largest of these keeps the number.
    pub(crate) fn split(&mut self, block: Block, parts: &[Part]) {
        let total = self.refiner.size[block];
        let rest = total - parts.iter().map(|part| u32::at(part.states.len())).sum::<u32>();
        let (mut largest, mut keeper) = (rest as usize, NONE);
        for (i, part) in (0..).zip(parts) {
            if part.states.len() > largest {
                (largest, keeper) = (part.states.len(), i);
            }
        }
        let of_rest = (self.refiner.hash[block], self.count[block], self.set[block]);
        let first = self.members.first(block);
        let mut tail = first + total;
        for (i, part) in (0..).zip(parts) {
            // A part of bottom states only does not need its signature.
            let set = if part.states.len() > part.bottom as usize { part.set } else { NONE };
            let facts = (part.hash, part.bottom, set);
            let id = self.number(block, i == keeper, u32::at(part.states.len()), facts);
            let Refiner { block, settled, .. } = &mut *self.refiner;
            let change = &mut Change { block, settled, moved: &mut self.moved };
            tail = self.members.part(&self.grown[part.states.clone()], tail, id, change);
        }
        if rest > 0 {
            let id = self.number(block, keeper == NONE, rest, of_rest);
            let Refiner { block, settled, .. } = &mut *self.refiner;
            let change = &mut Change { block, settled, moved: &mut self.moved };
            self.members.rest(first, rest, id, change);
        }
    }

    /// The number of a part of a block: the number of the block if it `keeps` that, else a new one.
    fn number(
        &mut self,
        block: Block,
        keeps: bool,
        size: u32,
        (hash, count, set): (u32, u32, u32),
    ) -> Block {
        let refiner = &mut *self.refiner;
        if keeps {
            (refiner.size[block], refiner.hash[block]) = (size, hash);
            (self.count[block], self.set[block]) = (count, set);
            return block;
        }
        refiner.size.push(size);
        refiner.hash.push(hash);
        self.count.push(count);
        self.set.push(set);
        Block(u32::at(refiner.size.len()) - 1)
    }
}
