//! The states of a process, numbered as they are visited, with all that is needed to compute their
//! steps. Used by every exploration of single states (rather than orbits).

use crate::base::lock::Locked;
use crate::base::parallel;
use crate::process::chunk::Chunk;
use crate::process::evaluator::Evaluator;
use crate::process::linear::Process;
use crate::process::plan::Plan;
use crate::process::store::{NONE, Path, Store};
use crate::process::successors::{Expander, Scratch, paths};
use crate::process::tables::Tables;
use std::ops::Range;
use std::sync::Mutex;

/// The numbers of states at which the tree of the store is chosen anew.
const SAMPLED: [usize; 2] = [1 << 12, 1 << 16];

/// At most one in `SHARE` states is sampled to choose the tree.
const SHARE: usize = 8;

/// A bound on the work of choosing the tree: the square of the number of positions times the size
/// of the sample.
const SAMPLES: usize = 1 << 22;

/// States, and the tables and evaluator for their steps.
pub struct States<'p> {
    pub evaluator: Mutex<Evaluator<'p>>,
    pub tables: Tables,
    /// Scratch memory of each thread.
    pub scratch: Vec<Scratch>,
    pub store: Store,
    /// For every summand the inner nodes of the store that change with the positions it writes.
    pub paths: Vec<Path>,
    /// Scratch: the view of one state.
    pub view: Vec<u32>,
    /// The number of states at which the tree is chosen anew.
    reshape_at: usize,
}

impl<'p> States<'p> {
    /// Creates an empty set of states; also returns the values of the initial state.
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

    /// Computes the steps of some states and the root pair of every target; targets may be new. At
    /// most `cap` values of a sum are tried.
    pub fn expand(&mut self, states: Range<u32>, cap: usize, chunk: &mut Chunk) {
        let scratch = self.scratch.pop().unwrap_or_else(|| Scratch::new(&self.tables));
        let cancel = self.process().data.cancel.clone();
        let (tables, store, evaluator) = (&self.tables, &self.store, &self.evaluator);
        let mut expander = Expander::new(tables, store, evaluator, &self.paths, &cancel, scratch);
        expander.expand(states, cap, chunk);
        self.scratch.push(expander.scratch);
        self.complete(chunk);
        self.absorb();
    }

    /// Computes the steps of `ranges` of states in parallel, with `others` more threads. The chunks
    /// returned have to be completed; they reuse the memory of `old` ones.
    pub fn find(
        &mut self,
        ranges: &[Range<u32>],
        cap: usize,
        others: usize,
        old: &mut Vec<Chunk>,
    ) -> Vec<Chunk> {
        let fresh = spare(ranges.len(), old);
        let cancel = self.process().data.cancel.clone();
        let Self { tables, store, evaluator, paths, scratch, .. } = self;
        let (tables, store, evaluator, paths) = (&*tables, &*store, &*evaluator, &*paths);
        // A thread continues with the counters of an earlier one.
        let idle = Mutex::new(std::mem::take(scratch));
        let idle_scratch = || idle.locked();
        let worker = |claim: parallel::Claim| {
            let scratch = idle_scratch().pop().unwrap_or_else(|| Scratch::new(tables));
            let mut expander = Expander::new(tables, store, evaluator, paths, &cancel, scratch);
            while let Some(task) = claim() {
                let mut chunk = fresh[task].locked();
                expander.expand(ranges[task].clone(), cap, &mut chunk);
            }
            idle_scratch().push(expander.scratch);
        };
        parallel::tasks(fresh.len(), others, worker, || ());
        *scratch = idle.unlocked();
        done(fresh).collect()
    }

    /// Completes the root pairs of the targets of a chunk.
    pub fn complete(&mut self, chunk: &mut Chunk) {
        chunk.complete(&self.paths, &mut self.store, &mut self.view);
    }

    /// Moves what was computed in a round into the tables.
    pub fn absorb(&mut self) {
        let evaluator = self.evaluator.exclusive();
        self.tables.absorb(evaluator, &self.scratch);
    }

    /// Chooses the tree of the store anew once there are enough states for a sample. States keep
    /// their numbers; numbers of other nodes change.
    pub fn reshape(&mut self) {
        if self.store.len() >= self.reshape_at {
            let (positions, states) = (self.store.positions(), self.store.len());
            let sample = (SAMPLES / (positions * positions)).clamp(256, states / SHARE);
            let cancel = self.process().data.cancel.clone();
            if self.store.reshape(sample, &cancel) {
                self.paths = paths(&self.tables.plan, &self.store);
            }
            let next = SAMPLED.into_iter().find(|&at| at > states);
            self.reshape_at = next.unwrap_or(usize::MAX);
        }
    }

    pub fn evaluator(&mut self) -> &mut Evaluator<'p> {
        self.evaluator.exclusive()
    }

    /// The store and the evaluator.
    pub fn split(&mut self) -> (&mut Store, &mut Evaluator<'p>) {
        (&mut self.store, self.evaluator.exclusive())
    }

    pub fn process(&mut self) -> &mut Process {
        self.evaluator().process
    }

    /// Bytes used by the states, and by the tables of local steps.
    pub fn bytes(&self) -> (usize, usize) {
        let evaluator = self.evaluator.locked();
        (self.store.bytes(), self.tables.bytes() + evaluator.bytes())
    }
}

/// `count` objects to be filled, reusing `spare` ones.
pub(crate) fn spare<T: Default>(count: usize, spare: &mut Vec<T>) -> Vec<Mutex<T>> {
    (0..count).map(|_| Mutex::new(spare.pop().unwrap_or_default())).collect()
}

/// The filled objects, in order.
pub(crate) fn done<T>(filled: Vec<Mutex<T>>) -> impl Iterator<Item = T> {
    filled.into_iter().map(|object| object.unlocked())
}
