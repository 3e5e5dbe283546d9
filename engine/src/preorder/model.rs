//! What refinements are about: the models, what makes a difference in them, and what bounds a search.

use crate::base::ids::Label;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Traces; internal steps count.
    Traces,
    /// Traces without internal steps.
    WeakTraces,
    /// Traces, and what a state refuses after one; internal steps are steps as any other.
    StrongFailures,
    /// Weak traces, and what a stable state refuses after one.
    Failures,
    /// Weak traces, and a label that a stable state offers after one, with what it refuses; and
    /// deadlocks (Reed, Roscoe and Sinclair, Responsiveness and stable revivals, 2007).
    Revivals,
    /// Traces, and sets of traces of which a state after one has none; internal steps are steps as any
    /// other.
    StrongImpossibleFutures,
    /// The same of weak traces.
    ImpossibleFutures,
    /// Failures and divergences; after a divergence everything is allowed.
    FailuresDivergences,
}

/// What the implementation does and the specification does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The labels of the trace; internal steps among them only if the model counts them.
    pub trace: Vec<Label>,
    pub end: End,
}

/// What follows after the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<L = Label> {
    /// The trace itself is the difference.
    Done,
    /// A stable state that refuses these labels.
    Refuses(Vec<L>),
    /// A stable state that offers a label, and refuses these.
    Offers(L, Vec<L>),
    /// A state that has none of these traces.
    Lacks(Vec<Vec<L>>),
    /// Internal steps without end.
    Diverges,
}

impl End {
    /// With names for labels.
    pub fn named<M>(&self, name: impl Fn(Label) -> M) -> End<M> {
        let names = |labels: &Vec<Label>| labels.iter().map(|&label| name(label)).collect();
        match self {
            Self::Done => End::Done,
            Self::Refuses(labels) => End::Refuses(names(labels)),
            Self::Offers(label, refused) => End::Offers(name(*label), names(refused)),
            Self::Lacks(traces) => End::Lacks(traces.iter().map(names).collect()),
            Self::Diverges => End::Diverges,
        }
    }
}

/// What bounds a search.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Pairs, and sets that follow a set by a label.
    pub pairs: usize,
    /// Members of sets that are looked at.
    pub work: usize,
}

impl Model {
    /// Whether only traces count.
    pub fn is_of_traces(self) -> bool {
        matches!(self, Self::Traces | Self::WeakTraces)
    }

    /// Whether internal steps are steps as any other.
    pub fn counts_internal(self) -> bool {
        matches!(self, Self::Traces | Self::StrongFailures | Self::StrongImpossibleFutures)
    }

    /// The traces that an impossible future is about.
    pub(crate) fn futures(self) -> Option<Self> {
        match self {
            Self::StrongImpossibleFutures => Some(Self::Traces),
            Self::ImpossibleFutures => Some(Self::WeakTraces),
            _ => None,
        }
    }

    /// Whether it can be told that internal steps go on forever: such a state is never stable.
    pub fn sees_divergence(self) -> bool {
        matches!(self, Self::Failures | Self::Revivals | Self::FailuresDivergences)
    }
}
