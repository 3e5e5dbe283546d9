//! The transitions of an LTS as a sorted set.

use crate::base::csr::Forward;
use crate::base::csr::grouped::Grouped;
use crate::base::lts::Lts;

/// The transitions of an LTS as a set, sorted by source, label and target.
///
/// Invariant: no two rows are equal. Labels are those of the LTS, but where internal ones are merged
/// all of them are one, the first of them.
pub struct Graph {
    pub initial: u32,
    pub states: usize,
    pub labels: usize,
    pub forward: Forward<'static>,
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
        let steps = transitions.map(|(source, label, target)| (source, (label, target)));
        let mut steps = Grouped::new(states, steps);
        let mut starts = Vec::with_capacity(states + 1);
        let (mut labels_of, mut target) = (Vec::new(), Vec::new());
        for steps in steps.groups_mut() {
            starts.push(target.len() as u32);
            steps.sort_unstable();
            for group in steps.chunk_by(|one, other| one == other) {
                labels_of.push(group[0].0);
                target.push(group[0].1);
            }
        }
        starts.push(target.len() as u32);
        let forward = Forward { starts, label: labels_of.into(), target: target.into() };
        Self { initial, states, labels, forward, tau }
    }

    /// Number of transitions.
    pub fn transitions(&self) -> usize {
        self.forward.target.len()
    }

    /// Labels and targets of the transitions of a state.
    #[inline]
    pub fn steps(&self, state: u32) -> impl ExactSizeIterator<Item = (u32, u32)> {
        self.forward.rows(state)
    }

    /// The targets of the transitions of a state that have this label.
    pub fn targets(&self, state: u32, label: u32) -> &[u32] {
        let range = self.forward.range(state);
        let labels = &self.forward.label[range.clone()];
        let from = range.start + labels.partition_point(|&a| a < label);
        let to = range.start + labels.partition_point(|&a| a <= label);
        &self.forward.target[from..to]
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
