//! Partitions of states.

use crate::base::ids::Block;
use crate::base::memory;

/// A partition: for every state its block, and the number of blocks.
#[derive(Clone, Default)]
pub struct Partition {
    pub block: Vec<Block>,
    pub blocks: usize,
}

impl Partition {
    /// The partition with one block of all states.
    pub fn trivial(states: usize) -> Self {
        Self { block: memory::zeroed(states), blocks: 1 }
    }
}
