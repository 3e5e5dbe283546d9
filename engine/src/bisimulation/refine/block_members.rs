//! The states of every block, where few of them move at a time.

use crate::base::bitset::Bits;

/// The states of every block.
///
/// Invariant: those of block b stand together from `start[b]` on, and state s at `place[s]`.
pub struct Members {
    states: Vec<u32>,
    place: Vec<u32>,
    start: Vec<u32>,
}

/// What changes when a block is split: the blocks of states, which of them are alone, and the list
/// of those that moved.
pub struct Change<'a> {
    pub block: &'a mut [u32],
    pub settled: &'a mut Bits,
    pub moved: &'a mut Vec<u32>,
}

impl Change<'_> {
    fn give(&mut self, states: &[u32], id: u32) {
        for &state in states {
            self.block[state as usize] = id;
        }
        self.moved.extend_from_slice(states);
        if let [alone] = states {
            self.settled.add(*alone);
        }
    }
}

impl Members {
    /// The states by block.
    pub fn new(block: &[u32], size: &[u32]) -> Self {
        let mut start = Vec::with_capacity(size.len());
        let mut sum = 0;
        for &count in size {
            sum += count;
            start.push(sum);
        }
        let mut states = vec![0; block.len()];
        let mut place = vec![0; block.len()];
        for state in (0..block.len()).rev() {
            let end = &mut start[block[state] as usize];
            *end -= 1;
            states[*end as usize] = state as u32;
            place[state] = *end;
        }
        Self { states, place, start }
    }

    /// The first place of a block.
    pub fn first(&self, block: u32) -> u32 {
        self.start[block as usize]
    }

    /// The states of a block of a size.
    pub fn of(&self, block: u32, size: u32) -> &[u32] {
        let start = self.start[block as usize];
        &self.states[start as usize..(start + size) as usize]
    }

    /// The states that stand in places.
    pub fn at(&self, first: u32, count: u32) -> &[u32] {
        &self.states[first as usize..(first + count) as usize]
    }

    /// Make some states of the block that ends at `tail` the block `id`, and return where the others
    /// end.
    pub fn part(&mut self, part: &[u32], mut tail: u32, id: u32, change: &mut Change) -> u32 {
        for &state in part {
            tail -= 1;
            let place = self.place[state as usize];
            let other = std::mem::replace(&mut self.states[tail as usize], state);
            self.states[place as usize] = other;
            self.place[other as usize] = place;
            self.place[state as usize] = tail;
        }
        if part.first().is_some_and(|&state| change.block[state as usize] != id) {
            change.give(part, id);
        } else if let [alone] = part {
            change.settled.add(*alone);
        }
        self.put(id, tail);
        tail
    }

    /// Make the `count` states from a place on, which no part took, the block `id`.
    pub fn rest(&mut self, first: u32, count: u32, id: u32, change: &mut Change) {
        if count == 0 {
            return;
        }
        let states = &self.states[first as usize..(first + count) as usize];
        if change.block[states[0] as usize] != id {
            change.give(states, id);
        } else if let [alone] = states {
            change.settled.add(*alone);
        }
        self.put(id, first);
    }

    fn put(&mut self, id: u32, start: u32) {
        if self.start.len() <= id as usize {
            self.start.resize(id as usize + 1, 0);
        }
        self.start[id as usize] = start;
    }
}
