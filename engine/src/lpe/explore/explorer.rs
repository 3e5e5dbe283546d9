//! An exploration under way: what it owns, and what it tells its host.

use crate::base::ids::Label;
use crate::base::memory::anonymous;
use crate::lpe::evaluator::Evaluator;
use crate::lpe::explore::statistics::{Callbacks, Cap, Incomplete, Options, Statistics};
use crate::lpe::goals::{Search, Trace};
use crate::lpe::plan::Plan;
use crate::lpe::process::Process;
use crate::lpe::store::{NONE, Path, Store};
use crate::lpe::successors::{Expander, Scratch, paths};
use crate::lpe::tables::Tables;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// The store is given a shape that suits so many states, and another one that suits more of them.
const SAMPLED: [usize; 2] = [1 << 12, 1 << 16];

/// One of so many states is looked at for that.
const SHARE: usize = 8;

/// How much work that may be: places squared, times states looked at.
const SAMPLES: usize = 1 << 22;

/// An exploration under way.
pub(crate) struct Explorer<'a, 'p> {
    pub(crate) options: &'a Options,
    /// Whoever makes rows of states writes them, while new states get their numbers.
    pub(crate) host: &'a Mutex<&'a mut dyn Callbacks>,
    pub(crate) evaluator: Mutex<Evaluator<'p>>,
    pub(crate) tables: Tables,
    /// Of each thread.
    pub(crate) scratch: Vec<Scratch>,
    pub(crate) store: Store,
    /// For every summand the inner nodes of the store that what it writes changes.
    pub(crate) paths: Vec<Path>,
    /// The view of one state.
    pub(crate) view: Vec<u32>,
    /// The number of states at which the store is given another shape.
    pub(crate) reshape_at: usize,
    pub(crate) search: Option<Search>,
    pub(crate) statistics: Statistics,
    pub(crate) incomplete: Option<Incomplete>,
    pub(crate) level_end: usize,
    /// Values of a sum to try: not more than may give states, until that turns out too few.
    pub(crate) cap: Cap,
    pub(crate) chunk_states: usize,
    pub(crate) begun: Instant,
    pub(crate) polled: Instant,
}

impl<'a, 'p> Explorer<'a, 'p> {
    pub(crate) fn new(
        process: &'p mut Process,
        options: &'a Options,
        host: &'a Mutex<&'a mut dyn Callbacks>,
    ) -> Self {
        let begun = Instant::now();
        process.data.deadline = options.limits.time.and_then(|time| begun.checked_add(time));
        let plan = Plan::new(process);
        let mut evaluator = Evaluator::new(process, &plan);
        let initial = evaluator.initial(&plan);
        let mut store = Store::new(initial.len());
        store.intern_row(&initial);
        let tables = Tables::new(plan, &mut evaluator);
        let wanted = options.wanted;
        let most = options.limits.states.unwrap_or(usize::MAX);
        Self {
            options,
            host,
            evaluator: Mutex::new(evaluator),
            paths: paths(&tables.plan, &store),
            view: vec![NONE; store.nodes()],
            store,
            reshape_at: SAMPLED[0],
            search: (wanted.deadlocks || wanted.actions).then(|| Search::new(wanted)),
            statistics: Statistics { levels: 1, ..Statistics::default() },
            incomplete: None,
            level_end: 1,
            cap: Cap::new(most.saturating_add(1), options.limits.values),
            chunk_states: 64,
            begun,
            polled: begun,
            scratch: Vec::new(),
            tables,
        }
    }

    /// Gives the store another shape once there are enough states to choose one.
    pub(crate) fn reshape(&mut self) {
        if self.store.len() >= self.reshape_at {
            let (places, states) = (self.store.places(), self.store.len());
            let sample = (SAMPLES / (places * places)).clamp(256, states / SHARE);
            self.store = self.store.reshaped(sample);
            self.paths = paths(&self.tables.plan, &self.store);
            let next = SAMPLED.into_iter().find(|&at| at > states);
            self.reshape_at = next.unwrap_or(usize::MAX);
        }
    }

    /// Whether the time is over.
    pub(crate) fn is_late(&self) -> bool {
        self.options.limits.time.is_some_and(|time| self.begun.elapsed() > time)
    }

    /// Whether steps were not found because the search for them was stopped.
    pub(crate) fn is_stopped(&mut self) -> bool {
        let evaluator = self.evaluator.get_mut().expect("no panic while locked");
        evaluator.process.data.is_stopped()
    }

    pub(crate) fn why_stopped(&self) -> Incomplete {
        if self.is_late() { Incomplete::Time } else { Incomplete::Interrupted }
    }

    pub(crate) fn host(&self) -> MutexGuard<'a, &'a mut dyn Callbacks> {
        self.host.lock().expect("no panic while locked")
    }

    /// Brings the statistics up to date.
    pub(crate) fn tell(&mut self) {
        let evaluator = self.evaluator.get_mut().expect("no panic while locked");
        let statistics = &mut self.statistics;
        statistics.states = self.store.len();
        statistics.store = self.store.bytes() + self.search.as_ref().map_or(0, Search::bytes);
        statistics.tables = self.tables.bytes() + evaluator.bytes();
        statistics.evaluations = evaluator.evaluations;
        statistics.rewriting = evaluator.spent;
        statistics.time = self.begun.elapsed();
        statistics.memory = anonymous().unwrap_or(0);
    }

    pub(crate) fn traces(&self) -> Vec<Trace> {
        let Some(search) = &self.search else { return Vec::new() };
        let scratch = Scratch::new(&self.tables);
        let mut expander =
            Expander::new(&self.tables, &self.store, &self.evaluator, &self.paths, scratch);
        let label = |label| {
            let evaluator = self.evaluator.lock().expect("no panic while locked");
            evaluator.process.labels.labels.get(Label(label)).to_vec()
        };
        let goals = search.goals.iter();
        let cap = self.options.limits.values;
        goals.map(|&goal| search.trace(goal, &mut expander, label, cap)).collect()
    }
}
