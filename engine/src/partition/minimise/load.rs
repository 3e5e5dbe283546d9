//! Loading: transitions are sent to the partitions that own their sources.

use crate::base::bitset::Bits;
use crate::base::cancel::Cancel;
use crate::base::hash::mix;
use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::ids::as_index;
use crate::base::memory;
use crate::partition::minimise::counting_sort::CountingSort;
use crate::partition::minimise::cycles::{OwnNodes, nodes};
use crate::partition::minimise::graph::{Graph, label_bytes};
use crate::partition::minimise::transitions::{Transition, Transitions};
use crate::partition::minimise::{Batches, Failure};
use crate::partition::wire::{Incoming, put_longs, put_words};
use hashbrown::HashTable;
use std::ops::Range;
use std::path::Path;

/// Duplicates are removed from nodes of several states with at most this many transitions: merged
/// states often have the same transitions.
const FEW_TRANSITIONS: usize = if cfg!(test) { 4 } else { 64 };

/// The options of a partition.
#[derive(Clone)]
pub struct LoadOptions {
    pub index: usize,
    pub partitions: usize,
    /// The number of states of the whole system, and the initial one.
    pub states: u64,
    pub initial: u64,
    /// For every label of the input its label in the minimisation.
    pub labels: Vec<u32>,
    /// An exclusive bound of these labels.
    pub kinds: u32,
    /// The internal label; `NONE` if internal steps are treated like others.
    pub tau: u32,
    /// An additional label for divergence; `NONE` if divergence is not observed.
    pub delta: u32,
}

impl LoadOptions {
    /// The number of states per partition; the last ones may own fewer.
    fn width(&self) -> u64 {
        self.states.div_ceil(self.partitions as u64).max(1)
    }

    /// The partition that owns a state.
    pub fn owner(&self, state: u64) -> usize {
        as_index(state / self.width())
    }

    /// The states that a partition owns.
    pub fn states_of(&self, partition: usize) -> Range<u64> {
        let first = |partition: usize| self.states.min(partition as u64 * self.width());
        first(partition)..first(partition + 1)
    }
}

/// The transitions received so far.
pub struct Loading {
    options: LoadOptions,
    own: u32,
    transitions: Transitions,
}

/// The transitions sorted by source, as a graph: own nodes are followed by the states of other
/// partitions, in order.
pub struct Loaded {
    pub options: LoadOptions,
    /// The nodes for own states.
    pub nodes: OwnNodes,
    pub graph: Graph,
    pub others: Vec<u64>,
}

impl Loading {
    /// No transitions yet. They are stored in a file at this path, if given, until loading is
    /// finished.
    pub fn new(options: LoadOptions, path: Option<&Path>) -> Result<Self, Failure> {
        let range = options.states_of(options.index);
        let own = u32::try_from(range.end - range.start).map_err(|_| Failure::Full)?;
        Ok(Self { options, own, transitions: Transitions::new(path)? })
    }

    /// Batches of transitions for the owners of their sources. The columns have 64, 32 and 64 bits
    /// per entry, little-endian.
    pub fn scatter(&self, source: &[u8], label: &[u8], target: &[u8]) -> Result<Batches, Failure> {
        let options = &self.options;
        let (source, target) = (source.as_chunks::<8>().0, target.as_chunks::<8>().0);
        let label = label.as_chunks::<4>().0;
        if source.len() != label.len() || label.len() != target.len() {
            return Err(Failure::Unreadable);
        }
        let mut transitions = vec![(Vec::new(), Vec::new(), Vec::new()); options.partitions];
        for ((source, label), target) in source.iter().zip(label).zip(target) {
            let (source, target) = (u64::from_le_bytes(*source), u64::from_le_bytes(*target));
            let label = options.labels.get(u32::from_le_bytes(*label) as usize);
            let label = *label.ok_or(Failure::Unreadable)?;
            if source.max(target) >= options.states {
                return Err(Failure::Unreadable);
            }
            let to = &mut transitions[options.owner(source)];
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
        Ok(transitions.into_iter().map(batch).collect())
    }

    /// Takes batches of transitions with own sources.
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
                self.transitions.push(Transition {
                    source: u32::at(source - range.start),
                    label,
                    target,
                })?;
            }
        }
        if self.transitions.len() < u32::MAX as usize { Ok(()) } else { Err(Failure::Full) }
    }

    /// Writes all transitions in memory to the file, if there is one.
    pub fn spill(&mut self) -> Result<(), Failure> {
        self.transitions.flush()?;
        memory::give_back();
        Ok(())
    }

    /// The approximate memory in bytes that finishing needs.
    pub fn bytes_at_the_end(&self) -> u64 {
        let (transitions, own) = (self.transitions.len() as u64, u64::from(self.own));
        // The number of states of other partitions is not known yet: an estimate.
        let others = own / 2;
        let graph = transitions * (4 + label_bytes(self.options.kinds) as u64) + 4 * own;
        let cycles = if self.options.tau == NONE { 0 } else { 4 * transitions + 28 * own };
        16 * others + cycles.max(graph + 12 * (own + others))
    }

    /// Sorts the transitions by source, after all were received.
    pub fn finish(self, cancel: &Cancel) -> Result<Loaded, Failure> {
        let Self { options, own, mut transitions } = self;
        let range = options.states_of(options.index);
        let nodes = match options.tau {
            NONE => OwnNodes { of: (0..own).collect(), count: own },
            tau => nodes(&mut transitions, &range, tau, cancel)?,
        };
        let others = others(&mut transitions, &range)?;
        let count = nodes.count as usize + others.len();
        if count >= u32::MAX as usize {
            return Err(Failure::Full);
        }
        let mut positions = HashTable::with_capacity(others.len());
        for (position, &other) in (0u32..).zip(&others) {
            positions.insert_unique(mix(other, 0), position, |&position| {
                mix(others[position as usize], 0)
            });
        }
        let is_inner = |transition: &Transition, source: u32| {
            transition.label == options.tau
                && range.contains(&transition.target)
                && nodes.of[as_index(transition.target - range.start)] == source
        };
        let mut at = CountingSort::new(count);
        let mut loops = Bits::default();
        transitions.each(|transition| {
            let source = nodes.of[transition.source as usize];
            // If divergence is observed, a node with internal steps inside it gets one transition
            // for them.
            if !is_inner(&transition, source) || options.delta != NONE && loops.add(source) {
                at.count(source);
            }
            true
        })?;
        let mut graph = Graph::new(Vec::new(), at.counted()?, label_bytes(options.kinds));
        for node in loops.iter() {
            graph.set(at.next(node), (options.delta, node));
        }
        let (mut unchecked, mut going) = (0, Ok(()));
        transitions.each(|transition| {
            let source = nodes.of[transition.source as usize];
            if is_inner(&transition, source) {
                return true;
            }
            let target = if range.contains(&transition.target) {
                nodes.of[as_index(transition.target - range.start)]
            } else {
                let is_it = |&position: &u32| others[position as usize] == transition.target;
                let position = positions.find(mix(transition.target, 0), is_it);
                nodes.count + position.expect("all were looked at")
            };
            graph.set(at.next(source), (transition.label, target));
            going = cancel.check_every(&mut unchecked, 1);
            going.is_ok()
        })?;
        going?;
        graph.starts = at.starts();
        if (nodes.count as usize) < nodes.of.len() {
            let (mut once, mut again) = (Bits::default(), Bits::default());
            for &node in &nodes.of {
                if !once.add(node) {
                    again.add(node);
                }
            }
            graph.drop_repeated(FEW_TRANSITIONS, |node| again.has(node));
        }
        Ok(Loaded { options, nodes, graph, others })
    }
}

/// The states of other partitions that transitions lead to, in ascending order, and so sorted by
/// partition.
fn others(transitions: &mut Transitions, own: &Range<u64>) -> Result<Vec<u64>, Failure> {
    const FEW: usize = 1 << 16;
    let (mut others, mut distinct) = (Vec::new(), 0);
    transitions.each(|transition| {
        if !own.contains(&transition.target) {
            others.push(transition.target);
            // Remove duplicates regularly, so that the list is never much longer than needed.
            if others.len() > 2 * distinct + FEW {
                others.sort_unstable();
                others.dedup();
                distinct = others.len();
            }
        }
        true
    })?;
    others.sort_unstable();
    others.dedup();
    others.shrink_to_fit();
    Ok(others)
}
