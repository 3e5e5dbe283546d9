//! The orbits of pairs of a state of a process and the node of a specification that the same trace
//! leads to, explored breadth first.
//!
//! The group acts on both sides of a pair at once, so that it is the pair that is represented, never
//! state and node each by itself: what moves one to its representative need not be what moves the
//! other.
//!
//! Steps that are no part of a trace lead to pairs of the same level. So pairs come in the order of
//! the lengths of the shortest traces that lead there, and the first thing that the specification does
//! not allow comes with a shortest one.
//!
//! Here is the visitor of the exploration (`frontier`), level by level; `allowed` compares what a state
//! does with what the node allows, `endless` finds internal steps without end.

pub mod allowed;
pub mod endless;

use crate::base::ids::{NONE, State};
use crate::data::terms::Term;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::stop::Stop;
use crate::lpe::store::Block;
use crate::orbit_exploration::batch::Batch;
use crate::orbit_exploration::frontier::{Found, Visitor, explore};
use crate::orbit_exploration::orbit_table::Orbits;
use crate::orbit_exploration::refinement::alphabet::{Alphabet, Meaning, Specification};
use crate::orbit_exploration::statistics::Callbacks;
use crate::orbit_exploration::symmetric_process::{Numbered, SymmetricProcess};
use crate::preorder::model::Model;
use std::collections::VecDeque;
use std::ops::Range;

/// What is not allowed, in states of this orbit of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Goal {
    pub orbit: u32,
    pub what: Violation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Violation {
    /// A step.
    Step,
    /// A stable state offers too little.
    Refusal,
    /// Internal steps without end.
    Divergence,
}

/// How an orbit was visited: from where, at which level, and whether by a step that is part of a trace.
#[derive(Clone, Copy)]
struct Visit {
    parent: u32,
    level: u32,
    silent: bool,
}

/// A product with the process whose states are in its pairs.
pub(crate) struct Product<'a, 'g> {
    pub system: SymmetricProcess<'a, 'g>,
    pub pairs: Pairs<'a>,
}

/// The pairs that were visited, and what is not allowed there.
pub(crate) struct Pairs<'a> {
    pub specification: &'a Specification,
    pub alphabet: Alphabet,
    /// Of each orbit how it was visited first.
    visits: Vec<Visit>,
    level: u32,
    /// The orbits to explore, level by level, and where those of this level begin.
    queue: Vec<u32>,
    begin: usize,
    /// The orbits of the next level; some may turn out to be of this one.
    next: Vec<u32>,
    /// The internal steps between orbits of this level, if divergence counts.
    silent: Vec<(u32, u32)>,
    /// What is not allowed, by position in the queue, in order, until the pairs there are visited.
    violations: VecDeque<(u32, Violation)>,
    pub explored: usize,
    /// Whether there are pairs that are not explored since everything is allowed there.
    pub spared: bool,
    /// The first step that is not allowed: what else is found at this level has a shorter trace.
    pending: Option<Goal>,
    pub goal: Option<Goal>,
}

impl<'a, 'g> Product<'a, 'g> {
    pub fn new(system: SymmetricProcess<'a, 'g>, specification: &'a Specification) -> Self {
        let pairs = Pairs {
            specification,
            alphabet: Alphabet::default(),
            visits: Vec::new(),
            level: 0,
            queue: Vec::new(),
            begin: 0,
            next: Vec::new(),
            silent: Vec::new(),
            violations: VecDeque::new(),
            explored: 0,
            spared: false,
            pending: None,
            goal: None,
        };
        Self { system, pairs }
    }

    /// Explores until something is found that is not allowed, or everything is seen.
    pub fn run(&mut self, host: &mut dyn Callbacks) -> Result<(), Stop> {
        let start = self.start();
        let least = self.system.least(&start)?;
        let orbit = self.system.place(&least)?;
        self.pairs.visits.push(Visit { parent: orbit, level: 0, silent: true });
        self.pairs.enqueue(orbit, State(start[start.len() - 1]), true);
        explore(&mut self.system, &mut self.pairs, host)?;
        if self.pairs.is_violated() {
            self.system.incomplete = Some(Incomplete::Found);
        }
        Ok(())
    }

    /// The initial pair.
    pub fn start(&self) -> Vec<Term> {
        let node = self.pairs.specification.normal.initial();
        self.system.process.initial.iter().copied().chain([node.0]).collect()
    }
}

impl Visitor for Pairs<'_> {
    fn queued(&self, _: &Orbits) -> usize {
        self.queue.len()
    }

    fn read(&self, orbits: &Orbits, positions: Range<usize>, states: &mut Vec<Term>) {
        let (mut block, mut pair) = (Block::default(), Vec::new());
        for &orbit in &self.queue[positions] {
            pair.clear();
            orbits.images(orbit..orbit + 1, &mut block, &mut pair);
            states.extend_from_slice(&pair[..pair.len() - 1]);
        }
    }

    fn prepare(&mut self, system: &mut SymmetricProcess<'_, '_>, batch: &mut Batch) {
        self.alphabet.extend(system.process, self.specification);
        self.allow(&mut system.orbits, batch);
    }

    fn visit(
        &mut self,
        numbered: &mut Numbered<'_>,
        _: &mut dyn Callbacks,
        batch: &Batch,
        found: &Found,
        _: bool,
    ) -> Result<Option<Incomplete>, Stop> {
        let model = self.specification.normal.model;
        let most = numbered.options.limits.states.unwrap_or(NONE as usize - 1);
        let (mut numbers, mut steps) = (found.images.orbit_numbers(), 0..batch.texts.len());
        let width = numbered.orbits.width();
        for (position, &degree) in batch.positions.clone().zip(&batch.degrees) {
            self.explored += 1;
            let orbit = self.queue[position as usize];
            if let Some(&(_, what)) = self.violations.front().filter(|&&(at, _)| at == position) {
                self.violations.pop_front();
                let goal = Some(Goal { orbit, what });
                if model.is_of_traces() || what == Violation::Refusal {
                    self.goal = goal;
                    return Ok(Some(Incomplete::Found));
                }
                self.pending = self.pending.or(goal);
            }
            for at in steps.by_ref().take(degree as usize) {
                let (target, _) = numbers.next(numbered.orbits, &numbered.process.data.cancel)?;
                let node = State(batch.targets[(at + 1) * width - 1]);
                let silent = self.alphabet.meaning(batch.texts[at]) == Meaning::Internal;
                self.note(target, node, orbit, silent);
                if numbered.orbits.count() > most {
                    return Ok(Some(Incomplete::States));
                }
            }
        }
        Ok(None)
    }

    fn next_level(&mut self) -> bool {
        if self.is_violated() {
            return false;
        }
        self.level += 1;
        self.silent.clear();
        self.begin = self.queue.len();
        let (visits, level) = (&self.visits, self.level);
        let next = self.next.drain(..);
        self.queue.extend(next.filter(|&orbit| visits[orbit as usize].level == level));
        self.queue.len() > self.begin
    }
}

impl Pairs<'_> {
    /// Whether anything that is not allowed was found at this level or before it; it is the goal then.
    fn is_violated(&mut self) -> bool {
        if self.goal.is_none()
            && let Some(&orbit) = self.endless().first()
        {
            self.goal = Some(Goal { orbit, what: Violation::Divergence });
        }
        self.goal = self.goal.or(self.pending);
        self.goal.is_some()
    }

    /// Has an orbit of pairs with this node explored, at this level or the next; after a divergence
    /// everything is allowed.
    fn enqueue(&mut self, orbit: u32, node: State, silent: bool) {
        if self.specification.normal.is_chaos(node) {
            self.spared = true;
        } else {
            if silent { &mut self.queue } else { &mut self.next }.push(orbit);
        }
    }

    /// Notes that a step leads from an orbit of this level to another, to a pair with this node.
    fn note(&mut self, orbit: u32, node: State, parent: u32, silent: bool) {
        let level = self.level + u32::from(!silent);
        let visit = Visit { parent, level, silent };
        if orbit as usize == self.visits.len() {
            self.visits.push(visit);
            self.enqueue(orbit, node, silent);
        } else if level < self.visits[orbit as usize].level {
            self.visits[orbit as usize] = visit;
            self.enqueue(orbit, node, true);
        }
        let diverges = silent && self.specification.normal.model == Model::FailuresDivergences;
        if diverges && level == self.visits[orbit as usize].level {
            self.silent.push((parent, orbit));
        }
    }

    /// The orbits on the shortest path to one, the initial one first, each with whether the step to it
    /// is no part of the trace.
    pub fn path(&self, orbit: u32) -> Vec<(u32, bool)> {
        let mut path = Vec::new();
        let mut at = orbit;
        while at != 0 {
            let Visit { parent, silent, .. } = self.visits[at as usize];
            path.push((at, silent));
            at = parent;
        }
        path.push((0, true));
        path.reverse();
        path
    }
}
