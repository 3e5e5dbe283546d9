//! An LTS as a coloured graph whose nodes are states, transitions, labels and data.
//!
//! A transition is joined to its source, its target and its label; a label to the data in its
//! arguments. An automorphism of this graph that preserves the kinds of nodes and edges is a
//! symmetry of the LTS that maps every datum to one image.
//!
//! In a system in which all states are reachable and no two strongly bisimilar, and every label
//! occurs, the images of the labels determine those of the states, and an equitable partition that
//! separates all labels separates all states. So a search individualises data and labels only.

use crate::base::csr::graph::Graph;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::memory::room;
use crate::symmetry::automorphism_search::Searchable;
use crate::symmetry::equitable_partition::{IncidenceGraph, Relation};
use std::ops::Range;

/// The shape of labels: colours that a symmetry preserves, and the data in their arguments.
///
/// `arguments[a]` are the data of each action of label a, in the order of its arguments; the order
/// of the actions is irrelevant. Data of different arguments have different colours, so a datum
/// determines the argument and the action that it belongs to.
pub struct Shape {
    pub label_colours: Vec<u32>,
    pub arguments: Vec<Vec<Vec<u32>>>,
    pub data_colours: Vec<u32>,
}

/// The graph. Its nodes are numbered in the order states, transitions, labels, data.
pub struct Incidence<'a> {
    pub graph: &'a Graph,
    pub shape: &'a Shape,
    /// The first node of each kind, and the number of nodes.
    bounds: [u32; 5],
    relations: [Vec<Relation>; 4],
}

impl<'a> Incidence<'a> {
    pub fn new(graph: &'a Graph, shape: &'a Shape) -> Self {
        let (n, m, l) = (graph.states, graph.transitions(), graph.labels);
        let data = shape.data_colours.len();
        let bounds = [0, n, n + m, n + m + l, n + m + l + data]
            .map(|bound| u32::try_from(bound).expect("states and transitions are 32-bit numbers"));
        let [_, steps, labels, values, _] = bounds;
        let sources =
            graph.each_state().flat_map(|s| graph.forward.range(s).map(move |t| (u32::at(t), s.0)));
        let targets = (0..).zip(graph.forward.target.iter().map(|t| t.0));
        let names = (0..).zip(graph.forward.label.iter().map(move |a| a.0 + labels));
        let arguments = (0..).zip(&shape.arguments);
        let occurrences = arguments.flat_map(|(a, row)| row.iter().flatten().map(move |&d| (a, d)));
        let relations = [
            vec![
                Relation::new(n, sources.clone().map(|(t, s)| (s, t + steps))),
                Relation::new(n, targets.clone().map(|(t, s)| (s, t + steps))),
            ],
            vec![
                Relation::new(m, sources),
                Relation::new(m, targets),
                Relation::new(m, names.clone()),
            ],
            vec![
                Relation::new(l, names.map(|(t, a)| (a - labels, t + steps))),
                Relation::new(l, occurrences.clone().map(|(a, d)| (a, d + values))),
            ],
            vec![Relation::new(data, occurrences.map(|(a, d)| (d, a + labels)))],
        ];
        Self { graph, shape, bounds, relations }
    }

    /// The node of a label.
    pub fn label(&self, label: u32) -> u32 {
        self.bounds[2] + label
    }

    /// The node of a datum.
    pub fn datum(&self, datum: u32) -> u32 {
        self.bounds[3] + datum
    }

    fn kind(&self, node: u32) -> usize {
        (1..4).rfind(|&kind| self.bounds[kind] <= node).unwrap_or(0)
    }
}

impl IncidenceGraph for Incidence<'_> {
    fn nodes(&self) -> usize {
        self.bounds[4] as usize
    }

    fn edges(&self, node: u32) -> (u32, &[Relation]) {
        let kind = self.kind(node);
        (self.bounds[kind], &self.relations[kind])
    }

    /// The kind, the initial state, and the colours in the shape of the labels.
    fn colours(&self) -> Vec<u32> {
        let m = self.graph.transitions();
        let mut keys: Vec<(usize, u32)> = room(self.nodes());
        keys.extend(self.graph.each_state().map(|s| (0, u32::from(s == self.graph.initial))));
        keys.extend(std::iter::repeat_n((1, 0), m));
        keys.extend(self.shape.label_colours.iter().map(|&colour| (2, colour)));
        keys.extend(self.shape.data_colours.iter().map(|&colour| (3, colour)));
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        sorted.dedup();
        keys.iter().map(|key| u32::at(sorted.binary_search(key).expect("it is there"))).collect()
    }
}

impl Searchable for Incidence<'_> {
    /// The data, and then the labels.
    fn base(&self) -> Vec<Range<u32>> {
        let [.., labels, data, past] = self.bounds;
        vec![data..past, labels..data]
    }

    /// The states.
    fn others(&self) -> Range<u32> {
        0..self.bounds[1]
    }

    /// The labels.
    fn shown(&self) -> Range<u32> {
        self.bounds[2]..self.bounds[3]
    }

    fn is_automorphism(&self, image: impl Fn(u32) -> u32) -> bool {
        let graph = self.graph;
        let label = |a: u32| image(self.label(a)) - self.bounds[2];
        let datum = |d: u32| image(self.datum(d)) - self.bounds[3];
        let Shape { label_colours, arguments, data_colours } = self.shape;
        image(graph.initial.0) == graph.initial.0
            && (0..data_colours.len())
                .all(|d| data_colours[d] == data_colours[datum(u32::at(d)) as usize])
            && (0..graph.labels).all(|a| {
                let b = label(u32::at(a)) as usize;
                label_colours[a] == label_colours[b]
                    && in_order(&arguments[a], datum) == in_order(&arguments[b], |d| d)
            })
            && graph.all().all(|(s, a, target)| {
                let targets = graph.targets(State(image(s.0)), Label(label(a.0)));
                targets.binary_search(&State(image(target.0))).is_ok()
            })
    }
}

/// The images of the data of actions, with the actions sorted.
fn in_order(actions: &[Vec<u32>], image: impl Fn(u32) -> u32) -> Vec<Vec<u32>> {
    let images = |row: &Vec<u32>| row.iter().map(|&d| image(d)).collect();
    let mut sorted: Vec<Vec<u32>> = actions.iter().map(images).collect();
    sorted.sort_unstable();
    sorted
}
