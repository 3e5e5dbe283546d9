//! The search for deadlocks and actions, and shortest traces to them.

use crate::base::ids::Id;
use crate::base::paths::path_to;
use crate::group::permutation::Permutation;
use crate::process::chunk::Chunk;
use crate::process::store::NONE;
use crate::process::successors::Expander;

/// The goals of a search, and how many results are enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Query {
    pub deadlocks: bool,
    /// Whether there are labels to search for.
    pub actions: bool,
    /// The number of results after which the search stops; `None` means all.
    pub enough: Option<usize>,
}

impl Query {
    /// Whether anything is searched for.
    pub fn any(&self) -> bool {
        let Self { deadlocks, actions, enough: _ } = *self;
        deadlocks || actions
    }
}

/// A result: a state without steps, or the first step with a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    pub state: u32,
    /// The label and the target of the step.
    pub step: Option<(u32, u32)>,
}

/// A trace. Each step is a label and the number of its target, counted from 1, among the targets of
/// steps with this label.
pub struct Trace {
    /// Whether the trace leads to a deadlock; otherwise its last step is the one searched for.
    pub deadlock: bool,
    pub steps: Vec<(Vec<u8>, u32)>,
    /// If orbits were explored, the representative's step that each step is the image of.
    pub preimages: Vec<Preimage>,
}

/// The step of an orbit's representative that a step of a run is the image of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preimage {
    pub label: Vec<u8>,
    /// The element of the group that maps it to the step of the run.
    pub element: Permutation,
}

/// The results so far, and for each state the one from which it was first reached.
pub struct GoalSearch {
    pub query: Query,
    pub goals: Vec<Goal>,
    parents: Vec<u32>,
    /// For every label whether it is searched for; `None` if that is not known yet.
    labels: Vec<Option<bool>>,
}

impl GoalSearch {
    /// No results; the initial state is state 0.
    pub fn new(query: Query) -> Self {
        Self { query, goals: Vec::new(), parents: vec![NONE], labels: Vec::new() }
    }

    /// Records that the next new state was first reached from `parent`.
    pub fn visit(&mut self, parent: u32) {
        self.parents.push(parent);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.parents[..])
    }

    /// Records that a state is a deadlock; returns whether the search is complete.
    pub fn deadlock(&mut self, state: u32) -> bool {
        self.query.deadlocks && self.goal(Goal { state, step: None })
    }

    /// Records a step; returns whether the search is complete. `is_goal` is called once for every
    /// label, and only the first step with a label is recorded.
    pub fn step(
        &mut self,
        state: u32,
        label: u32,
        target: u32,
        is_goal: impl FnOnce() -> bool,
    ) -> bool {
        if self.labels.len() <= label as usize {
            self.labels.resize(label as usize + 1, None);
        }
        let known = &mut self.labels[label as usize];
        let first = known.is_none() && is_goal();
        *known = Some(first);
        first && self.goal(Goal { state, step: Some((label, target)) })
    }

    fn goal(&mut self, goal: Goal) -> bool {
        self.goals.push(goal);
        self.query.enough.is_some_and(|enough| self.goals.len() >= enough)
    }

    /// The shortest trace to a goal. Recomputes the steps on the way, with at most `cap` values of
    /// a sum.
    pub fn trace(
        &self,
        goal: Goal,
        expander: &mut Expander<'_, '_>,
        labels: impl Fn(u32) -> Vec<u8>,
        cap: usize,
    ) -> Trace {
        let parent = |at: u32| self.parents.get(at as usize).filter(|&&parent| parent != NONE);
        let path = path_to(goal.state, |at| parent(at).map(|&parent| (parent, (parent, at))));
        let mut chunk = Chunk::default();
        let mut steps = Vec::new();
        let mut state_steps = |state: u32, label: Option<u32>, target: u32| {
            expander.expand(state..state + 1, cap, &mut chunk);
            let mut steps_to = chunk.targets.iter().zip(&chunk.labels);
            let at = steps_to
                .position(|(&t, &l)| t == target && label.is_none_or(|label| l == label))
                .expect("a state that was visited from another is one of its targets");
            steps.push((labels(chunk.labels[at]), choice(&chunk.labels, &chunk.targets, at)));
        };
        for (state, target) in path {
            state_steps(state, None, target);
        }
        if let Some((label, target)) = goal.step {
            state_steps(goal.state, Some(label), target);
        }
        Trace { deadlock: goal.step.is_none(), steps, preimages: Vec::new() }
    }
}

/// The rank, from 1, of the target of step `at` among the targets of steps with its label. The step
/// must be the first with this label and target.
pub fn choice<T: Copy + PartialEq>(labels: &[u32], targets: &[T], at: usize) -> u32 {
    let mut same: Vec<T> = Vec::new();
    for (&target, _) in targets.iter().zip(&labels[..at]).filter(|&(_, &l)| l == labels[at]) {
        if !same.contains(&target) {
            same.push(target);
        }
    }
    u32::at(same.len()) + 1
}
