//! Acceptance of a component: all eventualities can be fulfilled, and one requirement of each class
//! can be met.

use crate::base::disjoint_sets::DisjointSets;
use crate::base::ids::Id;
use crate::check::fair_paths::automaton_states::AutomatonFormula;
use crate::check::fair_paths::components::{Components, Judgement};
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::no_path::Result;
use crate::check::fair_paths::nodes::Node;

/// Classes of requirements. For the least requirement of a class, `done` is true if some
/// requirement of the class can be met.
struct Classes {
    sets: DisjointSets,
    done: Vec<bool>,
}

impl Classes {
    /// Whether some requirement in the class of `requirement` can be met.
    fn is_done(&mut self, requirement: usize) -> bool {
        self.done[self.sets.least(u32::at(requirement)) as usize]
    }

    fn set_done(&mut self, requirement: usize) {
        self.done[self.sets.least(u32::at(requirement)) as usize] = true;
    }

    fn join(&mut self, a: usize, b: usize) {
        if let Some((joined, b)) = self.sets.join(u32::at(a), u32::at(b)) {
            self.done[joined as usize] |= self.done[b as usize];
        }
    }
}

impl<F: AutomatonFormula, G: Graph> Components<'_, '_, F, G> {
    /// The verdict on a component with these nodes. The last one is the root of the component: the
    /// search reached all others from it.
    pub(crate) fn judged(&mut self, own: &[Node], component: u32) -> Result<Judgement> {
        let count = self.automaton.control(own[0].1).requirements.len();
        let mut classes = Classes { sets: DisjointSets::new(count), done: vec![false; count] };
        let pending =
            own.iter().fold(0, |all, &(_, control)| all | self.automaton.eventualities(control));
        let (mut has_cycle, mut fulfilled, mut targets) = (false, 0, Vec::new());
        for &node in own {
            let requirements_here = self.requirements_at(node);
            for at in self.graph.steps(node.0) {
                self.look()?;
                self.targets(node, at, &mut targets)?;
                targets.retain(|&(to, _)| self.component(to) == component);
                if targets.is_empty() {
                    continue;
                }
                has_cycle = true;
                for &(to, open) in &targets {
                    fulfilled |= !open;
                    self.join(&requirements_here, at, to, &mut classes)?;
                }
                let label = self.graph.step(at).label;
                for (position, &requirement) in requirements_here.iter().enumerate() {
                    let is_done = classes.is_done(position)
                        || self.automaton.does(requirement, label, node.0, self.graph)?;
                    if is_done {
                        classes.set_done(position);
                    }
                }
            }
            if has_cycle
                && pending & !fulfilled == 0
                && (0..count).all(|requirement| classes.is_done(requirement))
            {
                return Ok(Judgement::Accepted);
            }
        }
        if !has_cycle || pending & !fulfilled != 0 {
            return Ok(Judgement::Rejected);
        }
        let first = self.requirements_at(own[0]);
        let failed: Vec<usize> =
            (0..count).filter(|&requirement| !classes.is_done(requirement)).collect();
        if failed.iter().any(|&position| !self.automaton.has_instead(first[position])) {
            return Ok(Judgement::Rejected);
        }
        let mut rest = Vec::new();
        for &node in own {
            let requirements_here = self.requirements_at(node);
            let mut holds = true;
            for &position in &failed {
                holds = holds
                    && self.automaton.instead(requirements_here[position], node.0, self.graph)?;
            }
            if holds {
                rest.push(node);
            }
        }
        Ok(match rest.len() {
            0 => Judgement::Rejected,
            all if all == own.len() => Judgement::Accepted,
            _ => Judgement::In(rest),
        })
    }

    /// The requirements at a node, in the order of the requirements at the root of the component.
    fn requirements_at(&self, node: Node) -> Vec<u32> {
        if self.has_moved {
            self.requirement_lists.get(self.requirements[self.number(node)]).to_vec()
        } else {
            self.automaton.control(node.1).requirements.clone()
        }
    }

    /// Merges the classes of requirements that a step maps to one another.
    fn join(
        &mut self,
        requirements_here: &[u32],
        at: usize,
        to: Node,
        classes: &mut Classes,
    ) -> Result<()> {
        if !self.has_moved {
            return Ok(());
        }
        let element = self.graph.step(at).element;
        let number = self.requirements[self.number(to)];
        for (position, &requirement) in requirements_here.iter().enumerate() {
            let moved = self.automaton.moved_requirement(requirement, element, self.graph)?;
            let there = self.requirement_lists.get(number);
            if there[position] != moved {
                let image = there.iter().position(|&candidate| candidate == moved);
                classes.join(position, image.expect("requirements are moved to requirements"));
            }
        }
        Ok(())
    }
}
