//! Two systems side by side, as one graph.

use crate::base::cancel::{Poll, Stop};
use crate::base::csr::graph::Graph;
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::bisimulation::minimise::{Equivalence, minimise, partition};
use crate::compare::limits::Limits;
use crate::ops::divergence::divergence;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Before anything is reduced one pair or answer is looked at for so many transitions, ..
const NEAR_SHARE: usize = 16;
/// .. and these.
const NEAR_LEAST: usize = 1 << 12;

/// Two systems side by side.
pub struct Systems {
    /// Both with one label table, all internal labels as one.
    sides: [Lts; 2],
    /// Both as one, the states of the right system after those of the left one.
    pub lts: Lts,
    /// Its transitions.
    pub graph: Graph,
    /// The initial states.
    pub left: u32,
    pub right: u32,
    pub limits: Limits,
}

/// Blocks of both systems together.
pub struct Classes {
    pub graph: Graph,
    /// For every state of both systems its block.
    pub block: Vec<u32>,
    /// The blocks of the initial states.
    pub ends: (u32, u32),
}

impl Systems {
    /// Labels are equal if their bytes are; internal steps are one action, whatever they are called
    /// and whether or not a visible label of the other system is called the same.
    pub fn new(left: &Lts, right: &Lts, limits: Limits) -> Self {
        let mut labels = Labels::new();
        const TAU: u32 = u32::MAX;
        let names = [left, right].map(|lts| {
            let labels_of = lts.labels.iter().zip(lts.internal_mask());
            let number = |(name, tau)| if tau { TAU } else { labels.intern(name) };
            labels_of.map(number).collect::<Vec<u32>>()
        });
        let mut name = b"tau".to_vec();
        while labels.find(&name).is_some() {
            name.push(b'\'');
        }
        let tau = labels.intern(&name);
        let labels = Arc::new(labels);
        let side = |lts: &Lts, names: &[u32]| {
            let number = |&a: &u32| if names[a as usize] == TAU { tau } else { names[a as usize] };
            let label = Arc::new(lts.label.iter().map(number).collect());
            let internal = Arc::new(vec![tau]);
            Lts { label, labels: Arc::clone(&labels), internal, ..lts.clone() }
        };
        Self::of([side(left, &names[0]), side(right, &names[1])], limits)
    }

    fn of(sides: [Lts; 2], limits: Limits) -> Self {
        let [left, right] = &sides;
        let shift = left.states;
        let states = shift.checked_add(right.states).filter(|&states| states < u32::MAX);
        let states = states.expect("states are numbered with 32 bits");
        let rows = left.transitions() + right.transitions();
        assert!(rows < u32::MAX as usize, "rows are numbered with 32 bits");
        let side_by_side = |column: fn(&Lts) -> &[u32], shift: u32| {
            let mut both = Vec::with_capacity(rows);
            both.extend_from_slice(column(left));
            both.extend(column(right).iter().map(|&value| value + shift));
            both
        };
        let columns = [
            side_by_side(|lts| &lts.source, shift),
            side_by_side(|lts| &lts.label, 0),
            side_by_side(|lts| &lts.target, shift),
        ];
        let initial = left.initial;
        let (labels, internal) = (Arc::clone(&left.labels), Arc::clone(&left.internal));
        let lts = Lts::from_valid(initial, states, columns, labels, internal);
        let graph = Graph::new(&lts, false);
        Self { lts, graph, left: initial, right: shift + right.initial, sides, limits }
    }

    /// How much is looked at before anything is reduced: not much of what that takes.
    pub fn near(&self) -> usize {
        self.limits.near.min(self.lts.transitions() / NEAR_SHARE + NEAR_LEAST)
    }

    /// The least systems, with the same labels; none if they are equal. Each is reduced by itself,
    /// which takes as long as that takes.
    pub fn reduced(&self, equivalence: Equivalence, poll: Poll) -> Result<Option<Self>, Stop> {
        let least = |lts: &Lts, poll: Poll| {
            let (least, _) = minimise(lts, equivalence, false, poll).ok_or(Stop::Interrupted)?;
            let names: Vec<u32> = least
                .labels
                .iter()
                .map(|name| lts.labels.find(name).expect("no label is new"))
                .collect();
            let label = least.label.iter().map(|&label| names[label as usize]).collect();
            let (labels, internal) = (Arc::clone(&lts.labels), Arc::clone(&lts.internal));
            Ok(Lts { label: Arc::new(label), labels, internal, ..least })
        };
        let [left, right] = &self.sides;
        let (left, right) = (least(left, poll)?, least(right, poll)?);
        let columns = |lts: &Lts| [lts.source.clone(), lts.label.clone(), lts.target.clone()];
        if left.states == right.states && columns(&left) == columns(&right) {
            return Ok(None);
        }
        Ok(Some(Self::of([left, right], self.limits)))
    }

    /// The blocks of the states modulo an equivalence.
    pub fn classes(&self, equivalence: Equivalence, poll: Poll) -> Result<Classes, Stop> {
        let (block, blocks) = partition(&self.lts, equivalence, poll).ok_or(Stop::Interrupted)?;
        let graph = self.graph.quotient(&block, blocks);
        let ends = (block[self.left as usize], block[self.right as usize]);
        Ok(Classes { graph, block, ends })
    }

    /// The steps of a path through one of the systems as rows of that.
    pub fn rows(&self, path: &[(u32, u32, u32)], of_left: bool) -> Vec<u32> {
        let mut found: FxHashMap<(u32, u32, u32), u32> =
            path.iter().map(|&step| (step, u32::MAX)).collect();
        let all = self.lts.transitions();
        let left_rows = self.sides[0].transitions();
        let rows = if of_left { 0..left_rows } else { left_rows..all };
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
