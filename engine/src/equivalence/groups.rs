//! Touched states by block and hash.

const NONE: u32 = u32::MAX;

/// States that are equal by block and hash, counted.
#[derive(Default)]
pub struct Groups {
    pub block: Vec<u32>,
    pub hash: Vec<u64>,
    pub count: Vec<u32>,
    /// The block that the group is from now on.
    pub id: Vec<u32>,
    /// The groups by block.
    pub order: Vec<u32>,
    /// Open addressing, at most half full: the upper half of a slot is of the key, the lower one
    /// the number of the group plus one, 0 if it is free. Only `..=mask` is in use.
    slots: Vec<u64>,
    mask: usize,
    starts: Vec<u32>,
    states: Vec<u32>,
}

fn key(block: u32, hash: u64) -> u64 {
    let key = hash ^ u64::from(block).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let key = key.wrapping_mul(0xd6e8_feb8_6659_fd93);
    key ^ key >> 32
}

impl Groups {
    /// Forget all groups; about `expected` states will be added.
    pub fn clear(&mut self, expected: usize) {
        self.block.clear();
        self.hash.clear();
        self.count.clear();
        self.id.clear();
        let size = (expected * 2).next_power_of_two().clamp(16, 1 << 12);
        if self.slots.len() < size {
            self.slots.resize(size, 0);
        }
        self.mask = size - 1;
        self.slots[..size].fill(0);
    }

    /// Count one state with this block and hash; its group.
    #[inline]
    pub fn add(&mut self, block: u32, hash: u64) -> u32 {
        let key = key(block, hash);
        let mut slot = key as usize & self.mask;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                break;
            }
            let group = found as u32 - 1;
            if (found ^ key) >> 32 == 0
                && self.hash[group as usize] == hash
                && self.block[group as usize] == block
            {
                self.count[group as usize] += 1;
                return group;
            }
            slot = (slot + 1) & self.mask;
        }
        let group = self.block.len() as u32;
        self.block.push(block);
        self.hash.push(hash);
        self.count.push(1);
        self.slots[slot] = key >> 32 << 32 | u64::from(group + 1);
        if self.block.len() * 2 > self.mask {
            self.grow();
        }
        group
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.mask + 1) * 4;
        if self.slots.len() < size {
            self.slots.resize(size, 0);
        }
        self.mask = size - 1;
        self.slots[..size].fill(0);
        for group in 0..self.block.len() {
            let key = key(self.block[group], self.hash[group]);
            let mut slot = key as usize & self.mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = key >> 32 << 32 | (group as u64 + 1);
        }
    }

    /// Put the groups in the order of their blocks, of one block as they came or by hash.
    pub fn sort(&mut self, blocks: usize, by_hash: bool) {
        let count = self.block.len();
        self.id.resize(count, NONE);
        self.order.clear();
        if by_hash || count * 16 < blocks {
            self.order.extend(0..count as u32);
            let (block, hash) = (&self.block, &self.hash);
            if by_hash {
                self.order.sort_unstable_by_key(|&g| (block[g as usize], hash[g as usize]));
            } else {
                self.order.sort_unstable_by_key(|&g| (block[g as usize], g));
            }
            return;
        }
        let mut ends = vec![0u32; blocks];
        for &block in &self.block {
            ends[block as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        self.order.resize(count, 0);
        for group in (0..count).rev() {
            let end = &mut ends[self.block[group] as usize];
            *end -= 1;
            self.order[*end as usize] = group as u32;
        }
    }

    /// Keep which of the states in `list` is in which group.
    pub fn fill(&mut self, list: &[u32], group: &[u32]) {
        self.starts.clear();
        let mut sum = 0;
        for &count in &self.count {
            sum += count;
            self.starts.push(sum);
        }
        self.states.clear();
        self.states.resize(list.len(), 0);
        for (&state, &group) in list.iter().zip(group).rev() {
            let end = &mut self.starts[group as usize];
            *end -= 1;
            self.states[*end as usize] = state;
        }
    }

    /// The states of a group that were filled in.
    pub fn members(&self, group: u32) -> &[u32] {
        let start = self.starts[group as usize] as usize;
        &self.states[start..start + self.count[group as usize] as usize]
    }
}
