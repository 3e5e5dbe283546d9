//! Two systems side by side, as one graph.

use super::coarse::one_internal;
use super::compare::Limits;
use super::graph::Graph;
use super::minimise::{Equivalence, partition};
use super::stop::{Poll, Stop};
use crate::labels::Labels;
use crate::lts::Lts;
use crate::ops::divergence::divergence;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Two systems side by side.
pub struct Systems {
    pub lts: Lts,
    /// Its transitions, all internal labels as one.
    pub graph: Graph,
    /// The initial states.
    pub left: u32,
    pub right: u32,
    /// How many of the rows are those of the left system.
    left_rows: usize,
    pub limits: Limits,
}

impl Systems {
    /// Labels are equal if their bytes are; internal steps are one action, whatever they are called
    /// and whether or not a visible label of the other system is called the same.
    pub fn new(left: &Lts, right: &Lts, limits: Limits) -> Self {
        let shift = left.states;
        let mut labels = Labels::new();
        let internal = [left.internal_mask(), right.internal_mask()];
        let both = [left, right];
        const TAU: u32 = u32::MAX;
        let names: Vec<Vec<u32>> = (both.iter().zip(&internal))
            .map(|(lts, internal)| {
                let labels_of = lts.labels.iter().zip(internal);
                labels_of.map(|(name, &tau)| if tau { TAU } else { labels.intern(name) }).collect()
            })
            .collect();
        let mut name = b"tau".to_vec();
        while labels.find(&name).is_some() {
            name.push(b'\'');
        }
        let tau = labels.intern(&name);
        let mut columns: [Vec<u32>; 3] = Default::default();
        for ((lts, names), shift) in both.iter().zip(&names).zip([0, shift]) {
            columns[0].extend(lts.source.iter().map(|&s| s + shift));
            columns[1].extend(lts.label.iter().map(|&a| match names[a as usize] {
                TAU => tau,
                label => label,
            }));
            columns[2].extend(lts.target.iter().map(|&t| t + shift));
        }
        let states = left.states + right.states;
        let lts =
            Lts::from_valid(left.initial, states, columns, Arc::new(labels), Arc::new(vec![tau]));
        let graph = Graph::new(&lts, true);
        Self {
            lts,
            graph,
            left: left.initial,
            right: shift + right.initial,
            left_rows: left.transitions(),
            limits,
        }
    }

    /// The blocks of the states modulo an equivalence.
    pub fn partition(
        &self,
        equivalence: Equivalence,
        poll: Poll,
    ) -> Result<(Vec<u32>, usize), Stop> {
        partition(&one_internal(&self.lts), equivalence, poll).ok_or(Stop::Interrupted)
    }

    /// The steps of a path through one of the systems as rows of that.
    pub fn rows(&self, path: &[(u32, u32, u32)], of_left: bool) -> Vec<u32> {
        let mut found: FxHashMap<(u32, u32, u32), u32> =
            path.iter().map(|&step| (step, u32::MAX)).collect();
        let all = self.lts.transitions();
        let rows = if of_left { 0..self.left_rows } else { self.left_rows..all };
        let first = rows.start;
        for at in rows {
            let step = (self.lts.source[at], self.lts.label[at], self.lts.target[at]);
            if let Some(known) = found.get_mut(&step) {
                *known = (*known).min((at - first) as u32);
            }
        }
        path.iter().map(|step| found[step]).collect()
    }

    /// The graph with a loop of a new label at every state on a cycle of internal steps.
    pub fn with_divergence(&self, poll: Poll) -> Result<Graph, Stop> {
        let found = divergence(&self.lts, poll).ok_or(Stop::Interrupted)?;
        let mut transitions = transitions(&self.graph);
        let label = self.graph.labels as u32;
        let on_cycle = found.on_cycle.iter().enumerate().filter(|&(_, &on)| on);
        transitions.extend(on_cycle.map(|(s, _)| (s as u32, label, s as u32)));
        let graph = &self.graph;
        let labels = graph.labels + 1;
        Ok(Graph::from_transitions(graph.initial, graph.states, labels, graph.tau, transitions))
    }

    /// The blocks, and both initial states as states of their own, whose first steps all count.
    pub fn with_roots(&self, blocks: &Graph, block: &[u32]) -> (Graph, (u32, u32)) {
        let first = blocks.states as u32;
        let mut transitions = transitions(blocks);
        for (root, state) in [(first, self.left), (first + 1, self.right)] {
            let steps = self.graph.steps(state);
            transitions.extend(steps.map(|(a, t)| (root, a, block[t as usize])));
        }
        let states = blocks.states + 2;
        let (labels, tau) = (blocks.labels, blocks.tau);
        let graph = Graph::from_transitions(first, states, labels, tau, transitions);
        (graph, (first, first + 1))
    }
}

fn transitions(graph: &Graph) -> Vec<(u32, u32, u32)> {
    let states = 0..graph.states as u32;
    states.flat_map(|s| graph.steps(s).map(move |(a, t)| (s, a, t))).collect()
}

/// The graph without internal steps from a state to itself, where they are to go.
pub fn without_silent_loops(graph: &Graph, unwanted: impl Fn(u32) -> bool) -> Graph {
    let mut transitions = transitions(graph);
    transitions.retain(|&(s, a, t)| s != t || Some(a) != graph.tau || !unwanted(s));
    Graph::from_transitions(graph.initial, graph.states, graph.labels, graph.tau, transitions)
}
