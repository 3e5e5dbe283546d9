//! Strongly connected components of nodes, and the search for one that contains an accepted cycle.

use crate::base::ids::Id;
use crate::base::interner::Interner;
use crate::check::fair_paths::automaton::Automaton;
use crate::check::fair_paths::automaton_states::AutomatonFormula;
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::no_path::{NoPath, Result};
use crate::check::fair_paths::nodes::{Node, NodeSet, Numbers};
use crate::process::linear::stop::Stop;

/// Steps between two checks of limits.
const LOOK_EVERY: usize = 1 << 16;
/// Marks the frame of a node from which no earlier node has been reached.
const ROOT: u16 = 1 << 15;

/// A node on the search path and its next step.
struct Frame {
    state: u32,
    step: u32,
    /// The automaton state, and the bit [`ROOT`].
    control: u16,
}

/// The target of a step and the eventualities left open.
pub(crate) type Target = (Node, u64);

/// The verdict on a component.
pub(crate) enum Judgement {
    Accepted,
    Rejected,
    /// An accepted cycle, if there is one, visits these nodes only.
    In(Vec<Node>),
}

/// A depth-first search for components among the nodes whose automaton states are recurrent and
/// whose states have been expanded.
pub(crate) struct Components<'s, 'a, F: AutomatonFormula, G> {
    pub graph: &'s mut G,
    pub automaton: &'s mut Automaton<'a, F>,
    pub nodes: &'s NodeSet,
    pub numbers: Numbers,
    /// For each node: 0 if unvisited; while on the search path or the stack, the least index it
    /// leads back to; afterwards its component, numbered downwards from the largest number.
    index: Vec<u32>,
    /// For each node the number of the region it belongs to; empty before the first search in a
    /// region. Only nodes of region `now` are searched.
    region: Vec<u32>,
    now: u32,
    /// The number of the next component.
    next: u32,
    /// For each node, the number in `requirement_lists` of its requirements as moved along the path
    /// in the current search tree. A search in a region starts anew: paths outside it do not count
    /// for what is moved inside.
    pub requirements: Vec<u32>,
    pub requirement_lists: Interner,
    /// Whether group elements move requirements at all.
    pub has_moved: bool,
    steps: usize,
}

impl<'s, 'a, F: AutomatonFormula, G: Graph> Components<'s, 'a, F, G> {
    pub fn new(
        graph: &'s mut G,
        automaton: &'s mut Automaton<'a, F>,
        nodes: &'s NodeSet,
    ) -> Result<Self> {
        let states = graph.states();
        let numbers = Numbers::new(
            nodes,
            states,
            |state| graph.is_known(state),
            |control| automaton.is_recurrent(control),
        );
        let numbers = numbers.ok_or_else(|| {
            Stop::Evaluation(
                "more than 2^31 pairs of a state and a part of the formula".into(),
                None,
            )
        })?;
        let has_moved = graph.has_group() && automaton.has_requirements();
        let requirements = if has_moved { vec![0; numbers.count()] } else { Vec::new() };
        let (index, region) = (vec![0; numbers.count()], Vec::new());
        let requirement_lists = Interner::default();
        Ok(Self {
            graph,
            automaton,
            nodes,
            numbers,
            index,
            region,
            now: 0,
            next: u32::MAX,
            requirements,
            requirement_lists,
            has_moved,
            steps: 0,
        })
    }

    /// The nodes of a component in which every eventuality is fulfilled and every requirement met,
    /// if there is one.
    pub fn accepting(mut self) -> Result<Option<Vec<Node>>> {
        if self.numbers.count() == 0 {
            return Ok(None);
        }
        let mut rest = Vec::new();
        for state in 0..u32::at(self.graph.states()) {
            if !self.graph.is_known(state) {
                continue;
            }
            let controls: Vec<u32> = self
                .nodes
                .controls(state)
                .filter(|&control| self.automaton.is_recurrent(control))
                .collect();
            for control in controls {
                if let Some(accepted) = self.from((state, control), &mut rest)? {
                    return Ok(Some(accepted));
                }
            }
        }
        while let Some(nodes) = rest.pop() {
            self.region.resize(self.index.len(), 0);
            (self.now, self.next) = (self.now + 1, u32::MAX);
            for &node in &nodes {
                let number = self.number(node);
                self.index[number] = 0;
                self.region[number] = self.now;
            }
            for node in nodes {
                if let Some(accepted) = self.from(node, &mut rest)? {
                    return Ok(Some(accepted));
                }
            }
        }
        Ok(None)
    }

    pub fn number(&self, node: Node) -> usize {
        self.numbers.of(self.nodes, node)
    }

    /// The component of a node, once it has been found.
    pub fn component(&self, node: Node) -> u32 {
        self.index[self.number(node)]
    }

    /// Finds the components of all unvisited nodes reachable from `root`; returns the nodes of the
    /// first that is accepted. Adds to `rest` nodes that have to be searched once more, by
    /// themselves.
    #[expect(clippy::cast_possible_truncation, reason = "there are at most `MOST_WALKS` walks")]
    fn from(&mut self, root: Node, rest: &mut Vec<Vec<Node>>) -> Result<Option<Vec<Node>>> {
        if self.index[self.number(root)] != 0 {
            return Ok(None);
        }
        if self.has_moved {
            let requirements_here = self.automaton.control(root.1).requirements.clone();
            let number = self.number(root);
            self.requirements[number] = self.requirement_lists.intern(&requirements_here).0;
        }
        let mut frames: Vec<Frame> = Vec::new();
        let mut stack: Vec<Node> = Vec::new();
        let (mut next, mut targets) = (1, Vec::new());
        let enter = |this: &mut Self, (state, control): Node, next: &mut u32| {
            let number = this.number((state, control));
            this.index[number] = *next;
            *next += 1;
            let step = u32::at(this.graph.steps(state).start);
            Frame { state, step, control: control as u16 | ROOT }
        };
        let frame = enter(self, root, &mut next);
        frames.push(frame);
        while let Some(frame) = frames.last_mut() {
            let node = (frame.state, u32::from(frame.control & !ROOT));
            let (at, is_root) = (frame.step as usize, frame.control & ROOT != 0);
            let number = self.number(node);
            if at < self.graph.steps(node.0).end {
                self.look()?;
                self.targets(node, at, &mut targets)?;
                let unmet = targets.iter().map(|&(to, _)| to).find(|&to| self.component(to) == 0);
                if let Some(to) = unmet {
                    self.move_requirements(number, at, to)?;
                    let frame = enter(self, to, &mut next);
                    frames.push(frame);
                    continue;
                }
                let least = targets.iter().map(|&(to, _)| self.component(to)).min();
                frame.step += 1;
                if let Some(least) = least.filter(|&least| least < self.index[number]) {
                    self.index[number] = least;
                    frame.control &= !ROOT;
                }
                continue;
            }
            frames.pop();
            if !is_root {
                stack.push(node);
                continue;
            }
            let own = self.index[number];
            let mut from = stack.len();
            while from > 0 && own <= self.component(stack[from - 1]) {
                from -= 1;
            }
            stack.push(node);
            let component = self.next;
            self.next -= 1;
            for &node in &stack[from..] {
                let number = self.number(node);
                self.index[number] = component;
            }
            next -= u32::at(stack.len() - from);
            match self.judged(&stack[from..], component)? {
                Judgement::Accepted => return Ok(Some(stack.split_off(from))),
                Judgement::Rejected => {}
                Judgement::In(nodes) => rest.push(nodes),
            }
            stack.truncate(from);
        }
        Ok(None)
    }

    /// Checks the limits every `LOOK_EVERY` steps.
    pub fn look(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps.is_multiple_of(LOOK_EVERY) && !self.graph.may_continue(self.nodes.count())? {
            return Err(NoPath::Nodes);
        }
        Ok(())
    }

    /// Records how the requirements are moved by the step to node `to`.
    fn move_requirements(&mut self, from: usize, at: usize, to: Node) -> Result<()> {
        if !self.has_moved {
            return Ok(());
        }
        let element = self.graph.step(at).element;
        let mut requirements_here = self.requirement_lists.get(self.requirements[from]).to_vec();
        for requirement in &mut requirements_here {
            *requirement = self.automaton.moved_requirement(*requirement, element, self.graph)?;
        }
        let number = self.number(to);
        self.requirements[number] = self.requirement_lists.intern(&requirements_here).0;
        Ok(())
    }

    /// Stores into `targets` the targets of a step that belong to the current region.
    pub fn targets(&mut self, node: Node, at: usize, targets: &mut Vec<Target>) -> Result<()> {
        targets.clear();
        let (state, control) = node;
        let step = self.graph.step(at);
        if !self.graph.is_known(step.target) {
            return Ok(());
        }
        for position in 0..self.automaton.moves(control, step.label, self.graph.labels())? {
            let made = self.automaton.made(control, step.label, position);
            if !self.automaton.is_recurrent(made.to)
                || !self.automaton.is_held(control, made, state, self.graph)?
            {
                continue;
            }
            let to = self.automaton.moved_state(made.to, step.element, self.graph)?;
            let target = (step.target, to);
            if self.nodes.contains(target)
                && (self.region.is_empty() || self.region[self.number(target)] == self.now)
            {
                targets.push((target, made.open));
            }
        }
        Ok(())
    }
}
