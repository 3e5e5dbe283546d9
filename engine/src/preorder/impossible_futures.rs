//! Impossible futures: sets of traces that a state cannot do.
//!
//! A system has the impossible future (s, X) if after the trace s it can be in a state that has
//! none of the traces in X (van Glabbeek and Voorhoeve, Liveness, fairness and impossible futures,
//! CONCUR 2006). So an implementation refines a specification if, for every state that a trace
//! leads to in the implementation, the same trace leads to a state of the specification whose
//! traces are a subset of that state's traces.

use crate::base::cancel::{Cancel, Limited, NoResult};
use crate::base::csr::graph::Graph;
use crate::base::ids::{Label, State};
use crate::base::marks::Marks;
use crate::ops::tau_closure::close;
use crate::preorder::model::{Bounds, Model};
use rustc_hash::FxHashMap;

/// Trace inclusion of two states.
pub(crate) trait Missing {
    /// A shortest trace that state `has` has and state `lacks` lacks; `None` if there is none.
    fn missing(
        &mut self,
        has: State,
        lacks: State,
        most: Bounds,
        cancel: &Cancel,
    ) -> Limited<Option<Vec<Label>>>;
}

/// The impossible futures of states, with a cache of the traces found so far.
pub(crate) struct Futures<'a, S> {
    graph: &'a Graph,
    model: Model,
    pub(crate) search: S,
    marks: Marks,
    /// For (first, second) a shortest trace of the first state that the second lacks.
    known: FxHashMap<(State, State), Option<Vec<Label>>>,
}

impl<'a, S: Missing> Futures<'a, S> {
    /// `model` is the trace model of the futures; `search` compares traces in it.
    pub(crate) fn new(graph: &'a Graph, model: Model, search: S) -> Self {
        let marks = Marks::new(graph.states);
        Self { graph, model, search, marks, known: FxHashMap::default() }
    }

    /// A set of traces that `state` lacks, such that each of `others` has one of them; none is
    /// redundant. `None` if the traces of one of `others` are all traces of `state`.
    pub(crate) fn impossible(
        &mut self,
        state: State,
        others: &[State],
        most: Bounds,
        cancel: &Cancel,
    ) -> Limited<Option<Vec<Vec<Label>>>> {
        let mut chosen: Vec<Vec<Label>> = Vec::new();
        for &other in others {
            if chosen.iter().any(|trace| self.has(other, trace)) {
                continue;
            }
            match self.missing(other, state, most, cancel)? {
                Some(trace) => chosen.push(trace),
                None => return Ok(None),
            }
        }
        for at in (0..chosen.len()).rev() {
            let rest = |&position: &usize| position != at;
            let needed = others.iter().any(|&other| {
                let mut remaining = (0..chosen.len()).filter(rest);
                !remaining.any(|position| self.has(other, &chosen[position]))
            });
            if !needed {
                chosen.remove(at);
            }
        }
        chosen.sort_unstable_by(|left, right| (left.len(), left).cmp(&(right.len(), right)));
        Ok(Some(chosen))
    }

    fn missing(
        &mut self,
        has: State,
        lacks: State,
        most: Bounds,
        cancel: &Cancel,
    ) -> Limited<Option<Vec<Label>>> {
        if let Some(known) = self.known.get(&(has, lacks)) {
            return Ok(known.clone());
        }
        if self.known.len() >= most.pairs {
            return Err(NoResult::Limit);
        }
        let trace = self.search.missing(has, lacks, most, cancel)?;
        self.known.insert((has, lacks), trace.clone());
        Ok(trace)
    }

    /// Whether a state has a trace.
    fn has(&mut self, state: State, trace: &[Label]) -> bool {
        let mut states = vec![state];
        for &label in trace {
            if !self.model.counts_internal() {
                close(self.graph, &mut self.marks, &mut states);
            }
            let targets = states.iter().flat_map(|&state| self.graph.targets(state, label));
            states = targets.copied().collect();
            self.marks.clear();
            states.retain(|&state| self.marks.mark(state));
        }
        !states.is_empty()
    }
}
