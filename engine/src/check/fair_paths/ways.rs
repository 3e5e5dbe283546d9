//! The path that is shown as evidence: shortest paths, joined, that keep all promises and do all
//! tasks.

use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::paths::path_to;
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::no_path::Result;
use crate::check::fair_paths::nodes::{Node, Nodes};
use crate::check::fair_paths::walks::Walks;
use crate::check::fair_paths::{Search, Shown};
use rustc_hash::FxHashSet;

/// A step of the graph, by its number, and the next walk, before both are moved by the step's
/// element.
#[derive(Clone, Copy, Debug)]
pub struct Went {
    pub at: u32,
    pub to: u32,
}

/// A path from the initial node. If `again` is given, its last step returns to the node at that
/// position.
#[derive(Debug)]
pub struct Way {
    pub steps: Vec<Went>,
    pub again: Option<usize>,
}

/// The goal of a shortest path: its last node, or a property of its last step.
#[derive(Clone, Copy)]
enum Goal<'g> {
    Node(Node),
    OneOf(&'g FxHashSet<Node>),
    /// The last step does the task that is followed.
    Task,
    /// The last step keeps the promises: it does not leave all of these bits open.
    Promise(u64),
}

impl<F: Walks, G: Graph> Search<'_, F, G> {
    /// The path for the evidence found by the search.
    pub fn way(&mut self, shown: &Shown) -> Result<Way> {
        let start = self.start;
        let nodes = match shown {
            &Shown::Until(node) => {
                let steps = self.shortest(start, NONE, None, Goal::Node(node))?;
                return Ok(Way { steps: steps.expect("it was met"), again: None });
            }
            Shown::Round(nodes) => nodes.iter().copied().collect::<FxHashSet<Node>>(),
        };
        let prefix = if nodes.contains(&start) {
            Vec::new()
        } else {
            self.shortest(start, NONE, None, Goal::OneOf(&nodes))?.expect("it was met")
        };
        let mut at = start;
        for &went in &prefix {
            at = self.end(went)?;
        }
        let again = prefix.len();
        let mut round = Round {
            steps: prefix,
            at,
            first: at,
            tasks: self.automaton.walk(at.1).tasks.clone(),
            done: Vec::new(),
            open: nodes.iter().fold(0, |all, &(_, walk)| all | self.automaton.promises(walk)),
        };
        round.done.resize(round.tasks.len(), false);
        for position in 0..round.tasks.len() {
            if !round.done[position] {
                // Without such a path, the alternative of the task holds forever.
                let task = round.tasks[position];
                let steps = self.shortest(round.at, task, Some(&nodes), Goal::Task)?;
                self.go(&mut round, &steps.unwrap_or_default())?;
            }
        }
        while round.open != 0 {
            let bit = 1 << round.open.trailing_zeros();
            let steps = self.shortest(round.at, NONE, Some(&nodes), Goal::Promise(bit))?;
            self.go(&mut round, &steps.expect("all promises are kept"))?;
        }
        if round.at != round.first || round.steps.len() == again {
            let goal = Goal::Node(round.first);
            let steps = self.shortest(round.at, NONE, Some(&nodes), goal)?;
            self.go(&mut round, &steps.expect("all nodes lead to one another"))?;
        }
        Ok(Way { steps: round.steps, again: Some(again) })
    }

    /// The node that a step leads to.
    fn end(&mut self, went: Went) -> Result<Node> {
        let step = self.graph.step(went.at as usize);
        Ok((step.target, self.automaton.moved_walk(went.to, step.element, self.graph)?))
    }

    /// Appends some steps to the cycle.
    fn go(&mut self, round: &mut Round, steps: &[Went]) -> Result<()> {
        for &went in steps {
            let (step, state) = (self.graph.step(went.at as usize), round.at.0);
            for (task, done) in round.tasks.iter_mut().zip(&mut round.done) {
                *done = *done || self.automaton.does(*task, step.label, state, self.graph)?;
                *task = self.automaton.moved_task(*task, step.element, self.graph)?;
            }
            let own: Vec<u32> =
                self.graph.steps(state).map(|at| self.graph.step(at).label).collect();
            let walk = round.at.1;
            let open = self.automaton.left_open(walk, step.label, went.to, &own, self.graph)?;
            round.open &= open.expect("it is a move");
            round.at = self.end(went)?;
            round.steps.push(went);
        }
        Ok(())
    }

    /// The fewest steps from a node to a goal through the nodes of `inside`; `None` if there are
    /// none.
    fn shortest(
        &mut self,
        from: Node,
        task: u32,
        inside: Option<&FxHashSet<Node>>,
        goal: Goal,
    ) -> Result<Option<Vec<Went>>> {
        if inside.is_none() && matches!(goal, Goal::Node(node) if node == from) {
            return Ok(Some(Vec::new()));
        }
        let mut visited = Visited::default();
        visited.insert((from.0, from.1, task), self.automaton.walks());
        let start = Reached { node: from, task, before: 0, went: Went { at: 0, to: 0 } };
        let (mut reached, mut next) = (vec![start], 0);
        while let Some(&Reached { node: (state, walk), task, .. }) = reached.get(next) {
            // Called for interrupts only: a limit does not stop a path that is known to exist.
            if next.is_multiple_of(1 << 12) {
                self.graph.go_on(self.nodes.count())?;
            }
            for at in self.graph.steps(state) {
                let step = self.graph.step(at);
                for number in 0..self.automaton.moves(walk, step.label, self.graph.labels())? {
                    let made = self.automaton.made(walk, step.label, number);
                    if !self.automaton.is_held(walk, made, state, self.graph)? {
                        continue;
                    }
                    let went = Went { at: u32::at(at), to: made.to };
                    let node = self.end(went)?;
                    if inside.is_some_and(|inside| !inside.contains(&node)) {
                        continue;
                    }
                    let is_goal = match goal {
                        Goal::Node(goal) => node == goal,
                        Goal::OneOf(goals) => goals.contains(&node),
                        Goal::Task => self.automaton.does(task, step.label, state, self.graph)?,
                        Goal::Promise(bit) => made.open & bit == 0,
                    };
                    let moved = match task {
                        NONE => NONE,
                        task => self.automaton.moved_task(task, step.element, self.graph)?,
                    };
                    if is_goal {
                        return Ok(Some(back(&reached, next, went)));
                    }
                    if visited.insert((node.0, node.1, moved), self.automaton.walks()) {
                        reached.push(Reached { node, task: moved, before: u32::at(next), went });
                    }
                }
            }
            next += 1;
        }
        Ok(None)
    }
}

/// A node that was reached, the task moved along, and the step that led there.
struct Reached {
    node: Node,
    task: u32,
    before: u32,
    went: Went,
}

/// The pairs of node and task visited so far; without a task, the nodes.
#[derive(Default)]
struct Visited {
    nodes: Nodes,
    with_tasks: FxHashSet<(u32, u32, u32)>,
}

impl Visited {
    /// Adds a state with a walk and a task; returns whether the triple is new.
    fn insert(&mut self, (state, walk, task): (u32, u32, u32), walks: usize) -> bool {
        match task {
            NONE => self.nodes.insert((state, walk), walks),
            task => self.with_tasks.insert((state, walk, task)),
        }
    }
}

/// A cycle under construction.
struct Round {
    steps: Vec<Went>,
    at: Node,
    first: Node,
    /// The tasks as moved along the cycle so far, and which of them were done.
    tasks: Vec<u32>,
    done: Vec<bool>,
    /// The promises left open at every step so far.
    open: u64,
}

/// The steps from the start to the node at `position`, followed by `last`.
fn back(reached: &[Reached], position: usize, last: Went) -> Vec<Went> {
    let before = |at: usize| (reached[at].before as usize, reached[at].went);
    let mut steps = path_to(position, |at| (at != 0).then(|| before(at)));
    steps.push(last);
    steps
}
