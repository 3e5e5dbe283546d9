//! Checkpoints of levels. A partition only grows, so a checkpoint contains what was added since the
//! previous one; loading all of them, in order, restores the partition. Labels get new numbers
//! then, and tables are filled again.

use crate::base::ids::Id;
use crate::base::spill::Spillable;
use crate::partition::generation::{NUMBERS, Partition, STATES};
use crate::partition::numbers::Numbers;
use crate::partition::shared_nodes::{value_bytes, value_count, value_number};
use crate::partition::supersteps::Failure;
use crate::partition::wire::{Incoming, Unreadable, put_bytes, put_longs, put_words};

impl Partition<'_> {
    /// The data added since the last checkpoint; called after new states are numbered.
    pub fn save(&mut self) -> Result<Vec<u8>, Failure> {
        self.read_back(&[STATES, NUMBERS])?;
        let ((store, evaluator), saved) = (self.states.split(), &mut self.saved);
        saved.nodes.resize(store.nodes(), 0);
        let mut checkpoint = Vec::new();
        for (node, from) in (0..).zip(&mut saved.nodes) {
            if (node as usize) < store.positions() {
                let count = value_count(evaluator, node);
                let mut values = Vec::new();
                for number in *from..count {
                    let mut bytes = Vec::new();
                    value_bytes(evaluator, node, u32::at(number), &mut bytes);
                    put_bytes(&mut values, &bytes);
                }
                put_bytes(&mut checkpoint, &values);
                *from = count;
            } else {
                let pairs = store.pairs(node);
                put_words(&mut checkpoint, pairs[*from..].as_flattened().iter().copied());
                *from = pairs.len();
            }
        }
        put_longs(&mut checkpoint, self.numbers.from(saved.states));
        let parents = self.parents.get(saved.states..).unwrap_or_default();
        put_longs(&mut checkpoint, parents.iter().map(|&(source, _)| source));
        put_words(&mut checkpoint, parents.iter().map(|&(_, index)| index));
        saved.states = self.numbers.len();
        for partner in &mut self.partners {
            partner.save(&mut checkpoint);
        }
        Ok(checkpoint)
    }

    /// Loads the next checkpoint.
    pub fn load(&mut self, checkpoint: &[u8]) -> Result<(), Failure> {
        let mut checkpoint = Incoming::new(checkpoint);
        let (store, evaluator) = self.states.split();
        self.saved.nodes.resize(store.nodes(), 0);
        for (node, count) in (0..).zip(&mut self.saved.nodes) {
            if (node as usize) < store.positions() {
                let mut values = Incoming::new(checkpoint.bytes()?);
                while !values.is_empty() {
                    let number = value_number(evaluator, node, values.bytes()?)?;
                    expect(number as usize == *count)?;
                    *count += 1;
                }
            } else {
                let pairs: Vec<u32> = checkpoint.words()?.collect();
                for &pair in pairs.as_chunks().0 {
                    expect(store.intern_node(node, pair) as usize == *count)?;
                    *count += 1;
                }
            }
        }
        let first = self.saved.states == 0;
        if first {
            // The initial state, which a new partition already has, is in the first checkpoint.
            self.numbers = Numbers::default();
            self.parents.clear();
        }
        for number in checkpoint.longs()? {
            // The checkpoint is only valid if numbers ascend.
            expect(self.numbers.below(number) == self.numbers.len())?;
            self.numbers.push(number);
        }
        let (sources, indices) = (checkpoint.longs()?, checkpoint.words()?);
        self.parents.extend(sources.zip(indices));
        self.saved.states = self.numbers.len();
        expect(self.numbers.len() == self.states.store.len())?;
        for partner in &mut self.partners {
            partner.load(&mut checkpoint)?;
        }
        expect(checkpoint.is_empty())?;
        self.states.absorb();
        self.learn();
        Ok(())
    }

    /// Continues with the states whose numbers are `start` or more.
    pub fn resume(&mut self, start: u64) -> Result<(), Failure> {
        self.read_back(&[NUMBERS])?;
        let from = u32::at(self.numbers.below(start));
        self.level.states = from..from;
        Ok(())
    }
}

fn expect(holds: bool) -> Result<(), Unreadable> {
    if holds { Ok(()) } else { Err(Unreadable) }
}
