//! The orbits of pairs of a state of the process and the node of the specification that the same
//! trace leads to, explored breadth first.
//!
//! The group acts on both components of a pair at once, so the pair has a representative, not the
//! state and the node separately: the element that moves one to its representative need not move
//! the other to its.
//!
//! Internal steps lead to pairs of the same level. So levels are the lengths of shortest traces,
//! and the first violation has a shortest trace.
//!
//! This file is the visitor of the exploration (`frontier`), level by level; `allowed` compares the
//! steps of a state with what the node allows, and `endless` finds divergence.

pub mod allowed;
pub mod endless;

use crate::base::ids::{NONE, State};
use crate::base::paths::path_to;
use crate::data::terms::Term;
use crate::orbits::batch::Batch;
use crate::orbits::frontier::{Results, Visitor, explore};
use crate::orbits::orbit_table::Orbits;
use crate::orbits::refinement::alphabet::{Alphabet, Meaning, Specification};
use crate::orbits::statistics::Callbacks;
use crate::orbits::symmetric_process::{Numbered, SymmetricProcess};
use crate::preorder::model::Model;
use crate::process::explore::Incomplete;
use crate::process::linear::stop::Stop;
use crate::process::store::Block;
use std::collections::VecDeque;
use std::ops::Range;

/// A violation of the specification by the states of this orbit of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Goal {
    pub orbit: u32,
    pub violation: Violation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Violation {
    /// A step that is not allowed.
    Step,
    /// A stable state that offers too little.
    Refusal,
    /// An infinite run of internal steps.
    Divergence,
}

/// The first visit to an orbit: its predecessor, its level, and whether the step was internal.
#[derive(Clone, Copy)]
struct Visit {
    parent: u32,
    level: u32,
    silent: bool,
}

/// The product of a process and a specification.
pub(crate) struct Product<'a, 'g> {
    pub system: SymmetricProcess<'a, 'g>,
    pub pairs: Pairs<'a>,
}

/// The visited pairs, and their violations.
pub(crate) struct Pairs<'a> {
    pub specification: &'a Specification,
    pub alphabet: Alphabet,
    /// The first visit of each orbit.
    visits: Vec<Visit>,
    level: u32,
    /// The orbits to explore, level by level, and where the present level begins.
    queue: Vec<u32>,
    begin: usize,
    /// The orbits of the next level; some may turn out to belong to this one.
    next: Vec<u32>,
    /// The internal steps between orbits of this level, if the model observes divergence.
    silent: Vec<(u32, u32)>,
    /// Violations by position in the queue, in order, until these pairs are visited.
    violations: VecDeque<(u32, Violation)>,
    pub explored: usize,
    /// Whether there are pairs that are not explored because everything is allowed there.
    pub spared: bool,
    /// The first step that is not allowed; other violations of this level have shorter traces.
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

    /// Explores until a violation is found or all pairs are visited.
    pub fn run(&mut self, callbacks: &mut dyn Callbacks) -> Result<(), Stop> {
        let start = self.start();
        let least = self.system.least(&start)?;
        let orbit = self.system.intern(&least)?;
        self.pairs.visits.push(Visit { parent: orbit, level: 0, silent: true });
        self.pairs.enqueue(orbit, State(start[start.len() - 1]), true);
        explore(&mut self.system, &mut self.pairs, callbacks)?;
        if self.pairs.is_violated() {
            self.system.incomplete = Some(Incomplete::Enough);
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
        results: &Results,
        _: bool,
    ) -> Result<Option<Incomplete>, Stop> {
        let model = self.specification.normal.model;
        let most = numbered.options.limits.states.unwrap_or(NONE as usize - 1);
        let (mut numbers, mut steps) = (results.images.orbit_numbers(), 0..batch.texts.len());
        let width = numbered.orbits.width();
        for (position, &degree) in batch.positions.clone().zip(&batch.degrees) {
            self.explored += 1;
            let orbit = self.queue[position as usize];
            if let Some(&(_, violation)) =
                self.violations.front().filter(|&&(at, _)| at == position)
            {
                self.violations.pop_front();
                let goal = Some(Goal { orbit, violation });
                if model.is_of_traces() || violation == Violation::Refusal {
                    self.goal = goal;
                    return Ok(Some(Incomplete::Enough));
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
    /// Whether there is a violation up to this level; sets the goal then.
    fn is_violated(&mut self) -> bool {
        if self.goal.is_none()
            && let Some(&orbit) = self.endless().first()
        {
            self.goal = Some(Goal { orbit, violation: Violation::Divergence });
        }
        self.goal = self.goal.or(self.pending);
        self.goal.is_some()
    }

    /// Queues an orbit of pairs with this node for this level or the next, unless everything is
    /// allowed there, after a divergence of the specification.
    fn enqueue(&mut self, orbit: u32, node: State, silent: bool) {
        if self.specification.normal.is_chaos(node) {
            self.spared = true;
        } else {
            if silent { &mut self.queue } else { &mut self.next }.push(orbit);
        }
    }

    /// Records a step from an orbit of this level to another one, to a pair with this node.
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

    /// The orbits on the shortest path to an orbit, the initial one first, each with whether the
    /// step to it is internal.
    pub fn path(&self, orbit: u32) -> Vec<(u32, bool)> {
        let visit = |at: u32| &self.visits[at as usize];
        let last = |at| (at != 0).then(|| (visit(at).parent, (at, visit(at).silent)));
        [vec![(0, true)], path_to(orbit, last)].concat()
    }
}
