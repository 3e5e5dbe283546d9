//! Links between partitions: a partition with transitions to states of another watches these
//! states, and the other sends updates about them.

use crate::base::bitset::{Bits, States};
use crate::base::ids::Id;
use crate::base::ids::{NONE, State};
use crate::base::spill::Spillable;
use crate::partition::minimise::part::{NODES, Part, Watched};
use crate::partition::minimise::{Batches, Failure};
use crate::partition::wire::{Incoming, put_bytes, put_words};

impl Part {
    /// For every partition a batch of the states that it owns and that own transitions lead to:
    /// requests for updates.
    pub fn requests(&mut self) -> Batches {
        let Part { options, graph, others, first, own, .. } = self;
        let mut by_internal_step = States::new(graph.nodes());
        if options.tau != NONE {
            for (label, target) in graph.all() {
                if label.0 == options.tau {
                    by_internal_step.add(target);
                }
            }
        }
        let mut batches = Vec::new();
        *first = vec![0];
        for partner in 0..options.partitions {
            let range = options.states_of(partner);
            let begin = *first.last().expect("one at least") as usize;
            let end = others.partition_point(|&other| other < range.end);
            first.push(u32::at(end));
            let mut batch = Vec::new();
            if begin < end {
                put_words(&mut batch, others[begin..end].iter().map(|o| u32::at(o - range.start)));
                let nodes = *own + u32::at(begin)..*own + u32::at(end);
                let internal: Vec<u8> =
                    nodes.map(|node| u8::from(by_internal_step.has(State(node)))).collect();
                put_bytes(&mut batch, &internal);
            }
            batches.push(batch);
        }
        *others = Vec::new();
        batches
    }

    /// Stores which of the own states each partner watches.
    pub fn link(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(), Failure> {
        self.read_back(&[NODES])?;
        self.watched.clear();
        for batch in batches {
            let mut watched = Watched::default();
            let mut batch = Incoming::new(batch.as_ref());
            if !batch.is_empty() {
                for state in batch.words()? {
                    let node = *self.node.get(state as usize).ok_or(Failure::Unreadable)?;
                    watched.nodes.push(node);
                }
                for (position, &internal) in (0..).zip(batch.bytes()?) {
                    if internal != 0 {
                        watched.internal.add(position);
                    }
                }
            }
            self.watched.push(watched);
        }
        self.node = Vec::new();
        Ok(())
    }

    /// The node for a position in the own list of a partner's states.
    pub(super) fn other(&self, partner: usize, position: u32) -> Result<u32, Failure> {
        if position >= self.first[partner + 1] - self.first[partner] {
            return Err(Failure::Unreadable);
        }
        Ok(self.own + self.first[partner] + position)
    }

    /// Updates for the partners that watch them: the blocks of `moved` nodes, and the nodes that
    /// are no longer divergent (`dead`).
    pub(super) fn batches(&self, moved: &Bits, dead: &Bits) -> Batches {
        let batches = |watched: &Watched| {
            let (mut positions, mut blocks, mut dead_positions) =
                (Vec::new(), Vec::new(), Vec::new());
            for (position, &node) in (0..).zip(&watched.nodes) {
                if moved.has(node) {
                    positions.push(position);
                    blocks.push(self.block[node as usize]);
                }
                if dead.has(node) {
                    dead_positions.push(position);
                }
            }
            let mut batch = Vec::new();
            if !positions.is_empty() || !dead_positions.is_empty() {
                put_words(&mut batch, positions.into_iter());
                put_words(&mut batch, blocks.into_iter());
                put_words(&mut batch, dead_positions.into_iter());
            }
            batch
        };
        self.watched.iter().map(batches).collect()
    }

    /// Takes updates from partners about their states.
    pub fn receive_updates(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(), Failure> {
        self.read_back(&[NODES])?;
        for (partner, batch) in batches.iter().enumerate() {
            let mut batch = Incoming::new(batch.as_ref());
            if batch.is_empty() {
                continue;
            }
            let (positions, blocks) = (batch.words()?, batch.words()?);
            for (position, block) in positions.zip(blocks) {
                let node = self.other(partner, position)?;
                self.block[node as usize] = block;
                self.changed.add(node);
            }
            for position in batch.words()? {
                let node = self.other(partner, position)?;
                self.endless.remove(node);
                self.changed.add(node);
            }
        }
        Ok(())
    }
}
