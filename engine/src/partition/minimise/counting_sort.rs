//! Counting sort of transitions by node.

use crate::base::memory;
use crate::partition::minimise::Failure;

/// Positions of transitions by node: first transitions are counted, then placed.
///
/// Counts are two entries after their nodes, so the next position of a node is one entry after it;
/// when all transitions of the node are placed, that entry is the start of the next node.
pub struct CountingSort(Vec<u32>);

impl CountingSort {
    /// No transitions yet, for `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Self(memory::zeroes(nodes + 2))
    }

    /// Counts a transition of a node.
    #[inline]
    pub fn count(&mut self, node: u32) {
        self.0[node as usize + 2] += 1;
    }

    /// Ends counting; returns the number of transitions.
    pub fn counted(&mut self) -> Result<usize, Failure> {
        let mut sum = 0u32;
        for start in &mut self.0 {
            sum = sum.checked_add(*start).ok_or(Failure::Full)?;
            *start = sum;
        }
        Ok(sum as usize)
    }

    /// The position for the next transition of a node.
    #[inline]
    pub fn next(&mut self, node: u32) -> usize {
        let at = &mut self.0[node as usize + 1];
        *at += 1;
        *at as usize - 1
    }

    /// Ends placing; returns where the transitions of each node start, and the end.
    pub fn starts(mut self) -> Vec<u32> {
        self.0.pop();
        self.0
    }
}
