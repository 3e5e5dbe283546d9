//! Lifts a path of orbits to a path of the system, whose steps are computed anew and checked again.

use crate::base::ids::Id;
use crate::base::interner::Interner;
use crate::check::fair_paths::FairPathSearch;
use crate::check::fair_paths::automaton::Automaton;
use crate::check::fair_paths::automaton_states::AutomatonFormula;
use crate::check::fair_paths::conditions::OTHERS;
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::lassos::Lasso;
use crate::check::fair_paths::no_path::NoPath;
use crate::check::on_the_fly::evidence::Evidence;
use crate::check::on_the_fly::orbit_graph::OrbitGraph;
use crate::data::terms::Term;
use crate::group::permutation::{compose, inverse};
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::orbits::traces::not_replayed;
use crate::process::goals::Preimage;

/// A node on the path: a state, the labels of its steps, and the automaton state.
pub(crate) struct PathNode {
    pub state: u32,
    pub labels: Vec<u32>,
    pub control: u32,
}

/// A path of the system with an accepting run of the automaton.
#[derive(Default)]
pub(crate) struct Path {
    pub states: Interner,
    pub nodes: Vec<PathNode>,
    /// The label of the step from each node to the next, or, from the last one, back to node
    /// `again`.
    pub labels: Vec<u32>,
    pub again: Option<usize>,
    /// If orbits were explored, the representative's step that each step is the image of.
    pub preimages: Vec<Preimage>,
}

impl<F: AutomatonFormula> FairPathSearch<'_, F, OrbitGraph<'_, '_>> {
    /// The path of the system that `lasso` represents; `None` if it has more than `most` steps.
    pub(crate) fn replayed(
        &mut self,
        lasso: &Lasso,
        root: u32,
        most: usize,
    ) -> Result<Option<Evidence>, NoPath> {
        let mut path = Path::default();
        let initial = self.graph.system.process.initial.clone();
        let least = self.graph.system.least(&initial)?;
        // The representative of the state, and the element that maps it to the state.
        let (mut image, mut element) = (least.image, inverse(&least.element));
        let (mut state, mut control) = (initial, self.automaton.state_of(root)?);
        let mut node = self.start;
        let mut first = None;
        let mut next = 0;
        loop {
            let steps = self.graph.system.all_steps(&state)?;
            let others = steps.short.map(|_| OTHERS);
            let labels: Vec<u32> = steps.texts.iter().copied().chain(others).collect();
            let number = path.states.intern(&state).0;
            if next == lasso.steps.len() {
                let Some(again) = lasso.again else {
                    path.nodes.push(PathNode { state: number, labels, control });
                    break;
                };
                // The group is finite, so the lifted cycle eventually returns to its first state
                // and automaton state.
                if first == Some((number, control)) {
                    path.again = Some(again);
                    break;
                }
                next = again;
            }
            if lasso.again == Some(next) && first.is_none() {
                first = Some((number, control));
            }
            path.nodes.push(PathNode { state: number, labels, control });
            if path.nodes.len() > most {
                return Ok(None);
            }
            let edge = lasso.steps[next];
            let own = self.graph.system.all_steps(&image)?;
            let at = edge.at as usize - self.graph.steps(node.0).start;
            let width = image.len();
            let target: &[Term] = &own.targets[at * width..(at + 1) * width];
            let SymmetricProcess { process, action, carrier, .. } = &mut self.graph.system;
            let key = action.lifting(carrier, &element).label(process, own.labels[at])?;
            let label = process.labels.texts[key as usize];
            let moved = self.graph.system.image(target, &element)?;
            let mut each = steps.texts.iter().zip(steps.targets.chunks_exact(width.max(1)));
            if width > 0 && !each.any(|(&text, to)| text == label && *to == *moved) {
                return Err(not_replayed().into());
            }
            let by = self.graph.intern(&element);
            control = self.automaton.moved_state(edge.to, by, self.graph)?;
            path.labels.push(label);
            path.preimages.push(self.graph.system.preimage_of(&state, key)?);
            let step = self.graph.step(edge.at as usize);
            let to = self.automaton.moved_state(edge.to, step.element, self.graph)?;
            node = (step.target, to);
            let least = self.graph.system.least(target)?;
            element = compose(&element, &inverse(&least.element));
            (image, state) = (least.image, moved);
            next += 1;
        }
        if !path.is_fair(&mut self.automaton, self.graph)? {
            return Err(not_replayed().into());
        }
        Ok(Some(path.evidence()))
    }
}

impl Path {
    /// Whether the automaton has a run along the path that fulfils all eventualities and meets all
    /// requirements.
    pub fn is_fair<F: AutomatonFormula>(
        &self,
        automaton: &mut Automaton<F>,
        graph: &impl Graph,
    ) -> Result<bool, NoPath> {
        let count = self.labels.len();
        let mut open = Vec::with_capacity(count);
        for (at, node) in self.nodes.iter().enumerate().take(count) {
            let to = match self.again {
                Some(again) if at + 1 == count => again,
                _ => at + 1,
            };
            let (to, label) = (self.nodes[to].control, self.labels[at]);
            match automaton.left_open(node.control, label, to, &node.labels, graph)? {
                Some(left) => open.push(left),
                None => return Ok(false),
            }
        }
        let Some(again) = self.again else {
            let last = &self.nodes[count];
            let is_end =
                last.labels.is_empty() && automaton.may_end(last.control, graph.labels())?;
            return Ok(
                is_end || automaton.is_shown_with(last.control, &last.labels, graph.labels())?
            );
        };
        let requirements = automaton.control(self.nodes[again].control).requirements.clone();
        let mut done = vec![false; requirements.len()];
        let mut instead: Vec<bool> =
            requirements.iter().map(|&t| automaton.has_instead(t)).collect();
        for (node, &label) in self.nodes.iter().zip(&self.labels).skip(again) {
            if !automaton.is_recurrent(node.control) {
                return Ok(false);
            }
            for (number, &requirement) in requirements.iter().enumerate() {
                done[number] |=
                    automaton.does_with(requirement, label, &node.labels, graph.labels())?;
                instead[number] = instead[number]
                    && automaton.instead_with(requirement, &node.labels, graph.labels())?;
            }
        }
        let open = open[again..].iter().fold(u64::MAX, |all, open| all & open);
        let pending = self.nodes[again..].iter();
        let pending = pending.fold(0, |all, node| all | automaton.eventualities(node.control));
        Ok(pending & open == 0
            && done.iter().zip(&instead).all(|(&done, &instead)| done || instead))
    }

    pub fn evidence(self) -> Evidence {
        let to = |at: usize| match self.again {
            Some(again) if at + 1 == self.labels.len() => self.nodes[again].state,
            _ => self.nodes[at + 1].state,
        };
        let walked: Vec<(u32, u32, u32)> = (self.labels.iter().enumerate())
            .map(|(at, &label)| (self.nodes[at].state, label, to(at)))
            .collect();
        let mut transitions = walked.clone();
        transitions.sort_unstable();
        transitions.dedup();
        let number = |transition: &_| {
            u32::at(transitions.binary_search(transition).expect("it was sorted in"))
        };
        let path = Some((walked.iter().map(number).collect(), self.again));
        let preimages = self.preimages;
        Evidence { transitions, states: self.states.len(), path, preimages }
    }
}
