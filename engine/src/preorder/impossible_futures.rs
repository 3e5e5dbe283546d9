//! Impossible futures: sets of traces that a state cannot do.
//!
//! A system has the impossible future (s, X) if after the trace s it can be in a state that has none of
//! the traces in X (van Glabbeek and Voorhoeve, Liveness, fairness and impossible futures, CONCUR
//! 2006). So one refines another if for every state that a trace leads to in it, the trace leads to a
//! state of the other with no more traces than that one.

use crate::base::cancel::{Cancel, Result, Stopped};
use crate::base::csr::graph::Graph;
use crate::base::ids::{Label, State};
use crate::base::marks::Marks;
use crate::ops::tau_closure::close;
use crate::preorder::model::{Bounds, Model};
use rustc_hash::FxHashMap;

/// What compares the traces of two states.
pub(crate) trait Missing {
    /// A shortest trace that one state has and the other has not.
    fn missing(
        &mut self,
        has: State,
        lacks: State,
        most: Bounds,
        cancel: &Cancel,
    ) -> Result<Option<Vec<Label>>>;
}

/// Which traces states have that others have not, as far as that was looked at.
pub(crate) struct Futures<'a, S> {
    graph: &'a Graph,
    model: Model,
    pub(crate) search: S,
    marks: Marks,
    /// For a state and another one a shortest trace that the first has and the other has not.
    known: FxHashMap<(State, State), Option<Vec<Label>>>,
}

impl<'a, S: Missing> Futures<'a, S> {
    /// `model` is of traces: it says which, and `search` compares them.
    pub(crate) fn new(graph: &'a Graph, model: Model, search: S) -> Self {
        let marks = Marks::new(graph.states);
        Self { graph, model, search, marks, known: FxHashMap::default() }
    }

    /// Traces that `state` does not have, of which every one of `others` has one; none of them is
    /// superfluous. None if some other has no more traces than `state`.
    pub(crate) fn impossible(
        &mut self,
        state: State,
        others: &[State],
        most: Bounds,
        cancel: &Cancel,
    ) -> Result<Option<Vec<Vec<Label>>>> {
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
            let rest = |&place: &usize| place != at;
            let needed = others.iter().any(|&other| {
                let mut kept = (0..chosen.len()).filter(rest);
                !kept.any(|place| self.has(other, &chosen[place]))
            });
            if !needed {
                chosen.remove(at);
            }
        }
        chosen.sort_unstable_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        Ok(Some(chosen))
    }

    fn missing(
        &mut self,
        has: State,
        lacks: State,
        most: Bounds,
        cancel: &Cancel,
    ) -> Result<Option<Vec<Label>>> {
        if let Some(known) = self.known.get(&(has, lacks)) {
            return Ok(known.clone());
        }
        if self.known.len() >= most.pairs {
            return Err(Stopped::Limit);
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
