//! The models of refinement, the differences that they observe, and the bounds of a search.

use crate::base::ids::Label;

/// A semantic model by which systems are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Traces, with internal steps as part of them.
    Traces,
    /// Traces without internal steps.
    WeakTraces,
    /// Traces, and what a state refuses after one; internal steps are treated like others.
    StrongFailures,
    /// Weak traces, and what a stable state refuses after one.
    Failures,
    /// Weak traces; a label that a stable state offers after one, with what the state refuses; and
    /// deadlocks (Reed, Roscoe and Sinclair, Responsiveness and stable revivals, 2007).
    Revivals,
    /// Traces, and after each the sets of traces that some state there lacks; internal steps are
    /// treated like others.
    StrongImpossibleFutures,
    /// Impossible futures with weak traces.
    ImpossibleFutures,
    /// Failures and divergences; after a divergence everything is allowed.
    FailuresDivergences,
}

/// A behaviour of the implementation that the specification does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The labels of the trace; it contains internal steps only if the model counts them.
    pub trace: Vec<Label>,
    pub end: End,
}

/// What follows the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<L = Label> {
    /// Nothing: the trace itself is the difference.
    Done,
    /// A stable state that refuses these labels.
    Refuses(Vec<L>),
    /// A stable state that offers a label and refuses these.
    Offers(L, Vec<L>),
    /// A state that has none of these traces.
    Lacks(Vec<Vec<L>>),
    /// An infinite run of internal steps.
    Diverges,
}

impl End {
    /// The same with names for labels.
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

/// The bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most pairs, and the most successors of sets under labels.
    pub pairs: usize,
    /// The most members of sets that may be visited.
    pub work: usize,
}

impl Model {
    /// The model of the preorder of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "trace" => Self::Traces,
            "weak-trace" => Self::WeakTraces,
            "strong-failures" => Self::StrongFailures,
            "failures" => Self::Failures,
            "revivals" => Self::Revivals,
            "strong-impossible-futures" => Self::StrongImpossibleFutures,
            "impossible-futures" => Self::ImpossibleFutures,
            "failures-divergences" => Self::FailuresDivergences,
            _ => return None,
        })
    }

    /// Whether the model is a trace model, without refusals, futures or divergences.
    pub fn is_of_traces(self) -> bool {
        matches!(self, Self::Traces | Self::WeakTraces)
    }

    /// Whether internal steps are treated like others.
    pub fn counts_internal(self) -> bool {
        matches!(self, Self::Traces | Self::StrongFailures | Self::StrongImpossibleFutures)
    }

    /// The trace model of the futures, for the models of impossible futures.
    pub(crate) fn futures(self) -> Option<Self> {
        match self {
            Self::StrongImpossibleFutures => Some(Self::Traces),
            Self::ImpossibleFutures => Some(Self::WeakTraces),
            _ => None,
        }
    }

    /// Whether the model distinguishes divergent states, as these are never stable.
    pub fn sees_divergence(self) -> bool {
        matches!(self, Self::Failures | Self::Revivals | Self::FailuresDivergences)
    }
}
