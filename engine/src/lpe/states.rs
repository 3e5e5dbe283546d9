//! The states of a process, numbered as they are visited, and what their steps are found with. Whoever
//! explores single states, and not orbits of them, has one of these.

use crate::base::parallel;
use crate::lpe::chunk::Chunk;
use crate::lpe::evaluator::Evaluator;
use crate::lpe::plan::Plan;
use crate::lpe::process::Process;
use crate::lpe::store::{NONE, Path, Store};
use crate::lpe::successors::{Expander, Scratch, paths};
use crate::lpe::tables::Tables;
use std::ops::Range;
use std::sync::Mutex;

/// The store is given a shape that suits so many states, and another one that suits more of them.
const SAMPLED: [usize; 2] = [1 << 12, 1 << 16];

/// One of so many states is looked at for that.
const SHARE: usize = 8;

/// How much work that may be: places squared, times states looked at.
const SAMPLES: usize = 1 << 22;

/// States, and what computes their steps.
pub struct States<'p> {
    pub evaluator: Mutex<Evaluator<'p>>,
    pub tables: Tables,
    /// Of each thread.
    pub scratch: Vec<Scratch>,
    pub store: Store,
    /// For every summand the inner nodes of the store that what it writes changes.
    pub paths: Vec<Path>,
    /// The view of one state.
    pub view: Vec<u32>,
    /// The number of states at which the store is given another shape.
    reshape_at: usize,
}

impl<'p> States<'p> {
    /// No states, and the values of the initial one.
    pub fn new(process: &'p mut Process) -> (Self, Vec<u32>) {
        let plan = Plan::new(process);
        let mut evaluator = Evaluator::new(process, &plan);
        let initial = evaluator.initial(&plan);
        let tables = Tables::new(plan, &mut evaluator);
        let store = Store::new(initial.len());
        let states = Self {
            paths: paths(&tables.plan, &store),
            view: vec![NONE; store.nodes()],
            evaluator: Mutex::new(evaluator),
            tables,
            scratch: Vec::new(),
            store,
            reshape_at: SAMPLED[0],
        };
        (states, initial)
    }

    /// Finds the steps of some states, and the pair at the root of every target, which may be new; no
    /// more than `cap` values of a sum are tried.
    pub fn expand(&mut self, states: Range<u32>, cap: usize, chunk: &mut Chunk) {
        let scratch = self.scratch.pop().unwrap_or_else(|| Scratch::new(&self.tables));
        let (tables, store) = (&self.tables, &self.store);
        let mut expander = Expander::new(tables, store, &self.evaluator, &self.paths, scratch);
        expander.expand(states, cap, chunk);
        self.scratch.push(expander.scratch);
        self.complete(chunk);
        self.absorb();
    }

    /// Finds the steps of states in pieces, with the help of so many other threads: chunks that are
    /// to be completed, in memory of those that are spare.
    pub fn find(
        &mut self,
        pieces: &[Range<u32>],
        cap: usize,
        others: usize,
        old: &mut Vec<Chunk>,
    ) -> Vec<Chunk> {
        let fresh = spare(pieces.len(), old);
        let Self { tables, store, evaluator, paths, scratch, .. } = self;
        let (tables, store, evaluator, paths) = (&*tables, &*store, &*evaluator, &*paths);
        // Each thread goes on counting where it, or one before it, left off.
        let idle = Mutex::new(std::mem::take(scratch));
        let idle_ones = || idle.lock().expect("no panic while locked");
        let worker = |claim: parallel::Claim| {
            let scratch = idle_ones().pop().unwrap_or_else(|| Scratch::new(tables));
            let mut expander = Expander::new(tables, store, evaluator, paths, scratch);
            while let Some(task) = claim() {
                let mut chunk = fresh[task].lock().expect("its own");
                expander.expand(pieces[task].clone(), cap, &mut chunk);
            }
            idle_ones().push(expander.scratch);
        };
        parallel::tasks(fresh.len(), others, worker, || ());
        *scratch = idle.into_inner().expect("no panic while locked");
        done(fresh).collect()
    }

    /// Gives the steps of a chunk the pairs at the roots of their targets.
    pub fn complete(&mut self, chunk: &mut Chunk) {
        chunk.complete(&self.paths, &mut self.store, &mut self.view);
    }

    /// Takes over what was computed in a round.
    pub fn absorb(&mut self) {
        let evaluator = self.evaluator.get_mut().expect("no panic while locked");
        self.tables.absorb(evaluator, &self.scratch);
    }

    /// Gives the store another shape once there are enough states to choose one: the states keep their
    /// numbers, and nothing else does.
    pub fn reshape(&mut self) {
        if self.store.len() >= self.reshape_at {
            let (places, states) = (self.store.places(), self.store.len());
            let sample = (SAMPLES / (places * places)).clamp(256, states / SHARE);
            self.store = self.store.reshaped(sample);
            self.paths = paths(&self.tables.plan, &self.store);
            let next = SAMPLED.into_iter().find(|&at| at > states);
            self.reshape_at = next.unwrap_or(usize::MAX);
        }
    }

    pub fn evaluator(&mut self) -> &mut Evaluator<'p> {
        self.evaluator.get_mut().expect("no panic while locked")
    }

    /// The store, and what computes values.
    pub fn split(&mut self) -> (&mut Store, &mut Evaluator<'p>) {
        (&mut self.store, self.evaluator.get_mut().expect("no panic while locked"))
    }

    pub fn process(&mut self) -> &mut Process {
        self.evaluator().process
    }

    /// Bytes of the states, and of the tables of local steps.
    pub fn bytes(&self) -> (usize, usize) {
        let evaluator = self.evaluator.lock().expect("no panic while locked");
        (self.store.bytes(), self.tables.bytes() + evaluator.bytes())
    }
}

/// So many to be filled, with the memory of those that are spare.
pub(crate) fn spare<T: Default>(count: usize, spare: &mut Vec<T>) -> Vec<Mutex<T>> {
    (0..count).map(|_| Mutex::new(spare.pop().unwrap_or_default())).collect()
}

/// What was filled, in order.
pub(crate) fn done<T>(filled: Vec<Mutex<T>>) -> impl Iterator<Item = T> {
    filled.into_iter().map(|one| one.into_inner().expect("done"))
}
