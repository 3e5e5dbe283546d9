//! Random systems and formulas, and the truth of formulas by their definition.

mod fair_paths;
mod games;

use crate::base::cancel::Result;
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::base::random::Random;
use crate::check::data_formula::DataFormula;
use crate::check::parity_game::formula::{After, Formula, Part};
use crate::data::rewrite::Data;
use crate::data::terms::Term;
use std::collections::BTreeSet;

const LABELS: [&str; 3] = ["a", "b", "c"];

/// A transition system, whose initial state is 0.
#[derive(Clone, Debug, PartialEq)]
struct System {
    states: usize,
    /// Sources, labels and targets.
    transitions: Vec<(usize, usize, usize)>,
}

impl System {
    /// A system with about `degree` to `degree + 3` transitions for each state.
    fn random(random: &mut Random, degree: usize) -> Self {
        let states = 1 + random.below(5);
        let count = degree * states + random.below(3 * states);
        let mut transition =
            || (random.below(states), random.below(LABELS.len()), random.below(states));
        let transitions: BTreeSet<_> = (0..count).map(|_| transition()).collect();
        Self { states, transitions: transitions.into_iter().collect() }
    }

    fn steps(&self, state: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let own = self.transitions.iter().filter(move |transition| transition.0 == state);
        own.map(|&(_, label, target)| (label, target))
    }

    fn lts(&self) -> Lts {
        let column = |of: fn(&(usize, usize, usize)) -> usize| {
            self.transitions.iter().map(|transition| of(transition) as u32).collect()
        };
        let labels: Labels = LABELS.iter().map(|name| name.as_bytes()).collect();
        let states = self.states as u32;
        Lts::new(0, states, column(|t| t.0), column(|t| t.1), column(|t| t.2), labels)
            .expect("the numbers are in range")
    }

    /// Whether each step of this system's initial state, and of all states that follow, is
    /// matched by a step of the other system.
    fn is_simulated_by(&self, other: &Self) -> bool {
        let mut related: BTreeSet<(usize, usize)> =
            (0..self.states).flat_map(|s| (0..other.states).map(move |t| (s, t))).collect();
        loop {
            let matched = |&&(s, t): &&(usize, usize)| {
                self.steps(s).all(|(label, to)| {
                    other.steps(t).any(|(own, end)| own == label && related.contains(&(to, end)))
                })
            };
            let next: BTreeSet<_> = related.iter().filter(matched).copied().collect();
            if next == related {
                return related.contains(&(0, 0));
            }
            related = next;
        }
    }
}

/// A part of a formula; sets of labels are bits.
#[derive(Clone, Debug)]
enum Node {
    And(Vec<usize>),
    Or(Vec<usize>),
    Can(usize, usize),
    Must(usize, usize),
    /// For each label the part that has to hold after a step with it, if the set has it.
    CanByLabel(usize, [usize; 3]),
    MustByLabel(usize, [usize; 3]),
    /// For each label the part that counts if the state has a step with it.
    OneOf([usize; 3]),
    EachOf([usize; 3]),
    /// A priority and a body.
    Fixed(u32, usize),
}

/// A formula whose sets have the numbers of the nodes that they belong to.
#[derive(Clone, Debug, Default)]
struct Nodes {
    nodes: Vec<Node>,
}

/// The largest nesting depth of fixed points.
const DEPTH: u32 = 3;

impl Nodes {
    /// A closed formula; returns its root.
    fn random(random: &mut Random) -> (Self, usize) {
        let mut nodes = Self::default();
        let root = nodes.grow(random, 5, &mut Vec::new());
        (nodes, root)
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// A formula in which the fixed points `around` may be used.
    fn grow(&mut self, random: &mut Random, size: usize, around: &mut Vec<usize>) -> usize {
        if size == 0 {
            return match random.below(3) {
                0 => self.add(Node::And(Vec::new())),
                1 => self.add(Node::Or(Vec::new())),
                _ if around.is_empty() => {
                    let truth = self.add(Node::And(Vec::new()));
                    self.add(Node::Can(7, truth))
                }
                _ => around[random.below(around.len())],
            };
        }
        let set = 1 + random.below(7);
        match random.below(12) {
            0..4 if around.len() < DEPTH as usize => {
                // Outer fixed points have greater priorities; those of greatest ones are even.
                let priority = 2 * (DEPTH - around.len() as u32) + random.below(2) as u32;
                let fixed = self.add(Node::Fixed(priority, 0));
                around.push(fixed);
                let body = self.grow(random, size - 1, around);
                around.pop();
                self.nodes[fixed] = Node::Fixed(priority, body);
                fixed
            }
            kind @ 0..7 => {
                let count = 2 + random.below(2);
                let parts = (0..count).map(|_| self.grow(random, size - 1, around)).collect();
                self.add(if kind % 2 == 0 { Node::And(parts) } else { Node::Or(parts) })
            }
            kind @ 7..10 => {
                let after = self.grow(random, size - 1, around);
                self.add(if kind == 7 { Node::Can(set, after) } else { Node::Must(set, after) })
            }
            _ => {
                let parts = [(); 3].map(|()| self.grow(random, size.saturating_sub(2), around));
                self.add(match random.below(4) {
                    0 => Node::CanByLabel(set, parts),
                    1 => Node::MustByLabel(set, parts),
                    2 => Node::OneOf(parts),
                    _ => Node::EachOf(parts),
                })
            }
        }
    }

    /// A condition on the steps of a state.
    fn condition(&mut self, random: &mut Random) -> usize {
        let truth = self.add(Node::And(Vec::new()));
        let lie = self.add(Node::Or(Vec::new()));
        let mut atom = || {
            let set = 1 + random.below(7);
            let parts = [(); 3].map(|()| [truth, lie][random.below(2)]);
            match random.below(5) {
                0 => self.add(Node::CanByLabel(set, parts)),
                1 => self.add(Node::MustByLabel(set, parts)),
                kind if kind % 2 == 0 => self.add(Node::Can(set, truth)),
                _ => self.add(Node::Must(set, lie)),
            }
        };
        let parts = vec![atom(), atom()];
        match random.below(4) {
            0 => self.add(Node::And(parts)),
            1 => self.add(Node::Or(parts)),
            _ => parts[0],
        }
    }

    /// The states where a part holds, if each fixed point around it stands for a set of states.
    fn holds(
        &self,
        part: usize,
        system: &System,
        around: &mut Vec<(usize, BTreeSet<usize>)>,
    ) -> BTreeSet<usize> {
        if let Some((_, states)) = around.iter().find(|(fixed, _)| *fixed == part) {
            return states.clone();
        }
        let mut of = |part: usize| self.holds(part, system, around);
        let all = 0..system.states;
        match &self.nodes[part] {
            Node::And(parts) => {
                let sets: Vec<_> = parts.iter().map(|&part| of(part)).collect();
                all.filter(|state| sets.iter().all(|set| set.contains(state))).collect()
            }
            Node::Or(parts) => parts.iter().flat_map(|&part| of(part)).collect(),
            &Node::Can(set, after) => {
                let after = of(after);
                let step =
                    |(label, to): (usize, usize)| set >> label & 1 > 0 && after.contains(&to);
                all.filter(|&state| system.steps(state).any(step)).collect()
            }
            &Node::Must(set, after) => {
                let after = of(after);
                let step =
                    |(label, to): (usize, usize)| set >> label & 1 == 0 || after.contains(&to);
                all.filter(|&state| system.steps(state).all(step)).collect()
            }
            &Node::CanByLabel(set, parts) => {
                let after = parts.map(of);
                let step = |(label, to): (usize, usize)| {
                    set >> label & 1 > 0 && after[label].contains(&to)
                };
                all.filter(|&state| system.steps(state).any(step)).collect()
            }
            &Node::MustByLabel(set, parts) => {
                let after = parts.map(of);
                let step = |(label, to): (usize, usize)| {
                    set >> label & 1 == 0 || after[label].contains(&to)
                };
                all.filter(|&state| system.steps(state).all(step)).collect()
            }
            &Node::OneOf(parts) => {
                let here = parts.map(of);
                let holds =
                    |&state: &usize| system.steps(state).any(|s| here[s.0].contains(&state));
                all.filter(holds).collect()
            }
            &Node::EachOf(parts) => {
                let here = parts.map(of);
                let holds =
                    |&state: &usize| system.steps(state).all(|s| here[s.0].contains(&state));
                all.filter(holds).collect()
            }
            &Node::Fixed(priority, body) => {
                let mut holding = if priority % 2 == 0 { all.collect() } else { BTreeSet::new() };
                loop {
                    around.push((part, holding));
                    let next = self.holds(body, system, around);
                    let (_, before) = around.pop().expect("it was put there");
                    if next == before {
                        return next;
                    }
                    holding = next;
                }
            }
        }
    }

    /// Whether no part depends on which labels the steps of a state have: evidence need not have
    /// these steps.
    fn is_about_steps(&self) -> bool {
        !self.nodes.iter().any(|node| matches!(node, Node::OneOf(_) | Node::EachOf(_)))
    }

    /// Whether a closed part holds in a state.
    fn holds_in(&self, part: usize, system: &System, state: usize) -> bool {
        self.holds(part, system, &mut Vec::new()).contains(&state)
    }

    fn set(&self, number: u32) -> usize {
        match self.nodes[number as usize] {
            Node::Can(set, _) | Node::Must(set, _) => set,
            Node::CanByLabel(set, _) | Node::MustByLabel(set, _) => set,
            _ => unreachable!("it has no set"),
        }
    }
}

fn label_of(text: &[u8]) -> usize {
    LABELS.iter().position(|name| name.as_bytes() == text).expect("it is one of them")
}

impl Formula for Nodes {
    fn part(&mut self, number: u32) -> Result<Part> {
        let numbers = |parts: &[usize]| parts.iter().map(|&part| part as u32).collect();
        Ok(match &self.nodes[number as usize] {
            Node::And(parts) => Part::And(numbers(parts)),
            Node::Or(parts) => Part::Or(numbers(parts)),
            Node::Can(_, after) => Part::Can(number, After::Part(*after as u32)),
            Node::Must(_, after) => Part::Must(number, After::Part(*after as u32)),
            Node::CanByLabel(..) => Part::Can(number, After::OfLabel),
            Node::MustByLabel(..) => Part::Must(number, After::OfLabel),
            Node::OneOf(_) => Part::OneOf(number),
            Node::EachOf(_) => Part::EachOf(number),
            Node::Fixed(priority, body) => Part::Fixed(*priority, *body as u32),
        })
    }

    fn constant(&mut self, set: u32) -> Result<Option<bool>> {
        Ok((self.set(set) == 7).then_some(true))
    }

    fn has(&mut self, set: u32, label: &[u8]) -> Result<bool> {
        Ok(self.set(set) >> label_of(label) & 1 > 0)
    }

    fn after(&mut self, set: u32, label: &[u8]) -> Result<Vec<u32>> {
        let label = label_of(label);
        Ok(match self.nodes[set as usize] {
            Node::CanByLabel(set, parts) | Node::MustByLabel(set, parts) => {
                (set >> label & 1 > 0).then_some(parts[label] as u32).into_iter().collect()
            }
            _ => unreachable!("its parts do not depend on labels"),
        })
    }

    fn here(&mut self, number: u32, labels: &[&[u8]]) -> Result<Vec<u32>> {
        match self.nodes[number as usize] {
            Node::OneOf(parts) | Node::EachOf(parts) => {
                Ok(labels.iter().map(|label| parts[label_of(label)] as u32).collect())
            }
            _ => unreachable!("its parts do not depend on labels"),
        }
    }
}

impl DataFormula for Nodes {
    fn taken_apart(&mut self, part: u32, _: &mut Data) -> Result<(u32, Vec<Term>)> {
        Ok((part, Vec::new()))
    }

    fn put_together(&mut self, shape: u32, _: &[Term], _: &Data) -> Result<u32> {
        Ok(shape)
    }

    fn is_internal(&mut self, _: &[u8]) -> Result<bool> {
        Ok(false)
    }
}
