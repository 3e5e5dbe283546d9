//! Transitions indexed by their target.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::csr::graph::Graph;
use crate::base::csr::grouped::Grouped;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use bytemuck::Zeroable;

/// Transitions by target, as pairs (label, source), sorted within every target.
pub type Incoming = Grouped<State, (Label, State)>;

impl Incoming {
    /// The incoming transitions of a graph.
    pub fn transitions(graph: &Graph) -> Self {
        let steps =
            || graph.each_state().flat_map(|s| graph.steps(s).map(move |(a, t)| (t, (a, s))));
        let mut incoming =
            Self::checked(graph.states, steps, &Cancel::never()).expect("not interrupted");
        incoming.groups_mut().for_each(<[_]>::sort_unstable);
        incoming
    }

    /// The transitions to a state that have this label.
    pub fn with_label(&self, state: State, label: Label) -> &[(Label, State)] {
        let steps = self.of(state);
        let from = steps.partition_point(|&(a, _)| a < label);
        let past = steps.partition_point(|&(a, _)| a <= label);
        &steps[from..past]
    }

    /// The labels of the transitions to some of these states, sorted.
    pub fn labels_into(&self, states: &[State]) -> Vec<Label> {
        let mut labels: Vec<Label> = Vec::new();
        for &state in states {
            labels.extend(self.of(state).chunk_by(|x, y| x.0 == y.0).map(|group| group[0].0));
        }
        labels.sort_unstable();
        labels.dedup();
        labels
    }
}

/// The sources of transitions by target, each with a mark that says whether the transition is
/// internal.
pub type Sources = Grouped<State, Source>;

/// The source of a transition; bit 31 is set if the transition is internal.
#[derive(Clone, Copy, Zeroable)]
#[repr(transparent)]
pub struct Source(u32);

const INTERNAL: u32 = 1 << 31;

impl Source {
    #[inline]
    pub fn state(self) -> State {
        State(self.0 & !INTERNAL)
    }

    /// Whether the transition is internal.
    #[inline]
    pub fn is_internal(self) -> bool {
        self.0 & INTERNAL != 0
    }
}

impl Sources {
    /// The incoming transitions whose source satisfies `keep`; `tau` is the internal label.
    pub fn marked(
        graph: &Forward,
        tau: Label,
        keep: impl Fn(State) -> bool,
        cancel: &Cancel,
    ) -> Result<Self> {
        let states = u32::at(graph.states());
        assert!(states < INTERNAL, "a state has 31 bits here");
        let mark = |label| if label == tau { INTERNAL } else { 0 };
        let chosen = || (0..states).map(State).filter(|&state| keep(state));
        let steps =
            || chosen().flat_map(|s| graph.steps(s).map(move |(a, t)| (t, Source(s.0 | mark(a)))));
        Self::checked(states as usize, steps, cancel)
    }
}
