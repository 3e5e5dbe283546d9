//! The state of an exploration, and its reports to the callbacks.

use crate::base::cancel::{Cancel, Result, Stage};
use crate::base::ids::Label;
use crate::base::lock::Locked;
use crate::base::memory::anonymous;
use crate::base::stages::Measure;
use crate::process::explore::statistics::{Callbacks, Cap, ExploreOptions, Incomplete, Statistics};
use crate::process::goals::{GoalSearch, Trace};
use crate::process::linear::Process;
use crate::process::states::States;
use crate::process::successors::{Expander, Scratch};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// A running exploration.
pub(crate) struct Explorer<'a, 'p> {
    pub(crate) options: &'a ExploreOptions,
    /// The callbacks. They are behind a lock because any thread may hand over transitions, while
    /// another numbers new states.
    pub(crate) callbacks: &'a Mutex<&'a mut dyn Callbacks>,
    pub(crate) states: States<'p>,
    pub(crate) search: Option<GoalSearch>,
    pub(crate) statistics: Statistics,
    pub(crate) incomplete: Option<Incomplete>,
    pub(crate) level_end: usize,
    /// The number of values tried for a sum: at first no more than can lead to allowed states.
    pub(crate) cap: Cap,
    pub(crate) chunk_states: usize,
    pub(crate) begun: Instant,
    /// The cancellation of the exploration, including its deadline.
    pub(crate) cancel: Cancel,
    /// The stage in which states are found.
    pub(crate) stage: Stage,
    /// When the progress was last reported.
    pub(crate) reported: Instant,
}

impl<'a, 'p> Explorer<'a, 'p> {
    pub(crate) fn new(
        process: &'p mut Process,
        options: &'a ExploreOptions,
        callbacks: &'a Mutex<&'a mut dyn Callbacks>,
    ) -> Self {
        let begun = Instant::now();
        let cancel = process.data.cancel.clone();
        process.data.begin(cancel.within(options.limits.time));
        let (mut states, initial) = States::new(process);
        states.store.intern_vector(&initial);
        let query = options.query;
        let most = options.limits.states.unwrap_or(usize::MAX);
        Self {
            options,
            callbacks,
            states,
            search: query.any().then(|| GoalSearch::new(query)),
            statistics: Statistics { levels: 1, ..Statistics::default() },
            incomplete: None,
            level_end: 1,
            cap: Cap::new(most.saturating_add(1), options.limits.values),
            chunk_states: 64,
            begun,
            stage: cancel.stage("states", Measure::Growing),
            cancel,
            reported: begun,
        }
    }

    /// Returns an error with the reason if the exploration has to stop; steps computed after that
    /// may be incomplete.
    pub(crate) fn check(&mut self) -> Result<()> {
        self.states.process().data.cancel.check()
    }

    pub(crate) fn callbacks(&self) -> MutexGuard<'a, &'a mut dyn Callbacks> {
        self.callbacks.locked()
    }

    /// Updates the statistics.
    pub(crate) fn update_statistics(&mut self) {
        let (store, tables) = self.states.bytes();
        let (states, evaluator) = (self.states.store.len(), self.states.evaluator());
        let statistics = &mut self.statistics;
        statistics.states = states;
        statistics.store = store + self.search.as_ref().map_or(0, GoalSearch::bytes);
        statistics.tables = tables;
        statistics.evaluations = evaluator.evaluations;
        statistics.rewriting = evaluator.spent;
        statistics.time = self.begun.elapsed();
        statistics.memory = anonymous().unwrap_or(0);
    }

    pub(crate) fn traces(&self) -> Vec<Trace> {
        let Some(search) = &self.search else { return Vec::new() };
        let States { tables, store, evaluator, paths, .. } = &self.states;
        // What was found is also shown of an exploration that was stopped.
        let (cancel, scratch) = (Cancel::never(), Scratch::new(tables));
        let mut expander = Expander::new(tables, store, evaluator, paths, &cancel, scratch);
        let label = |label| {
            let evaluator = evaluator.locked();
            evaluator.process.labels.labels.get(Label(label)).to_vec()
        };
        let goals = search.goals.iter();
        let cap = self.options.limits.values;
        goals.map(|&goal| search.trace(goal, &mut expander, label, cap)).collect()
    }
}
