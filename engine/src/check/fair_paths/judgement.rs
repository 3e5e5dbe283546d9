//! Acceptance of a component: all promises can be kept, and one task of each class can be done.

use crate::base::disjoint_sets::DisjointSets;
use crate::base::ids::Id;
use crate::check::fair_paths::components::{Components, Judgement};
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::no_path::Result;
use crate::check::fair_paths::nodes::Node;
use crate::check::fair_paths::walks::Walks;

/// Classes of tasks; `done` says of the least task of a class whether one of them can be done.
struct Classes {
    sets: DisjointSets,
    done: Vec<bool>,
}

impl Classes {
    /// Whether a task of the class of this one can be done.
    fn is_done(&mut self, task: usize) -> bool {
        self.done[self.sets.least(u32::at(task)) as usize]
    }

    fn set_done(&mut self, task: usize) {
        self.done[self.sets.least(u32::at(task)) as usize] = true;
    }

    fn join(&mut self, one: usize, other: usize) {
        if let Some((kept, other)) = self.sets.join(u32::at(one), u32::at(other)) {
            self.done[kept as usize] |= self.done[other as usize];
        }
    }
}

impl<F: Walks, G: Graph> Components<'_, '_, F, G> {
    /// The verdict on a component with these nodes. The last one is the root of the component: the
    /// search reached all others from it.
    pub(crate) fn judged(&mut self, own: &[Node], component: u32) -> Result<Judgement> {
        let count = self.automaton.walk(own[0].1).tasks.len();
        let mut classes = Classes { sets: DisjointSets::new(count), done: vec![false; count] };
        let promised = own.iter().fold(0, |all, &(_, walk)| all | self.automaton.promises(walk));
        let (mut is_round, mut kept, mut targets) = (false, 0, Vec::new());
        for &node in own {
            let tasks_here = self.tasks_at(node);
            for at in self.graph.steps(node.0) {
                self.look()?;
                self.targets(node, at, &mut targets)?;
                targets.retain(|&(to, _)| self.component(to) == component);
                if targets.is_empty() {
                    continue;
                }
                is_round = true;
                for &(to, open) in &targets {
                    kept |= !open;
                    self.join(&tasks_here, at, to, &mut classes)?;
                }
                let label = self.graph.step(at).label;
                for (position, &task) in tasks_here.iter().enumerate() {
                    let is_done = classes.is_done(position)
                        || self.automaton.does(task, label, node.0, self.graph)?;
                    if is_done {
                        classes.set_done(position);
                    }
                }
            }
            if is_round && promised & !kept == 0 && (0..count).all(|task| classes.is_done(task)) {
                return Ok(Judgement::Accepted);
            }
        }
        if !is_round || promised & !kept != 0 {
            return Ok(Judgement::Rejected);
        }
        let first = self.tasks_at(own[0]);
        let failed: Vec<usize> = (0..count).filter(|&task| !classes.is_done(task)).collect();
        if failed.iter().any(|&position| !self.automaton.has_instead(first[position])) {
            return Ok(Judgement::Rejected);
        }
        let mut kept = Vec::new();
        for &node in own {
            let tasks_here = self.tasks_at(node);
            let mut holds = true;
            for &position in &failed {
                holds =
                    holds && self.automaton.instead(tasks_here[position], node.0, self.graph)?;
            }
            if holds {
                kept.push(node);
            }
        }
        Ok(match kept.len() {
            0 => Judgement::Rejected,
            all if all == own.len() => Judgement::Accepted,
            _ => Judgement::In(kept),
        })
    }

    /// The tasks at a node, in the order of the tasks at the root of the component.
    fn tasks_at(&self, node: Node) -> Vec<u32> {
        if self.has_moved {
            self.task_lists.get(self.tasks[self.number(node)]).to_vec()
        } else {
            self.automaton.walk(node.1).tasks.clone()
        }
    }

    /// Merges the classes of tasks that a step maps to one another.
    fn join(
        &mut self,
        tasks_here: &[u32],
        at: usize,
        to: Node,
        classes: &mut Classes,
    ) -> Result<()> {
        if !self.has_moved {
            return Ok(());
        }
        let element = self.graph.step(at).element;
        let number = self.tasks[self.number(to)];
        for (position, &task) in tasks_here.iter().enumerate() {
            let moved = self.automaton.moved_task(task, element, self.graph)?;
            let there = self.task_lists.get(number);
            if there[position] != moved {
                let other = there.iter().position(|&one| one == moved);
                classes.join(position, other.expect("the tasks are moved to the tasks"));
            }
        }
        Ok(())
    }
}
