//! Looking for deadlocks and for actions, and the shortest traces that lead there.

use crate::lpe::chunk::Chunk;
use crate::lpe::store::NONE;
use crate::lpe::successors::Expander;

/// What is looked for, and how many are enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    pub deadlocks: bool,
    /// Whether there are labels to look for.
    pub actions: bool,
    /// The search ends with so many; none means all.
    pub enough: Option<usize>,
}

/// What was found: a state without steps, or the first step with a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    pub state: u32,
    /// The step's label and target.
    pub step: Option<(u32, u32)>,
}

/// A trace: labels, and which of the states that steps with this label lead to, counted from 1.
pub struct Trace {
    /// Whether it leads to a deadlock, else its last step is what was looked for.
    pub deadlock: bool,
    pub steps: Vec<(Vec<u8>, u32)>,
}

/// What was found so far, and where each state was visited first.
pub struct Search {
    pub wanted: Wanted,
    pub goals: Vec<Goal>,
    parents: Vec<u32>,
    /// For every label whether it is looked for: not known yet, no, or yes.
    labels: Vec<Option<bool>>,
}

impl Search {
    /// Nothing found; the initial state is state 0.
    pub fn new(wanted: Wanted) -> Self {
        Self { wanted, goals: Vec::new(), parents: vec![NONE], labels: Vec::new() }
    }

    /// Notes that a new state is visited first from `parent`.
    pub fn visit(&mut self, parent: u32) {
        self.parents.push(parent);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.parents[..])
    }

    /// Notes that a state has no steps; true if that is enough.
    pub fn deadlock(&mut self, state: u32) -> bool {
        self.wanted.deadlocks && self.goal(Goal { state, step: None })
    }

    /// Notes a step; true if that is enough. `is_wanted` is called once for every label, and only the
    /// first step with a label counts.
    pub fn step(
        &mut self,
        state: u32,
        label: u32,
        target: u32,
        is_wanted: impl FnOnce() -> bool,
    ) -> bool {
        if self.labels.len() <= label as usize {
            self.labels.resize(label as usize + 1, None);
        }
        let wanted = &mut self.labels[label as usize];
        let first = wanted.is_none() && is_wanted();
        *wanted = Some(first);
        first && self.goal(Goal { state, step: Some((label, target)) })
    }

    fn goal(&mut self, goal: Goal) -> bool {
        self.goals.push(goal);
        self.wanted.enough.is_some_and(|enough| self.goals.len() >= enough)
    }

    /// The shortest trace to a goal. States are looked at once more, with `cap` values of a sum.
    pub fn trace(
        &self,
        goal: Goal,
        expander: &mut Expander<'_, '_>,
        labels: impl Fn(u32) -> Vec<u8>,
        cap: usize,
    ) -> Trace {
        let mut path = vec![goal.state];
        while let Some(&parent) = self.parents.get(path[path.len() - 1] as usize)
            && parent != NONE
        {
            path.push(parent);
        }
        path.reverse();
        let mut chunk = Chunk::default();
        let mut steps = Vec::new();
        let mut state_steps = |state: u32, label: Option<u32>, target: u32| {
            expander.expand(state..state + 1, cap, &mut chunk);
            let mut found = chunk.targets.iter().zip(&chunk.labels);
            let at = found
                .position(|(&t, &l)| t == target && label.is_none_or(|label| l == label))
                .expect("a state that was visited from another is one of its targets");
            steps.push((labels(chunk.labels[at]), choice(&chunk.labels, &chunk.targets, at)));
        };
        for pair in path.windows(2) {
            state_steps(pair[0], None, pair[1]);
        }
        if let Some((label, target)) = goal.step {
            state_steps(goal.state, Some(label), target);
        }
        Trace { deadlock: goal.step.is_none(), steps }
    }
}

/// Which of the states that steps with the label of step `at` lead to its target is, counted from 1;
/// the step is the first with this label and target.
pub fn choice<T: Copy + PartialEq>(labels: &[u32], targets: &[T], at: usize) -> u32 {
    let mut same: Vec<T> = Vec::new();
    for (&target, _) in targets.iter().zip(&labels[..at]).filter(|&(_, &l)| l == labels[at]) {
        if !same.contains(&target) {
            same.push(target);
        }
    }
    same.len() as u32 + 1
}
