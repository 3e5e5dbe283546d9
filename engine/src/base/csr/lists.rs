//! Transitions by their source: the form in which partitions are refined.

use crate::base::lts::Lts;

/// The transitions of an LTS as a set, sorted by source, label and target.
///
/// Invariant: the transitions of state s are `starts[s]..starts[s+1]`; no two are equal. Labels are
/// those of the LTS, but with `internal` all internal labels are one, the first of them.
pub struct Graph {
    pub initial: u32,
    pub states: usize,
    pub labels: usize,
    pub starts: Vec<usize>,
    pub label: Vec<u32>,
    pub target: Vec<u32>,
    /// The internal label, if there is one.
    pub tau: Option<u32>,
}

impl Graph {
    /// The graph of an LTS; `merge_internal` makes all its internal labels one.
    pub fn new(lts: &Lts, merge_internal: bool) -> Self {
        let tau = lts.internal.first().copied();
        let mut names: Vec<u32> = (0..lts.labels.len() as u32).collect();
        if merge_internal && let Some(tau) = tau {
            for &label in lts.internal.iter() {
                names[label as usize] = tau;
            }
        }
        let row = |t: usize| (lts.source[t], names[lts.label[t] as usize], lts.target[t]);
        let rows = (0..lts.transitions()).map(row);
        Self::grouped(lts.initial, lts.states as usize, lts.labels.len(), tau, rows)
    }

    /// The graph of a list of transitions (source, label, target).
    pub fn from_transitions(
        initial: u32,
        states: usize,
        labels: usize,
        tau: Option<u32>,
        transitions: Vec<(u32, u32, u32)>,
    ) -> Self {
        Self::grouped(initial, states, labels, tau, transitions.iter().copied())
    }

    fn grouped(
        initial: u32,
        states: usize,
        labels: usize,
        tau: Option<u32>,
        transitions: impl Iterator<Item = (u32, u32, u32)> + Clone,
    ) -> Self {
        // The end of every state's steps; filling backwards turns it into the start.
        let mut starts = vec![0; states + 1];
        for (source, ..) in transitions.clone() {
            starts[source as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut steps = vec![(0, 0); sum];
        for (source, label, target) in transitions {
            let place = &mut starts[source as usize];
            *place -= 1;
            steps[*place] = (label, target);
        }
        let (mut label, mut target) = (Vec::with_capacity(sum), Vec::with_capacity(sum));
        for state in 0..states {
            let steps = &mut steps[starts[state]..starts[state + 1]];
            steps.sort_unstable();
            starts[state] = label.len();
            let new = |at: usize| at == 0 || steps[at] != steps[at - 1];
            for at in (0..steps.len()).filter(|&at| new(at)) {
                label.push(steps[at].0);
                target.push(steps[at].1);
            }
        }
        starts[states] = label.len();
        Self { initial, states, labels, starts, label, target, tau }
    }

    /// Labels and targets of the transitions of a state.
    pub fn steps(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        let range = self.starts[state as usize]..self.starts[state as usize + 1];
        range.map(|t| (self.label[t], self.target[t]))
    }

    /// The targets of the transitions of a state that have this label.
    pub fn targets(&self, state: u32, label: u32) -> &[u32] {
        let range = self.starts[state as usize]..self.starts[state as usize + 1];
        let labels = &self.label[range.clone()];
        let from = range.start + labels.partition_point(|&a| a < label);
        let to = range.start + labels.partition_point(|&a| a <= label);
        &self.target[from..to]
    }

    /// The graph of blocks: `block[s]` is the block of state s, one of `blocks`.
    pub fn quotient(&self, block: &[u32], blocks: usize) -> Self {
        let mut transitions = Vec::new();
        for state in 0..self.states as u32 {
            for (label, target) in self.steps(state) {
                transitions.push((block[state as usize], label, block[target as usize]));
            }
        }
        Self::from_transitions(
            block[self.initial as usize],
            blocks,
            self.labels,
            self.tau,
            transitions,
        )
    }
}
