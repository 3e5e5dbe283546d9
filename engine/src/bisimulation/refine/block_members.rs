//! The members of every block, for rounds in which few states move.

use crate::base::bitset::States;
use crate::base::ids::Id;
use crate::base::ids::{Block, State};
use crate::base::memory;
use crate::base::memory::room;

/// The members of every block.
///
/// Invariant: the members of block b are consecutive in `states` from `start[b]` on, and state s is
/// at position `place[s]`.
pub struct Members {
    states: Vec<State>,
    place: Vec<u32>,
    start: Vec<u32>,
}

/// The data that change when a block is split: the block of every state, the states that are
/// settled, and the list of moved states.
pub struct Change<'a> {
    pub block: &'a mut [Block],
    pub settled: &'a mut States,
    pub moved: &'a mut Vec<State>,
}

impl Change<'_> {
    fn give(&mut self, states: &[State], id: Block) {
        for &state in states {
            self.block[state] = id;
        }
        self.moved.extend_from_slice(states);
        if let [alone] = states {
            self.settled.add(*alone);
        }
    }
}

impl Members {
    /// The states by block.
    pub fn new(block: &[Block], size: &[u32]) -> Self {
        let mut start = room(size.len());
        let mut sum = 0;
        for &count in size {
            sum += count;
            start.push(sum);
        }
        let mut states: Vec<State> = memory::zeroed(block.len());
        let mut place = vec![0; block.len()];
        for state in (0..block.len()).rev() {
            let end = &mut start[block[state]];
            *end -= 1;
            states[*end as usize] = State(u32::at(state));
            place[state] = *end;
        }
        Self { states, place, start }
    }

    /// The first position of a block.
    pub fn first(&self, block: Block) -> u32 {
        self.start[block]
    }

    /// The members of a block of this size.
    pub fn of(&self, block: Block, size: u32) -> &[State] {
        let start = self.start[block];
        &self.states[start as usize..(start + size) as usize]
    }

    /// The states at these positions.
    pub fn at(&self, first: u32, count: u32) -> &[State] {
        &self.states[first as usize..(first + count) as usize]
    }

    /// Move some states of the block that ends at `tail` into the block `id`, and return where the
    /// others end.
    pub fn part(&mut self, part: &[State], mut tail: u32, id: Block, change: &mut Change) -> u32 {
        for &state in part {
            tail -= 1;
            let place = self.place[state];
            let other = std::mem::replace(&mut self.states[tail as usize], state);
            self.states[place as usize] = other;
            self.place[other] = place;
            self.place[state] = tail;
        }
        if part.first().is_some_and(|&state| change.block[state] != id) {
            change.give(part, id);
        } else if let [alone] = part {
            change.settled.add(*alone);
        }
        self.put(id, tail);
        tail
    }

    /// Make the `count` states from position `first` on, which no part took, the block `id`.
    pub fn rest(&mut self, first: u32, count: u32, id: Block, change: &mut Change) {
        if count == 0 {
            return;
        }
        let states = &self.states[first as usize..(first + count) as usize];
        if change.block[states[0]] != id {
            change.give(states, id);
        } else if let [alone] = states {
            change.settled.add(*alone);
        }
        self.put(id, first);
    }

    fn put(&mut self, id: Block, start: u32) {
        if self.start.len() <= id.index() {
            self.start.resize(id.index() + 1, 0);
        }
        self.start[id] = start;
    }
}
