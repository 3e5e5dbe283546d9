//! Touched states by block and hash.

use crate::base::hash::quick;
use crate::base::ids::{Block, State};
use crate::base::memory;

/// Slots that are in the processor's cache anyway.
const LARGE: usize = if cfg!(test) { 8 } else { 1 << 14 };

/// States that are equal by block and hash, counted.
#[derive(Default)]
pub struct Groups {
    pub list: Vec<Group>,
    /// The block that each group is from now on.
    pub id: Vec<Block>,
    /// The groups by block.
    pub order: Vec<u32>,
    /// Open addressing, at most two thirds full: the upper half of a slot is of the key, the lower one
    /// the number of the group plus one, 0 if it is free. Only `..=mask` is in use.
    slots: Vec<u64>,
    mask: usize,
    starts: Vec<u32>,
    states: Vec<State>,
}

/// States of one block and of one hash.
#[derive(Clone, Copy)]
pub struct Group {
    pub hash: u64,
    pub block: Block,
    pub count: u32,
}

/// States that are added at once: the memory where their groups may be is asked for together.
pub const BATCH: usize = 64;

impl Groups {
    /// Forget all groups; about `expected` states will be added.
    pub fn clear(&mut self, expected: usize) {
        self.list.clear();
        self.id.clear();
        let size = (expected * 2).next_power_of_two().clamp(16, 1 << 12);
        if self.slots.len() < size {
            self.slots.resize(size, 0);
        }
        self.mask = size - 1;
        self.slots[..size].fill(0);
    }

    /// Count states with these blocks and hashes, at most [`BATCH`]; the group of each.
    #[inline]
    pub fn add_all(&mut self, items: &[(Block, u64)]) -> [u32; BATCH] {
        let mut result = [0; BATCH];
        if self.mask > LARGE {
            let slots =
                items.iter().map(|&(block, hash)| quick(hash, block.into()) as usize & self.mask);
            let mut found = [0; BATCH];
            for (found, slot) in found.iter_mut().zip(slots) {
                *found = self.slots[slot] as u32;
            }
            let counts = found.iter().map(|&group| match group {
                0 => 0,
                group => self.list[group as usize - 1].count,
            });
            std::hint::black_box(counts.fold(0, u32::wrapping_add));
        }
        for (group, &(block, hash)) in result.iter_mut().zip(items) {
            *group = self.add(block, hash);
        }
        result
    }

    /// Count one state with this block and hash; its group.
    #[inline]
    pub fn add(&mut self, block: Block, hash: u64) -> u32 {
        let key = quick(hash, block.into());
        let mut slot = key as usize & self.mask;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                break;
            }
            let number = found as u32 - 1;
            if (found ^ key) >> 32 == 0 {
                let group = &mut self.list[number as usize];
                if group.hash == hash && group.block == block {
                    group.count += 1;
                    return number;
                }
            }
            slot = (slot + 1) & self.mask;
        }
        let group = self.list.len() as u32;
        self.list.push(Group { hash, block, count: 1 });
        self.slots[slot] = key >> 32 << 32 | u64::from(group + 1);
        if self.list.len() * 3 > self.mask * 2 {
            self.grow();
        }
        group
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.mask + 1) * 2;
        if self.slots.len() < size {
            // The old ones go first.
            self.slots = Vec::new();
            self.slots = memory::zeroes(size);
        }
        self.mask = size - 1;
        self.slots[..size].fill(0);
        for (number, group) in (1..).zip(&self.list) {
            let key = quick(group.hash, group.block.into());
            let mut slot = key as usize & self.mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = key >> 32 << 32 | number;
        }
    }

    /// Put the groups in the order of their blocks, of one block as they came or by hash.
    pub fn sort(&mut self, blocks: usize, by_hash: bool) {
        let count = self.list.len();
        self.id.resize(count, Block::NONE);
        self.order.clear();
        if by_hash || count * 16 < blocks {
            self.order.extend(0..count as u32);
            let group = |g: u32| &self.list[g as usize];
            if by_hash {
                self.order.sort_unstable_by_key(|&g| (group(g).block, group(g).hash));
            } else {
                self.order.sort_unstable_by_key(|&g| (group(g).block, g));
            }
            return;
        }
        let mut ends = vec![0u32; blocks];
        for group in &self.list {
            ends[group.block] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        self.order.resize(count, 0);
        for group in (0..count).rev() {
            let end = &mut ends[self.list[group].block];
            *end -= 1;
            self.order[*end as usize] = group as u32;
        }
    }

    /// Keep which of the states in `list` is in which group.
    pub fn fill(&mut self, list: &[State], group: &[u32]) {
        self.starts.clear();
        let mut sum = 0;
        for group in &self.list {
            sum += group.count;
            self.starts.push(sum);
        }
        self.states.clear();
        self.states.resize(list.len(), State(0));
        for (&state, &group) in list.iter().zip(group).rev() {
            let end = &mut self.starts[group as usize];
            *end -= 1;
            self.states[*end as usize] = state;
        }
    }

    /// The states of a group that were filled in.
    pub fn members(&self, group: u32) -> &[State] {
        let start = self.starts[group as usize] as usize;
        &self.states[start..start + self.list[group as usize].count as usize]
    }
}
