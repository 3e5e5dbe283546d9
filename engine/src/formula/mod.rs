//! Formulas that distinguish states: how they are built, evaluated and written.
//!
//! Hennessy-Milner logic, extended by modalities for internal steps (De Nicola and Vaandrager,
//! Three logics for branching bisimulation, 1995) and for divergence (van Glabbeek, Luttik and
//! Trčka, Branching bisimilarity with explicit divergence, 2009). They are written as regular
//! formulas: `*` is iteration, `.` is concatenation, `f?` tests that f holds, `<r>@` repeats r
//! forever.
//!
//! Read this file, then `text`, then `model_check` (evaluation), then `run`.

pub mod model_check;
pub mod run;
pub mod text;

use crate::base::ids::Id as _;
use crate::base::ids::Label;
use rustc_hash::FxHashMap;

/// The number of a formula in its arena.
pub type Id = u32;

/// A formula. Its parts are in the same arena and have smaller numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The conjunction of the parts; true if there are none.
    And(Vec<Id>),
    Not(Id),
    /// Some step with this label leads to a state where the formula holds.
    Step(Label, Id),
    /// Internal steps, each from a state where the first formula holds, lead to a state where the
    /// second holds. With a label: they lead to a state where the first holds and from which a step
    /// with this label leads to a state where the second holds.
    Until(Id, Option<Label>, Id),
    /// An infinite sequence of internal steps through states where the formula holds.
    Forever(Id),
}

/// An arena of formulas that share their parts; equal formulas have equal numbers.
#[derive(Default)]
pub struct Formulas {
    pub(crate) nodes: Vec<Node>,
    numbers: FxHashMap<Node, Id>,
}

/// Gives the text of a label.
pub trait Names {
    fn name(&self, label: Label) -> Vec<u8>;
}

impl Formulas {
    fn add(&mut self, node: Node) -> Id {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = u32::at(self.nodes.len());
        self.nodes.push(node.clone());
        self.numbers.insert(node, id);
        id
    }

    /// The formula that always holds.
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

    /// The formula without its outermost negation, and whether there was one.
    pub fn without_negation(&self, formula: Id) -> (Id, bool) {
        match self.nodes[formula as usize] {
            Node::Not(inner) => (inner, true),
            _ => (formula, false),
        }
    }

    pub fn step(&mut self, label: Label, formula: Id) -> Id {
        self.add(Node::Step(label, formula))
    }

    /// See [`Node::Until`]. Leaves out unrestricted internal steps if `goal` begins with such steps
    /// itself.
    pub fn until(&mut self, path: Id, label: Option<Label>, goal: Id) -> Id {
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

    /// Whether this is the formula that always holds.
    pub(crate) fn is_true(&self, formula: Id) -> bool {
        matches!(&self.nodes[formula as usize], Node::And(parts) if parts.is_empty())
    }

    pub fn forever(&mut self, formula: Id) -> Id {
        self.add(Node::Forever(formula))
    }

    /// The numbers of a formula and all its subformulas, parts first.
    pub(crate) fn needed(&self, formula: Id) -> Vec<Id> {
        let mut needed = vec![false; formula as usize + 1];
        needed[formula as usize] = true;
        for id in (0..=formula).rev() {
            if needed[id as usize] {
                self.each_part(id, |part| needed[part as usize] = true);
            }
        }
        (0..=formula).filter(|&id| needed[id as usize]).collect()
    }

    /// Calls `visit` with every direct part of a formula.
    pub(crate) fn each_part(&self, id: Id, mut visit: impl FnMut(Id)) {
        match &self.nodes[id as usize] {
            Node::And(parts) => parts.iter().for_each(|&part| visit(part)),
            Node::Not(part) | Node::Step(_, part) | Node::Forever(part) => visit(*part),
            Node::Until(path, _, goal) => {
                visit(*path);
                visit(*goal);
            }
        }
    }
}
