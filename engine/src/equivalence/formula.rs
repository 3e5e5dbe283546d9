//! Formulas that tell states apart: what holds where, and how they are written.
//!
//! Hennessy-Milner logic, with internal steps where a relation does not see them (De Nicola and
//! Vaandrager, Three logics for branching bisimulation, 1995) and internal steps without end (van
//! Glabbeek, Luttik and Trčka, Branching bisimilarity with explicit divergence, 2009). The text is
//! that of regular formulas: `*` repeats, `.` puts one after the other, `f?` passes a state where f
//! holds, `<r>@` does r forever.

use super::bits::Bits;
use super::graph::Graph;
use rustc_hash::FxHashMap;

/// The number of a formula in its arena.
pub type Id = u32;

/// A formula whose parts are in the same arena, before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// All parts hold; true if there is none.
    And(Vec<Id>),
    Not(Id),
    /// A step with this label leads to a state where the formula holds.
    Step(u32, Id),
    /// Internal steps, each from a state where the first formula holds, lead to a state where the
    /// second holds; with a label, to one where the first holds and that has a step with this label
    /// to a state where the second holds.
    Until(Id, Option<u32>, Id),
    /// Internal steps without end through states where the formula holds.
    Forever(Id),
}

/// Formulas that share their parts; equal ones have equal numbers.
#[derive(Default)]
pub struct Formulas {
    pub(super) nodes: Vec<Node>,
    numbers: FxHashMap<Node, Id>,
}

/// How labels are written.
pub trait Names {
    fn name(&self, label: u32) -> Vec<u8>;
}

impl Formulas {
    fn add(&mut self, node: Node) -> Id {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(node.clone());
        self.numbers.insert(node, id);
        id
    }

    /// What always holds.
    pub fn truth(&mut self) -> Id {
        self.add(Node::And(Vec::new()))
    }

    /// The conjunction of `parts`.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Id>) -> Id {
        let mut all = Vec::new();
        for part in parts {
            match &self.nodes[part as usize] {
                Node::And(inner) => all.extend(inner),
                _ => all.push(part),
            }
        }
        all.sort_unstable();
        all.dedup();
        if all.len() == 1 { all[0] } else { self.add(Node::And(all)) }
    }

    /// The negation.
    pub fn not(&mut self, formula: Id) -> Id {
        match self.nodes[formula as usize] {
            Node::Not(inner) => inner,
            _ => self.add(Node::Not(formula)),
        }
    }

    /// The formula without a negation around it, and whether there was one.
    pub fn without_negation(&self, formula: Id) -> (Id, bool) {
        match self.nodes[formula as usize] {
            Node::Not(inner) => (inner, true),
            _ => (formula, false),
        }
    }

    pub fn step(&mut self, label: u32, formula: Id) -> Id {
        self.add(Node::Step(label, formula))
    }

    /// See [`Node::Until`]. Internal steps before those that an until begins with are not written.
    pub fn until(&mut self, path: Id, label: Option<u32>, goal: Id) -> Id {
        let absorbed = match &self.nodes[goal as usize] {
            Node::And(parts) => parts.is_empty(),
            Node::Until(path, ..) | Node::Forever(path) => self.is_true(*path),
            _ => false,
        };
        if self.is_true(path) && label.is_none() && absorbed {
            return goal;
        }
        self.add(Node::Until(path, label, goal))
    }

    pub(super) fn is_true(&self, formula: Id) -> bool {
        matches!(&self.nodes[formula as usize], Node::And(parts) if parts.is_empty())
    }

    pub fn forever(&mut self, formula: Id) -> Id {
        self.add(Node::Forever(formula))
    }

    /// The states of a graph where a formula holds.
    pub fn states(&self, graph: &Graph, formula: Id) -> Bits {
        let mut sets = self.evaluate(graph, formula, &[]);
        std::mem::take(&mut sets[formula as usize])
    }

    /// For a formula and those of its parts that are to be kept the states where they hold; others
    /// are empty.
    pub(super) fn evaluate(&self, graph: &Graph, formula: Id, kept: &[Id]) -> Vec<Bits> {
        let mut last_use: Vec<usize> = (0..self.nodes.len()).collect();
        let needed = self.needed(formula);
        for &id in &needed {
            self.each_part(id, |part| last_use[part as usize] = id as usize);
        }
        for &id in kept.iter().chain([&formula]) {
            last_use[id as usize] = usize::MAX;
        }
        let silent = SilentSources::new(graph);
        let mut sets: Vec<Bits> = vec![Bits::default(); self.nodes.len()];
        for &id in &needed {
            let set = self.states_of(graph, &silent, &sets, id);
            sets[id as usize] = set;
            self.each_part(id, |part| {
                if last_use[part as usize] == id as usize {
                    sets[part as usize] = Bits::default();
                }
            });
        }
        sets
    }

    /// The formulas that one is made of, itself included, parts first.
    pub(super) fn needed(&self, formula: Id) -> Vec<Id> {
        let mut needed = vec![false; formula as usize + 1];
        needed[formula as usize] = true;
        for id in (0..=formula).rev() {
            if needed[id as usize] {
                self.each_part(id, |part| needed[part as usize] = true);
            }
        }
        (0..=formula).filter(|&id| needed[id as usize]).collect()
    }

    /// Calls `visit` with every part of a formula.
    pub(super) fn each_part(&self, id: Id, mut visit: impl FnMut(Id)) {
        match &self.nodes[id as usize] {
            Node::And(parts) => parts.iter().for_each(|&part| visit(part)),
            Node::Not(part) | Node::Step(_, part) | Node::Forever(part) => visit(*part),
            Node::Until(path, _, goal) => {
                visit(*path);
                visit(*goal);
            }
        }
    }

    fn states_of(&self, graph: &Graph, silent: &SilentSources, sets: &[Bits], id: Id) -> Bits {
        let all = graph.states as u32;
        let states = |holds: &dyn Fn(u32) -> bool| {
            let mut set = Bits::new(graph.states);
            (0..all).filter(|&state| holds(state)).for_each(|state| {
                set.add(state);
            });
            set
        };
        let leads = |state, label, goal: &Bits| {
            graph.targets(state, label).iter().any(|&target| goal.has(target))
        };
        match &self.nodes[id as usize] {
            Node::And(parts) => {
                states(&|state| parts.iter().all(|&part| sets[part as usize].has(state)))
            }
            Node::Not(part) => states(&|state| !sets[*part as usize].has(state)),
            Node::Step(label, part) => states(&|state| leads(state, *label, &sets[*part as usize])),
            Node::Until(path, label, goal) => {
                let (path, goal) = (&sets[*path as usize], &sets[*goal as usize]);
                let mut found = match label {
                    None => goal.clone(),
                    Some(a) => states(&|state| path.has(state) && leads(state, *a, goal)),
                };
                let mut waiting: Vec<u32> = found.iter().collect();
                while let Some(state) = waiting.pop() {
                    for &source in silent.of(state) {
                        if path.has(source) && found.add(source) {
                            waiting.push(source);
                        }
                    }
                }
                found
            }
            Node::Forever(part) => {
                let mut found = sets[*part as usize].clone();
                let Some(tau) = graph.tau else { return Bits::new(graph.states) };
                let stays = |state, found: &Bits| leads(state, tau, found);
                let mut waiting: Vec<u32> =
                    found.iter().filter(|&state| !stays(state, &found)).collect();
                waiting.iter().for_each(|&state| found.remove(state));
                while let Some(state) = waiting.pop() {
                    for &source in silent.of(state) {
                        if found.has(source) && !stays(source, &found) {
                            found.remove(source);
                            waiting.push(source);
                        }
                    }
                }
                found
            }
        }
    }
}

/// Internal steps by target.
struct SilentSources {
    starts: Vec<usize>,
    sources: Vec<u32>,
}

impl SilentSources {
    fn new(graph: &Graph) -> Self {
        let tau = graph.tau;
        let silent = |state| graph.steps(state).filter(move |&(label, _)| Some(label) == tau);
        let mut starts = vec![0; graph.states + 1];
        for state in 0..graph.states as u32 {
            silent(state).for_each(|(_, target)| starts[target as usize + 1] += 1);
        }
        for s in 0..graph.states {
            starts[s + 1] += starts[s];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; starts[graph.states]];
        for state in 0..graph.states as u32 {
            for (_, target) in silent(state) {
                sources[next[target as usize]] = state;
                next[target as usize] += 1;
            }
        }
        Self { starts, sources }
    }

    fn of(&self, state: u32) -> &[u32] {
        &self.sources[self.starts[state as usize]..self.starts[state as usize + 1]]
    }
}
