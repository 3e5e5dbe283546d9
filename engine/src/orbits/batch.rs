//! Batches: the steps of consecutive states in the queue of an exploration.

use crate::base::cancel::{CHECK_EVERY, Cancel, Result};
use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::lock::Locked;
use crate::data::terms::Term;
use crate::orbits::canonical_state::Missing;
use crate::orbits::step_orbits::{Merging, StepOrbits};
use crate::process::linear::stop::Stop;
use crate::process::linear::{Local, Process};
use crate::symmetry_of_process::summand_tests::SummandTests;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Mutex;

/// The most states of a batch.
pub(crate) const BATCH: usize = 2048;
/// States whose steps a thread looks up at a time.
pub(crate) const LOOKED_UP: usize = 16;
/// The approximate maximum number of steps of a batch.
pub(crate) const STEPS: usize = 1 << 16;

/// The steps of consecutive states in a queue.
#[derive(Default)]
pub(crate) struct Batch {
    /// The positions of the states in the queue; if the queue contains all orbits in order, these
    /// are the orbit numbers.
    pub(crate) positions: Range<u32>,
    /// The number of steps of each state that are in the batch.
    pub(crate) degrees: Vec<u32>,
    /// The number of distinct steps of each state, if it was counted, else `NONE`.
    pub(crate) counted: Vec<u32>,
    pub(crate) labels: Vec<u32>,
    /// The text of each label.
    pub(crate) texts: Vec<u32>,
    /// The concatenated targets of the steps, as states or as the visitor has transformed them.
    pub(crate) targets: Vec<Term>,
    /// The summand of which a sum has more values than the cap in the last state, if there is one:
    /// steps of that state are missing.
    pub(crate) short: Option<usize>,
    /// Values and images that have to be learned to merge more steps of later states.
    pub(crate) missing: Vec<Missing>,
}

/// The number of states that fill the next batch: `STEPS` divided by the mean out-degree of the
/// previous `states`, which have `steps` together.
pub(crate) fn reach(states: usize, steps: usize) -> usize {
    (STEPS * states / steps.max(1)).clamp(LOOKED_UP, BATCH)
}

/// States whose distinct steps a thread counts at a time.
const COUNTED: usize = 64;

impl Batch {
    /// The empty batch of states from a position on.
    pub(crate) fn at(position: u32) -> Self {
        Self { positions: position..position, ..Self::default() }
    }

    /// Whether the batch has the maximum number of steps, or ends with an incomplete state.
    pub(crate) fn is_full(&self) -> bool {
        self.short.is_some() || self.labels.len() >= STEPS
    }

    /// Appends the steps of the states that follow.
    pub(crate) fn append(&mut self, mut other: Batch) {
        self.positions.end += u32::at(other.positions.len());
        self.degrees.append(&mut other.degrees);
        self.counted.append(&mut other.counted);
        self.missing.append(&mut other.missing);
        self.labels.append(&mut other.labels);
        self.texts.append(&mut other.texts);
        self.targets.append(&mut other.targets);
        self.short = other.short;
    }

    /// Adds the state at this position, which is the next one, with these steps: summands, and
    /// steps of their tables.
    fn add(
        &mut self,
        process: &Process,
        (position, state): (u32, &[Term]),
        steps: &mut Vec<(u32, u32)>,
        step_orbits: &mut StepOrbits<'_>,
    ) -> Result<()> {
        let distinct = step_orbits.merge(process, (position, state), steps, &mut self.missing);
        self.counted.push(distinct.unwrap_or(NONE));
        let mut target = Vec::new();
        for (at, &(i, local)) in steps.iter().enumerate() {
            process.data.cancel.check_at(at)?;
            let label = process.successor(i as usize, local, state, &mut target);
            self.labels.push(label);
            self.texts.push(process.labels.texts[label as usize]);
            self.targets.extend_from_slice(&target);
        }
        self.degrees.push(u32::at(steps.len()));
        self.positions.end += 1;
        Ok(())
    }

    /// The chunks in which distinct steps are counted.
    pub(crate) fn chunks(&self) -> Range<usize> {
        0..self.degrees.len().div_ceil(COUNTED)
    }

    /// The number of distinct steps of each state of a chunk; wrong if the work has to stop.
    pub(crate) fn distinct(&self, chunk: usize, cancel: &Cancel) -> Vec<u32> {
        let from = chunk * COUNTED;
        let to = self.degrees.len().min(from + COUNTED);
        let mut step = self.degrees[..from].iter().map(|&degree| degree as usize).sum::<usize>();
        let width = self.targets.len() / self.labels.len().max(1);
        let key = |&at: &usize| (self.texts[at], &self.targets[at * width..(at + 1) * width]);
        let mut order: Vec<usize> = Vec::new();
        let degrees = self.degrees[from..to].iter().zip(&self.counted[from..to]);
        degrees
            .map(|(&degree, &counted)| {
                let steps = step..step + degree as usize;
                step = steps.end;
                if counted != NONE {
                    return counted;
                }
                if steps.len() > CHECK_EVERY {
                    // Sorting them could not be stopped.
                    let goes_on = |at: &usize| cancel.check_at(*at).is_ok();
                    let seen: FxHashSet<_> = steps.take_while(goes_on).map(|at| key(&at)).collect();
                    return u32::at(seen.len());
                }
                order.clear();
                order.extend(steps);
                order.sort_unstable_by(|left, right| key(left).cmp(&key(right)));
                order.dedup_by(|left, right| key(left) == key(right));
                u32::at(order.len())
            })
            .collect()
    }
}

/// A function that appends the states at these positions of a list.
pub(crate) type Read<'a> = &'a (dyn Fn(Range<usize>, &mut Vec<Term>) + Sync);

/// Consecutive states, and the batch of those of their steps that are in the tables.
#[derive(Default)]
struct BatchChunk {
    states: Vec<Term>,
    batch: Batch,
}

/// Steps of the next states, which threads look up in chunks.
pub(crate) struct Prefetch<'a> {
    count: usize,
    read: Read<'a>,
    chunks: Vec<Mutex<BatchChunk>>,
}

impl<'a> Prefetch<'a> {
    /// The next `count` states, which threads read with `read`.
    pub(crate) fn new(count: usize, read: Read<'a>) -> Self {
        let chunks = (0..count.div_ceil(LOOKED_UP)).map(|_| Mutex::default()).collect();
        Self { count, read, chunks }
    }

    /// The number of chunks.
    pub(crate) fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The positions of the states of a chunk.
    fn range(&self, chunk: usize) -> Range<usize> {
        chunk * LOOKED_UP..self.count.min((chunk + 1) * LOOKED_UP)
    }

    /// Looks up the steps of a chunk, as far as they are in the tables. Steps are merged if
    /// requested; the first state is the orbit with the number `first`.
    pub(crate) fn look_up(
        &self,
        chunk: usize,
        process: &Process,
        summand_tests: &SummandTests,
        (first, merging): (u32, Option<Merging<'_>>),
    ) {
        let range = self.range(chunk);
        let mut states = Vec::with_capacity(range.len() * process.parameters);
        (self.read)(range.clone(), &mut states);
        let positions = first + u32::at(range.start)..first + u32::at(range.end);
        let batch = known(process, summand_tests, &states, positions, merging);
        *self.chunks[chunk].locked() = BatchChunk { states, batch };
    }

    /// The batch of the steps of the states, the first of which is at position `first` of the
    /// queue; it ends at a state with too many values of a sum, or when it is full. Steps that were
    /// not in the tables are computed.
    pub(crate) fn finish(
        mut self,
        process: &mut Process,
        summand_tests: &mut SummandTests,
        (first, merging): (u32, Option<Merging<'_>>),
        cap: usize,
    ) -> Result<Batch, Stop> {
        let mut batch = Batch::at(first);
        for (chunk, own) in std::mem::take(&mut self.chunks).into_iter().enumerate() {
            let BatchChunk { states, batch: known_batch } = own.unlocked();
            let known = known_batch.degrees.len();
            let rest = u32::at(self.range(chunk).len() - known);
            batch.append(known_batch);
            if !batch.is_full() && rest > 0 {
                let states = &states[known * process.parameters..];
                let positions = batch.positions.end..batch.positions.end + rest;
                batch.append(expand(process, summand_tests, (positions, merging), states, cap)?);
            }
            if batch.is_full() {
                break;
            }
        }
        Ok(batch)
    }
}

/// The steps of the first of these states, as far as they are completely in the tables and fit into
/// a batch.
fn known(
    process: &Process,
    summand_tests: &SummandTests,
    states: &[Term],
    positions: Range<u32>,
    merging: Option<Merging<'_>>,
) -> Batch {
    let mut batch = Batch::default();
    let (mut candidates, mut key, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    let mut step_orbits = StepOrbits::new(merging);
    let width = process.parameters;
    for (at, position) in positions.enumerate() {
        let state = &states[at * width..(at + 1) * width];
        steps.clear();
        let mut is_known = summand_tests.known(state, &mut candidates);
        for &i in &candidates {
            if let Some(known) = process.known(i as usize, state, &mut key) {
                let (begin, end) = process.tables[i as usize].spans[known as usize];
                steps.extend((begin..end).map(|local| (i, local)));
            } else if !summand_tests.is_known_to_fail(i, state) {
                is_known = false;
                break;
            }
        }
        if !is_known {
            break;
        }
        // What is missing is computed later, where the work ends if it has to.
        let whole = batch.add(process, (position, state), &mut steps, &mut step_orbits);
        if whole.is_err() {
            return Batch::default();
        }
        if batch.is_full() {
            break;
        }
    }
    batch
}

/// The steps of `states`, up to the first with too many values of a sum. Steps are merged if
/// requested, and then the positions are orbit numbers.
pub(crate) fn expand(
    process: &mut Process,
    summand_tests: &mut SummandTests,
    (positions, merging): (Range<u32>, Option<Merging<'_>>),
    states: &[Term],
    cap: usize,
) -> Result<Batch, Stop> {
    let width = process.parameters;
    let mut batch = Batch::at(positions.start);
    let (mut candidates, mut key, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    let mut step_orbits = StepOrbits::new(merging);
    for (at, position) in positions.enumerate() {
        let state = &states[at * width..(at + 1) * width];
        steps.clear();
        summand_tests.of(process, state, &mut candidates);
        for &i in &candidates {
            // A summand with an entry in the table has passed its tests before.
            if process.known(i as usize, state, &mut key).is_none()
                && !summand_tests.satisfies(process, i, state)
            {
                continue;
            }
            let local = process.local_steps(i as usize, state, &mut key, cap)?;
            let (begin, end) = match local {
                Local::All(known) => process.tables[i as usize].spans[known as usize],
                Local::Some(span) => span,
            };
            steps.extend((begin..end).map(|local| (i, local)));
            if matches!(local, Local::Some(_)) {
                batch.short = Some(i as usize);
                break;
            }
        }
        batch.add(process, (position, state), &mut steps, &mut step_orbits)?;
        if batch.is_full() {
            break;
        }
    }
    Ok(batch)
}
