//! The disjoint union of two systems, as one graph.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::graph::{Graph, Transition};
use crate::base::ids::Id;
use crate::base::ids::{Block, Label, State};
use crate::base::label_table::Labels;
use crate::base::lts::{FirstSpellings, Lts};
use crate::base::memory::room;
use crate::bisimulation::minimise::{Equivalence, minimise, partition};
use crate::compare::limits::Limits;
use crate::ops::divergence::divergence;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Before reduction, the search is bounded by one pair or answer for this many transitions, ..
const NEAR_SHARE: usize = 16;
/// .. plus this many.
const NEAR_LEAST: usize = 1 << 12;

/// Two systems over one label table. Visible labels are equal if their normal forms are: they get
/// the first spelling. All internal labels become one, whatever their names, and it differs from
/// every visible label of either system.
pub fn over_common_labels(left: &Lts, right: &Lts, cancel: &Cancel) -> Result<[Lts; 2]> {
    let (mut labels, mut first) = (Labels::new(), FirstSpellings::default());
    let names = [left, right].map(|lts| {
        let labels_of = lts.labels.iter().zip(lts.internal_mask());
        let mut number = |name| labels.intern(first.of(name));
        let number = |(name, tau): (_, bool)| (!tau).then(|| number(name));
        labels_of.map(number).collect::<Vec<_>>()
    });
    let mut name = b"tau".to_vec();
    while labels.find(&name).is_some() {
        name.push(b'\'');
    }
    let tau = labels.intern(&name);
    let labels = Arc::new(labels);
    let [of_left, of_right] = names;
    let over = |lts: &Lts, names: &[Option<Label>]| {
        cancel.check()?;
        let label = Arc::new(lts.label.iter().map(|&a| names[a].unwrap_or(tau)).collect());
        let internal = Arc::new(vec![tau]);
        Ok(Lts { label, labels: Arc::clone(&labels), internal, ..lts.clone() })
    };
    Ok([over(left, &of_left)?, over(right, &of_right)?])
}

/// Two systems and their disjoint union.
pub struct Systems {
    /// Both systems, over one label table with a single internal label.
    sides: [Lts; 2],
    /// The disjoint union: the states of the right system come after those of the left one.
    pub lts: Lts,
    /// The transitions of the union.
    pub graph: Graph,
    /// The initial states of both systems, as states of the union.
    pub left: State,
    pub right: State,
    pub limits: Limits,
}

/// The blocks of the union, and its quotient graph.
pub struct Classes {
    pub graph: Graph,
    /// For every state of both systems its block.
    pub block: Vec<Block>,
    /// The blocks of the two initial states.
    pub pair: (State, State),
}

impl Systems {
    /// The union of two systems, over [common labels](over_common_labels).
    pub fn new(left: &Lts, right: &Lts, limits: Limits, cancel: &Cancel) -> Result<Self> {
        Self::of(over_common_labels(left, right, cancel)?, limits, cancel)
    }

    fn of(sides: [Lts; 2], limits: Limits, cancel: &Cancel) -> Result<Self> {
        let [left, right] = &sides;
        let shift = left.states;
        let states = shift.checked_add(right.states).filter(|&states| states < u32::MAX);
        let states = states.expect("states are numbered with 32 bits");
        let transitions = left.transitions() + right.transitions();
        assert!(transitions < u32::MAX as usize, "rows are numbered with 32 bits");
        let shifted = |state: &State| State(state.0 + shift);
        let both = |left: &[State], right: &[State]| {
            cancel.check()?;
            let mut both = room(transitions);
            both.extend_from_slice(left);
            both.extend(right.iter().map(shifted));
            Ok(both)
        };
        let label = [&left.label[..], &right.label].concat();
        let (source, target) =
            (both(&left.source, &right.source)?, both(&left.target, &right.target)?);
        let columns = (source, label, target);
        let (initial, right) = (left.initial, shifted(&right.initial));
        let (labels, internal) = (Arc::clone(&left.labels), Arc::clone(&left.internal));
        let lts = Lts::from_valid(initial, states, columns, labels, internal);
        let graph = Graph::new(&lts, false, cancel)?;
        Ok(Self { lts, graph, left: initial, right, sides, limits })
    }

    /// The bound for the search before reduction: small compared with the cost of the reduction.
    pub fn near(&self) -> usize {
        self.limits.near.min(self.lts.transitions() / NEAR_SHARE + NEAR_LEAST)
    }

    /// The minimal systems, over the same labels; `None` if they are equal. Each is minimised
    /// separately, without a limit.
    pub fn reduced(&self, equivalence: Equivalence, cancel: &Cancel) -> Result<Option<Self>> {
        let least = |lts: &Lts, cancel: &Cancel| {
            let (least, _) = minimise(lts, equivalence, false, cancel)?;
            let names: Vec<Label> = least
                .labels
                .iter()
                .map(|name| lts.labels.find(name).expect("no label is new"))
                .collect();
            let label = least.label.iter().map(|&label| names[label]).collect();
            let (labels, internal) = (Arc::clone(&lts.labels), Arc::clone(&lts.internal));
            Ok(Lts { label: Arc::new(label), labels, internal, ..least })
        };
        let [left, right] = &self.sides;
        let (left, right) = (least(left, cancel)?, least(right, cancel)?);
        let same = left.source == right.source && left.target == right.target;
        if left.states == right.states && same && left.label == right.label {
            return Ok(None);
        }
        Self::of([left, right], self.limits, cancel).map(Some)
    }

    /// The blocks of the states of the union modulo an equivalence.
    pub fn classes(&self, equivalence: Equivalence, cancel: &Cancel) -> Result<Classes> {
        let (block, blocks) = partition(&self.lts, equivalence, cancel)?;
        let graph = self.graph.quotient(&block, blocks, cancel)?;
        let pair = (block[self.left].state(), block[self.right].state());
        Ok(Classes { graph, block, pair })
    }

    /// The steps of a path through one of the systems, as transition numbers of that system.
    pub fn transition_numbers(&self, path: &[Transition], of_left: bool) -> Vec<u32> {
        let mut numbers: FxHashMap<Transition, u32> =
            path.iter().map(|&step| (step, u32::MAX)).collect();
        let all = self.lts.transitions();
        let left = self.sides[0].transitions();
        let transitions = if of_left { 0..left } else { left..all };
        let first = transitions.start;
        for at in transitions {
            let step = (self.lts.source[at], self.lts.label[at], self.lts.target[at]);
            if let Some(known) = numbers.get_mut(&step) {
                *known = (*known).min(u32::at(at - first));
            }
        }
        path.iter().map(|step| numbers[step]).collect()
    }

    /// The graph with a loop, with a new label, at every state on a cycle of internal steps.
    pub fn with_divergence(&self, cancel: &Cancel) -> Result<Graph> {
        let divergence = divergence(&self.lts, cancel)?;
        let loops = divergence.on_cycle.iter().zip(self.graph.each_state());
        let graph = &self.graph;
        let label = Label(u32::at(graph.labels));
        let loops = loops.filter(|&(&on_cycle, _)| on_cycle).map(|(_, s)| (s, label, s));
        let transitions: Vec<Transition> = graph.all().chain(loops).collect();
        let (states, labels) = ((graph.initial, graph.states), (graph.labels + 1, graph.tau));
        Graph::from_transitions(states, labels, &transitions, cancel)
    }

    /// The graph of blocks with both initial states as additional states of their own, which keep
    /// all of their first steps.
    pub fn with_roots(
        &self,
        blocks: &Graph,
        block: &[Block],
        cancel: &Cancel,
    ) -> Result<(Graph, (State, State))> {
        let pair = [0, 1].map(|end| State(u32::at(blocks.states) + end));
        let mut transitions: Vec<Transition> = blocks.all().collect();
        for (root, state) in pair.into_iter().zip([self.left, self.right]) {
            let steps = self.graph.steps(state);
            transitions.extend(steps.map(|(a, t)| (root, a, block[t].state())));
        }
        let (root, labels) = ((pair[0], blocks.states + 2), (blocks.labels, blocks.tau));
        let graph = Graph::from_transitions(root, labels, &transitions, cancel)?;
        Ok((graph, pair.into()))
    }
}

/// The graph without the internal loops at states that satisfy `is_removed`.
pub fn without_silent_loops(
    graph: &Graph,
    is_removed: impl Fn(State) -> bool,
    cancel: &Cancel,
) -> Result<Graph> {
    let stays = |&(s, a, t): &Transition| s != t || Some(a) != graph.tau || !is_removed(s);
    let transitions: Vec<Transition> = graph.all().filter(stays).collect();
    let (states, labels) = ((graph.initial, graph.states), (graph.labels, graph.tau));
    Graph::from_transitions(states, labels, &transitions, cancel)
}
