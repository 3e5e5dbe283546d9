//! Searches for a path that an automaton accepts, in a system or in its quotient by orbits.
//!
//! The automaton belongs to a path formula (`lts/logic/paths/tableau.py`). Its states have values
//! for its variables; a *node* is a pair of a state of the system and a state of the automaton.
//! Where a run stays in a component of the automaton, it must fulfil *eventualities*, and meet
//! *fairness requirements* infinitely often, for instance one for each process. The search looks
//! for a strongly connected component of nodes in which all of this is possible. It does so each
//! time the number of nodes has doubled: a component found then is part of one of the whole system,
//! so the search can stop.
//!
//! **On orbits.** Let G act on states, automaton states and requirements. Only one state r of each
//! orbit is explored. If a step leads from r to g r', the automaton state after it is moved as
//! well, by the inverse of g: paths of these nodes are paths of the system, moved step by step. The
//! elements accumulated along closed paths from a node x of a component to itself form a subgroup H
//! of G. The component stands for several of the system; in each of them a requirement at x can be
//! met if and only if some element of H maps it to a requirement that is met where it occurs, after
//! being moved along a spanning tree from x. So requirements fall into classes under the closed
//! paths, and one requirement of each class has to be met. (After Emerson and Sistla, Utilizing
//! symmetry when model checking under fairness assumptions, TOPLAS 19, 1997, who follow each
//! process in a graph of its own. The components are Tarjan's, in the form of Pearce, A
//! space-efficient algorithm for finding strongly connected components, 2016.)
//!
//! **Strong fairness.** A requirement need not be met if its alternative holds forever. If no
//! requirement of a class is met in a component, the nodes where the alternative does not hold are
//! removed, and components are searched for in the rest (Streett; Emerson and Lei, Modalities for
//! model checking, 1987).
//!
//! Read `automaton_states`, `graph`, `automaton` with `conditions`, `nodes`, `components` with
//! `judgement`, `lassos`; the search itself is in this file.

pub mod automaton;
pub mod automaton_states;
pub mod components;
pub mod conditions;
pub mod graph;
pub mod judgement;
pub mod lassos;
pub mod lts_graph;
pub mod no_path;
pub mod nodes;

use crate::base::ids::Id;
use crate::check::data_formula::Coded;
use crate::check::fair_paths::automaton::Automaton;
use crate::check::fair_paths::automaton_states::{AutomatonFormula, Kind};
use crate::check::fair_paths::components::Components;
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::no_path::Result;
use crate::check::fair_paths::nodes::{Node, NodeSet};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The number of nodes after which components are searched for the first time.
const FIRST: usize = 1 << 8;
/// The number of queued nodes whose states are expanded together.
const BATCH: usize = 1 << 12;

/// Evidence for a path.
#[derive(Debug)]
pub enum Shown {
    /// The path may end at this node, or continue from it in any way.
    Until(Node),
    /// The path cycles among these nodes.
    Cycle(Vec<Node>),
}

/// The result of a search.
pub enum Outcome {
    Accepted(Shown),
    Nothing,
    /// A limit was reached.
    Stopped,
}

/// The state of a search.
pub struct FairPathSearch<'a, F: AutomatonFormula, G> {
    pub graph: &'a mut G,
    pub automaton: Automaton<'a, F>,
    pub nodes: NodeSet,
    queue: VecDeque<Node>,
    /// The number of nodes whose steps were followed.
    pub explored: usize,
    pub start: Node,
}

impl<'a, F: AutomatonFormula, G: Graph> FairPathSearch<'a, F, G> {
    /// Starts from the initial state of the graph and the automaton state that is part `root` of
    /// the formula.
    pub fn new(graph: &'a mut G, formula: &'a mut Coded<F>, root: u32) -> Result<Self> {
        let mut automaton = Automaton::new(formula);
        let (state, element) = graph.initial();
        let control = automaton.state_of(root)?;
        let start = (state, automaton.moved_state(control, element, graph)?);
        let mut nodes = NodeSet::default();
        nodes.insert(start, automaton.controls());
        let queue = VecDeque::from([start]);
        Ok(Self { graph, automaton, nodes, queue, explored: 0, start })
    }

    /// Searches for a path.
    pub fn run(&mut self) -> Result<Outcome> {
        let mut next = FIRST;
        while let Some(&(state, _)) = self.queue.front() {
            if !self.graph.may_continue(self.nodes.count())? {
                return Ok(Outcome::Stopped);
            }
            if !self.graph.is_known(state) {
                // In the order of the queue, so that a limit cuts off the last ones.
                let mut seen = FxHashSet::default();
                let states = self.queue.iter().take(BATCH).map(|&(state, _)| state);
                let unknown: Vec<u32> =
                    states.filter(|&s| !self.graph.is_known(s) && seen.insert(s)).collect();
                self.graph.expand(&unknown)?;
                if !self.graph.is_known(state) {
                    return Ok(Outcome::Stopped);
                }
            }
            let many = self.queue.len().min(BATCH);
            for _ in 0..many {
                let Some(&node) = self.queue.front().filter(|node| self.graph.is_known(node.0))
                else {
                    break;
                };
                self.queue.pop_front();
                self.explored += 1;
                if let Some(shown) = self.follow(node)? {
                    return Ok(Outcome::Accepted(shown));
                }
            }
            if self.explored >= next && !self.queue.is_empty() {
                next = 2 * self.explored;
                if let Some(path) = self.accepted_component()? {
                    return Ok(Outcome::Accepted(path));
                }
            }
        }
        self.queue = VecDeque::new();
        let is_all = self.graph.may_continue(self.nodes.count())?;
        self.graph.close();
        let nothing = if is_all { Outcome::Nothing } else { Outcome::Stopped };
        Ok(self.accepted_component()?.map_or(nothing, Outcome::Accepted))
    }

    /// Adds the successors of a node to the queue, unless one shows that there is a path.
    fn follow(&mut self, node: Node) -> Result<Option<Shown>> {
        let (state, control) = node;
        if self.automaton.is_shown(control, state, self.graph)? {
            return Ok(Some(Shown::Until(node)));
        }
        let steps = self.graph.steps(state);
        let is_end = steps.is_empty() && self.graph.is_whole(state);
        if is_end && self.automaton.may_end(control, self.graph.labels())? {
            return Ok(Some(Shown::Until(node)));
        }
        for at in steps {
            let step = self.graph.step(at);
            for position in 0..self.automaton.moves(control, step.label, self.graph.labels())? {
                let made = self.automaton.made(control, step.label, position);
                if !self.automaton.is_held(control, made, state, self.graph)? {
                    continue;
                }
                let to = self.automaton.moved_state(made.to, step.element, self.graph)?;
                let target = (step.target, to);
                if self.nodes.insert(target, self.automaton.controls()) {
                    if self.automaton.control(to).kind == Kind::Accepting {
                        return Ok(Some(Shown::Until(target)));
                    }
                    self.queue.push_back(target);
                }
            }
        }
        Ok(None)
    }

    /// The steps that the automaton can take from some node found so far.
    pub fn followed(&mut self) -> Result<Vec<usize>> {
        let mut steps = Vec::new();
        for state in 0..u32::at(self.graph.states()) {
            // For interrupts only: a limit does not matter any more.
            if state.is_multiple_of(1 << 12) {
                self.graph.may_continue(self.nodes.count())?;
            }
            let controls: Vec<u32> = self.nodes.controls(state).collect();
            for at in self.graph.steps(state) {
                let label = self.graph.step(at).label;
                let mut is_taken = false;
                for &control in &controls {
                    for position in 0..self.automaton.moves(control, label, self.graph.labels())? {
                        let made = self.automaton.made(control, label, position);
                        is_taken =
                            is_taken || self.automaton.is_held(control, made, state, self.graph)?;
                    }
                }
                if is_taken {
                    steps.push(at);
                }
            }
        }
        Ok(steps)
    }

    /// The nodes of an accepted component, if there is one among the nodes found so far.
    fn accepted_component(&mut self) -> Result<Option<Shown>> {
        let Self { graph, automaton, nodes, .. } = self;
        let component = Components::new(*graph, automaton, nodes)?.accepting()?;
        Ok(component.map(Shown::Cycle))
    }
}
