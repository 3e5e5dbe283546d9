//! The summands to be evaluated in a block of states, and their results.

use crate::base::bitset::members;
use crate::base::ids::Id;
use crate::process::store::Block;
use crate::process::summand_index::{Candidates, TestResults};
use std::ops::Range;

/// A summand that may have steps in a state.
#[derive(Clone, Default)]
pub struct Task {
    /// The position of the state in the block.
    pub at: u32,
    pub summand: u32,
    /// Whether one of its tests is undecided.
    pub is_undecided: bool,
    pub location: StepLocation,
    /// The number of its steps, and the position of the first in the chunk.
    pub count: u32,
    pub first: u32,
    /// The position of the first of its derived new values.
    pub updates: u32,
}

/// The location of the steps of a task.
#[derive(Clone, Copy, Default)]
pub enum StepLocation {
    #[default]
    Nothing,
    /// In this entry of the summand's table.
    Entry(u32),
    /// In computed steps, from this position on.
    Own(u32),
    /// To be computed, and stored under the key at this position unless it is `NONE`.
    Missing(u32),
}

/// The tasks of a block, ordered by state and summand; also grouped by summand.
#[derive(Default)]
pub struct Tasks {
    pub all: Vec<Task>,
    /// The numbers of the tasks, group by group.
    order: Vec<u32>,
    /// The summand of each group, and the range of its tasks in `order`.
    groups: Vec<(u32, Range<u32>)>,
    results: TestResults,
    /// For each state the number of its next task.
    next: Vec<u32>,
}

impl Tasks {
    /// Collects the tasks of a block of `states` states.
    pub fn find(&mut self, candidates: &Candidates, block: &Block, states: usize) {
        let Self { all, order, groups, results, next } = self;
        candidates.find(block, states, results);
        let words = states.div_ceil(64);
        let states_of = |group: usize| members::<u32>(&results.states[group * words..][..words]);
        next.clear();
        next.resize(states, 0);
        for group in 0..results.summands.len() {
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
        for (group, &summand) in results.summands.iter().enumerate() {
            let start = u32::at(order.len());
            for at in states_of(group) {
                let number = next[at as usize];
                next[at as usize] += 1;
                let is_undecided = candidates.is_undecided(summand, at, results);
                all[number as usize] = Task { at, summand, is_undecided, ..Task::default() };
                order.push(number);
            }
            groups.push((summand, start..u32::at(order.len())));
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

    /// All tasks, and the numbers of those in a group, in order.
    pub fn group_of(&mut self, group: usize) -> (&mut [Task], &[u32]) {
        let Range { start, end } = self.groups[group].1;
        (&mut self.all, &self.order[start as usize..end as usize])
    }
}
