//! The steps of some states in a row, on their way from being found to being written.

use crate::lpe::process::stop::Stop;
use crate::lpe::store::{NONE, Path, Store};
use std::ops::Range;

/// The steps of some states in a row.
///
/// Invariant: `labels`, `targets` and `roots` have an entry a step, in the order of the states
/// and, within one, of the summands; `degrees` says how many each state has.
#[derive(Default)]
pub struct Chunk {
    /// The states looked at; fewer than requested if there was trouble with the last.
    pub states: Range<u32>,
    pub degrees: Vec<u32>,
    pub labels: Vec<u32>,
    /// Where each step leads to, `NONE` if that state has no number yet.
    pub targets: Vec<u32>,
    /// The pair at the root of each target; `[NONE, n]` if it has a node that is new, which is number
    /// `n` of `unknown`.
    pub roots: Vec<[u32; 2]>,
    /// The summand that such a step is of, and where in `below` the numbers begin that the target is
    /// found by, along the path of the summand.
    pub unknown: Vec<(u32, u32)>,
    pub below: Vec<u32>,
    /// What went wrong with the last state; its steps are those found before.
    pub obstacle: Option<Obstacle>,
}

/// Why not all steps of a state were found.
pub enum Obstacle {
    /// A sum of this summand has more values than were to be tried.
    Values(usize),
    Failed(Stop),
}

impl Chunk {
    /// Forgets everything but the memory.
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

    /// Gives steps the roots that were not known while their nodes had no numbers. `paths` are those
    /// of what each summand writes, `view` is scratch.
    pub fn complete(&mut self, paths: &[Path], store: &mut Store, view: &mut [u32]) {
        for root in &mut self.roots {
            if let [NONE, n] = *root {
                let (summand, start) = self.unknown[n as usize];
                let path = &paths[summand as usize];
                path.lay(&self.below[start as usize..], view);
                *root = store.intern_below(path, view);
            }
        }
    }

    /// Leaves out the last state, whose steps may not be all.
    pub fn forget_last(&mut self) {
        let states = self.degrees.len() - 1;
        let last = self.degrees[states] as usize;
        self.truncate(states, self.labels.len() - last);
    }

    /// Leaves out all but the first `states` states and the first `steps` steps.
    pub fn truncate(&mut self, states: usize, steps: usize) {
        self.states.end = self.states.start + states as u32;
        self.degrees.truncate(states);
        let before: usize = self.degrees.iter().map(|&degree| degree as usize).sum();
        if let Some(last) = self.degrees.last_mut() {
            *last -= (before - steps) as u32;
        }
        self.labels.truncate(steps);
        self.targets.truncate(steps);
        self.roots.truncate(steps);
        self.obstacle = None;
    }
}
