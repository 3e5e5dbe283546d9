//! Interned sequences of numbers, numbered in order of arrival.

use crate::base::hash;
use crate::base::ids::Id;
use crate::base::spill::Transfer;
use bytemuck::Pod;
use hashbrown::HashTable;
use std::io::Result;

/// Interned sequences of any lengths in one arena: sequence `i` is
/// `values[starts[i]..starts[i + 1]]`.
///
/// Invariant: no two sequences are equal, and `numbers` finds every sequence.
#[derive(Clone)]
pub struct Interner<T = u32> {
    values: Vec<T>,
    starts: Vec<usize>,
    numbers: HashTable<u32>,
}

fn hash_of<T: Id>(sequence: &[T]) -> u64 {
    let Some((&last, others)) = sequence.split_last() else { return 0 };
    let sum = others.iter().fold(others.len() as u64, |sum, &value| hash::add(sum, value.into()));
    hash::near(sum, last.into())
}

fn sequence<'a, T>(values: &'a [T], starts: &[usize], id: u32) -> &'a [T] {
    &values[starts[id as usize]..starts[id as usize + 1]]
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: Vec::new(), starts: vec![0], numbers: HashTable::new() }
    }
}

impl<T: Id> Interner<T> {
    /// The number of sequences.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no sequence.
    pub fn is_empty(&self) -> bool {
        self.starts.len() == 1
    }

    /// Sequence number `id`.
    pub fn get(&self, id: u32) -> &[T] {
        sequence(&self.values, &self.starts, id)
    }

    /// The number of a sequence, if it is interned.
    pub fn find(&self, sequence: &[T]) -> Option<u32> {
        self.numbers.find(hash_of(sequence), |&id| self.get(id) == sequence).copied()
    }

    /// Changes sequences in place; they retain their numbers. No two may become equal.
    pub fn change(&mut self, mut change: impl FnMut(&mut [T])) {
        for at in 1..self.starts.len() {
            change(&mut self.values[self.starts[at - 1]..self.starts[at]]);
        }
        self.find_again();
    }

    /// Rebuilds `numbers` from the contents of the sequences.
    fn find_again(&mut self) {
        let Self { values, starts, numbers } = self;
        numbers.clear();
        for id in 0..u32::at(starts.len()) - 1 {
            let of = |&id: &u32| hash_of(sequence(values, starts, id));
            numbers.insert_unique(of(&id), id, of);
        }
    }

    /// Visits the arrays to be spilled or read back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()>
    where
        T: Pod,
    {
        transfer.any(&mut self.values)?;
        transfer.any(&mut self.starts)?;
        self.numbers = HashTable::new();
        if !transfer.is_out() {
            self.find_again();
        }
        Ok(())
    }

    /// The number of a sequence, and whether it is new; a new sequence is added.
    pub fn intern(&mut self, new: &[T]) -> (u32, bool) {
        let hash = hash_of(new);
        if let Some(&known) = self.numbers.find(hash, |&id| self.get(id) == new) {
            return (known, false);
        }
        let id = u32::try_from(self.len()).expect("rows are numbered with 32 bits");
        self.values.extend_from_slice(new);
        self.starts.push(self.values.len());
        let Self { values, starts, numbers } = self;
        numbers.insert_unique(hash, id, |&id| hash_of(sequence(values, starts, id)));
        (id, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::spill::Storage;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sequences_keep_their_numbers(sequences in prop::collection::vec(prop::collection::vec(0u32..6, 0..4), 0..300)) {
            let mut set = Interner::default();
            let mut seen: Vec<Vec<u32>> = Vec::new();
            for sequence in sequences {
                let (id, new) = set.intern(&sequence);
                prop_assert_eq!(new, !seen.contains(&sequence));
                if new {
                    seen.push(sequence.clone());
                }
                prop_assert_eq!(set.find(&sequence), Some(id));
                prop_assert_eq!(&seen[id as usize], &sequence);
            }
            prop_assert_eq!(set.len(), seen.len());
            prop_assert!(seen.iter().zip(0..).all(|(sequence, id)| set.get(id) == sequence));
            prop_assert_eq!(set.find(&[9, 9]), None);
            let name = format!("ltstool-{}-rows-away", std::process::id());
            let mut storage = Storage::new(std::env::temp_dir().join(name), 1);
            for out in [true, false] {
                storage.transfer(0, out, |transfer| set.transfer(transfer)).unwrap();
            }
            for (sequence, id) in seen.iter().zip(0..) {
                prop_assert_eq!(set.find(sequence), Some(id));
                prop_assert_eq!(set.intern(sequence), (id, false));
            }
        }
    }
}
