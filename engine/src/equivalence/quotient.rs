//! The blocks of a partition and the transitions between them.

use super::forward::Forward;
use std::borrow::Cow;
use std::sync::Arc;

/// No label and no state.
pub const NONE: u32 = u32::MAX;

/// Blocks whose transitions are those of one of their states.
///
/// Invariant: `block[s]` is the block of state s of `graph`, and every transition of block b is one of
/// state `representative[b]`.
pub struct Blocks<'a> {
    pub graph: Forward<'a>,
    pub representative: Vec<u32>,
    pub block: Vec<u32>,
    /// For every state of `graph` a hash of what it can do in some steps, where that is known.
    pub hashes: Option<Arc<Vec<u32>>>,
    /// The internal label; no label if there is none.
    pub tau: u32,
    /// The label of loops that stand for divergence; they are internal in the end.
    pub delta: u32,
    /// Where the system starts, and what is special there.
    pub root: u32,
    pub first: First,
}

/// The first step of a rooted equivalence.
pub enum First {
    /// Nothing is special about it.
    Usual,
    /// The root's block can stay where it is by an internal step.
    Loop,
    /// The root is a state of its own, numbered after all blocks, with these transitions.
    Own(Vec<(u32, u32)>),
}

impl<'a> Blocks<'a> {
    /// Blocks without internal label, starting in the first, whose first step is not special.
    pub fn of(graph: Forward<'a>, block: Vec<u32>, representative: Vec<u32>) -> Self {
        let (tau, delta) = (NONE, NONE);
        Self {
            graph,
            representative,
            block,
            hashes: None,
            tau,
            delta,
            root: 0,
            first: First::Usual,
        }
    }
}

impl Blocks<'_> {
    /// Number of states of the system of blocks.
    pub fn count(&self) -> usize {
        self.representative.len() + usize::from(matches!(self.first, First::Own(_)))
    }

    /// The state of the system of blocks where it starts.
    pub fn start(&self) -> u32 {
        if matches!(self.first, First::Own(_)) {
            self.representative.len() as u32
        } else {
            self.root
        }
    }

    /// For every state its block; all else is freed.
    pub fn into_block(self) -> Vec<u32> {
        self.block
    }

    /// At least as many as there are transitions of blocks.
    pub fn most_rows(&self) -> usize {
        let own = if let First::Own(own) = &self.first { own.len() } else { 1 };
        let rows = self.representative.iter().map(|&state| self.graph.range(state).len());
        rows.sum::<usize>() + own
    }

    /// Put the transitions (label, block) of a block into `rows`, in any order, maybe twice.
    #[inline]
    pub fn rows(&self, block: u32, rows: &mut Vec<(u32, u32)>) {
        rows.clear();
        let Some(&state) = self.representative.get(block as usize) else {
            if let First::Own(own) = &self.first {
                rows.extend_from_slice(own);
            }
            return;
        };
        for (label, target) in self.graph.rows(state) {
            let label = if label == self.delta { self.tau } else { label };
            rows.push((label, self.block[target as usize]));
        }
        if block == self.root && matches!(self.first, First::Loop) {
            rows.push((self.tau, block));
        }
    }
}

/// The transitions between blocks, every block's those of one of its states, sorted, each once.
pub fn of_representatives(
    graph: &Forward,
    block: &[u32],
    representative: &[u32],
) -> Forward<'static> {
    let most = representative.iter().map(|&state| graph.range(state).len()).sum();
    let mut starts = Vec::with_capacity(representative.len() + 1);
    let (mut label, mut target) = (Vec::with_capacity(most), Vec::with_capacity(most));
    let mut rows: Vec<(u32, u32)> = Vec::new();
    for &state in representative {
        starts.push(label.len() as u32);
        rows.clear();
        rows.extend(graph.rows(state).map(|(a, t)| (a, block[t as usize])));
        rows.sort_unstable();
        rows.dedup();
        label.extend(rows.iter().map(|row| row.0));
        target.extend(rows.iter().map(|row| row.1));
    }
    starts.push(label.len() as u32);
    Forward { starts, label: Cow::Owned(label), target: Cow::Owned(target) }
}
