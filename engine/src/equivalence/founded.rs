//! The well-founded part of a system: the states from which every path ends.
//!
//! No state outside of it is equivalent to one inside, and inside of it the blocks are known from the
//! states behind, in one pass from the ends. After Dovier, Piazza and Policriti, An efficient
//! algorithm for computing bisimulation equivalence (Theor. Comput. Sci. 311, 2004), of whose ranks
//! this is what takes refinement most rounds: long paths that end.

use super::bits::Bits;
use super::forward::Forward;
use super::refine::Partition;
use super::{POLL_EVERY, Poll};

/// States that were not met, that are on the path of the search, and that are not well-founded.
const NEW: u32 = u32::MAX;
const OPEN: u32 = u32::MAX - 1;
const REST: u32 = u32::MAX - 2;

/// A partition whose blocks are those of well-founded states, and one of all others; and the states
/// whose blocks are final.
///
/// `block_of` tells the block of a state from those behind it: one that it told before, or the next.
pub fn founded(
    graph: &Forward,
    mut block_of: impl FnMut(u32, &[u32]) -> u32,
    poll: Poll,
) -> Option<(Partition, Bits)> {
    let states = graph.states();
    let mut known = Bits::new(states);
    if graph.is_endless() {
        return Some((Partition::trivial(states), known));
    }
    let mut block = vec![NEW; states];
    let mut blocks = 0;
    // The states on the path, and for each the next of its rows.
    let mut path: Vec<(u32, u32)> = Vec::new();
    let mut steps = 0;
    for root in (0..states as u32).rev() {
        if block[root as usize] != NEW {
            continue;
        }
        block[root as usize] = OPEN;
        path.push((root, graph.starts[root as usize]));
        while let Some((state, next)) = path.last_mut() {
            let s = *state as usize;
            steps += 1;
            if steps % POLL_EVERY == 0 && !poll() {
                return None;
            }
            let mut found = None;
            for row in *next..graph.starts[s + 1] {
                let target = graph.target[row as usize];
                match block[target as usize] {
                    REST | OPEN => found = Some(REST),
                    NEW => found = Some(NEW),
                    _ => continue,
                }
                *next = row;
                break;
            }
            if found == Some(NEW) {
                let target = graph.target[*next as usize];
                block[target as usize] = OPEN;
                path.push((target, graph.starts[target as usize]));
                continue;
            }
            if found.is_some() {
                block[s] = REST;
            } else {
                block[s] = block_of(s as u32, &block);
                blocks = blocks.max(block[s] + 1);
                known.add(s as u32);
            }
            path.pop();
        }
    }
    let mut rest = 0;
    for block in block.iter_mut().filter(|block| **block == REST) {
        *block = blocks;
        rest = 1;
    }
    Some((Partition { block, blocks: (blocks + rest) as usize }, known))
}

/// Numbers of hashes, in the order in which they came.
pub struct Numbers {
    /// Of every number the lower half of its hash.
    low: Vec<u32>,
    /// Open addressing, at most three quarters full: the upper half of a hash and the number plus one; 0 is
    /// free.
    slots: Vec<u64>,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { low: Vec::new(), slots: vec![0; 64] }
    }
}

impl Numbers {
    /// The number of a hash, a new one if it is new.
    #[inline]
    pub fn of(&mut self, hash: u64) -> u32 {
        if (self.low.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = place(hash) & mask;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                break;
            }
            let number = found as u32 - 1;
            if (found ^ hash) >> 32 == 0 && self.low[number as usize] == hash as u32 {
                return number;
            }
            slot = (slot + 1) & mask;
        }
        self.low.push(hash as u32);
        self.slots[slot] = hash >> 32 << 32 | self.low.len() as u64;
        self.low.len() as u32 - 1
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for found in old.into_iter().filter(|&found| found != 0) {
            let low = self.low[(found as u32 - 1) as usize];
            let mut slot = place(found >> 32 << 32 | u64::from(low)) & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = found;
        }
    }
}

fn place(hash: u64) -> usize {
    (hash.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 20) as usize
}
