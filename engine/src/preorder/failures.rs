//! Refinement in the models of traces, failures and divergences: everything that an implementation
//! does must be allowed by the specification.
//!
//! A breadth-first search over pairs of a state of the implementation and the set of states of the
//! specification that the same trace leads to. Of two pairs with the same state only the one with
//! the smaller set is explored (De Wulf, Doyen, Henzinger and Raskin, Antichains: a new algorithm
//! for checking universality of finite automata, 2006), and a pair whose state is in its set is not
//! explored. Failures are as in Roscoe, Understanding concurrent systems, 2010, chapters 10 to 12,
//! with two details that descriptions of the search leave out: a trace that the specification does
//! not have is a difference even if the implementation is not stable, and a specification that
//! diverges is chaos and allows everything after that.

use crate::base::cancel::{Cancel, Limited, NoResult};
use crate::base::csr::graph::Graph;
use crate::base::ids::Id;
use crate::base::ids::{Label, NONE, State};
use crate::base::interner::Interner;
use crate::base::marks::Marks;
use crate::base::paths::path_to;
use crate::bisimulation::minimise::{Equivalence, Kind};
use crate::ops::tau_closure::close;
use crate::preorder::impossible_futures::{Futures, Missing};
use crate::preorder::model::{Bounds, Difference, End, Model};
use crate::preorder::subset::is_subset;
use rustc_hash::FxHashMap;

pub(crate) struct FailureSearch<'a> {
    graph: &'a Graph,
    model: Model,
    /// For every state whether it has an infinite run of internal steps.
    divergent: &'a [bool],
    sets: Interner<State>,
    marks: Marks,
    /// The successor of a set under a label.
    after: FxHashMap<(u32, Label), u32>,
    /// State, set, the predecessor of the pair, and the label of the step to it (`NONE` if the step
    /// does not count).
    pairs: Vec<(State, u32, u32, Label)>,
    /// For every state the minimal sets with which it was visited.
    smallest: FxHashMap<State, Vec<u32>>,
    /// The number of members of sets visited so far.
    pub(crate) work: usize,
    /// Only for the models of impossible futures.
    futures: Option<Box<Futures<'a, FailureSearch<'a>>>>,
}

/// A shortest difference between the traces, failures or divergences of state `implementation` and
/// those of `specification`, both of one graph; `None` if the implementation refines the
/// specification. `divergent` marks the states that diverge.
///
/// Traces of more than `longest` labels are ignored. Exceeding `most` is a [`NoResult::Limit`].
pub fn difference(
    graph: &Graph,
    model: Model,
    (specification, implementation): (State, State),
    divergent: &[bool],
    longest: usize,
    most: Bounds,
    cancel: &Cancel,
) -> Limited<Option<Difference>> {
    let mut search = FailureSearch::new(graph, model, divergent);
    search.run((specification, implementation), longest, most, cancel)
}

impl<'a> FailureSearch<'a> {
    pub(crate) fn new(graph: &'a Graph, model: Model, divergent: &'a [bool]) -> Self {
        let of_traces = |of| Self::new(graph, of, divergent);
        let futures = model.futures().map(|of| Box::new(Futures::new(graph, of, of_traces(of))));
        Self {
            graph,
            model,
            divergent,
            sets: Interner::default(),
            marks: Marks::new(graph.states),
            after: FxHashMap::default(),
            pairs: Vec::new(),
            smallest: FxHashMap::default(),
            work: 0,
            futures,
        }
    }

    /// Like [`difference`]; the `work` of earlier searches counts towards the bound, too.
    pub(crate) fn run(
        &mut self,
        (specification, implementation): (State, State),
        longest: usize,
        most: Bounds,
        cancel: &Cancel,
    ) -> Limited<Option<Difference>> {
        self.sets = Interner::default();
        self.after = FxHashMap::default();
        self.pairs.clear();
        self.smallest = FxHashMap::default();
        let (graph, model) = (self.graph, self.model);
        let start = self.closed(vec![specification]);
        let hidden = if model.counts_internal() { None } else { graph.tau };
        let mut level = Vec::new();
        self.visit(implementation, start, NONE, Label::NONE, &mut level);
        let mut length = 0;
        while !level.is_empty() {
            let mut steps = Vec::new();
            let mut forbidden = None;
            let mut at = 0;
            while let Some(&pair) = level.get(at) {
                at += 1;
                cancel.check()?;
                if self.pairs.len().max(self.after.len()) > most.pairs || self.work > most.work {
                    return Err(NoResult::Limit);
                }
                let (state, set, ..) = self.pairs[pair as usize];
                if self.is_chaos(set) {
                    continue;
                }
                if let Some(end) = self.violation(state, set, most, cancel)? {
                    return Ok(Some(self.difference_at(pair, Label::NONE, end)));
                }
                for (label, target) in graph.steps(state) {
                    if Some(label) == hidden {
                        self.visit(target, set, pair, Label::NONE, &mut level);
                        continue;
                    }
                    if length == longest || forbidden.is_some() {
                        continue;
                    }
                    let after = self.after(set, label);
                    if self.sets.get(after).is_empty() {
                        // A refusal of a later state of this level has a shorter trace, so go on.
                        forbidden = Some(self.difference_at(pair, label, End::Done));
                        continue;
                    }
                    steps.push((target, after, pair, label));
                }
                if model.is_of_traces() && forbidden.is_some() {
                    return Ok(forbidden);
                }
            }
            if forbidden.is_some() {
                return Ok(forbidden);
            }
            // Only after the whole level: internal steps of this level may lead to the same pairs.
            level.clear();
            for (target, after, pair, label) in steps {
                self.visit(target, after, pair, label, &mut level);
            }
            length += 1;
        }
        Ok(None)
    }
}

impl Missing for FailureSearch<'_> {
    fn missing(
        &mut self,
        has: State,
        lacks: State,
        most: Bounds,
        cancel: &Cancel,
    ) -> Limited<Option<Vec<Label>>> {
        let result = self.run((lacks, has), usize::MAX, most, cancel)?;
        Ok(result.map(|difference| difference.trace))
    }
}

impl FailureSearch<'_> {
    /// The closure of a set under internal steps, unless the model counts them.
    fn closed(&mut self, mut states: Vec<State>) -> u32 {
        if !self.model.counts_internal() {
            close(self.graph, &mut self.marks, &mut states);
        }
        states.sort_unstable();
        states.dedup();
        self.work += states.len();
        self.sets.intern(&states).0
    }

    fn after(&mut self, set: u32, label: Label) -> u32 {
        if let Some(&after) = self.after.get(&(set, label)) {
            return after;
        }
        let members = self.sets.get(set).iter();
        let targets = members.flat_map(|&state| self.graph.targets(state, label));
        let targets: Vec<State> = targets.copied().collect();
        self.work += self.sets.get(set).len() + targets.len();
        let after = self.closed(targets);
        self.after.insert((set, label), after);
        after
    }

    /// Adds a pair unless its state was visited with a subset of its set, which is harder to
    /// refine.
    fn visit(&mut self, state: State, set: u32, before: u32, label: Label, level: &mut Vec<u32>) {
        let members = self.sets.get(set);
        if members.binary_search(&state).is_ok() {
            return;
        }
        let smallest = self.smallest.entry(state).or_default();
        for &known in smallest.iter() {
            self.work += members.len() + self.sets.get(known).len();
        }
        if smallest.iter().any(|&known| is_subset(self.sets.get(known), members)) {
            return;
        }
        smallest.retain(|&known| !is_subset(members, self.sets.get(known)));
        smallest.push(set);
        level.push(u32::at(self.pairs.len()));
        self.pairs.push((state, set, before, label));
    }

    fn is_chaos(&self, set: u32) -> bool {
        let mut members = self.sets.get(set).iter();
        self.model == Model::FailuresDivergences && members.any(|&state| self.divergent[state])
    }

    /// How a difference ends after this trace, if it does: the state refuses, offers or lacks
    /// something, or diverges, and no state of the set allows that.
    fn violation(
        &mut self,
        state: State,
        set: u32,
        most: Bounds,
        cancel: &Cancel,
    ) -> Limited<Option<End>> {
        if let Some(futures) = &mut self.futures {
            let members = self.sets.get(set);
            let before = futures.search.work;
            let traces = futures.impossible(state, members, most, cancel)?;
            self.work += futures.search.work - before;
            return Ok(traces.map(End::Lacks));
        }
        Ok(match self.model.is_of_traces() {
            true => None,
            false => self.bad_state(state, set),
        })
    }

    fn bad_state(&self, state: State, set: u32) -> Option<End> {
        if self.model == Model::FailuresDivergences && self.divergent[state] {
            return Some(End::Diverges);
        }
        let offers = |state: State| offers(self.graph, self.model, state);
        let offered = offers(state)?;
        let stable: Vec<Vec<Label>> =
            self.sets.get(set).iter().filter_map(|&state| offers(state)).collect();
        let covers = |least: &&Vec<Label>| is_subset(least, &offered);
        if !stable.iter().any(|least| covers(&least)) {
            return Some(End::Refuses(refused(&stable, &offered)));
        }
        if self.model != Model::Revivals {
            return None;
        }
        let revived = |label: &Label| stable.iter().filter(covers).any(|set| set.contains(label));
        let &label = offered.iter().find(|label| !revived(label))?;
        let with: Vec<Vec<Label>> =
            stable.iter().filter(|set| set.contains(&label)).cloned().collect();
        Some(End::Offers(label, refused(&with, &offered)))
    }

    fn difference_at(&self, pair: u32, last: Label, end: End) -> Difference {
        let before = |(_, _, before, label): (_, _, u32, Label)| (before, label);
        let before = |at: u32| (at != NONE).then(|| before(self.pairs[at as usize]));
        let mut trace = path_to(pair, before);
        trace.push(last);
        trace.retain(|&label| label != Label::NONE);
        Difference { trace, end }
    }
}

/// The sorted labels that a stable state offers. `None` if the state has internal steps, unless the
/// model counts these like others.
pub fn offers(graph: &Graph, model: Model, state: State) -> Option<Vec<Label>> {
    let mut labels: Vec<Label> = graph.steps(state).map(|(label, _)| label).collect();
    labels.dedup();
    let unstable = || labels.iter().any(|&label| Some(label) == graph.tau);
    (model.counts_internal() || !unstable()).then_some(labels)
}

/// A set of labels outside the sorted `offered` that contains a member of every set of `stable`; no
/// label is redundant.
pub fn refused(stable: &[Vec<Label>], offered: &[Label]) -> Vec<Label> {
    let mut open: Vec<Vec<Label>> = stable.to_vec();
    for set in &mut open {
        set.retain(|label| offered.binary_search(label).is_err());
    }
    let all = open.clone();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        // Greedy: the label that most sets have, the least of these.
        let mut counts: FxHashMap<Label, usize> = FxHashMap::default();
        open.iter().flatten().for_each(|&label| *counts.entry(label).or_default() += 1);
        let most = counts.into_iter().max_by_key(|&(label, n)| (n, std::cmp::Reverse(label)));
        let Some((label, _)) = most else { break };
        open.retain(|set| set.binary_search(&label).is_err());
        chosen.push(label);
    }
    for label in chosen.clone() {
        let hit = |set: &Vec<Label>| chosen.iter().any(|&l| l != label && set.contains(&l));
        if all.iter().all(hit) {
            chosen.retain(|&l| l != label);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// An equivalence that is finer than refinement in this model in both directions.
pub(crate) fn finer(model: Model) -> Equivalence {
    match model {
        Model::Traces | Model::StrongFailures | Model::StrongImpossibleFutures => {
            Equivalence::plain(Kind::Strong)
        }
        Model::WeakTraces | Model::ImpossibleFutures => Equivalence::plain(Kind::Branching),
        // A divergent state is not stable, so it has no refusals: divergence has to be preserved.
        Model::Failures | Model::Revivals | Model::FailuresDivergences => {
            Equivalence { kind: Kind::Branching, divergence: true, rooted: false }
        }
    }
}
