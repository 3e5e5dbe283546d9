//! Touched states grouped by block and hash.

use crate::base::hash::low_half;
use crate::base::hash::quick;
use crate::base::ids::Id;
use crate::base::ids::as_index;
use crate::base::ids::{Block, State};
use crate::base::memory;

/// The number of slots that fit into the processor's cache anyway.
const LARGE: usize = if cfg!(test) { 8 } else { 1 << 14 };

/// Groups of states with equal block and hash, and their sizes.
#[derive(Default)]
pub struct Groups {
    pub list: Vec<Group>,
    /// The new block of each group.
    pub id: Vec<Block>,
    /// The groups sorted by block.
    pub order: Vec<u32>,
    /// Open addressing, at most two thirds full. The upper half of a slot is part of the key, the
    /// lower half the number of the group plus one, or 0 if the slot is free. Only `..=mask` is in
    /// use.
    slots: Vec<u64>,
    mask: usize,
    starts: Vec<u32>,
    states: Vec<State>,
}

/// States with one block and one hash.
#[derive(Clone, Copy)]
pub struct Group {
    pub hash: u64,
    pub block: Block,
    pub count: u32,
}

/// States that are added at once, so that the cache misses of their slots overlap.
pub const BATCH: usize = 64;

impl Groups {
    /// Remove all groups; about `expected` states will be added.
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

    /// Add at most [`BATCH`] states with these blocks and hashes; return the group of each.
    #[inline]
    pub fn add_all(&mut self, items: &[(Block, u64)]) -> [u32; BATCH] {
        let mut result = [0; BATCH];
        if self.mask > LARGE {
            let slots =
                items.iter().map(|&(block, hash)| as_index(quick(hash, block.into())) & self.mask);
            let mut numbers = [0; BATCH];
            for (numbers, slot) in numbers.iter_mut().zip(slots) {
                *numbers = low_half(self.slots[slot]);
            }
            let counts = numbers.iter().map(|&group| match group {
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

    /// Add a state with this block and hash; return its group.
    #[inline]
    pub fn add(&mut self, block: Block, hash: u64) -> u32 {
        let key = quick(hash, block.into());
        let mut slot = as_index(key) & self.mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                break;
            }
            let number = low_half(entry) - 1;
            if (entry ^ key) >> 32 == 0 {
                let group = &mut self.list[number as usize];
                if group.hash == hash && group.block == block {
                    group.count += 1;
                    return number;
                }
            }
            slot = (slot + 1) & self.mask;
        }
        let group = u32::at(self.list.len());
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
            // The old slots are freed first.
            self.slots = Vec::new();
            self.slots = memory::zeroes(size);
        }
        self.mask = size - 1;
        self.slots[..size].fill(0);
        for (number, group) in (1..).zip(&self.list) {
            let key = quick(group.hash, group.block.into());
            let mut slot = as_index(key) & self.mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = key >> 32 << 32 | number;
        }
    }

    /// Sort the groups by block; the groups of one block by hash if `by_hash`, else in the order of
    /// creation.
    pub fn sort(&mut self, blocks: usize, by_hash: bool) {
        let count = self.list.len();
        self.id.resize(count, Block::NONE);
        self.order.clear();
        if by_hash || count * 16 < blocks {
            self.order.extend(0..u32::at(count));
            let group = |g: u32| &self.list[g as usize];
            if by_hash {
                self.order.sort_unstable_by_key(|&g| (group(g).block, group(g).hash));
            } else {
                self.order.sort_unstable_by_key(|&g| (group(g).block, g));
            }
            return;
        }
        let mut offsets = vec![0u32; blocks];
        for group in &self.list {
            offsets[group.block] += 1;
        }
        let mut sum = 0;
        for end in &mut offsets {
            sum += *end;
            *end = sum;
        }
        self.order.resize(count, 0);
        for group in (0..count).rev() {
            let end = &mut offsets[self.list[group].block];
            *end -= 1;
            self.order[*end as usize] = u32::at(group);
        }
    }

    /// Store which of the states in `list` is in which group.
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

    /// The states of a group, as stored by [`Self::fill`].
    pub fn members(&self, group: u32) -> &[State] {
        let start = self.starts[group as usize] as usize;
        &self.states[start..start + self.list[group as usize].count as usize]
    }
}
