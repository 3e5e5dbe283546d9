//! The normal form of a specification: a deterministic system with one node for all traces after
//! which the same is allowed (Roscoe, Understanding concurrent systems, 2010, section 16.1).
//!
//! The normal forms of two specifications that allow the same are isomorphic, by exactly one
//! isomorphism. So a permutation of labels preserves what a specification allows if and only if it
//! extends to a permutation of the nodes, which a search from the root finds.

use crate::base::cancel::{Cancel, Limited, Result};
use crate::base::csr::graph::Graph;
use crate::base::ids::Id;
use crate::base::ids::{Label, NONE, State};
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::base::memory::room;
use crate::base::paths::path_to;
use crate::bisimulation::minimise::{minimise, strong};
use crate::group::permutation::Permutation;
use crate::ops::divergence::divergence;
use crate::preorder::determinise::subsets;
use crate::preorder::failures::finer;
use crate::preorder::failures::{offers, refused};
use crate::preorder::model::Model;
use crate::preorder::one_internal;
use crate::preorder::subset::is_subset;
use bytemuck::cast_vec;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What a node allows apart from its steps.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Allowance {
    /// Everything is allowed from here on, as the specification diverges.
    chaos: bool,
    /// A stable state must offer all labels of one of these sets; none contains another.
    least: Vec<Vec<Label>>,
}

/// The normal form of a specification in a model.
pub struct NormalForm {
    /// Deterministic; it has internal steps only if the model counts them.
    graph: Graph,
    pub labels: Arc<Labels>,
    pub model: Model,
    /// For every label whether some node has a step with it.
    used: Vec<bool>,
    /// For every node the number of its allowance.
    allowance: Vec<u32>,
    allowances: Vec<Allowance>,
}

/// The evidence that a permutation of labels is no symmetry of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asymmetry {
    /// A trace, and its image.
    pub trace: Vec<Label>,
    pub image: Vec<Label>,
    pub difference: Difference,
}

/// What differs after a trace and its image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// This label is possible after the trace, but its image is not possible after the image of the
    /// trace.
    Missing(Label),
    /// This label is possible after the image of the trace, but is not the image of a label that is
    /// possible after the trace.
    Additional(Label),
    /// Exactly one of the two diverges.
    Divergence,
    /// The sets of labels that may be refused.
    Refusals,
}

impl NormalForm {
    /// The normal form of an LTS; more than `most` sets of its states are a `NoResult::Limit`.
    pub fn new(lts: &Lts, model: Model, most: usize, cancel: &Cancel) -> Limited<Self> {
        let minimised = minimise(&one_internal(lts), finer(model), false, cancel);
        let (small, _) = minimised?;
        let graph = Graph::new(&small, true, cancel)?;
        let divergent = match model {
            Model::FailuresDivergences => divergence(&small, cancel)?.divergent,
            _ => vec![false; graph.states],
        };
        let is_chaos = |set: &[State]| set.iter().any(|&state| divergent[state]);
        let weak = !model.counts_internal();
        let states = graph;
        let (graph, sets) = subsets(&states, weak, most, &is_chaos, cancel)?;
        let mut allowances = Vec::new();
        let mut numbers: FxHashMap<Allowance, u32> = FxHashMap::default();
        let mut of_set = room(graph.states);
        for set in graph.each_state() {
            cancel.check()?;
            let set = sets.get(set.0);
            let chaos = is_chaos(set);
            let seen = !chaos && !model.is_of_traces();
            let least = if seen { least_offers(&states, model, set) } else { Vec::new() };
            let allowance = Allowance { chaos, least };
            let next = u32::at(numbers.len());
            of_set.push(*numbers.entry(allowance.clone()).or_insert(next));
            if numbers.len() > allowances.len() {
                allowances.push(allowance);
            }
        }
        // A loop with a special label for each allowance separates nodes with different allowances.
        let marks = (0..).map(State).zip(&of_set);
        let marks = marks.map(|(set, &of)| (set, Label(u32::at(graph.labels) + of), set));
        let marked: Vec<_> = marks.chain(graph.all()).collect();
        let labels = (graph.labels + allowances.len(), None);
        let marked = Graph::from_transitions((State(0), graph.states), labels, &marked, cancel)?;
        let (block, blocks) = strong(&marked, cancel)?;
        let mut allowance = vec![0; blocks];
        for (&block, &of) in block.iter().zip(&of_set) {
            allowance[block] = of;
        }
        let graph = graph.quotient(&block, blocks, cancel)?;
        let mut used = vec![false; graph.labels];
        graph.forward.label.iter().for_each(|&label| used[label] = true);
        let labels = Arc::clone(&small.labels);
        Ok(Self { graph, labels, model, used, allowance, allowances })
    }

    pub fn initial(&self) -> State {
        self.graph.initial
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.graph.states
    }

    /// The label of internal steps, if there are any; it occurs only if the model counts them.
    pub fn internal(&self) -> Option<Label> {
        self.graph.tau
    }

    /// Whether a label occurs.
    pub fn uses(&self, label: Label) -> bool {
        self.used[label]
    }

    /// The node after a step; `None` if the step is not allowed.
    pub fn after(&self, node: State, label: Label) -> Option<State> {
        self.graph.targets(node, label).first().copied()
    }

    /// Whether everything is allowed from here on.
    pub fn is_chaos(&self, node: State) -> bool {
        self.allowance(node).chaos
    }

    /// Whether a stable state may offer only the labels of this sorted set.
    pub fn allows_offer(&self, node: State, offered: &[Label]) -> bool {
        if self.model.is_of_traces() || self.is_chaos(node) {
            return true;
        }
        self.allowance(node).least.iter().any(|least| is_subset(least, offered))
    }

    /// Labels that a stable state which offers only `offered` may not refuse together.
    pub fn refused(&self, node: State, offered: &[Label]) -> Vec<Label> {
        refused(&self.allowance(node).least, offered)
    }

    fn allowance(&self, node: State) -> &Allowance {
        &self.allowances[self.allowance[node] as usize]
    }

    /// The permutation of nodes that extends a permutation of labels, given as the image of every
    /// label.
    ///
    /// The image is [`Label::NONE`] for a label that is not mapped to a label of the specification;
    /// all others have distinct images. If there is no such permutation, a shortest trace after
    /// which what is allowed differs from what is allowed after its image.
    pub fn permuted(
        &self,
        images: &[Label],
        cancel: &Cancel,
    ) -> Result<Result<Permutation, Asymmetry>> {
        let root = self.graph.initial;
        // Pairs of nodes that a trace and its image lead to, with the preceding pair and the label.
        let mut pairs = vec![(root, root, NONE, Label::NONE)];
        let mut visited: FxHashSet<(State, State)> = [(root, root)].into_iter().collect();
        let mut image_of = vec![State::NONE; self.graph.states];
        let mut at = 0;
        while let Some(&(node, image, ..)) = pairs.get(at) {
            cancel.check()?;
            image_of[node] = image;
            if let Some(difference) = self.difference(node, image, images) {
                let trace: Vec<Label> = path_to(at, |at| {
                    let (_, _, before, label) = pairs[at];
                    (before != NONE).then_some((before as usize, label))
                });
                let image = trace.iter().map(|&label| images[label]).collect();
                return Ok(Err(Asymmetry { trace, image, difference }));
            }
            for (label, target) in self.graph.steps(node) {
                let moved = self.after(image, images[label]).expect("no difference");
                if visited.insert((target, moved)) {
                    pairs.push((target, moved, u32::at(at), label));
                }
            }
            at += 1;
        }
        // Every node has one image: two would allow the same, and the normal form has no two such
        // nodes.
        Ok(Ok(cast_vec::<State, u32>(image_of).into()))
    }

    /// A difference between the image of what `node` allows and what `image` allows.
    fn difference(&self, node: State, image: State, images: &[Label]) -> Option<Difference> {
        let (own, other) = (self.allowance(node), self.allowance(image));
        if own.chaos != other.chaos {
            return Some(Difference::Divergence);
        }
        let mut moved = Vec::new();
        for (label, _) in self.graph.steps(node) {
            let to = images[label];
            if to == Label::NONE || self.after(image, to).is_none() {
                return Some(Difference::Missing(label));
            }
            moved.push(to);
        }
        moved.sort_unstable();
        if let Some((label, _)) =
            self.graph.steps(image).find(|(label, _)| moved.binary_search(label).is_err())
        {
            return Some(Difference::Additional(label));
        }
        let mut least: Vec<Vec<Label>> = (own.least.iter())
            .map(|set| set.iter().map(|&label| images[label]).collect())
            .collect();
        least.iter_mut().for_each(|set| set.sort_unstable());
        least.sort_unstable();
        (least != other.least).then_some(Difference::Refusals)
    }
}

/// The minimal sets of labels that the stable states of a set offer, sorted.
fn least_offers(graph: &Graph, model: Model, set: &[State]) -> Vec<Vec<Label>> {
    let offers = |&state: &State| offers(graph, model, state);
    let mut all: Vec<Vec<Label>> = set.iter().filter_map(offers).collect();
    all.sort_unstable_by(|left, right| (left.len(), left).cmp(&(right.len(), right)));
    all.dedup();
    let mut least: Vec<Vec<Label>> = Vec::new();
    for offer in all {
        if !least.iter().any(|smaller| is_subset(smaller, &offer)) {
            least.push(offer);
        }
    }
    least.sort_unstable();
    least
}
