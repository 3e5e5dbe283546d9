//! Transitions on their way to the partitions that own their sources.

use crate::base::cancel::{POLL_EVERY, Poll};
use crate::base::csr::Forward;
use crate::base::memory;
use crate::partition::minimise::{Batches, Failure};
use crate::partition::wire::{Incoming, put_longs, put_words};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::ops::Range;

/// What a partition is asked for.
#[derive(Clone)]
pub struct Options {
    pub index: usize,
    pub partitions: usize,
    /// States of the whole system, and the initial one.
    pub states: u64,
    pub initial: u64,
    /// For every label of the transitions the one that counts.
    pub labels: Vec<u32>,
    /// These are below it.
    pub kinds: u32,
    /// The label of internal steps; `NONE` where these are seen as all others.
    pub tau: u32,
    /// A label that no transition has, for internal steps without end; `NONE` where these do not count.
    pub delta: u32,
}

impl Options {
    /// States that a partition owns, but for the last ones.
    fn width(&self) -> u64 {
        self.states.div_ceil(self.partitions as u64).max(1)
    }

    /// The partition of a state.
    pub fn owner(&self, state: u64) -> usize {
        (state / self.width()) as usize
    }

    /// The states that a partition owns.
    pub fn states_of(&self, partition: usize) -> Range<u64> {
        let first = |partition: usize| self.states.min(partition as u64 * self.width());
        first(partition)..first(partition + 1)
    }
}

/// Rows as they come. Targets are numbered: own states, then others as they are met.
pub struct Loading {
    options: Options,
    own: u32,
    source: Vec<u32>,
    label: Vec<u32>,
    target: Vec<u32>,
    place: HashMap<u64, u32, FxBuildHasher>,
    others: Vec<u64>,
}

/// Rows by their sources, with states of other partitions, by number, behind the own ones.
pub struct Loaded {
    pub options: Options,
    pub own: u32,
    pub graph: Forward<'static>,
    pub others: Vec<u64>,
}

impl Loading {
    /// No rows yet.
    pub fn new(options: Options) -> Result<Self, Failure> {
        let range = options.states_of(options.index);
        let own = u32::try_from(range.end - range.start).map_err(|_| Failure::Full)?;
        let [source, label, target] = [const { Vec::new() }; 3];
        let place = HashMap::default();
        Ok(Self { options, own, source, label, target, place, others: Vec::new() })
    }

    /// Rows of any sources, for their owners. The columns have 64, 32 and 64 bits, little-endian.
    pub fn scatter(&self, source: &[u8], label: &[u8], target: &[u8]) -> Result<Batches, Failure> {
        let options = &self.options;
        let (source, target) = (source.as_chunks::<8>().0, target.as_chunks::<8>().0);
        let label = label.as_chunks::<4>().0;
        if source.len() != label.len() || label.len() != target.len() {
            return Err(Failure::Unreadable);
        }
        let mut rows = vec![(Vec::new(), Vec::new(), Vec::new()); options.partitions];
        for ((source, label), target) in source.iter().zip(label).zip(target) {
            let (source, target) = (u64::from_le_bytes(*source), u64::from_le_bytes(*target));
            let label = options.labels.get(u32::from_le_bytes(*label) as usize);
            let label = *label.ok_or(Failure::Unreadable)?;
            if source.max(target) >= options.states {
                return Err(Failure::Unreadable);
            }
            let to = &mut rows[options.owner(source)];
            to.0.push(source);
            to.1.push(label);
            to.2.push(target);
        }
        let batch = |(source, label, target): (Vec<u64>, Vec<u32>, Vec<u64>)| {
            let mut batch = Vec::new();
            if !source.is_empty() {
                put_longs(&mut batch, source.into_iter());
                put_words(&mut batch, label.into_iter());
                put_longs(&mut batch, target.into_iter());
            }
            batch
        };
        Ok(rows.into_iter().map(batch).collect())
    }

    /// Takes rows of own sources.
    pub fn accept(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(), Failure> {
        let range = self.options.states_of(self.options.index);
        for batch in batches {
            let mut batch = Incoming::new(batch.as_ref());
            if batch.is_empty() {
                continue;
            }
            let (sources, labels, targets) = (batch.longs()?, batch.words()?, batch.longs()?);
            for ((source, label), target) in sources.zip(labels).zip(targets) {
                if !range.contains(&source) {
                    return Err(Failure::Unreadable);
                }
                let node = if range.contains(&target) {
                    (target - range.start) as u32
                } else {
                    let others = &mut self.others;
                    *self.place.entry(target).or_insert_with(|| {
                        others.push(target);
                        self.own.wrapping_add(others.len() as u32 - 1)
                    })
                };
                self.source.push((source - range.start) as u32);
                self.label.push(label);
                self.target.push(node);
            }
        }
        let nodes = self.own as usize + self.others.len();
        if nodes.max(self.source.len()) < u32::MAX as usize { Ok(()) } else { Err(Failure::Full) }
    }

    /// The rows by their sources, once all are there.
    pub fn finish(self, poll: Poll) -> Result<Loaded, Failure> {
        let Self { options, own, source, label, target, place, mut others } = self;
        drop(place);
        // States of other partitions in the order of their numbers, and so of their partitions.
        let mut order: Vec<u32> = (0..others.len() as u32).collect();
        order.sort_unstable_by_key(|&other| others[other as usize]);
        let mut place = memory::zeroes(others.len());
        for (rank, &other) in (0..).zip(&order) {
            place[other as usize] = own + rank;
        }
        drop(order);
        others.sort_unstable();
        let nodes = own as usize + others.len();
        let mut starts: Vec<u32> = memory::zeroes(nodes + 1);
        for &source in &source {
            starts[source as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let (mut labels, mut targets) = (memory::zeroes(label.len()), memory::zeroes(label.len()));
        for (row, &source) in source.iter().enumerate().rev() {
            if row % POLL_EVERY == 0 && !poll() {
                return Err(Failure::Stopped);
            }
            let at = &mut starts[source as usize];
            *at -= 1;
            labels[*at as usize] = label[row];
            let to = target[row];
            targets[*at as usize] = if to < own { to } else { place[(to - own) as usize] };
        }
        let graph = Forward::of_numbers(starts, labels, targets);
        Ok(Loaded { options, own, graph, others })
    }
}
