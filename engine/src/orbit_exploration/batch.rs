//! The steps of some states that follow each other in the queue of an exploration.

use crate::data::terms::Term;
use crate::lpe::process::stop::Stop;
use crate::lpe::process::{Local, Process};
use crate::orbit_exploration::summand_tests::SummandTests;
use std::ops::Range;
use std::sync::Mutex;

/// States in a batch.
pub(crate) const BATCH: usize = 2048;
/// States whose steps a thread looks up at a time.
pub(crate) const LOOKED_UP: usize = 16;
/// Steps in a batch, about at most.
pub(crate) const STEPS: usize = 1 << 16;

/// The steps of some states that follow each other in a queue.
#[derive(Default)]
pub(crate) struct Batch {
    /// Where the states are in the queue of the exploration; where that has all orbits in order, these
    /// are their numbers.
    pub(crate) positions: Range<u32>,
    /// How many steps each has.
    pub(crate) degrees: Vec<u32>,
    pub(crate) labels: Vec<u32>,
    /// The texts of these labels.
    pub(crate) texts: Vec<u32>,
    /// Where the steps lead to, states one behind the other, or what a question makes of these.
    pub(crate) targets: Vec<Term>,
    /// A sum of this summand has more values than were to be tried in the last state.
    pub(crate) short: Option<usize>,
}

/// How many states to take next so that their steps about fill a batch, if they have as many steps each
/// as the `states` so far, which had `steps` together.
pub(crate) fn reach(states: usize, steps: usize) -> usize {
    (STEPS * states / steps.max(1)).clamp(LOOKED_UP, BATCH)
}

/// States whose steps a thread counts at a time.
const COUNTED: usize = 64;

impl Batch {
    /// No states yet, of those from a position on.
    pub(crate) fn at(position: u32) -> Self {
        Self { positions: position..position, ..Self::default() }
    }

    /// Whether it has as many steps as a batch may have, or no more may be added.
    pub(crate) fn is_full(&self) -> bool {
        self.short.is_some() || self.labels.len() >= STEPS
    }

    /// Adds the steps of the states that follow.
    pub(crate) fn append(&mut self, mut other: Batch) {
        self.positions.end += other.positions.len() as u32;
        self.degrees.append(&mut other.degrees);
        self.labels.append(&mut other.labels);
        self.texts.append(&mut other.texts);
        self.targets.append(&mut other.targets);
        self.short = other.short;
    }

    /// Adds rows of summand `i` as steps from a state.
    fn add(
        &mut self,
        process: &Process,
        i: usize,
        rows: Range<u32>,
        state: &[Term],
        target: &mut Vec<Term>,
    ) {
        for row in rows {
            let label = process.successor(i, row, state, target);
            self.labels.push(label);
            self.texts.push(process.labels.texts[label as usize]);
            self.targets.extend_from_slice(target);
        }
    }

    /// The chunks in which steps are counted.
    pub(crate) fn chunks(&self) -> Range<usize> {
        0..self.degrees.len().div_ceil(COUNTED)
    }

    /// How many steps the states of a chunk have, each one once.
    pub(crate) fn distinct(&self, chunk: usize) -> Vec<u32> {
        let from = chunk * COUNTED;
        let to = self.degrees.len().min(from + COUNTED);
        let mut step = self.degrees[..from].iter().map(|&degree| degree as usize).sum::<usize>();
        let width = self.targets.len() / self.labels.len().max(1);
        let key = |&at: &usize| (self.texts[at], &self.targets[at * width..(at + 1) * width]);
        let mut order: Vec<usize> = Vec::new();
        let degrees = self.degrees[from..to].iter();
        degrees
            .map(|&degree| {
                order.clear();
                order.extend(step..step + degree as usize);
                step += degree as usize;
                order.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
                order.dedup_by(|one, other| key(one) == key(other));
                order.len() as u32
            })
            .collect()
    }
}

/// Appends the states at these places of a list, one behind the other.
pub(crate) type Read<'a> = &'a (dyn Fn(Range<usize>, &mut Vec<Term>) + Sync);

/// Some states, and their steps as far as they are known.
#[derive(Default)]
struct Chunk {
    states: Vec<Term>,
    found: Batch,
}

/// Steps of states that several threads look up, in chunks.
pub(crate) struct Ahead<'a> {
    count: usize,
    read: Read<'a>,
    chunks: Vec<Mutex<Chunk>>,
}

impl<'a> Ahead<'a> {
    /// Work on `count` states, which threads read with `read`.
    pub(crate) fn new(count: usize, read: Read<'a>) -> Self {
        let chunks = (0..count.div_ceil(LOOKED_UP)).map(|_| Mutex::default()).collect();
        Self { count, read, chunks }
    }

    /// How many chunks there are.
    pub(crate) fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Where the states of a chunk are among all.
    fn range(&self, chunk: usize) -> Range<usize> {
        chunk * LOOKED_UP..self.count.min((chunk + 1) * LOOKED_UP)
    }

    /// Looks up the steps of a chunk, as far as they are known.
    pub(crate) fn look_up(&self, chunk: usize, process: &Process, summand_tests: &SummandTests) {
        let range = self.range(chunk);
        let mut states = Vec::with_capacity(range.len() * process.parameters);
        (self.read)(range.clone(), &mut states);
        let found = known(process, summand_tests, &states, range.len());
        *self.chunks[chunk].lock().expect("its own") = Chunk { states, found };
    }

    /// All of them, the first state being at position `first` of the queue, up to one that has a sum
    /// with too many values, or until a batch is full; what was not known is found now.
    pub(crate) fn finish(
        mut self,
        process: &mut Process,
        summand_tests: &mut SummandTests,
        first: u32,
        cap: usize,
    ) -> Result<Batch, Stop> {
        let mut batch = Batch::at(first);
        for (chunk, own) in std::mem::take(&mut self.chunks).into_iter().enumerate() {
            let Chunk { states, found } = own.into_inner().expect("done");
            let known = found.degrees.len();
            let rest = (self.range(chunk).len() - known) as u32;
            batch.append(found);
            if !batch.is_full() && rest > 0 {
                let states = &states[known * process.parameters..];
                let positions = batch.positions.end..batch.positions.end + rest;
                batch.append(expand(process, summand_tests, positions, states, cap)?);
            }
            if batch.is_full() {
                break;
            }
        }
        Ok(batch)
    }
}

/// The steps of the first of some states that are known in full without looking further; no more of
/// them than a batch has.
fn known(process: &Process, summand_tests: &SummandTests, states: &[Term], count: usize) -> Batch {
    let mut batch = Batch::default();
    let (mut candidates, mut key, mut target) = (Vec::new(), Vec::new(), Vec::new());
    let width = process.parameters;
    for state in (0..count).map(|at| &states[at * width..(at + 1) * width]) {
        let before = batch.labels.len();
        let mut is_known = summand_tests.known(state, &mut candidates);
        for &i in &candidates {
            if let Some(known) = process.known(i as usize, state, &mut key) {
                let (begin, end) = process.tables[i as usize].spans[known as usize];
                batch.add(process, i as usize, begin..end, state, &mut target);
            } else if !summand_tests.is_known_to_fail(i, state) {
                is_known = false;
                break;
            }
        }
        if !is_known {
            batch.labels.truncate(before);
            batch.texts.truncate(before);
            batch.targets.truncate(before * width);
            break;
        }
        batch.degrees.push((batch.labels.len() - before) as u32);
        batch.positions.end += 1;
        if batch.is_full() {
            break;
        }
    }
    batch
}

/// The steps of representatives, `states`, up to the first that has a sum with too many values.
pub(crate) fn expand(
    process: &mut Process,
    summand_tests: &mut SummandTests,
    positions: Range<u32>,
    states: &[Term],
    cap: usize,
) -> Result<Batch, Stop> {
    let width = process.parameters;
    let mut batch = Batch::at(positions.start);
    let (mut candidates, mut key, mut target) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..positions.len() {
        let state = &states[at * width..(at + 1) * width];
        let before = batch.labels.len();
        summand_tests.of(process, state, &mut candidates);
        for &i in &candidates {
            // What is in the table has passed before.
            if process.known(i as usize, state, &mut key).is_none()
                && !summand_tests.passes(process, i, state)
            {
                continue;
            }
            let local = process.local_steps(i as usize, state, &mut key, cap)?;
            let (begin, end) = match local {
                Local::All(known) => process.tables[i as usize].spans[known as usize],
                Local::Some(span) => span,
            };
            batch.add(process, i as usize, begin..end, state, &mut target);
            if matches!(local, Local::Some(_)) {
                batch.short = Some(i as usize);
                break;
            }
        }
        batch.degrees.push((batch.labels.len() - before) as u32);
        batch.positions.end += 1;
        if batch.is_full() {
            break;
        }
    }
    Ok(batch)
}
