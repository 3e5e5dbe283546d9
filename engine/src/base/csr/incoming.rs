//! Transitions by their target.

use crate::base::cancel::Poll;
use crate::base::csr::Forward;
use crate::base::csr::graph::Graph;
use crate::base::csr::grouped::Grouped;

/// Transitions by target, as (label, source), sorted for every state.
pub type Incoming = Grouped<u32, (u32, u32)>;

impl Incoming {
    /// Of a graph.
    pub fn transitions(graph: &Graph) -> Self {
        let states = || 0..graph.states as u32;
        let steps = || states().flat_map(|s| graph.steps(s).map(move |(a, t)| (t, (a, s))));
        let mut incoming =
            Self::polled(graph.states, steps, &mut || true).expect("not interrupted");
        incoming.groups_mut().for_each(<[_]>::sort_unstable);
        incoming
    }

    /// Those to a state that have this label.
    pub fn with_label(&self, state: u32, label: u32) -> &[(u32, u32)] {
        let steps = self.of(state);
        let from = steps.partition_point(|&(a, _)| a < label);
        let past = steps.partition_point(|&(a, _)| a <= label);
        &steps[from..past]
    }

    /// The labels of the transitions to some of these states, sorted.
    pub fn labels_into(&self, states: &[u32]) -> Vec<u32> {
        let mut labels: Vec<u32> = Vec::new();
        for &state in states {
            labels.extend(self.of(state).chunk_by(|x, y| x.0 == y.0).map(|group| group[0].0));
        }
        labels.sort_unstable();
        labels.dedup();
        labels
    }
}

/// Sources by target; bit 31 of one ([`INTERNAL`]) is set if its step is internal.
pub type Sources = Grouped<u32, u32>;

/// Marks an internal step.
pub const INTERNAL: u32 = 1 << 31;

impl Sources {
    /// The sources for which `keep` holds; `tau` is the internal label.
    pub fn marked(
        graph: &Forward,
        tau: u32,
        keep: impl Fn(u32) -> bool,
        poll: Poll,
    ) -> Option<Self> {
        let states = graph.states() as u32;
        assert!(states < INTERNAL, "a state has 31 bits here");
        let mark = |label| if label == tau { INTERNAL } else { 0 };
        let kept = || (0..states).filter(|&state| keep(state));
        let steps = || kept().flat_map(|s| graph.rows(s).map(move |(a, t)| (t, s | mark(a))));
        Self::polled(states as usize, steps, poll)
    }
}
