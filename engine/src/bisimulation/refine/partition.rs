//! Partitions of states.

/// For every state its block, and how many blocks there are.
#[derive(Clone, Default)]
pub struct Partition {
    pub block: Vec<u32>,
    pub blocks: usize,
}

impl Partition {
    /// One block of all states.
    pub fn trivial(states: usize) -> Self {
        Self { block: vec![0; states], blocks: 1 }
    }
}
