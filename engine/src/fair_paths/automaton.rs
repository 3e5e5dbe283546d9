//! The automaton, as far as it was asked for: moves by labels, and what a group does to it.

use crate::base::ids::{Label, NONE};
use crate::base::label_table::Labels;
use crate::fair_paths::graph::Graph;
use crate::fair_paths::walks::{Kind, Task, Walk, Walks};
use crate::lpe::process::stop::Stop;
use crate::model_checking::formula::Coded;
use crate::parity_game::formula::{After, Part};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Walks that there may be: states have bits for them.
pub const MOST_WALKS: usize = 1 << 9;

/// A move with a label: which one, the walk that follows, and the promises that it leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    place: u32,
    pub to: u32,
    pub open: u64,
}

/// What has to hold of a state.
#[derive(Debug)]
enum Now {
    Known(bool),
    /// A step has a label of this set.
    Has(u32),
    /// No step has.
    Lacks(u32),
    All(Vec<Now>),
    Any(Vec<Now>),
    /// A step with a label of this set leads to a part that depends on the label, and holds; or all
    /// lead to such.
    OfLabel(u32, bool),
}

struct KnownWalk {
    part: u32,
    walk: Walk,
    held: Vec<Option<Arc<Now>>>,
    /// The moves with every label.
    moves: Vec<Option<Box<[Made]>>>,
    /// The image under every element.
    images: Vec<u32>,
}

struct KnownTask {
    part: u32,
    ways: Vec<(Option<Arc<Now>>, u32)>,
    instead: Option<Arc<Now>>,
    images: Vec<u32>,
}

/// An automaton, whose walks and tasks are numbered as they are met.
pub struct Automaton<'a, F: Walks> {
    formula: &'a mut Coded<F>,
    walks: Vec<KnownWalk>,
    walk_numbers: FxHashMap<u32, u32>,
    tasks: Vec<KnownTask>,
    task_numbers: FxHashMap<u32, u32>,
    now: FxHashMap<u32, Arc<Now>>,
    /// The labels of the state that was asked about last.
    labels: (u32, Vec<u32>),
    /// More than [`MOST_WALKS`] were asked for.
    pub is_too_large: bool,
}

impl<'a, F: Walks> Automaton<'a, F> {
    pub fn new(formula: &'a mut Coded<F>) -> Self {
        Self {
            formula,
            walks: Vec::new(),
            walk_numbers: FxHashMap::default(),
            tasks: Vec::new(),
            task_numbers: FxHashMap::default(),
            now: FxHashMap::default(),
            labels: (NONE, Vec::new()),
            is_too_large: false,
        }
    }

    /// How many walks were met.
    pub fn walks(&self) -> usize {
        self.walks.len()
    }

    pub fn walk(&self, walk: u32) -> &Walk {
        &self.walks[walk as usize].walk
    }

    /// Whether a run may stay where this walk is; none beyond those that were met.
    pub fn stays(&self, walk: u32) -> bool {
        self.walks.get(walk as usize).is_some_and(|known| known.walk.kind == Kind::Stay)
    }

    /// Whether anything is to be done again and again.
    pub fn has_tasks(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// The number of the walk that a part of the formula is.
    pub fn walk_of(&mut self, part: u32) -> Result<u32, Stop> {
        if let Some(&known) = self.walk_numbers.get(&part) {
            return Ok(known);
        }
        let number = self.walks.len() as u32;
        if self.walks.len() == MOST_WALKS {
            self.is_too_large = true;
            return Err(Stop::Interrupted);
        }
        let mut walk = self.formula.formula().walk(part).ok_or(Stop::Interrupted)?;
        let mut held = Vec::with_capacity(walk.moves.len());
        for one in &walk.moves {
            held.push(self.all_of(&one.held)?);
        }
        for task in &mut walk.tasks {
            *task = self.task_of(*task)?;
        }
        let (moves, images) = (Vec::new(), Vec::new());
        self.walks.push(KnownWalk { part, walk, held, moves, images });
        self.walk_numbers.insert(part, number);
        Ok(number)
    }

    fn task_of(&mut self, part: u32) -> Result<u32, Stop> {
        if let Some(&known) = self.task_numbers.get(&part) {
            return Ok(known);
        }
        let Task { ways, instead } = self.formula.formula().task(part).ok_or(Stop::Interrupted)?;
        let mut known = Vec::with_capacity(ways.len());
        for (held, set) in ways {
            known.push((self.all_of(&held)?, set));
        }
        let instead = instead.map(|part| self.now(part)).transpose()?;
        let number = self.tasks.len() as u32;
        self.tasks.push(KnownTask { part, ways: known, instead, images: Vec::new() });
        self.task_numbers.insert(part, number);
        Ok(number)
    }

    // What holds of a state.

    fn all_of(&mut self, parts: &[u32]) -> Result<Option<Arc<Now>>, Stop> {
        match parts {
            [] => Ok(None),
            &[part] => self.now(part).map(Some),
            parts => {
                let each: Result<_, Stop> = parts.iter().map(|&part| self.made_now(part)).collect();
                Ok(Some(Arc::new(Now::All(each?))))
            }
        }
    }

    fn now(&mut self, part: u32) -> Result<Arc<Now>, Stop> {
        if let Some(known) = self.now.get(&part) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(self.made_now(part)?);
        self.now.insert(part, Arc::clone(&made));
        Ok(made)
    }

    fn made_now(&mut self, part: u32) -> Result<Now, Stop> {
        Ok(match self.formula.part(part)? {
            Part::And(parts) if parts.is_empty() => Now::Known(true),
            Part::Or(parts) if parts.is_empty() => Now::Known(false),
            Part::And(parts) => {
                Now::All(parts.iter().map(|&part| self.made_now(part)).collect::<Result<_, _>>()?)
            }
            Part::Or(parts) => {
                Now::Any(parts.iter().map(|&part| self.made_now(part)).collect::<Result<_, _>>()?)
            }
            Part::Can(set, After::Part(after)) => {
                if self.is_true(after)? {
                    Now::Has(set)
                } else {
                    Now::Known(false)
                }
            }
            Part::Must(set, After::Part(after)) => {
                if self.is_true(after)? {
                    Now::Known(true)
                } else {
                    Now::Lacks(set)
                }
            }
            Part::Can(set, After::OfLabel) => Now::OfLabel(set, false),
            Part::Must(set, After::OfLabel) => Now::OfLabel(set, true),
            Part::Fixed(..) => unreachable!("what holds of a state is not about what follows"),
        })
    }

    /// Whether a part that no step is asked for in is true.
    fn is_true(&mut self, part: u32) -> Result<bool, Stop> {
        let now = self.now(part)?;
        self.holds(&now, &[], &Labels::default())
    }

    /// Whether something holds of a state whose steps have these labels.
    fn holds(&mut self, now: &Now, own: &[u32], labels: &Labels) -> Result<bool, Stop> {
        match now {
            Now::Known(known) => Ok(*known),
            &Now::Has(set) => self.has_any(set, own, labels),
            &Now::Lacks(set) => Ok(!self.has_any(set, own, labels)?),
            Now::All(parts) => {
                for part in parts {
                    if !self.holds(part, own, labels)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Now::Any(parts) => {
                for part in parts {
                    if self.holds(part, own, labels)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            &Now::OfLabel(set, all) => {
                for &label in own {
                    for part in self.formula.lead(set, After::OfLabel, Label(label), labels)? {
                        if self.is_true(part)? != all {
                            return Ok(!all);
                        }
                    }
                }
                Ok(all)
            }
        }
    }

    fn has_any(&mut self, set: u32, own: &[u32], labels: &Labels) -> Result<bool, Stop> {
        for &label in own {
            if self.formula.has(set, Label(label), labels)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Asks about a state, given the labels of its steps.
    fn with_labels<G: Graph, T>(
        &mut self,
        state: u32,
        graph: &G,
        ask: impl FnOnce(&mut Self, &[u32], &Labels) -> T,
    ) -> T {
        let (of, mut own) = std::mem::take(&mut self.labels);
        if of != state || own.is_empty() {
            own.clear();
            own.extend(graph.steps(state).map(|at| graph.step(at).label));
        }
        let found = ask(self, &own, graph.labels());
        self.labels = (state, own);
        found
    }

    /// Whether a path may end at a walk in a state without a step.
    pub fn may_end(&mut self, walk: u32, labels: &Labels) -> Result<bool, Stop> {
        for end in self.walk(walk).ends.clone() {
            let now = self.now(end)?;
            if self.holds(&now, &[], labels)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    // Moves.

    /// How many moves a walk has with a label.
    pub fn moves(&mut self, walk: u32, label: u32, labels: &Labels) -> Result<usize, Stop> {
        let known = &self.walks[walk as usize];
        if let Some(Some(found)) = known.moves.get(label as usize) {
            return Ok(found.len());
        }
        let mut found = Vec::new();
        for (place, one) in known.walk.moves.clone().into_iter().enumerate() {
            for part in self.formula.lead(one.set, one.after, Label(label), labels)? {
                let to = self.walk_of(part)?;
                found.push(Made { place: place as u32, to, open: one.open });
            }
        }
        let (count, moves) = (found.len(), &mut self.walks[walk as usize].moves);
        if moves.len() <= label as usize {
            moves.resize(label as usize + 1, None);
        }
        moves[label as usize] = Some(found.into());
        Ok(count)
    }

    /// One of them.
    pub fn made(&self, walk: u32, label: u32, place: usize) -> Made {
        let moves = &self.walks[walk as usize].moves[label as usize];
        moves.as_ref().expect("counted before")[place]
    }

    /// Whether what a move asks for holds of a state.
    pub fn is_held<G: Graph>(
        &mut self,
        walk: u32,
        made: Made,
        state: u32,
        graph: &G,
    ) -> Result<bool, Stop> {
        match self.walks[walk as usize].held[made.place as usize].clone() {
            None => Ok(true),
            Some(now) => {
                self.with_labels(state, graph, |this, own, labels| this.holds(&now, own, labels))
            }
        }
    }

    /// The promises that all moves with a label to a walk leave open, from a state whose steps have
    /// `own` labels; none if there is no such move.
    pub fn left_open<G: Graph>(
        &mut self,
        walk: u32,
        label: u32,
        to: u32,
        own: &[u32],
        graph: &G,
    ) -> Result<Option<u64>, Stop> {
        let mut open = None;
        for place in 0..self.moves(walk, label, graph.labels())? {
            let made = self.made(walk, label, place);
            let held = self.walks[walk as usize].held[made.place as usize].clone();
            if made.to == to
                && held.map_or(Ok(true), |now| self.holds(&now, own, graph.labels()))?
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

    /// Whether a step with a label from a state does a task.
    pub fn does<G: Graph>(
        &mut self,
        task: u32,
        label: u32,
        state: u32,
        graph: &G,
    ) -> Result<bool, Stop> {
        self.with_labels(state, graph, |this, own, labels| this.does_with(task, label, own, labels))
    }

    /// The same of a state whose steps have these labels.
    pub fn does_with(
        &mut self,
        task: u32,
        label: u32,
        own: &[u32],
        labels: &Labels,
    ) -> Result<bool, Stop> {
        for place in 0..self.tasks[task as usize].ways.len() {
            let set = self.tasks[task as usize].ways[place].1;
            if !self.formula.has(set, Label(label), labels)? {
                continue;
            }
            let held = self.tasks[task as usize].ways[place].0.clone();
            if held.map_or(Ok(true), |now| self.holds(&now, own, labels))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether something else may hold always instead of a task.
    pub fn has_instead(&self, task: u32) -> bool {
        self.tasks[task as usize].instead.is_some()
    }

    /// Whether that holds of a state.
    pub fn instead<G: Graph>(&mut self, task: u32, state: u32, graph: &G) -> Result<bool, Stop> {
        self.with_labels(state, graph, |this, own, labels| this.instead_with(task, own, labels))
    }

    /// The same of a state whose steps have these labels.
    pub fn instead_with(&mut self, task: u32, own: &[u32], labels: &Labels) -> Result<bool, Stop> {
        let now = self.tasks[task as usize].instead.clone();
        now.map_or(Ok(false), |now| self.holds(&now, own, labels))
    }

    // Images.

    /// The image of a walk under an element of the graph.
    pub fn moved_walk<G: Graph>(
        &mut self,
        walk: u32,
        element: u32,
        graph: &mut G,
    ) -> Result<u32, Stop> {
        if element == 0 {
            return Ok(walk);
        }
        let known = &self.walks[walk as usize];
        match known.images.get(element as usize) {
            Some(&image) if image != NONE => return Ok(image),
            _ => {}
        }
        let part = graph.moved(self.formula, known.part, element)?;
        let image = self.walk_of(part)?;
        note(&mut self.walks[walk as usize].images, element, image);
        Ok(image)
    }

    /// The image of a task.
    pub fn moved_task<G: Graph>(
        &mut self,
        task: u32,
        element: u32,
        graph: &mut G,
    ) -> Result<u32, Stop> {
        if element == 0 {
            return Ok(task);
        }
        let known = &self.tasks[task as usize];
        match known.images.get(element as usize) {
            Some(&image) if image != NONE => return Ok(image),
            _ => {}
        }
        let part = graph.moved(self.formula, known.part, element)?;
        let image = self.task_of(part)?;
        note(&mut self.tasks[task as usize].images, element, image);
        Ok(image)
    }

    /// The part of the formula that a walk is.
    pub fn part(&self, walk: u32) -> u32 {
        self.walks[walk as usize].part
    }
}

fn note(images: &mut Vec<u32>, element: u32, image: u32) {
    if images.len() <= element as usize {
        images.resize(element as usize + 1, NONE);
    }
    images[element as usize] = image;
}
