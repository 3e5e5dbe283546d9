//! The second superstep of a level: owners look up the targets that others visited, and send the
//! keys of new ones to be ranked.

use crate::base::spill::Spillable;
use crate::partition::Key;
use crate::partition::generation::{NUMBERS, Partition, REQUESTED, STATES};
use crate::partition::ranking::Ranking;
use crate::partition::supersteps::{Failure, OPEN};
use crate::partition::wire::{Incoming, Unreadable};
use std::ops::Range;

impl Partition<'_> {
    /// Takes a batch from every partition. `sources` are all states of the level: each partition
    /// ranks the keys of about equally many of them. Returns the batches of keys.
    pub fn receive(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        sources: Range<u64>,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        self.read_back(&[STATES, NUMBERS, REQUESTED])?;
        self.level.answers.clear();
        for (partner, batch) in batches.iter().enumerate() {
            let answers = self.look_up(partner, batch.as_ref())?;
            self.level.answers.push(answers);
        }
        self.states.absorb();
        self.learn();
        self.level.new.forget_positions();
        let level = &mut self.level;
        let (ranking, batches) = Ranking::new(&level.new.keys, &sources, self.options.partitions);
        level.ranking = ranking;
        Ok(batches)
    }

    /// Looks up the targets of a batch: returns their numbers, or positions among the new ones.
    fn look_up(&mut self, from: usize, batch: &[u8]) -> Result<Vec<u64>, Unreadable> {
        let mut batch = Incoming::new(batch);
        let (store, evaluator) = self.states.split();
        let partner = &mut self.partners[from];
        partner.learn(store, evaluator, batch.bytes()?)?;
        let mut roots: Vec<[u32; 2]> = Vec::new();
        let (left, right) = (batch.words()?, batch.words()?);
        if left.len() != right.len() {
            return Err(Unreadable);
        }
        let sides = self.states.store.root_children();
        for pair in left.zip(right) {
            roots.push(match from == self.options.index {
                true => [pair.0, pair.1],
                false => [partner.own(sides[0], pair.0)?, partner.own(sides[1], pair.1)?],
            });
        }
        let keys: Vec<Key> = batch.longs()?.zip(batch.words()?).collect();
        if keys.len() != roots.len() || !batch.is_empty() {
            return Err(Unreadable);
        }
        let mut states = Vec::with_capacity(roots.len());
        self.states.store.find_many(&roots, &mut states);
        let mut answers = Vec::with_capacity(roots.len());
        for ((root, key), known) in roots.into_iter().zip(keys).zip(states) {
            answers.push(match self.numbers.get(known as usize) {
                Some(number) => number,
                None => OPEN | u64::from(self.level.new.visit(root, key).0),
            });
        }
        Ok(answers)
    }
}
