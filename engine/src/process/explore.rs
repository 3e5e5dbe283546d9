//! Breadth-first generation of the state space of a linear process.
//!
//! States are explored in rounds. In a round, threads find the steps of some hundred states each and
//! change nothing that they share; then the states that are new are numbered, one piece after the
//! other. So numbers, and everything that is written, are the same for any number of threads.

use super::expand::{Expander, Scratch};
use super::linear::{Process, Stop};
use super::memory::anonymous;
use super::output::{Rows, Texts};
use super::piece::{Piece, Trouble};
use super::plan::{Plan, Steps};
use super::search::{Search, Trace, Wanted};
use super::store::{NONE, Store};
use super::tables::{Evaluator, Tables};
use crate::labels::Labels;
use crate::lts::Lts;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How far an exploration may go.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    pub states: Option<usize>,
    /// Values that the variables of one summand may take in one state.
    pub values: usize,
    /// Bytes of memory of this process.
    pub memory: Option<usize>,
    pub time: Option<Duration>,
}

/// What becomes of the transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Columns,
    Text,
    Nothing,
}

/// What is asked of an exploration.
pub struct Options {
    pub limits: Limits,
    pub threads: usize,
    pub output: Output,
    /// Actions and labels that are written as `tau`.
    pub hidden: Vec<Vec<u8>>,
    pub wanted: Wanted,
}

/// Who asked for it.
pub trait Host {
    /// Called now and then; false stops the exploration.
    fn poll(&mut self, account: &Account) -> bool;
    /// Takes the next rows as text; false if it cannot.
    fn write(&mut self, text: &[u8]) -> bool;
    /// Whether a label is looked for.
    fn is_wanted(&mut self, label: &[u8]) -> bool;
}

/// What was seen so far.
#[derive(Clone, Debug, Default)]
pub struct Account {
    pub states: usize,
    /// States whose steps are all known.
    pub explored: usize,
    pub transitions: u64,
    /// Levels that were begun, the initial state being the first.
    pub levels: usize,
    /// Explored states without a step.
    pub deadlocks: u64,
    /// Bytes of the states, with what leads back to the initial one if traces were asked for.
    pub store: usize,
    /// Bytes of the tables of local steps.
    pub tables: usize,
    /// Local steps and parts of them that were computed by rewriting, and how long that took.
    pub evaluations: u64,
    pub rewriting: Duration,
    pub time: Duration,
    /// Bytes of the whole process, 0 if that is not known.
    pub memory: usize,
}

/// Why an exploration is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    States,
    /// This summand has too many values.
    Values(usize),
    /// The labels of this summand take too much text.
    Labels(Option<usize>),
    /// This summand puts one call more on a stack than may wait there.
    Calls(usize),
    Memory,
    Time,
    Interrupted,
    /// What was looked for was found.
    Found,
    /// The rows cannot be written.
    Unwritten,
}

/// What was found.
pub struct Exploration {
    pub account: Account,
    /// `None` if everything was found.
    pub incomplete: Option<Incomplete>,
    /// Where columns were asked for.
    pub lts: Option<Lts>,
    pub traces: Vec<Trace>,
}

/// Pieces in a round for each thread.
const PIECES: usize = 4;
/// States in a piece, at most.
const PIECE: usize = 512;
/// Steps in a piece, about at most.
const STEPS: usize = 1 << 14;
/// Text that is worth being handed over.
const BLOCK: usize = 1 << 15;
/// A round that takes longer makes the next one shorter.
const ROUND: Duration = Duration::from_millis(40);
/// The store is given a shape that suits so many states.
const SAMPLED: usize = 1 << 16;
/// How much work that may be: places squared, times states looked at.
const SAMPLES: usize = 1 << 22;
/// Fewer states than this are not worth another thread.
const ALONE: usize = 128;

/// Generates the states reachable from the initial one, numbered breadth first; the transitions of
/// a state stand in the order of the summands, each once.
pub fn generate(
    process: &mut Process,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Exploration, Stop> {
    Explorer::new(process, options, host).run()
}

/// An exploration under way.
struct Explorer<'a, 'p> {
    options: &'a Options,
    host: &'a mut dyn Host,
    evaluator: Mutex<Evaluator<'p>>,
    tables: Tables,
    /// Of each thread.
    scratch: Vec<Scratch>,
    store: Store,
    /// For every summand the inner nodes of the store that what it writes changes.
    paths: Vec<Vec<u32>>,
    /// The number of states at which the store is given another shape.
    reshape_at: usize,
    texts: Texts,
    search: Option<Search>,
    account: Account,
    incomplete: Option<Incomplete>,
    level_end: usize,
    /// Values of a sum to try: not more than may give states, until that turns out too few.
    cap: usize,
    piece_states: usize,
    begun: Instant,
    polled: Instant,
    block: Vec<u8>,
    columns: [Vec<u32>; 3],
    /// For every label its number in the result, in order of first use, else `NONE`.
    numbers: Vec<u32>,
    used: Vec<u32>,
}

/// What a round leaves to the next: numbered pieces that have no rows yet, and rows to hand over.
#[derive(Default)]
struct Pipeline {
    pieces: Vec<Piece>,
    rows: Vec<Rows>,
    spare_pieces: Vec<Piece>,
    spare_rows: Vec<Rows>,
}

impl<'a, 'p> Explorer<'a, 'p> {
    fn new(process: &'p mut Process, options: &'a Options, host: &'a mut dyn Host) -> Self {
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
        let now = Instant::now();
        Self {
            options,
            host,
            evaluator: Mutex::new(evaluator),
            paths: paths(&tables.plan, &store),
            store,
            reshape_at: SAMPLED,
            texts: Texts::new(options.hidden.iter().cloned()),
            search: (wanted.deadlocks || wanted.actions).then(|| Search::new(wanted)),
            account: Account { levels: 1, ..Account::default() },
            incomplete: None,
            level_end: 1,
            cap: options.limits.values.min(most.saturating_add(1)),
            piece_states: 64,
            begun: now,
            polled: now,
            block: Vec::new(),
            columns: Default::default(),
            numbers: Vec::new(),
            used: Vec::new(),
            scratch: Vec::new(),
            tables,
        }
    }

    fn run(mut self) -> Result<Exploration, Stop> {
        let mut pipeline = Pipeline::default();
        loop {
            let ranges = if self.incomplete.is_none() { self.ranges() } else { Vec::new() };
            if ranges.is_empty() && pipeline.pieces.is_empty() && pipeline.rows.is_empty() {
                break;
            }
            let start = Instant::now();
            let (mut fresh, rows) = self.work(&ranges, &mut pipeline);
            let failed = self.number(&mut fresh);
            pipeline.spare_pieces.append(&mut pipeline.pieces);
            pipeline.pieces = fresh;
            pipeline.rows = rows;
            failed?;
            let evaluator = self.evaluator.get_mut().expect("no panic while locked");
            self.tables.absorb(evaluator, &self.scratch);
            self.texts.extend(&evaluator.process.labels.labels);
            if !ranges.is_empty() {
                self.adapt(start.elapsed());
                self.reshape();
                self.check(&pipeline);
            }
        }
        self.hand_over_block();
        let traces = self.traces();
        self.tell();
        let lts = (self.options.output == Output::Columns).then(|| self.lts());
        Ok(Exploration { account: self.account, incomplete: self.incomplete, lts, traces })
    }

    /// The pieces of the next round.
    fn ranges(&self) -> Vec<Range<u32>> {
        let (from, to) = (self.account.explored, self.store.len());
        // One thread numbers states while it still has them in its cache.
        let pieces = if self.options.threads == 1 { 1 } else { PIECES * self.options.threads };
        (0..pieces)
            .map(|piece| {
                let start = (from + piece * self.piece_states).min(to);
                start as u32..(start + self.piece_states).min(to) as u32
            })
            .filter(|range| !range.is_empty())
            .collect()
    }

    /// Finds the steps of `ranges`, makes rows of the pieces of the last round and hands over those
    /// of the round before, all at once. Returns new pieces and rows.
    fn work(&mut self, ranges: &[Range<u32>], pipeline: &mut Pipeline) -> (Vec<Piece>, Vec<Rows>) {
        let numbered = std::mem::take(&mut pipeline.pieces);
        let ready = std::mem::take(&mut pipeline.rows);
        let spare = |count: usize, spare: &mut Vec<Piece>| -> Vec<Mutex<Piece>> {
            (0..count).map(|_| Mutex::new(spare.pop().unwrap_or_default())).collect()
        };
        let fresh = spare(ranges.len(), &mut pipeline.spare_pieces);
        let rows: Vec<Mutex<Rows>> = (0..numbered.len())
            .map(|_| Mutex::new(pipeline.spare_rows.pop().unwrap_or_default()))
            .collect();
        let next = AtomicUsize::new(0);
        let texts = (self.options.output == Output::Text).then_some(&self.texts);
        let (tables, store, evaluator) = (&self.tables, &self.store, &self.evaluator);
        let (paths, cap) = (&self.paths, self.cap);
        let worker = &|scratch| {
            let mut expander = Expander::new(tables, store, evaluator, paths, scratch);
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if let Some(rows) = rows.get(task) {
                    rows.lock().expect("its own").fill(&numbered[task], texts);
                } else if let Some(piece) = fresh.get(task - rows.len()) {
                    let range = ranges[task - rows.len()].clone();
                    expander.expand(range, cap, &mut piece.lock().expect("its own"));
                } else {
                    return expander.scratch;
                }
            }
        };
        let states: usize = ranges.iter().map(Range::len).sum();
        let others = if states < ALONE { 0 } else { self.options.threads - 1 };
        let handing = Handing {
            output: self.options.output,
            host: &mut *self.host,
            block: &mut self.block,
            columns: &mut self.columns,
            numbers: &mut self.numbers,
            used: &mut self.used,
        };
        // Each thread goes on counting where it, or one before it, left off.
        let mut scratch = || self.scratch.pop().unwrap_or_else(|| Scratch::new(tables));
        let own = scratch();
        let others: Vec<Scratch> = (0..others).map(|_| scratch()).collect();
        let scratch = &mut self.scratch;
        let written = std::thread::scope(|scope| {
            let spawn = |scratch| scope.spawn(move || worker(scratch));
            let handles: Vec<_> = others.into_iter().map(spawn).collect();
            let written = handing.hand_over(&ready);
            scratch.push(worker(own));
            let others = handles.into_iter().map(|handle| handle.join());
            scratch.extend(others.map(|scratch| scratch.expect("no panic in a thread")));
            written
        });
        if !written {
            self.incomplete.get_or_insert(Incomplete::Unwritten);
        }
        pipeline.spare_rows.extend(ready);
        pipeline.pieces = numbered;
        let rows: Vec<Rows> =
            rows.into_iter().map(|rows| rows.into_inner().expect("done")).collect();
        self.account.transitions += rows.iter().map(|rows| rows.count as u64).sum::<u64>();
        let fresh = fresh.into_iter().map(|piece| piece.into_inner().expect("done")).collect();
        (fresh, rows)
    }

    /// Numbers the states that are new in `pieces`, in order, and leaves out of them what does not
    /// count.
    fn number(&mut self, pieces: &mut Vec<Piece>) -> Result<(), Stop> {
        for i in 0..pieces.len() {
            if self.incomplete.is_some() {
                pieces.truncate(i);
                break;
            }
            let trouble = pieces[i].trouble.take();
            self.number_piece(&mut pieces[i], trouble.is_some());
            if self.incomplete.is_some() {
                continue;
            }
            match trouble {
                None => {}
                Some(Trouble::Failed(Stop::Labels(summand))) => {
                    self.incomplete = Some(Incomplete::Labels(summand));
                }
                Some(Trouble::Failed(Stop::Calls(summand))) => {
                    self.incomplete = Some(Incomplete::Calls(summand));
                }
                Some(Trouble::Failed(stop)) => return Err(stop),
                Some(Trouble::Values(summand)) if self.cap >= self.options.limits.values => {
                    self.incomplete = Some(Incomplete::Values(summand));
                }
                Some(Trouble::Values(_)) => {
                    // The last state is looked at again with more values.
                    self.cap = self.cap.saturating_mul(4).min(self.options.limits.values);
                    let piece = &mut pieces[i];
                    let states = piece.degrees.len() - 1;
                    let last = piece.degrees[states] as usize;
                    piece.truncate(states, piece.labels.len() - last);
                    pieces.truncate(i + 1);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Numbers the new states of one piece; `cut` if the last state's steps are not all there.
    fn number_piece(&mut self, piece: &mut Piece, cut: bool) {
        let most = self.options.limits.states.unwrap_or(usize::MAX).min(NONE as usize - 1);
        let actions = self.options.wanted.actions;
        let mut step = 0;
        for (k, state) in (0..).zip(piece.states.clone()) {
            if state as usize == self.level_end {
                self.account.levels += 1;
                self.level_end = self.store.len();
            }
            let end = step + piece.degrees[k] as usize;
            let first = step;
            while step < end {
                if piece.targets[step] == NONE {
                    let Some(target) = self.target(piece, step, state, most) else {
                        self.incomplete = Some(Incomplete::States);
                        piece.truncate(k + 1, step);
                        return;
                    };
                    piece.targets[step] = target;
                }
                if actions && self.is_enough(state, piece.labels[step], piece.targets[step]) {
                    self.incomplete = Some(Incomplete::Found);
                    piece.truncate(k + 1, step + 1);
                    return;
                }
                step += 1;
            }
            if cut && k + 1 == piece.degrees.len() {
                return;
            }
            self.account.explored += 1;
            if first == end {
                self.account.deadlocks += 1;
                if self.search.as_mut().is_some_and(|search| search.deadlock(state)) {
                    self.incomplete = Some(Incomplete::Found);
                    piece.truncate(k + 1, step);
                    return;
                }
            }
        }
    }

    /// The number of the state that a step leads to; `None` if it would be one too many.
    fn target(&mut self, piece: &Piece, step: usize, state: u32, most: usize) -> Option<u32> {
        let [left, right] = piece.roots[step];
        let (mut view, mut path) = (Vec::new(), &[][..]);
        if left == NONE {
            let (nodes, n) = (self.store.nodes(), right as usize);
            view.extend_from_slice(&piece.views[n * nodes..(n + 1) * nodes]);
            path = &self.paths[piece.summands[n] as usize];
        }
        if self.store.len() >= most {
            let known = match left {
                NONE => self.store.find_along(path, &mut view),
                _ => self.store.find([left, right]),
            };
            return (known != NONE).then_some(known);
        }
        let (target, new) = match left {
            NONE => self.store.intern_along(path, &mut view),
            _ => self.store.intern([left, right]),
        };
        if new && let Some(search) = &mut self.search {
            search.met(state);
        }
        Some(target)
    }

    fn is_enough(&mut self, state: u32, label: u32, target: u32) -> bool {
        let Some(search) = &mut self.search else { return false };
        let evaluator = self.evaluator.get_mut().expect("no panic while locked");
        let labels = &evaluator.process.labels.labels;
        let host = &mut self.host;
        search.step(state, label, target, || host.is_wanted(labels.get(label)))
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

    /// Makes rounds of some ten milliseconds.
    fn adapt(&mut self, time: Duration) {
        let explored = self.account.explored.max(1);
        let degree = (self.account.transitions as usize / explored).max(1);
        let most = (STEPS / degree).clamp(1, PIECE);
        if time > ROUND {
            self.piece_states /= 2;
        } else if time < ROUND / 4 {
            self.piece_states *= 2;
        }
        self.piece_states = self.piece_states.clamp(1, most);
    }

    /// Stops at a limit, or where the host says so.
    fn check(&mut self, pipeline: &Pipeline) {
        let limits = &self.options.limits;
        let complete = self.account.explored == self.store.len();
        if self.incomplete.is_some() || complete {
            return;
        }
        if limits.time.is_some_and(|time| self.begun.elapsed() > time) {
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
        if self.polled.elapsed() > ROUND {
            self.tell();
            if !self.host.poll(&self.account) {
                self.incomplete = Some(Incomplete::Interrupted);
            }
            self.polled = Instant::now();
        }
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

    fn hand_over_block(&mut self) {
        if !self.block.is_empty() && !self.host.write(&self.block) {
            self.incomplete.get_or_insert(Incomplete::Unwritten);
        }
    }

    fn lts(&mut self) -> Lts {
        let evaluator = self.evaluator.get_mut().expect("no panic while locked");
        let all = &evaluator.process.labels.labels;
        let labels: Labels = self.used.iter().map(|&label| all.get(label)).collect();
        let internal = labels.find(b"tau").into_iter().collect();
        let columns = std::mem::take(&mut self.columns);
        let states = self.store.len() as u32;
        Lts::from_valid(0, states, columns, Arc::new(labels), Arc::new(internal))
    }
}

/// For every summand the inner nodes of the store that what it writes changes.
fn paths(plan: &Plan, store: &Store) -> Vec<Vec<u32>> {
    let path = |steps: &Steps| {
        let places = steps.writes.iter().chain(&steps.derived).map(|&(place, _)| place);
        store.path(&places.collect::<Vec<_>>())
    };
    plan.steps.iter().map(path).collect()
}

/// Where rows are handed over to.
struct Handing<'a> {
    output: Output,
    host: &'a mut dyn Host,
    block: &'a mut Vec<u8>,
    columns: &'a mut [Vec<u32>; 3],
    numbers: &'a mut Vec<u32>,
    used: &'a mut Vec<u32>,
}

impl Handing<'_> {
    /// False if they cannot be written.
    fn hand_over(self, ready: &[Rows]) -> bool {
        for rows in ready {
            match self.output {
                Output::Nothing => {}
                Output::Text => {
                    // Copied once, and soon, while the cache has it.
                    let direct = self.block.is_empty() && rows.text().len() > BLOCK;
                    if !direct {
                        self.block.extend_from_slice(rows.text());
                    }
                    let text = if direct { rows.text() } else { &self.block[..] };
                    if text.len() > BLOCK {
                        if !self.host.write(text) {
                            return false;
                        }
                        self.block.clear();
                    }
                }
                Output::Columns => {
                    self.columns[0].extend_from_slice(&rows.source);
                    self.columns[2].extend_from_slice(&rows.target);
                    for &label in &rows.label {
                        if self.numbers.len() <= label as usize {
                            self.numbers.resize(label as usize + 1, NONE);
                        }
                        let number = &mut self.numbers[label as usize];
                        if *number == NONE {
                            *number = self.used.len() as u32;
                            self.used.push(label);
                        }
                        self.columns[1].push(*number);
                    }
                }
            }
        }
        true
    }
}
