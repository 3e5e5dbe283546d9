//! Which summands are to be looked at in a block of states, and what is found of each.

use crate::base::bitset::members;
use crate::lpe::store::Block;
use crate::lpe::summand_index::{Candidates, TestRows};
use std::ops::Range;

/// A summand that may have steps in a state.
#[derive(Clone, Default)]
pub struct Task {
    /// The state's place in the block.
    pub at: u32,
    pub summand: u32,
    /// Whether one of its tests has no truth value.
    pub doubt: bool,
    pub found: Found,
    /// Its steps: how many, and where the first is in the chunk.
    pub count: u32,
    pub first: u32,
    /// Where the new values are that are derived.
    pub updates: u32,
}

/// Where the steps of a task are.
#[derive(Clone, Copy, Default)]
pub enum Found {
    #[default]
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
    rows: TestRows,
    /// For each state where its next task is to be.
    next: Vec<u32>,
}

impl Tasks {
    /// Takes all tasks of a block of so many states.
    pub fn find(&mut self, candidates: &Candidates, block: &Block, states: usize) {
        let Self { all, order, groups, rows, next } = self;
        candidates.find(block, states, rows);
        let words = states.div_ceil(64);
        let states_of = |group: usize| members::<u32>(&rows.states[group * words..][..words]);
        next.clear();
        next.resize(states, 0);
        for group in 0..rows.summands.len() {
            states_of(group).for_each(|at| next[at as usize] += 1);
        }
        let mut count = 0;
        for first in &mut *next {
            count += std::mem::replace(first, count);
        }
        all.clear();
        all.resize(count as usize, Task::default());
        order.clear();
        groups.clear();
        for (group, &summand) in rows.summands.iter().enumerate() {
            let start = order.len() as u32;
            for at in states_of(group) {
                let number = next[at as usize];
                next[at as usize] += 1;
                let doubt = candidates.is_doubtful(summand, at, rows);
                all[number as usize] = Task { at, summand, doubt, ..Task::default() };
                order.push(number);
            }
            groups.push((summand, start..order.len() as u32));
        }
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
}
