//! Partitions of states.

use crate::base::ids::Block;
use bytemuck::zeroed_vec;

/// For every state its block, and how many blocks there are.
#[derive(Clone, Default)]
pub struct Partition {
    pub block: Vec<Block>,
    pub blocks: usize,
}

impl Partition {
    /// One block of all states.
    pub fn trivial(states: usize) -> Self {
        Self { block: zeroed_vec(states), blocks: 1 }
    }
}
