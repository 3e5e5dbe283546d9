//! Which summands are to be looked at in a block of states, and what is found of each.

use crate::lpe::store::Block;
use crate::lpe::summand_index::{Candidate, Candidates};
use std::ops::Range;

/// A summand that may have steps in a state.
pub struct Task {
    /// The state's place in the block.
    pub at: u32,
    pub candidate: Candidate,
    pub found: Found,
    /// Its steps: how many, and where the first is in the chunk.
    pub count: u32,
    pub first: u32,
    /// Where the new values are that are derived.
    pub updates: u32,
}

/// Where the steps of a task are.
#[derive(Clone, Copy)]
pub enum Found {
    Nothing,
    /// An entry of the summand's table.
    Entry(u32),
    /// Rows that were computed and begin here.
    Own(u32),
    /// To be computed, and kept under the key that begins here, if not `NONE`.
    Missing(u32),
}

/// The tasks of a block, in the order of the states and their summands; and in groups, one for each
/// summand.
#[derive(Default)]
pub struct Tasks {
    pub all: Vec<Task>,
    /// The numbers of the tasks, group by group.
    order: Vec<u32>,
    /// The summand of each group, and where its tasks are in `order`.
    groups: Vec<(u32, Range<u32>)>,
    /// For each summand, while tasks are grouped, how many it has, then where they end; else 0.
    sizes: Vec<u32>,
    candidates: Vec<Candidate>,
}

impl Tasks {
    /// No tasks yet, of a process with so many summands.
    pub fn new(summands: usize) -> Self {
        Self { sizes: vec![0; summands], ..Self::default() }
    }

    /// Takes all tasks of a block of so many states.
    pub fn find(&mut self, candidates: &Candidates, block: &Block, states: usize) {
        self.all.clear();
        for at in 0..states {
            candidates.of(block, at, &mut self.candidates);
            self.all.extend(self.candidates.iter().map(|&candidate| Task {
                at: at as u32,
                candidate,
                found: Found::Nothing,
                count: 0,
                first: 0,
                updates: 0,
            }));
        }
        self.group();
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The summand of a group.
    pub fn summand(&self, group: usize) -> usize {
        self.groups[group].0 as usize
    }

    /// All tasks, and the numbers of those of a group, in order.
    pub fn group_of(&mut self, group: usize) -> (&mut [Task], &[u32]) {
        let Range { start, end } = self.groups[group].1;
        (&mut self.all, &self.order[start as usize..end as usize])
    }

    fn group(&mut self) {
        self.groups.clear();
        for task in &self.all {
            let size = &mut self.sizes[task.candidate.summand()];
            if *size == 0 {
                self.groups.push((task.candidate.summand() as u32, 0..0));
            }
            *size += 1;
        }
        let mut start = 0;
        for (summand, range) in &mut self.groups {
            let size = std::mem::replace(&mut self.sizes[*summand as usize], start);
            *range = start..start + size;
            start += size;
        }
        self.order.resize(self.all.len(), 0);
        for (number, task) in (0..).zip(&self.all) {
            let end = &mut self.sizes[task.candidate.summand()];
            self.order[*end as usize] = number;
            *end += 1;
        }
        for &(summand, _) in &self.groups {
            self.sizes[summand as usize] = 0;
        }
    }
}
