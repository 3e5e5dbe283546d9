//! Signatures: the steps of a state, after inert steps if internal steps are not observed, as sets
//! of pairs of labels and blocks.
//!
//! The set of a node is the union of its own pairs and of the sets of the targets of its inert
//! steps. It is the least solution, computed by one sweep over own nodes and then by exchanging
//! sets with partners until nothing changes. So cycles of internal steps through several partitions
//! need no special treatment.

use crate::base::bitset::Bits;
use crate::base::cancel::Cancel;
use crate::base::hash::low_half;
use crate::base::hash::mix;
use crate::base::ids::Id;
use crate::base::ids::as_index;
use crate::base::ids::{Label, NONE, State};
use crate::base::spill::Spillable;
use crate::partition::minimise::part::{GRAPH, NODES, Part, SETS};
use crate::partition::minimise::sets::{EMPTY, Pair, Sets, TOP, pair};
use crate::partition::minimise::{Batches, Failure};
use crate::partition::wire::{Incoming, put_longs, put_words};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Stands for the length of a set that is too large.
const TOO_LARGE: u32 = u32::MAX;

/// Scratch memory for the pairs and sets of one node.
#[derive(Default)]
struct Scratch {
    own: Vec<Pair>,
    below: Vec<u32>,
}

impl Part {
    /// Computes the signatures of the nodes of some blocks, or of all, as far as the sets of
    /// partners' nodes are not needed. A set of more than `most` pairs is only recorded as too
    /// large.
    ///
    /// A round has `chunks` calls, of which this is number `chunk`. In the first one, `batches`
    /// contain the blocks for all of them.
    pub fn sign(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        all: bool,
        most: usize,
        (chunk, chunks): (u32, u32),
        cancel: &Cancel,
    ) -> Result<Batches, Failure> {
        self.read_back(&[GRAPH, NODES, SETS])?;
        if chunk == 0 {
            self.choose(batches, all)?;
        }
        self.active.clear();
        let partitions = u32::at(self.options.partitions);
        for block in self.chosen.iter() {
            // Each partition owns about equally many blocks of every chunk.
            if block / partitions % chunks == chunk {
                self.active.add(block);
            }
        }
        self.sets.clear(most);
        self.value.fill(EMPTY);
        let (mut unchecked, mut scratch) = (0, Scratch::default());
        let mut fresh = Bits::new(self.block.len());
        for node in 0..self.own {
            if !self.active.has(self.block[node as usize]) {
                continue;
            }
            let degree = self.graph.range(node).len();
            cancel.check_every(&mut unchecked, 1 + degree)?;
            self.value[node as usize] = self.set(node, &mut scratch);
            if self.value[node as usize] != EMPTY {
                fresh.add(node);
            }
        }
        Ok(self.send_sets(&fresh))
    }

    /// Begins a round in which these blocks are visited, or all.
    fn choose(&mut self, batches: &[impl AsRef<[u8]>], all: bool) -> Result<(), Failure> {
        self.changed.clear();
        self.chosen.clear();
        for batch in batches {
            let mut batch = Incoming::new(batch.as_ref());
            if !batch.is_empty() {
                batch.words()?.for_each(|block| _ = self.chosen.add(block));
            }
        }
        if all {
            for node in 0..self.own as usize {
                self.chosen.add(self.block[node]);
            }
        }
        Ok(())
    }

    /// Takes sets of partners' nodes, and adds them to nodes with inert steps there. Returns how
    /// many sets it sends to partners in turn; the exchange ends when no partition sends any.
    pub fn spread(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        cancel: &Cancel,
    ) -> Result<(u64, Batches), Failure> {
        self.read_back(&[GRAPH, NODES, SETS])?;
        let mut fresh = Bits::new(self.block.len());
        for (partner, batch) in batches.iter().enumerate() {
            self.take_sets(partner, batch.as_ref(), &mut fresh)?;
        }
        let (mut unchecked, mut scratch) = (0, Scratch::default());
        let mut changed = Bits::new(self.block.len());
        for node in 0..self.own {
            let at = node as usize;
            if self.value[at] == TOP || !self.active.has(self.block[at]) {
                continue;
            }
            cancel.check_every(&mut unchecked, 1 + self.graph.range(node).len())?;
            let is_fresh =
                |(label, to): (Label, State)| fresh.has(to.0) && self.is_inert(node, label, to);
            if self.graph.steps(node).any(is_fresh) {
                let set = self.set(node, &mut scratch);
                if set != self.value[at] {
                    self.value[at] = set;
                    fresh.add(node);
                    changed.add(node);
                }
            }
        }
        let counts = self.watched.iter().map(|watched| {
            let watched = watched.internal.iter().map(|position| watched.nodes[position as usize]);
            watched.filter(|&node| changed.has(node)).count() as u64
        });
        Ok((counts.sum(), self.send_sets(&changed)))
    }

    /// The set of a node, from the sets of the targets of its inert steps.
    fn set(&mut self, node: u32, scratch: &mut Scratch) -> u32 {
        let Scratch { own, below } = scratch;
        own.clear();
        below.clear();
        for (label, to) in self.graph.steps(node) {
            if self.is_inert(node, label, to) {
                match self.value[to] {
                    TOP => return TOP,
                    EMPTY => {}
                    set => below.push(set),
                }
            } else {
                own.push(pair(label.0, self.block[to]));
            }
        }
        if self.options.delta != NONE && self.endless.has(node) {
            own.push(pair(self.options.delta, self.block[node as usize]));
        }
        below.sort_unstable();
        below.dedup();
        if let [single] = below[..]
            && self.sets.has(single, own)
        {
            return single;
        }
        for &mut set in below {
            own.extend(self.sets.pairs(set));
        }
        self.sets.number(own)
    }

    /// The sets of these nodes, for partners with internal steps to them.
    fn send_sets(&self, nodes: &Bits) -> Batches {
        let mut batches = Vec::new();
        for watched in &self.watched {
            let mut known: HashMap<u32, u32, FxBuildHasher> = HashMap::default();
            let (mut positions, mut sets) = (Vec::new(), Vec::new());
            let (mut lengths, mut words) = (Vec::new(), Vec::new());
            for position in watched.internal.iter() {
                let node = watched.nodes[position as usize];
                if !nodes.has(node) {
                    continue;
                }
                let set = self.value[node as usize];
                let next = u32::at(known.len());
                sets.push(*known.entry(set).or_insert_with(|| {
                    if set == TOP {
                        lengths.push(TOO_LARGE);
                    } else {
                        words.extend_from_slice(self.sets.get(set));
                        lengths.push(u32::at(self.sets.pairs(set).len()));
                    }
                    next
                }));
                positions.push(position);
            }
            let mut batch = Vec::new();
            if !positions.is_empty() {
                for column in [positions, sets, lengths, words] {
                    put_words(&mut batch, column.into_iter());
                }
            }
            batches.push(batch);
        }
        batches
    }

    /// Takes the sets of a batch.
    fn take_sets(&mut self, partner: usize, batch: &[u8], fresh: &mut Bits) -> Result<(), Failure> {
        let mut batch = Incoming::new(batch);
        if batch.is_empty() {
            return Ok(());
        }
        let (positions, sets, lengths) = (batch.words()?, batch.words()?, batch.words()?);
        let mut words = batch.words()?;
        let (mut numbers, mut pairs) = (Vec::new(), Vec::new());
        for length in lengths {
            if length == TOO_LARGE {
                numbers.push(TOP);
                continue;
            }
            pairs.clear();
            for _ in 0..length {
                let (label, block) = (words.next(), words.next());
                let label = label.ok_or(Failure::Unreadable)?;
                pairs.push(pair(label, block.ok_or(Failure::Unreadable)?));
            }
            numbers.push(self.sets.number(&mut pairs));
        }
        for (position, set) in positions.zip(sets) {
            let node = self.other(partner, position)?;
            let set = *numbers.get(set as usize).ok_or(Failure::Unreadable)?;
            if self.value[node as usize] != set {
                self.value[node as usize] = set;
                fresh.add(node);
            }
        }
        Ok(())
    }

    /// Sends each signature, a pair of a block and a set, to its owner, with the number of its
    /// nodes. Also returns how many nodes have sets that are too large.
    pub fn offer(&mut self, cancel: &Cancel) -> Result<(u64, Batches), Failure> {
        self.read_back(&[NODES, SETS])?;
        let partitions = self.options.partitions;
        let mut known: HashMap<u64, u32, FxBuildHasher> = HashMap::default();
        let (mut counts, mut large): (Vec<u64>, u64) = (Vec::new(), 0);
        let mut unchecked = 0;
        for node in 0..self.own {
            let block = self.block[node as usize];
            if !self.active.has(block) {
                continue;
            }
            cancel.check_every(&mut unchecked, 1)?;
            let set = self.value[node as usize];
            large += u64::from(set == TOP);
            let signature = *known.entry(pair(block, set)).or_insert_with(|| {
                counts.push(0);
                u32::at(counts.len()) - 1
            });
            counts[signature as usize] += 1;
            self.value[node as usize] = signature;
        }
        let mut signatures = vec![(0, 0); counts.len()];
        for (key, signature) in known {
            signatures[signature as usize] = ((key >> 32) as u32, low_half(key));
        }
        self.sent = vec![Vec::new(); partitions];
        for (signature, &(block, set)) in (0..).zip(&signatures) {
            let words = self.sets.get(set).iter();
            let hash = words.fold(u64::from(block), |hash, &word| mix(hash, u64::from(word)));
            self.sent[as_index(hash % partitions as u64)].push(signature);
        }
        let batches = self.sent.iter().map(|sent| {
            let own = || sent.iter().map(|&signature| signatures[signature as usize]);
            let mut batch = Vec::new();
            if !sent.is_empty() {
                put_words(&mut batch, own().map(|signature| signature.0));
                put_longs(&mut batch, sent.iter().map(|&signature| counts[signature as usize]));
                put_words(
                    &mut batch,
                    own().map(|signature| u32::at(self.sets.get(signature.1).len())),
                );
                let words: Vec<u32> = own()
                    .flat_map(|signature| self.sets.get(signature.1).iter().copied())
                    .collect();
                put_words(&mut batch, words.into_iter());
            }
            batch
        });
        let batches = batches.collect();
        self.sets = Sets::default();
        Ok((large, batches))
    }
}
