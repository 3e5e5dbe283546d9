//! The last supersteps of a level: owners number their new states and answer the partitions that
//! visited them, which then complete their transitions.

use crate::base::spill::Spillable;
use crate::partition::generation::{LEVEL, Level, NUMBERS, Partition, REQUESTED, STATES};
use crate::partition::ranking::{LEFT_OUT, Ranking};
use crate::partition::supersteps::{Counts, Failure, OPEN};
use crate::partition::wire::{Incoming, Unreadable, put_longs};
use crate::partition::{Batches, Key};
use crate::process::store::NONE;

impl Partition<'_> {
    /// Takes a batch of ranks from every partition; `firsts` has for each the number of its state
    /// with rank 0. States visited at `cut` or later are left out. Returns the number of own
    /// states, and for every partition a batch of the numbers that it requested.
    pub fn number(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        firsts: &[u64],
        cut: Option<Key>,
    ) -> Result<(usize, Batches), Failure> {
        self.read_back(&[STATES, NUMBERS, REQUESTED])?;
        let Level { ranking, new, .. } = &self.level;
        let (numbers, count) = ranking.numbers(&new.keys, batches, firsts, cut)?;
        let from = self.states.store.len();
        if from + count >= NONE as usize {
            return Err(Failure::Full);
        }
        for &position in &self.level.ranking.order[..count] {
            let position = position as usize;
            self.states.store.intern(self.level.new.roots[position]);
            self.numbers.push(numbers[position]);
            if self.options.traces {
                self.parents.push(self.level.new.keys[position]);
            }
        }
        let answers = std::mem::take(&mut self.level.answers);
        let batches = answers.into_iter().map(|answers| {
            let mut batch = Vec::new();
            let resolved = answers.into_iter().map(|answer| match answer & OPEN {
                0 => answer,
                _ => numbers[(answer & !OPEN) as usize],
            });
            put_longs(&mut batch, resolved);
            batch
        });
        let batches = batches.collect();
        self.level.new.clear();
        self.level.ranking = Ranking::default();
        Ok((self.numbers.len(), batches))
    }

    /// Takes a batch of numbers from every partition, and completes the transitions of the level.
    /// `labels` has the numbers of the labels that were reported for it.
    pub fn finish_level(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        labels: &[(u32, u32)],
        cut: Option<Key>,
    ) -> Result<Counts, Failure> {
        self.labels.take(labels)?;
        self.read_back(&[LEVEL])?;
        let level = &mut self.level;
        let mut numbers = vec![LEFT_OUT; level.visited_count];
        for (batch, owned) in batches.iter().zip(&level.owned) {
            let mut batch = Incoming::new(batch.as_ref());
            let answers = batch.longs()?;
            if answers.len() != owned.len() || !batch.is_empty() {
                return Err(Unreadable.into());
            }
            for (number, &position) in answers.zip(owned) {
                numbers[position as usize] = number;
            }
        }
        let mut counts = Counts::default();
        let mut from = 0;
        for (&source, &degree) in level.sources.iter().zip(&level.degrees) {
            let end = from + degree as usize;
            for i in from..end {
                if cut.is_some_and(|cut| (source, level.indices[i]) >= cut) {
                    break;
                }
                let target = match level.targets[i] & OPEN {
                    0 => level.targets[i],
                    _ => numbers[(level.targets[i] & !OPEN) as usize],
                };
                self.transitions.source.push(source);
                self.transitions.label.push(self.labels.of(level.labels[i]));
                self.transitions.target.push(target);
                counts.transitions += 1;
            }
            if degree == 0 && cut.is_none_or(|cut| source < cut.0) {
                counts.deadlocks += 1;
            }
            from = end;
        }
        level.states.start = level.states.end;
        level.sources = Vec::new();
        for column in [&mut level.degrees, &mut level.indices, &mut level.labels] {
            *column = Vec::new();
        }
        level.targets = Vec::new();
        level.owned = Vec::new();
        Ok(counts)
    }
}
