//! Rounds of branching bisimulation after the sweeps, with a cost proportional to the changes.
//!
//! A group of bottom states grows backwards along internal steps, so the cost is in the states that
//! leave the block and not in those that remain.
//!
//! Bottom states are in one group if their hashes are equal. If different signatures share a hash,
//! the signature of the group is their union: otherwise a state could be separated from its group
//! because the signature of another of its members is stored.
//!
//! This file has the rounds; `grow` finds the states that leave a block with a group, and `split`
//! moves them out.

pub mod grow;
pub mod split;

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::incoming::Sources;
use crate::base::hash::low_half;
use crate::base::hash_sets::sum;
use crate::base::ids::Id;
use crate::base::ids::{Block, NONE, State};
use crate::base::partition::Refinable;
use crate::bisimulation::branching_signature::Branching;
use crate::bisimulation::refine::refiner::Refiner;
use crate::bisimulation::refine::split_groups::Groups;

/// Set in `growth` for a state that belongs to a group; the other bits are then the group.
const BELONGS: u32 = 1 << 31;

/// The rounds after the sweeps.
pub(crate) struct BranchingRefinement<'r, 'a> {
    signature: &'r mut Branching<'a>,
    refiner: &'r mut Refiner,
    backward: Sources,
    partition: Refinable<State>,
    /// Bottom states that are known to have the signature of their block.
    clean: States,
    /// For every block the number of its clean states, and the number of their signature if the
    /// block has other states; the union if several signatures share the hash.
    count: Vec<u32>,
    set: Vec<u32>,
    /// States whose own transitions have to be visited.
    marked: States,
    list: Vec<State>,
    moved: Vec<State>,
    /// For every state, while groups grow: the group that it belongs to, or the number of its inert
    /// steps whose targets are not known to belong to groups.
    growth: Vec<u32>,
    /// The states that belong to a group, and those with a count in `growth`.
    grown: Vec<State>,
    started: Vec<State>,
    parts: Vec<LeavingStates>,
    work: usize,
}

/// States that leave a block together.
pub(crate) struct LeavingStates {
    block: Block,
    states: std::ops::Range<usize>,
    /// The number of bottom states among them, and the hash and number of their signature.
    bottom: u32,
    hash: u32,
    set: u32,
}

impl<'r, 'a> BranchingRefinement<'r, 'a> {
    pub(crate) fn new(
        signature: &'r mut Branching<'a>,
        refiner: &'r mut Refiner,
        moved: Vec<State>,
        cancel: &Cancel,
    ) -> Result<Self> {
        let (states, blocks) = (refiner.block.len(), refiner.size.len());
        let keep = |state| !refiner.settled.has(state);
        let backward = match signature.backward.take() {
            Some(backward) => backward,
            None => Sources::marked(signature.graph, signature.tau, keep, cancel)?,
        };
        // The partition knows the sizes.
        refiner.size = Vec::new();
        let partition = refiner.take_partition();
        let mut refinement = Self {
            signature,
            refiner,
            backward,
            partition,
            clean: States::new(states),
            count: vec![0; blocks],
            set: vec![NONE; blocks],
            marked: States::new(states),
            list: Vec::new(),
            moved,
            growth: vec![0; states],
            grown: Vec::new(),
            started: Vec::new(),
            parts: Vec::new(),
            work: 0,
        };
        refinement.concern();
        for state in (0..u32::at(states)).map(State) {
            let block = refinement.partition.map();
            let skip = refinement.marked.has(state) || refinement.refiner.settled.has(state);
            if skip || refinement.signature.inert(state, block).next().is_some() {
                continue;
            }
            let b = block[state];
            refinement.clean.add(state);
            refinement.count[b] += 1;
            if refinement.signature.after.has(state) {
                let set = refinement.signature.set(state, refinement.partition.map());
                refinement.set[b] = refinement.signature.sets.union(refinement.set[b], set);
            }
        }
        Ok(refinement)
    }

    /// List the states whose signatures may change because of the moved states.
    fn concern(&mut self) {
        let Self { signature, refiner, backward, marked, list, .. } = self;
        let mut add = |state: State| {
            if !refiner.settled.has(state) && !marked.has(state) {
                marked.add(state);
                list.push(state);
            }
        };
        for &state in &self.moved {
            for &source in backward.of(state) {
                add(source.state());
            }
            // A step that was inert may now leave the block.
            if signature.before.has(state) {
                add(state);
            }
        }
    }

    pub(crate) fn run(mut self, cancel: &Cancel) -> Result<()> {
        let mut groups = Groups::default();
        let (mut list, mut bottom, mut group, mut others) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        // For every group the number of its signature, if an internal step leads to one of its
        // members.
        let mut sets: Vec<u32> = Vec::new();
        while !self.list.is_empty() {
            cancel.check_every(&mut self.work, self.list.len() + self.moved.len())?;
            if self.signature.sets.is_crowded() {
                self.signature.sets.compact(0..self.set.len(), &mut self.set);
            }
            std::mem::swap(&mut self.list, &mut list);
            self.list.clear();
            groups.clear(list.len());
            bottom.clear();
            group.clear();
            sets.clear();
            others.clear();
            for &state in &list {
                self.marked.remove(state);
                let b = self.partition.of(state);
                if self.clean.has(state) {
                    self.clean.remove(state);
                    self.count[b] -= 1;
                }
                if self.signature.gather(state, self.partition.map()) {
                    others.push((b, state));
                    continue;
                }
                let number = groups.add(b, sum(&self.signature.own));
                if number as usize == sets.len() {
                    sets.push(NONE);
                }
                if self.signature.after.has(state) {
                    let Branching { sets: interned, own, .. } = &mut *self.signature;
                    let set = &mut sets[number as usize];
                    if *set == NONE || interned.get(*set) != own {
                        let own = interned.intern(own);
                        *set = interned.union(*set, own);
                    }
                }
                bottom.push(state);
                group.push(number);
            }
            groups.sort(self.partition.blocks(), false);
            groups.fill(&bottom, &group);
            others.sort_unstable();
            self.moved.clear();
            self.blocks(&groups, &sets, &others);
            self.finish();
            self.concern();
        }
        self.refiner.block = self.partition.into_map();
        Ok(())
    }

    /// Decide how to split every block with a visited state.
    fn blocks(&mut self, groups: &Groups, sets: &[u32], others: &[(Block, State)]) {
        let (mut at, mut next) = (0, 0);
        loop {
            let of_group = groups
                .order
                .get(at)
                .map_or(Block::NONE, |&group| groups.list[group as usize].block);
            let of_other = others.get(next).map_or(Block::NONE, |&(block, _)| block);
            let b = of_group.min(of_other);
            if b == Block::NONE {
                return;
            }
            let begin = at;
            while groups.order.get(at).is_some_and(|&group| groups.list[group as usize].block == b)
            {
                at += 1;
            }
            let own = others[next..].iter().take_while(|of_other| of_other.0 == b).count();
            let own = &others[next..next + own];
            next += own.len();
            self.block(b, groups, &groups.order[begin..at], sets, own);
        }
    }

    /// Carry out the decisions. Until now all signatures refer to the same partition.
    fn finish(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        for parts in parts.chunk_by(|left, right| left.block == right.block) {
            let b = parts[0].block;
            if let [part] = parts
                && part.states.len() == self.partition.size(b) as usize
            {
                self.refiner.hash[b] = part.hash;
                self.count[b] = part.bottom;
                self.set[b] = part.set;
            } else {
                self.split(b, parts);
            }
        }
        self.parts = parts;
        self.parts.clear();
        self.work += self.grown.len() + self.started.len();
        for state in self.grown.drain(..).chain(self.started.drain(..)) {
            self.growth[state] = 0;
        }
    }

    /// Decide how to split a block, given its groups of bottom states in `order` and the other
    /// visited states.
    fn block(
        &mut self,
        block: Block,
        groups: &Groups,
        order: &[u32],
        sets: &[u32],
        others: &[(Block, State)],
    ) {
        let usual = self.count[block] > 0;
        let before = self.parts.len();
        for &group in order {
            let g = group as usize;
            for &state in groups.members(group) {
                self.clean.add(state);
            }
            if usual && low_half(groups.list[g].hash) == self.refiner.hash[block] {
                self.count[block] += groups.list[g].count;
                self.set[block] = self.signature.sets.union(self.set[block], sets[g]);
                continue;
            }
            let begin = self.grown.len();
            let mark = BELONGS | u32::at(self.parts.len());
            self.grow(block, groups.members(group), sets[g], mark);
            self.parts.push(LeavingStates {
                block,
                states: begin..self.grown.len(),
                bottom: groups.list[g].count,
                hash: low_half(groups.list[g].hash),
                set: sets[g],
            });
        }
        if self.parts.len() == before {
            let states = self.more(block, others);
            if !states.is_empty() {
                self.parts.push(LeavingStates { block, states, bottom: 0, hash: 0, set: NONE });
            }
        } else if usual {
            // The transitions of these were not compared with the signature of the clean states:
            // visit them again.
            for &(_, state) in others {
                if self.growth[state] & BELONGS == 0 {
                    self.marked.add(state);
                    self.list.push(state);
                }
            }
        }
    }
}
