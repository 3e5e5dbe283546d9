//! A partition under refinement, and the decisions of a round.

use crate::base::bitset::States;
use crate::base::cancel::Refining;
use crate::base::hash::low_half;
use crate::base::ids::Id;
use crate::base::ids::{Block, NONE, State};
use crate::base::partition::{Partition, Refinable};
use crate::bisimulation::refine::split_groups::Groups;

/// Bounds after which refinement is given up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Most {
    pub blocks: usize,
    /// The number of times that a state gets a new block, summed over all states.
    pub moves: usize,
}

impl Most {
    /// No bounds.
    pub const ANY: Self = Self { blocks: usize::MAX, moves: usize::MAX };
}

/// A partition under refinement.
pub struct Refiner {
    pub block: Vec<Block>,
    /// For every block its number of states.
    pub size: Vec<u32>,
    /// For every block the lower half of the hash of the signature of its clean states.
    pub hash: Vec<u32>,
    /// States that are alone in their block or in a final block: they are not visited any more.
    pub settled: States,
    /// The states to visit in this round, grouped by block and hash.
    pub groups: Groups,
    /// The blocks that this round splits.
    pub(crate) splits: Vec<Split>,
    pub(crate) canonical: bool,
    pub(crate) most: Most,
    /// The number of times that a state got a new block.
    pub(crate) moves: usize,
    pub(crate) shown: Refining,
}

/// A block that is split. Its *front* consists of the clean states and the group with the same
/// hash.
pub struct Split {
    pub block: Block,
    /// The number of states before the split.
    pub total: u32,
    /// The number of states of the front, and its block after the split.
    pub front: u32,
    pub front_id: Block,
    /// The groups, as a range of `groups.order`.
    pub groups: std::ops::Range<usize>,
}

impl Refiner {
    /// The partition with the members of blocks, in place of `block`.
    pub(crate) fn take_partition(&mut self) -> Refinable<State> {
        let block = std::mem::take(&mut self.block);
        Refinable::new(Partition { block, blocks: self.hash.len() })
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.hash.len() > self.most.blocks || self.moves > self.most.moves
    }

    /// Decides how to split every block with a group, and numbers the parts.
    pub(crate) fn decide(&mut self) {
        self.number_parts();
        self.shown.round(self.size.len());
    }

    fn number_parts(&mut self) {
        let groups = &mut self.groups;
        groups.sort(self.size.len(), self.canonical);
        self.splits.clear();
        let mut at = 0;
        while at < groups.order.len() {
            let block = groups.list[groups.order[at] as usize].block;
            let begin = at;
            let mut count = 0;
            while at < groups.order.len() && groups.list[groups.order[at] as usize].block == block {
                count += groups.list[groups.order[at] as usize].count;
                at += 1;
            }
            let run = begin..at;
            let total = self.size[block];
            let mut front = total - count;
            if front == 0 && run.len() == 1 {
                let group = groups.order[begin] as usize;
                groups.id[group] = block;
                self.hash[block] = low_half(groups.list[group].hash);
                continue;
            }
            let mut matched = NONE;
            if front > 0 {
                let like = |&&g: &&u32| low_half(groups.list[g as usize].hash) == self.hash[block];
                if let Some(&group) = groups.order[run.clone()].iter().find(like) {
                    matched = group;
                    front += groups.list[group as usize].count;
                }
                if front == total {
                    groups.id[matched as usize] = block;
                    continue;
                }
            }
            // The largest part keeps the number; among equal ones the front, else the first.
            let (mut largest, mut keeper) = (front, NONE);
            for &group in &groups.order[run.clone()] {
                if group != matched && groups.list[group as usize].count > largest {
                    (largest, keeper) = (groups.list[group as usize].count, group);
                }
            }
            let mut front_id = block;
            if front > 0 {
                if keeper == NONE {
                    self.size[block] = front;
                } else {
                    front_id = Block(u32::at(self.size.len()));
                    self.size.push(front);
                    self.hash.push(self.hash[block]);
                }
                if matched != NONE {
                    groups.id[matched as usize] = front_id;
                }
            }
            for &group in &groups.order[run.clone()] {
                let g = group as usize;
                if group == matched {
                    continue;
                }
                if group == keeper {
                    groups.id[g] = block;
                    self.size[block] = groups.list[g].count;
                    self.hash[block] = low_half(groups.list[g].hash);
                } else {
                    groups.id[g] = Block(u32::at(self.size.len()));
                    self.size.push(groups.list[g].count);
                    self.hash.push(low_half(groups.list[g].hash));
                }
            }
            self.splits.push(Split { block, total, front, front_id, groups: run });
        }
    }
}

/// Settles a part of a block if it is one state, and lists its states if its number `is_new`.
pub(crate) fn report_part(
    part: &[State],
    is_new: bool,
    settled: &mut States,
    moved: &mut Vec<State>,
) {
    if is_new {
        moved.extend_from_slice(part);
    }
    if let [alone] = part {
        settled.add(*alone);
    }
}
