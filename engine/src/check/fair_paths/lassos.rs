//! The path that is shown as evidence: shortest paths, joined, that fulfil all eventualities and
//! meet all requirements.

use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::paths::path_to;
use crate::check::fair_paths::automaton_states::AutomatonFormula;
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::no_path::Result;
use crate::check::fair_paths::nodes::{Node, NodeSet};
use crate::check::fair_paths::{FairPathSearch, Shown};
use rustc_hash::FxHashSet;

/// A step of the graph, by its number, and the next automaton state, before both are moved by the
/// step's element.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub at: u32,
    pub to: u32,
}

/// A path from the initial node. If `again` is given, its last step returns to the node at that
/// position.
#[derive(Debug)]
pub struct Lasso {
    pub steps: Vec<Edge>,
    pub again: Option<usize>,
}

/// The goal of a shortest path: its last node, or a property of its last step.
#[derive(Clone, Copy)]
enum Goal<'g> {
    Node(Node),
    OneOf(&'g FxHashSet<Node>),
    /// The last step meets the requirement that is followed.
    Requirement,
    /// The last step fulfils eventualities: it does not leave all of these bits open.
    Eventuality(u64),
}

impl<F: AutomatonFormula, G: Graph> FairPathSearch<'_, F, G> {
    /// The path for the evidence found by the search.
    pub fn lasso(&mut self, shown: &Shown) -> Result<Lasso> {
        let start = self.start;
        let nodes = match shown {
            &Shown::Until(node) => {
                let steps = self.shortest(start, NONE, None, Goal::Node(node))?;
                return Ok(Lasso { steps: steps.expect("it was visited"), again: None });
            }
            Shown::Cycle(nodes) => nodes.iter().copied().collect::<FxHashSet<Node>>(),
        };
        let prefix = if nodes.contains(&start) {
            Vec::new()
        } else {
            self.shortest(start, NONE, None, Goal::OneOf(&nodes))?.expect("it was visited")
        };
        let mut at = start;
        for &edge in &prefix {
            at = self.end(edge)?;
        }
        let again = prefix.len();
        let mut cycle = Cycle {
            steps: prefix,
            at,
            first: at,
            requirements: self.automaton.control(at.1).requirements.clone(),
            done: Vec::new(),
            open: nodes
                .iter()
                .fold(0, |all, &(_, control)| all | self.automaton.eventualities(control)),
        };
        cycle.done.resize(cycle.requirements.len(), false);
        for position in 0..cycle.requirements.len() {
            if !cycle.done[position] {
                // Without such a path, the alternative of the requirement holds forever.
                let requirement = cycle.requirements[position];
                let steps =
                    self.shortest(cycle.at, requirement, Some(&nodes), Goal::Requirement)?;
                self.append(&mut cycle, &steps.unwrap_or_default())?;
            }
        }
        while cycle.open != 0 {
            let bit = 1 << cycle.open.trailing_zeros();
            let steps = self.shortest(cycle.at, NONE, Some(&nodes), Goal::Eventuality(bit))?;
            self.append(&mut cycle, &steps.expect("all eventualities are fulfilled"))?;
        }
        if cycle.at != cycle.first || cycle.steps.len() == again {
            let goal = Goal::Node(cycle.first);
            let steps = self.shortest(cycle.at, NONE, Some(&nodes), goal)?;
            self.append(&mut cycle, &steps.expect("all nodes lead to one another"))?;
        }
        Ok(Lasso { steps: cycle.steps, again: Some(again) })
    }

    /// The node that a step leads to.
    fn end(&mut self, edge: Edge) -> Result<Node> {
        let step = self.graph.step(edge.at as usize);
        Ok((step.target, self.automaton.moved_state(edge.to, step.element, self.graph)?))
    }

    /// Appends some steps to the cycle.
    fn append(&mut self, cycle: &mut Cycle, steps: &[Edge]) -> Result<()> {
        for &edge in steps {
            let (step, state) = (self.graph.step(edge.at as usize), cycle.at.0);
            for (requirement, done) in cycle.requirements.iter_mut().zip(&mut cycle.done) {
                *done =
                    *done || self.automaton.does(*requirement, step.label, state, self.graph)?;
                *requirement =
                    self.automaton.moved_requirement(*requirement, step.element, self.graph)?;
            }
            let own: Vec<u32> =
                self.graph.steps(state).map(|at| self.graph.step(at).label).collect();
            let control = cycle.at.1;
            let open = self.automaton.left_open(control, step.label, edge.to, &own, self.graph)?;
            cycle.open &= open.expect("it is a move");
            cycle.at = self.end(edge)?;
            cycle.steps.push(edge);
        }
        Ok(())
    }

    /// The fewest steps from a node to a goal through the nodes of `inside`; `None` if there are
    /// none.
    fn shortest(
        &mut self,
        from: Node,
        requirement: u32,
        inside: Option<&FxHashSet<Node>>,
        goal: Goal,
    ) -> Result<Option<Vec<Edge>>> {
        if inside.is_none() && matches!(goal, Goal::Node(node) if node == from) {
            return Ok(Some(Vec::new()));
        }
        let mut visited = VisitedNodes::default();
        visited.insert((from.0, from.1, requirement), self.automaton.controls());
        let start = Reached { node: from, requirement, before: 0, edge: Edge { at: 0, to: 0 } };
        let (mut reached, mut next) = (vec![start], 0);
        while let Some(&Reached { node: (state, control), requirement, .. }) = reached.get(next) {
            // Called for interrupts only: a limit does not stop a path that is known to exist.
            if next.is_multiple_of(1 << 12) {
                self.graph.may_continue(self.nodes.count())?;
            }
            for at in self.graph.steps(state) {
                let step = self.graph.step(at);
                for number in 0..self.automaton.moves(control, step.label, self.graph.labels())? {
                    let made = self.automaton.made(control, step.label, number);
                    if !self.automaton.is_held(control, made, state, self.graph)? {
                        continue;
                    }
                    let edge = Edge { at: u32::at(at), to: made.to };
                    let node = self.end(edge)?;
                    if inside.is_some_and(|inside| !inside.contains(&node)) {
                        continue;
                    }
                    let is_goal = match goal {
                        Goal::Node(goal) => node == goal,
                        Goal::OneOf(goals) => goals.contains(&node),
                        Goal::Requirement => {
                            self.automaton.does(requirement, step.label, state, self.graph)?
                        }
                        Goal::Eventuality(bit) => made.open & bit == 0,
                    };
                    let moved = match requirement {
                        NONE => NONE,
                        requirement => self.automaton.moved_requirement(
                            requirement,
                            step.element,
                            self.graph,
                        )?,
                    };
                    if is_goal {
                        return Ok(Some(back(&reached, next, edge)));
                    }
                    if visited.insert((node.0, node.1, moved), self.automaton.controls()) {
                        reached.push(Reached {
                            node,
                            requirement: moved,
                            before: u32::at(next),
                            edge,
                        });
                    }
                }
            }
            next += 1;
        }
        Ok(None)
    }
}

/// A node that was reached, the requirement moved along, and the step that led there.
struct Reached {
    node: Node,
    requirement: u32,
    before: u32,
    edge: Edge,
}

/// The pairs of node and requirement visited so far; without a requirement, the nodes.
#[derive(Default)]
struct VisitedNodes {
    nodes: NodeSet,
    with_requirements: FxHashSet<(u32, u32, u32)>,
}

impl VisitedNodes {
    /// Adds a state with an automaton state and a requirement; returns whether the triple is new.
    fn insert(&mut self, (state, control, requirement): (u32, u32, u32), controls: usize) -> bool {
        match requirement {
            NONE => self.nodes.insert((state, control), controls),
            requirement => self.with_requirements.insert((state, control, requirement)),
        }
    }
}

/// A cycle under construction.
struct Cycle {
    steps: Vec<Edge>,
    at: Node,
    first: Node,
    /// The requirements as moved along the cycle so far, and which of them were met.
    requirements: Vec<u32>,
    done: Vec<bool>,
    /// The eventualities left open at every step so far.
    open: u64,
}

/// The steps from the start to the node at `position`, followed by `last`.
fn back(reached: &[Reached], position: usize, last: Edge) -> Vec<Edge> {
    let before = |at: usize| (reached[at].before as usize, reached[at].edge);
    let mut steps = path_to(position, |at| (at != 0).then(|| before(at)));
    steps.push(last);
    steps
}
