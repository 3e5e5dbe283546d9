//! Comparison of two systems, with what tells them apart.
//!
//! First the systems are looked at as they are, from their initial states, within bounds: a
//! difference that is near is found before anything is minimised. Then both are reduced together by
//! a finer equivalence, so that systems that are equal end here, and the relation is decided on what
//! is left. What is then shown has been checked on the systems as they were given.

use super::coarse::one_internal;
use super::coupled::coupled_simulation;
use super::determinise::visible_steps;
use super::formula::{Formulas, Id, Names};
use super::game::{Outcome, Relation, Rules, play, root_apart};
use super::graph::Graph;
use super::minimise::{self, Equivalence, partition, strong};
use super::refusals::{Difference, End, Model, difference};
use super::replay;
use super::simulation::simulation;
use super::stop::{Poll, Stop};
use crate::labels::Labels;
use crate::lts::Lts;
use crate::ops::divergence::divergence;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What systems are compared by.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Bisimilarity; the rules of its game and the equivalence that partitions states (for a rooted
    /// one that of later states).
    Bisimulation(Rules, Equivalence),
    TauStarA,
    /// The right system is below the left one, or both are below each other.
    Simulation {
        relation: Relation,
        both: bool,
    },
    /// The right system refines the left one, or both refine each other.
    Refinement {
        model: Model,
        both: bool,
    },
}

/// The answer.
pub struct Comparison {
    pub holds: bool,
    /// None if the relation holds, or if there is no evidence of a size that explains anything.
    pub evidence: Option<Evidence>,
}

/// What one system has and the other has not.
pub struct Evidence {
    pub of_left: bool,
    pub what: What,
}

pub enum What {
    /// A formula, as text.
    Formula(Vec<u8>),
    /// A path, as numbers of rows of the system that has it; then labels that are refused, or
    /// internal steps without end.
    Path { rows: Vec<u32>, refused: Option<Vec<Vec<u8>>>, diverges: bool },
}

const STRONG: Equivalence = Equivalence::plain(minimise::Kind::Strong);

/// Parts of a formula that is shown.
const MOST_PARTS: usize = 100_000;
/// Answers that are looked at to find a formula on reduced systems.
const FAR: usize = 1 << 25;

/// What bounds the work.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Pairs and answers that are looked at before anything is reduced.
    pub near: usize,
    /// Classes of a simulation, or pairs of a search for a difference; more are a
    /// [`Stop::Limit`].
    pub states: usize,
}

/// Compares the initial states.
pub fn compare(
    left: &Lts,
    right: &Lts,
    kind: Kind,
    limits: Limits,
    poll: Poll,
) -> Result<Comparison, Stop> {
    let systems = Systems::new(left, right, limits);
    match kind {
        Kind::Bisimulation(rules, partition) => systems.bisimulation(rules, partition, poll),
        Kind::TauStarA => systems.tau_star_a(poll),
        Kind::Simulation { relation, both } => systems.simulation(relation, both, poll),
        Kind::Refinement { model, both } => {
            let (evidence, of_left) = match systems.refinement(model, both, poll)? {
                None => return Ok(Comparison { holds: true, evidence: None }),
                Some(found) => found,
            };
            Ok(systems.path(if of_left { left } else { right }, model, of_left, &evidence, poll)?)
        }
    }
}

/// Two systems side by side.
struct Systems {
    lts: Lts,
    graph: Graph,
    left: u32,
    right: u32,
    /// The first of the states of the right system.
    shift: u32,
    limits: Limits,
}

impl Systems {
    /// Labels are equal if their bytes are; internal steps are one action, whatever they are called
    /// and whether or not a visible label of the other system is called the same.
    fn new(left: &Lts, right: &Lts, limits: Limits) -> Self {
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
        Self { lts, graph, left: left.initial, right: shift + right.initial, shift, limits }
    }

    fn partition(&self, equivalence: Equivalence, poll: Poll) -> Result<(Vec<u32>, usize), Stop> {
        partition(&one_internal(&self.lts), equivalence, poll).ok_or(Stop::Interrupted)
    }

    fn bisimulation(
        &self,
        mut rules: Rules,
        partition: Equivalence,
        poll: Poll,
    ) -> Result<Comparison, Stop> {
        let marked = if rules.divergence.is_some() {
            rules.divergence = Some(self.graph.labels as u32);
            Some(self.with_divergence(poll)?)
        } else {
            None
        };
        let graph = marked.as_ref().unwrap_or(&self.graph);
        let ends = (self.left, self.right);
        match play(graph, rules, ends, &|_, _| false, self.limits.near, poll)? {
            Outcome::Apart(formulas, id) => return Ok(self.formula(&formulas, id, true)),
            Outcome::Related => return Ok(Comparison { holds: true, evidence: None }),
            Outcome::TooLarge => {}
        }
        let (block, blocks) = self.partition(partition, poll)?;
        let mut ends = (block[self.left as usize], block[self.right as usize]);
        if ends.0 == ends.1 && !rules.rooted {
            return Ok(Comparison { holds: true, evidence: None });
        }
        let mut small = graph.quotient(&block, blocks);
        if rules.relation != Relation::Strong {
            small = self.without_silent_loops(&small);
        }
        if rules.rooted {
            (small, ends) = self.with_roots(&small, &block);
            if !root_apart(&small, rules, ends) {
                return Ok(Comparison { holds: true, evidence: None });
            }
        }
        self.explain(&small, rules, ends, &|_, _| false, true, poll)
    }

    /// The graph with a loop of a new label at every state on a cycle of internal steps.
    fn with_divergence(&self, poll: Poll) -> Result<Graph, Stop> {
        let found = divergence(&self.lts, poll).ok_or(Stop::Interrupted)?;
        let mut transitions = transitions(&self.graph);
        let label = self.graph.labels as u32;
        let on_cycle = found.on_cycle.iter().enumerate().filter(|&(_, &on)| on);
        transitions.extend(on_cycle.map(|(s, _)| (s as u32, label, s as u32)));
        let graph = &self.graph;
        let labels = graph.labels + 1;
        Ok(Graph::from_transitions(graph.initial, graph.states, labels, graph.tau, transitions))
    }

    fn without_silent_loops(&self, graph: &Graph) -> Graph {
        let mut transitions = transitions(graph);
        transitions.retain(|&(s, a, t)| s != t || Some(a) != graph.tau);
        Graph::from_transitions(graph.initial, graph.states, graph.labels, graph.tau, transitions)
    }

    /// The blocks, and both initial states as states of their own, whose first steps all count.
    fn with_roots(&self, blocks: &Graph, block: &[u32]) -> (Graph, (u32, u32)) {
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

    fn tau_star_a(&self, poll: Poll) -> Result<Comparison, Stop> {
        let rules = Rules { relation: Relation::TauStarA, rooted: false, divergence: None };
        match play(
            &self.graph,
            rules,
            (self.left, self.right),
            &|_, _| false,
            self.limits.near,
            poll,
        )? {
            Outcome::Apart(formulas, id) => return Ok(self.formula(&formulas, id, true)),
            Outcome::Related => return Ok(Comparison { holds: true, evidence: None }),
            Outcome::TooLarge => {}
        }
        let (block, blocks) = self.partition(STRONG, poll)?;
        let ends = [self.left, self.right].map(|state| block[state as usize]);
        let steps = visible_steps(&self.graph.quotient(&block, blocks), &ends, poll)?;
        let (block, blocks) = strong(&steps, poll).ok_or(Stop::Interrupted)?;
        let ends = ends.map(|state| block[state as usize]);
        if ends[0] == ends[1] {
            return Ok(Comparison { holds: true, evidence: None });
        }
        let small = steps.quotient(&block, blocks);
        self.explain(&small, rules, (ends[0], ends[1]), &|_, _| false, true, poll)
    }

    fn simulation(&self, relation: Relation, both: bool, poll: Poll) -> Result<Comparison, Stop> {
        let rules = Rules { relation, rooted: false, divergence: None };
        // Right below left is asked first: that alone is the preorder.
        let asked = [true, false].into_iter().filter(|&right| right || both);
        let ends = |right: bool, left_end, right_end| {
            if right { (right_end, left_end) } else { (left_end, right_end) }
        };
        let mut settled = true;
        for right in asked.clone() {
            let ends = ends(right, self.left, self.right);
            match play(&self.graph, rules, ends, &|_, _| false, self.limits.near, poll)? {
                Outcome::Apart(formulas, id) => return Ok(self.formula(&formulas, id, !right)),
                Outcome::Related => {}
                Outcome::TooLarge => settled = false,
            }
        }
        if settled {
            return Ok(Comparison { holds: true, evidence: None });
        }
        let finer = if relation == Relation::CoupledSimulation {
            Equivalence::plain(minimise::Kind::Weak)
        } else {
            STRONG
        };
        let (block, blocks) = self.partition(finer, poll)?;
        let [left, right] = [self.left, self.right].map(|state| block[state as usize]);
        if left == right {
            return Ok(Comparison { holds: true, evidence: None });
        }
        let mut small = self.graph.quotient(&block, blocks);
        let order = if relation == Relation::CoupledSimulation {
            small = self.without_silent_loops(&small);
            coupled_simulation(&small, self.limits.states, poll)?
        } else {
            simulation(&small, relation == Relation::ReadySimulation, self.limits.states, poll)?
        };
        for of_right in asked {
            let (low, high) = ends(of_right, left, right);
            if !order.below(low, high) {
                let related = |p: u32, q: u32| order.below(p, q);
                return self.explain(&small, rules, (low, high), &related, !of_right, poll);
            }
        }
        Ok(Comparison { holds: true, evidence: None })
    }

    /// What tells two states apart that are known to be.
    fn explain(
        &self,
        small: &Graph,
        rules: Rules,
        ends: (u32, u32),
        related: &dyn Fn(u32, u32) -> bool,
        of_left: bool,
        poll: Poll,
    ) -> Result<Comparison, Stop> {
        match play(small, rules, ends, related, FAR, poll)? {
            Outcome::Apart(formulas, id) => Ok(self.formula(&formulas, id, of_left)),
            Outcome::Related => unreachable!("states of different classes are told apart"),
            Outcome::TooLarge => Ok(Comparison { holds: false, evidence: None }),
        }
    }

    /// The answer no, with a formula that holds in one system only; this is checked here.
    fn formula(&self, formulas: &Formulas, id: Id, of_left: bool) -> Comparison {
        let states = formulas.states(&self.graph, id);
        let (has, lacks) = if of_left { (self.left, self.right) } else { (self.right, self.left) };
        assert!(
            states.has(has) && !states.has(lacks),
            "a formula that tells systems apart must hold in one of them only"
        );
        let text = formulas.show(id, self, MOST_PARTS);
        let evidence = text.map(|text| Evidence { of_left, what: What::Formula(text) });
        Comparison { holds: false, evidence }
    }

    /// What one system does and the other does not, and whether it is the left one that does it;
    /// the shorter of two.
    fn refinement(
        &self,
        model: Model,
        both: bool,
        poll: Poll,
    ) -> Result<Option<(Difference, bool)>, Stop> {
        let divergent = self.divergent(model, poll)?;
        let near = self.limits.near.min(self.limits.states);
        let ends = (self.left, self.right);
        match shorter(&self.graph, model, ends, both, &divergent, near, poll) {
            Err(Stop::Limit) => {}
            result => return result,
        }
        let (block, blocks) = self.partition(STRONG, poll)?;
        let small = self.graph.quotient(&block, blocks);
        let mut divergent_blocks = vec![false; blocks];
        for (&block, &diverges) in block.iter().zip(&divergent) {
            divergent_blocks[block as usize] |= diverges;
        }
        let ends = (block[self.left as usize], block[self.right as usize]);
        shorter(&small, model, ends, both, &divergent_blocks, self.limits.states, poll)
    }

    fn divergent(&self, model: Model, poll: Poll) -> Result<Vec<bool>, Stop> {
        if model != Model::FailuresDivergences {
            return Ok(vec![false; self.graph.states]);
        }
        Ok(divergence(&self.lts, poll).ok_or(Stop::Interrupted)?.divergent)
    }

    /// The answer no, with a path of `owner`; that it is one, and that the other system has none
    /// such, is checked here.
    fn path(
        &self,
        owner: &Lts,
        model: Model,
        of_left: bool,
        difference: &Difference,
        poll: Poll,
    ) -> Result<Comparison, Stop> {
        let divergent = self.divergent(model, poll)?;
        let (has, lacks) = if of_left { (self.left, self.right) } else { (self.right, self.left) };
        let path = replay::path(&self.graph, has, model, difference, &divergent);
        let allowed = replay::allows(&self.graph, lacks, model, difference, &divergent);
        let Some(path) = path.filter(|_| !allowed) else {
            unreachable!("a difference must be one")
        };
        let rows = self.rows(owner, &path, if of_left { 0 } else { self.shift });
        let refused = match &difference.end {
            End::Refuses(labels) => {
                Some(labels.iter().map(|&label| self.lts.labels.get(label).to_vec()).collect())
            }
            _ => None,
        };
        let diverges = difference.end == End::Diverges;
        let what = What::Path { rows, refused, diverges };
        Ok(Comparison { holds: false, evidence: Some(Evidence { of_left, what }) })
    }

    /// The rows of a system that are the steps of a path through its part of the graph.
    fn rows(&self, owner: &Lts, path: &[(u32, u32, u32)], shift: u32) -> Vec<u32> {
        let mut found: FxHashMap<(u32, u32, u32), u32> =
            path.iter().map(|&step| (step, u32::MAX)).collect();
        let offset = if shift == 0 { 0 } else { self.lts.transitions() - owner.transitions() };
        for row in 0..owner.transitions() {
            let at = offset + row;
            let step = (self.lts.source[at], self.lts.label[at], self.lts.target[at]);
            if let Some(known) = found.get_mut(&step) {
                *known = (*known).min(row as u32);
            }
        }
        path.iter().map(|step| found[step]).collect()
    }
}

/// A difference, and whether it is the left system that has it. In either direction, if both are
/// asked about: then the shorter one of those that are within the limit.
fn shorter(
    graph: &Graph,
    model: Model,
    (left, right): (u32, u32),
    both: bool,
    divergent: &[bool],
    most: usize,
    poll: Poll,
) -> Result<Option<(Difference, bool)>, Stop> {
    let of_right = difference(graph, model, (left, right), divergent, usize::MAX, most, poll);
    if !both || of_right == Err(Stop::Interrupted) {
        return Ok(of_right?.map(|found| (found, false)));
    }
    let longest = match &of_right {
        Ok(Some(found)) => found.trace.len(),
        _ => usize::MAX,
    };
    let of_left = difference(graph, model, (right, left), divergent, longest, most, poll);
    match (of_left, of_right) {
        (Err(Stop::Interrupted), _) => Err(Stop::Interrupted),
        (Ok(Some(one)), Ok(Some(other))) if one.trace.len() >= other.trace.len() => {
            Ok(Some((other, false)))
        }
        (Ok(Some(one)), _) => Ok(Some((one, true))),
        (_, Ok(Some(other))) => Ok(Some((other, false))),
        (Err(stop), _) | (_, Err(stop)) => Err(stop),
        (Ok(None), Ok(None)) => Ok(None),
    }
}

fn transitions(graph: &Graph) -> Vec<(u32, u32, u32)> {
    let states = 0..graph.states as u32;
    states.flat_map(|s| graph.steps(s).map(move |(a, t)| (s, a, t))).collect()
}

impl Names for Systems {
    /// A label as it is written in a formula: as it is if it is a name, perhaps with arguments, else
    /// in quotation marks; `tau` for the internal one.
    fn name(&self, label: u32) -> Vec<u8> {
        if Some(label) == self.graph.tau {
            return b"tau".to_vec();
        }
        let text = self.lts.labels.get(label);
        if is_plain(text) {
            return text.to_vec();
        }
        let mut quoted = vec![b'"'];
        for &byte in text {
            if byte == b'"' || byte == b'\\' {
                quoted.push(b'\\');
            }
            quoted.push(byte);
        }
        quoted.push(b'"');
        quoted
    }
}

/// Whether a label stands for itself: a name, not one with a meaning, then perhaps arguments in
/// matching brackets.
fn is_plain(text: &[u8]) -> bool {
    const MEANING: [&[u8]; 8] = [b"tau", b"true", b"false", b"mu", b"nu", b"not", b"and", b"or"];
    let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let end = text.iter().position(|&b| !letter(b)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() || name[0].is_ascii_digit() || MEANING.contains(&name) {
        return false;
    }
    let mut depth = 0;
    for (at, &byte) in rest.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ if !letter(byte) && byte != b',' => return false,
            _ => {}
        }
        if depth == 0 && at + 1 < rest.len() {
            return false;
        }
    }
    depth == 0
}
