//! Formulas that tell states apart: what holds where, and how they are written.
//!
//! Hennessy-Milner logic, with internal steps where a relation does not see them (De Nicola and
//! Vaandrager, Three logics for branching bisimulation, 1995) and internal steps without end (van
//! Glabbeek, Luttik and Trčka, Branching bisimilarity with explicit divergence, 2009). The text is
//! that of regular formulas: `*` repeats, `.` puts one after the other, `f?` passes a state where f
//! holds, `<r>@` does r forever.
//!
//! Read this file, then `text`, then `model_check` (where formulas hold), then `run`.

pub mod model_check;
pub mod run;
pub mod text;

use crate::base::ids::Label;
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
    Step(Label, Id),
    /// Internal steps, each from a state where the first formula holds, lead to a state where the
    /// second holds; with a label, to one where the first holds and that has a step with this label
    /// to a state where the second holds.
    Until(Id, Option<Label>, Id),
    /// Internal steps without end through states where the formula holds.
    Forever(Id),
}

/// Formulas that share their parts; equal ones have equal numbers.
#[derive(Default)]
pub struct Formulas {
    pub(crate) nodes: Vec<Node>,
    numbers: FxHashMap<Node, Id>,
}

/// How labels are written.
pub trait Names {
    fn name(&self, label: Label) -> Vec<u8>;
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

    pub fn step(&mut self, label: Label, formula: Id) -> Id {
        self.add(Node::Step(label, formula))
    }

    /// See [`Node::Until`]. Internal steps before those that an until begins with are not written.
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

    /// Whether a formula is the one that always holds.
    pub(crate) fn is_true(&self, formula: Id) -> bool {
        matches!(&self.nodes[formula as usize], Node::And(parts) if parts.is_empty())
    }

    pub fn forever(&mut self, formula: Id) -> Id {
        self.add(Node::Forever(formula))
    }

    /// The formulas that one is made of, itself included, parts first.
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

    /// Calls `visit` with every part of a formula.
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
