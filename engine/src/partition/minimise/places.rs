//! Where rows belong that come in any order, once it is known how many each node has.

use crate::base::memory;
use crate::partition::minimise::Failure;

/// Places by nodes: first rows are counted, then placed.
///
/// What is known of a node stands two behind it, so that placing turns the starts of the next node into
/// those of a node.
pub struct Places(Vec<u32>);

impl Places {
    /// Of so many nodes without rows.
    pub fn new(nodes: usize) -> Self {
        Self(memory::zeroes(nodes + 2))
    }

    /// There is a row more.
    #[inline]
    pub fn count(&mut self, node: u32) {
        self.0[node as usize + 2] += 1;
    }

    /// All were counted: how many there are.
    pub fn counted(&mut self) -> Result<usize, Failure> {
        let mut sum = 0u32;
        for start in &mut self.0 {
            sum = sum.checked_add(*start).ok_or(Failure::Full)?;
            *start = sum;
        }
        Ok(sum as usize)
    }

    /// The place of the next row of a node.
    #[inline]
    pub fn next(&mut self, node: u32) -> usize {
        let at = &mut self.0[node as usize + 1];
        *at += 1;
        *at as usize - 1
    }

    /// All were placed: where the rows of each node begin, and where they end.
    pub fn starts(mut self) -> Vec<u32> {
        self.0.pop();
        self.0
    }
}
