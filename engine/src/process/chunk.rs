//! The steps of some consecutive states, from their computation to their output.

use crate::base::ids::Id;
use crate::process::linear::stop::Stop;
use crate::process::store::{NONE, Path, Store};
use std::ops::Range;

/// The steps of some consecutive states.
///
/// Invariant: `labels`, `targets` and `roots` have one entry per step, ordered by state and, within
/// a state, by summand; `degrees` has the number of steps of each state.
#[derive(Default)]
pub struct Chunk {
    /// The states expanded; fewer than requested if the last one has an obstacle.
    pub states: Range<u32>,
    pub degrees: Vec<u32>,
    pub labels: Vec<u32>,
    /// The target of each step; `NONE` if that state has no number yet.
    pub targets: Vec<u32>,
    /// The pair at the root of each target; `[NONE, n]` if the target contains a new node, where
    /// `n` is an index into `unknown`.
    pub roots: Vec<[u32; 2]>,
    /// For each such step its summand, and the index in `below` where the numbers start from which
    /// the target can be completed, along the path of the summand.
    pub unknown: Vec<(u32, u32)>,
    pub below: Vec<u32>,
    /// The obstacle at the last state; its steps are incomplete then.
    pub obstacle: Option<Obstacle>,
}

/// Why not all steps of a state were computed.
pub enum Obstacle {
    /// A sum of this summand has more values than the cap allows.
    Values(usize),
    Failed(Stop),
}

impl Chunk {
    /// Empties the chunk, keeping its memory; `first` is its first state.
    pub fn begin(&mut self, first: u32) {
        self.states = first..first;
        self.degrees.clear();
        self.labels.clear();
        self.targets.clear();
        self.roots.clear();
        self.unknown.clear();
        self.below.clear();
        self.obstacle = None;
    }

    /// Completes the roots that contained new nodes, adding those nodes to the store. `paths` has
    /// the path of the positions written by each summand; `view` is scratch.
    pub fn complete(&mut self, paths: &[Path], store: &mut Store, view: &mut [u32]) {
        for root in &mut self.roots {
            if let [NONE, n] = *root {
                let (summand, start) = self.unknown[n as usize];
                let path = &paths[summand as usize];
                path.fill_view(&self.below[start as usize..], view);
                *root = store.intern_below(path, view);
            }
        }
    }

    /// Removes the last state, whose steps may be incomplete.
    pub fn forget_last(&mut self) {
        let states = self.degrees.len() - 1;
        let last = self.degrees[states] as usize;
        self.truncate(states, self.labels.len() - last);
    }

    /// Retains only the first `states` states and the first `steps` steps.
    pub fn truncate(&mut self, states: usize, steps: usize) {
        self.states.end = self.states.start + u32::at(states);
        self.degrees.truncate(states);
        let before: usize = self.degrees.iter().map(|&degree| degree as usize).sum();
        if let Some(last) = self.degrees.last_mut() {
            *last -= u32::at(before - steps);
        }
        self.labels.truncate(steps);
        self.targets.truncate(steps);
        self.roots.truncate(steps);
        self.obstacle = None;
    }
}
