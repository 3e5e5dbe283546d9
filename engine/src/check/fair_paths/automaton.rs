//! The automaton of a path formula, built on demand: its moves by labels, and the action of a
//! group.

use crate::base::ids::Id;
use crate::base::ids::{Label, NONE};
use crate::base::label_table::Labels;
use crate::check::data_formula::Coded;
use crate::check::fair_paths::conditions::{Conditions, Now};
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::no_path::{NoPath, Result};
use crate::check::fair_paths::walks::{Kind, Task, Walk, Walks};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The largest number of walks: a node stores one bit for each.
pub const MOST_WALKS: usize = 1 << 12;

/// A move with a given label: its position in the walk's list, the next walk, and the promises it
/// leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    position: u32,
    pub to: u32,
    pub open: u64,
}

struct KnownWalk {
    part: u32,
    walk: Walk,
    held: Vec<Option<Arc<Now>>>,
    /// The moves, by label.
    moves: Vec<Option<Box<[Made]>>>,
    /// The images under group elements, by number of the element.
    images: Vec<u32>,
}

struct KnownTask {
    part: u32,
    ways: Vec<(Option<Arc<Now>>, u32)>,
    instead: Option<Arc<Now>>,
    images: Vec<u32>,
}

/// An automaton whose walks and tasks are numbered in the order of discovery.
pub struct Automaton<'a, F: Walks> {
    conditions: Conditions<'a, F>,
    walks: Vec<KnownWalk>,
    walk_numbers: FxHashMap<u32, u32>,
    tasks: Vec<KnownTask>,
    task_numbers: FxHashMap<u32, u32>,
}

impl<'a, F: Walks> Automaton<'a, F> {
    pub fn new(formula: &'a mut Coded<F>) -> Self {
        Self {
            conditions: Conditions::new(formula),
            walks: Vec::new(),
            walk_numbers: FxHashMap::default(),
            tasks: Vec::new(),
            task_numbers: FxHashMap::default(),
        }
    }

    /// The formula that the automaton belongs to.
    pub fn formula(&mut self) -> &mut Coded<F> {
        self.conditions.formula
    }

    /// The number of walks found so far.
    pub fn walks(&self) -> usize {
        self.walks.len()
    }

    pub fn walk(&self, walk: u32) -> &Walk {
        &self.walks[walk as usize].walk
    }

    /// Whether a run may stay in the component of this walk; false for walks not found yet.
    pub fn stays(&self, walk: u32) -> bool {
        self.walks.get(walk as usize).is_some_and(|known| known.walk.kind == Kind::Stay)
    }

    /// Whether some task has to be done again and again.
    pub fn has_tasks(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// The number of the walk that this part of the formula represents.
    pub fn walk_of(&mut self, part: u32) -> Result<u32> {
        if let Some(&known) = self.walk_numbers.get(&part) {
            return Ok(known);
        }
        let number = u32::at(self.walks.len());
        if self.walks.len() == MOST_WALKS {
            return Err(NoPath::Walks);
        }
        let mut walk = self.conditions.formula.formula().walk(part)?;
        let mut held = Vec::with_capacity(walk.moves.len());
        for one in &walk.moves {
            held.push(self.conditions.all_of(&one.held)?);
        }
        for task in &mut walk.tasks {
            *task = self.task_of(*task)?;
        }
        let (moves, images) = (Vec::new(), Vec::new());
        self.walks.push(KnownWalk { part, walk, held, moves, images });
        self.walk_numbers.insert(part, number);
        Ok(number)
    }

    fn task_of(&mut self, part: u32) -> Result<u32> {
        if let Some(&known) = self.task_numbers.get(&part) {
            return Ok(known);
        }
        let Task { ways, instead } = self.conditions.formula.formula().task(part)?;
        let mut known = Vec::with_capacity(ways.len());
        for (held, set) in ways {
            known.push((self.conditions.all_of(&held)?, set));
        }
        let instead = instead.map(|part| self.conditions.now(part)).transpose()?;
        let number = u32::at(self.tasks.len());
        self.tasks.push(KnownTask { part, ways: known, instead, images: Vec::new() });
        self.task_numbers.insert(part, number);
        Ok(number)
    }

    /// The labels of the steps of a state.
    pub fn labels_of<G: Graph>(&mut self, state: u32, graph: &G) -> Vec<u32> {
        self.conditions.labels_of(state, graph)
    }

    /// Whether a path with this walk may end in a deadlock state.
    pub fn may_end(&mut self, walk: u32, labels: &Labels) -> Result<bool> {
        for end in self.walk(walk).at_deadlock.clone() {
            let now = self.conditions.now(end)?;
            if self.conditions.holds(&now, &[], labels)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether any continuation of a path from this state and walk is accepted.
    pub fn is_shown<G: Graph>(&mut self, walk: u32, state: u32, graph: &G) -> Result<bool> {
        let known = self.walk(walk);
        if known.kind == Kind::Any || known.here.is_empty() {
            return Ok(known.kind == Kind::Any);
        }
        let own = self.conditions.labels_of(state, graph);
        let found = self.is_shown_with(walk, &own, graph.labels());
        self.conditions.give_back(state, own);
        found
    }

    /// Like [`Automaton::is_shown`], for a state whose steps have the labels `own`.
    pub fn is_shown_with(&mut self, walk: u32, own: &[u32], labels: &Labels) -> Result<bool> {
        for part in self.walk(walk).here.clone() {
            let now = self.conditions.now(part)?;
            if self.conditions.holds(&now, own, labels)? {
                return Ok(true);
            }
        }
        Ok(self.walk(walk).kind == Kind::Any)
    }

    // Moves.

    /// Computes the moves of a walk with this label, and returns their number.
    pub fn moves(&mut self, walk: u32, label: u32, labels: &Labels) -> Result<usize> {
        let known = &self.walks[walk as usize];
        if let Some(Some(found)) = known.moves.get(label as usize) {
            return Ok(found.len());
        }
        let mut found: Vec<Made> = Vec::new();
        for (position, one) in known.walk.moves.clone().into_iter().enumerate() {
            for part in self.conditions.formula.lead(one.set, one.after, Label(label), labels)? {
                let to = self.walk_of(part)?;
                let made = Made { position: u32::at(position), to, open: one.open };
                if !found.iter().any(|other| self.is_covered(walk, made, *other)) {
                    found.retain(|&other| !self.is_covered(walk, other, made));
                    found.push(made);
                }
            }
        }
        let (count, moves) = (found.len(), &mut self.walks[walk as usize].moves);
        if moves.len() <= label as usize {
            moves.resize(label as usize + 1, None);
        }
        moves[label as usize] = Some(found.into());
        Ok(count)
    }

    /// Whether move `one` is redundant beside `other`: same next walk, no condition on `other`, and
    /// `other` leaves no more promises open.
    fn is_covered(&self, walk: u32, one: Made, other: Made) -> bool {
        let held = &self.walks[walk as usize].held;
        let is_free = held[other.position as usize].is_none();
        is_free && one.to == other.to && one.open & other.open == other.open
    }

    /// The move at `position` of those computed by [`Automaton::moves`].
    pub fn made(&self, walk: u32, label: u32, position: usize) -> Made {
        let moves = &self.walks[walk as usize].moves[label as usize];
        moves.as_ref().expect("counted before")[position]
    }

    /// Whether the condition of a move holds in a state.
    pub fn is_held<G: Graph>(
        &mut self,
        walk: u32,
        made: Made,
        state: u32,
        graph: &G,
    ) -> Result<bool> {
        match self.walks[walk as usize].held[made.position as usize].clone() {
            None => Ok(true),
            Some(now) => {
                let own = self.conditions.labels_of(state, graph);
                let found = self.conditions.holds(&now, &own, graph.labels());
                self.conditions.give_back(state, own);
                Ok(found?)
            }
        }
    }

    /// The promises left open by every move from `walk` to `to` with this label that is enabled in
    /// a state whose steps have the labels `own`; `None` if there is no such move.
    pub fn left_open<G: Graph>(
        &mut self,
        walk: u32,
        label: u32,
        to: u32,
        own: &[u32],
        graph: &G,
    ) -> Result<Option<u64>> {
        let mut open = None;
        for position in 0..self.moves(walk, label, graph.labels())? {
            let made = self.made(walk, label, position);
            let held = self.walks[walk as usize].held[made.position as usize].clone();
            if made.to == to
                && held.map_or(Ok(true), |now| self.conditions.holds(&now, own, graph.labels()))?
            {
                open = Some(open.unwrap_or(u64::MAX) & made.open);
            }
        }
        Ok(open)
    }

    /// The promises that some move of a walk leaves open.
    pub fn promises(&self, walk: u32) -> u64 {
        self.walk(walk).moves.iter().fold(0, |all, one| all | one.open)
    }

    // Tasks.

    /// Whether a step with this label from a state does a task.
    pub fn does<G: Graph>(&mut self, task: u32, label: u32, state: u32, graph: &G) -> Result<bool> {
        let own = self.conditions.labels_of(state, graph);
        let found = self.does_with(task, label, &own, graph.labels());
        self.conditions.give_back(state, own);
        found
    }

    /// Like [`Automaton::does`], for a state whose steps have the labels `own`.
    pub fn does_with(
        &mut self,
        task: u32,
        label: u32,
        own: &[u32],
        labels: &Labels,
    ) -> Result<bool> {
        for position in 0..self.tasks[task as usize].ways.len() {
            let set = self.tasks[task as usize].ways[position].1;
            if !self.conditions.formula.has(set, Label(label), labels)? {
                continue;
            }
            let held = self.tasks[task as usize].ways[position].0.clone();
            if held.map_or(Ok(true), |now| self.conditions.holds(&now, own, labels))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a task has an alternative (see [`Task::instead`]).
    pub fn has_instead(&self, task: u32) -> bool {
        self.tasks[task as usize].instead.is_some()
    }

    /// Whether the alternative of a task holds in a state.
    pub fn instead<G: Graph>(&mut self, task: u32, state: u32, graph: &G) -> Result<bool> {
        let own = self.conditions.labels_of(state, graph);
        let found = self.instead_with(task, &own, graph.labels());
        self.conditions.give_back(state, own);
        found
    }

    /// Like [`Automaton::instead`], for a state whose steps have the labels `own`.
    pub fn instead_with(&mut self, task: u32, own: &[u32], labels: &Labels) -> Result<bool> {
        let now = self.tasks[task as usize].instead.clone();
        Ok(now.map_or(Ok(false), |now| self.conditions.holds(&now, own, labels))?)
    }

    // Images.

    /// The image of a walk under a group element of the graph.
    pub fn moved_walk<G: Graph>(&mut self, walk: u32, element: u32, graph: &mut G) -> Result<u32> {
        if element == 0 {
            return Ok(walk);
        }
        let known = &self.walks[walk as usize];
        match known.images.get(element as usize) {
            Some(&image) if image != NONE => return Ok(image),
            _ => {}
        }
        let part = graph.moved(self.conditions.formula, known.part, element)?;
        let image = self.walk_of(part)?;
        note(&mut self.walks[walk as usize].images, element, image);
        Ok(image)
    }

    /// The image of a task under a group element of the graph.
    pub fn moved_task<G: Graph>(&mut self, task: u32, element: u32, graph: &mut G) -> Result<u32> {
        if element == 0 {
            return Ok(task);
        }
        let known = &self.tasks[task as usize];
        match known.images.get(element as usize) {
            Some(&image) if image != NONE => return Ok(image),
            _ => {}
        }
        let part = graph.moved(self.conditions.formula, known.part, element)?;
        let image = self.task_of(part)?;
        note(&mut self.tasks[task as usize].images, element, image);
        Ok(image)
    }
}

fn note(images: &mut Vec<u32>, element: u32, image: u32) {
    if images.len() <= element as usize {
        images.resize(element as usize + 1, NONE);
    }
    images[element as usize] = image;
}
