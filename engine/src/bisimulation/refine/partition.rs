//! Partitions of states.

use crate::base::ids::Block;
use crate::base::memory;

/// For every state its block, and how many blocks there are.
#[derive(Clone, Default)]
pub struct Partition {
    pub block: Vec<Block>,
    pub blocks: usize,
}

impl Partition {
    /// One block of all states.
    pub fn trivial(states: usize) -> Self {
        Self { block: memory::zeroed(states), blocks: 1 }
    }
}
