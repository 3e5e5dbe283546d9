//! Breadth-first generation of the state space of a linear process.
//!
//! States are explored in rounds. In a round, threads find the steps of some hundred states each and
//! change nothing that they share; then the states that are new are numbered, one piece after the
//! other. So numbers, and everything that is written, are the same for any number of threads.

pub mod delivery;
pub mod level_numbering;
pub mod round;
pub mod statistics;

use crate::base::memory::anonymous;
use crate::lpe::explore::round::Pipeline;
use crate::lpe::goals::{Search, Trace};
use crate::lpe::plan::{Plan, Steps};
use crate::lpe::process::{Process, Stop};
use crate::lpe::step_tables::{Evaluator, Tables};
use crate::lpe::store::{NONE, Path, Store};
use crate::lpe::successors::{Expander, Scratch};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub use crate::lpe::explore::statistics::{
    Account, Exploration, Host, Incomplete, Limits, Options, Output,
};

/// The host is asked so often whether to go on.
const POLL: Duration = Duration::from_millis(40);
/// The store is given a shape that suits so many states.
const SAMPLED: usize = 1 << 16;
/// How much work that may be: places squared, times states looked at.
const SAMPLES: usize = 1 << 22;

/// Generates the states reachable from the initial one, numbered breadth first; the transitions of
/// a state stand in the order of the summands, each once.
pub fn generate(
    process: &mut Process,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Exploration, Stop> {
    let found = Explorer::new(process, options, &Mutex::new(host)).run();
    process.data.go_on();
    found
}

/// An exploration under way.
struct Explorer<'a, 'p> {
    options: &'a Options,
    /// Whoever makes rows of states writes them, while new states get their numbers.
    host: &'a Mutex<&'a mut dyn Host>,
    evaluator: Mutex<Evaluator<'p>>,
    tables: Tables,
    /// Of each thread.
    scratch: Vec<Scratch>,
    store: Store,
    /// For every summand the inner nodes of the store that what it writes changes.
    paths: Vec<Path>,
    /// The view of one state.
    view: Vec<u32>,
    /// The number of states at which the store is given another shape.
    reshape_at: usize,
    search: Option<Search>,
    account: Account,
    incomplete: Option<Incomplete>,
    level_end: usize,
    /// Values of a sum to try: not more than may give states, until that turns out too few.
    cap: usize,
    piece_states: usize,
    begun: Instant,
    polled: Instant,
}

impl<'a, 'p> Explorer<'a, 'p> {
    fn new(
        process: &'p mut Process,
        options: &'a Options,
        host: &'a Mutex<&'a mut dyn Host>,
    ) -> Self {
        let begun = Instant::now();
        process.data.deadline = options.limits.time.and_then(|time| begun.checked_add(time));
        let plan = Plan::new(process);
        let mut evaluator = Evaluator::new(process, &plan);
        let mut initial = evaluator.initial(&plan);
        // A pair has two sides, whatever the process.
        initial.resize(initial.len().max(2), 0);
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
            reshape_at: SAMPLED,
            search: (wanted.deadlocks || wanted.actions).then(|| Search::new(wanted)),
            account: Account { levels: 1, ..Account::default() },
            incomplete: None,
            level_end: 1,
            cap: options.limits.values.min(most.saturating_add(1)),
            piece_states: 64,
            begun,
            polled: begun,
            scratch: Vec::new(),
            tables,
        }
    }

    fn run(mut self) -> Result<Exploration, Stop> {
        let mut pipeline = Pipeline::new(self.options);
        loop {
            let ranges = if self.incomplete.is_none() { self.ranges() } else { Vec::new() };
            if ranges.is_empty() && pipeline.pieces.is_empty() && pipeline.rows.is_empty() {
                break;
            }
            let start = Instant::now();
            let mut fresh = self.find(&ranges, &mut pipeline.spare_pieces);
            self.settle(&mut fresh, &mut pipeline)?;
            pipeline.pieces = fresh;
            let evaluator = self.evaluator.get_mut().expect("no panic while locked");
            self.tables.absorb(evaluator, &self.scratch);
            pipeline.texts.extend(&evaluator.process.labels.labels);
            if !ranges.is_empty() {
                self.adapt(start.elapsed());
                self.reshape();
                self.check(&pipeline);
            }
        }
        if !pipeline.delivery.finish(*self.host()) {
            self.incomplete.get_or_insert(Incomplete::Unwritten);
        }
        let evaluator = self.evaluator.get_mut().expect("no panic while locked");
        evaluator.process.data.go_on();
        let traces = self.traces();
        self.tell();
        let evaluator = self.evaluator.get_mut().expect("no panic while locked");
        let labels = &evaluator.process.labels.labels;
        let lts = pipeline.delivery.lts(labels, self.account.states as u32);
        Ok(Exploration { account: self.account, incomplete: self.incomplete, lts, traces })
    }

    /// Gives the store another shape once there are enough states to choose one.
    fn reshape(&mut self) {
        if self.store.len() >= self.reshape_at {
            let places = self.store.places();
            self.store = self.store.reshaped((SAMPLES / (places * places)).clamp(256, 8192));
            self.paths = paths(&self.tables.plan, &self.store);
            self.reshape_at = usize::MAX;
        }
    }

    /// Stops at a limit, or where the host says so.
    fn check(&mut self, pipeline: &Pipeline) {
        let limits = &self.options.limits;
        let complete = self.account.explored == self.store.len();
        if self.incomplete.is_some() || complete {
            return;
        }
        if self.is_late() {
            self.incomplete = Some(Incomplete::Time);
            return;
        }
        if let Some(memory) = limits.memory {
            // The next round may double a table; and what was just found comes once more.
            let found: usize = pipeline.pieces.iter().map(|piece| piece.labels.len()).sum();
            let own = anonymous().unwrap_or_else(|| {
                self.tell();
                self.account.store + self.account.tables
            });
            if own + self.store.bytes_for(found) > memory {
                self.incomplete = Some(Incomplete::Memory);
                return;
            }
        }
        if self.polled.elapsed() > POLL {
            self.tell();
            if !self.host().poll(&self.account) {
                self.incomplete = Some(Incomplete::Interrupted);
            }
            self.polled = Instant::now();
        }
    }

    /// Whether the time is over.
    fn is_late(&self) -> bool {
        self.options.limits.time.is_some_and(|time| self.begun.elapsed() > time)
    }

    /// Whether steps were not found because the search for them was stopped.
    fn is_stopped(&mut self) -> bool {
        let evaluator = self.evaluator.get_mut().expect("no panic while locked");
        evaluator.process.data.is_stopped()
    }

    fn why_stopped(&self) -> Incomplete {
        if self.is_late() { Incomplete::Time } else { Incomplete::Interrupted }
    }

    fn host(&self) -> MutexGuard<'a, &'a mut dyn Host> {
        self.host.lock().expect("no panic while locked")
    }

    /// Brings the account up to date.
    fn tell(&mut self) {
        let evaluator = self.evaluator.get_mut().expect("no panic while locked");
        let account = &mut self.account;
        account.states = self.store.len();
        account.store = self.store.bytes() + self.search.as_ref().map_or(0, Search::bytes);
        account.tables = self.tables.bytes() + evaluator.bytes();
        account.evaluations = evaluator.evaluations;
        account.rewriting = evaluator.spent;
        account.time = self.begun.elapsed();
        account.memory = anonymous().unwrap_or(0);
    }

    fn traces(&self) -> Vec<Trace> {
        let Some(search) = &self.search else { return Vec::new() };
        let scratch = Scratch::new(&self.tables);
        let mut expander =
            Expander::new(&self.tables, &self.store, &self.evaluator, &self.paths, scratch);
        let label = |label| {
            let evaluator = self.evaluator.lock().expect("no panic while locked");
            evaluator.process.labels.labels.get(label).to_vec()
        };
        let goals = search.goals.iter();
        let cap = self.options.limits.values;
        goals.map(|&goal| search.trace(goal, &mut expander, label, cap)).collect()
    }
}

/// For every summand the inner nodes of the store that what it writes changes.
fn paths(plan: &Plan, store: &Store) -> Vec<Path> {
    let path = |steps: &Steps| {
        let places = steps.writes.iter().chain(&steps.derived).map(|&(place, _)| place);
        store.path(&places.collect::<Vec<_>>())
    };
    plan.steps.iter().map(path).collect()
}
