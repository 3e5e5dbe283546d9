//! A map from vectors of numbers to vectors of numbers, used as a memo table.

use crate::base::hash::{self, add};
use crate::base::ids::Id;
use crate::base::ids::as_index;
use crate::base::spill::Transfer;
use std::io::Result;
use std::ops::Range;

/// No entry.
pub const FREE: u32 = u32::MAX;

/// A map whose keys are vectors of 32-bit numbers of one length and whose values are vectors of
/// another.
///
/// Invariant: no two entries have the same key, and `slots` finds every entry.
pub struct Memo {
    key: usize,
    value: usize,
    count: usize,
    entries: Vec<u32>,
    /// Entry numbers, by open addressing: a power of two, at most two thirds full. The slot of a
    /// key is its hash shifted to the right by `shift`.
    slots: Vec<u32>,
    shift: u32,
    /// The number of entries when they were last spilled.
    spilled: Option<usize>,
}

const FIRST: u32 = 3;

/// The number of keys looked up at a time.
const TOGETHER: usize = 32;

/// Whether a vector equals a short key; avoids the call of a comparison function.
fn same(vector: &[u32], key: impl Iterator<Item = u32>) -> bool {
    vector.iter().zip(key).all(|(&l, r)| l == r)
}

impl Memo {
    /// An empty map; keys and values may have length 0.
    pub fn new(key: usize, value: usize) -> Self {
        Self {
            key,
            value,
            count: 0,
            entries: Vec::new(),
            slots: vec![FREE; 1 << FIRST],
            shift: u64::BITS - FIRST,
            spilled: None,
        }
    }

    /// Visits the arrays to be spilled or read back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        let changed = transfer.is_out() && self.spilled.replace(self.count) != Some(self.count);
        transfer.changing(changed, &mut self.entries)?;
        transfer.changing(changed, &mut self.slots)
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.entries[..]) + size_of_val(&self.slots[..])
    }

    /// The value of a key, if it has one.
    pub fn get(&self, key: &[u32]) -> Option<&[u32]> {
        let entry = self.slot(key);
        (entry != FREE).then(|| self.value(entry))
    }

    /// The entry of a key, or `FREE`.
    fn slot(&self, key: &[u32]) -> u32 {
        self.slots[self.hashed_slot(key.iter().copied())]
    }

    /// The value of an entry.
    pub fn value(&self, entry: u32) -> &[u32] {
        let start = entry as usize * (self.key + self.value) + self.key;
        &self.entries[start..start + self.value]
    }

    /// The entries of `many` keys, `FREE` where there is none. Keys are given column by column:
    /// first the first numbers of all keys, then the second ones, and so on.
    ///
    /// All slots are read before any entry, so that the processor fetches many at a time.
    pub fn find_many(&self, keys: &[u32], many: usize, entries: &mut Vec<u32>) {
        entries.clear();
        if self.count == 0 {
            entries.resize(many, FREE);
        } else if many == 1 {
            // Rounds may consist of one state.
            entries.push(self.slot(keys));
        } else {
            for start in (0..many).step_by(TOGETHER) {
                self.find_hashed(keys, many, start..many.min(start + TOGETHER), entries);
            }
        }
    }

    /// The values (of length 1) of `many` keys, `FREE` where there is none.
    pub fn get_many(&self, keys: &[u32], many: usize, results: &mut Vec<u32>) {
        debug_assert_eq!(self.value, 1);
        self.find_many(keys, many, results);
        for entry in results.iter_mut().filter(|entry| **entry != FREE) {
            *entry = self.value(*entry)[0];
        }
    }

    /// Appends the entries of some of `many` keys, at most `TOGETHER` of them.
    fn find_hashed(&self, keys: &[u32], many: usize, some: Range<usize>, results: &mut Vec<u32>) {
        let width = self.key + self.value;
        let mut sums = [0; TOGETHER];
        for column in keys.chunks_exact(many) {
            for (sum, &word) in sums.iter_mut().zip(&column[some.clone()]) {
                *sum = add(*sum, word);
            }
        }
        let sums = &sums[..some.len()];
        results.extend(sums.iter().map(|&sum| self.slots[self.first_slot(sum)]));
        let entries = &mut results[some.start..];
        let mut unlike = [false; TOGETHER];
        for (j, column) in keys.chunks_exact(many).enumerate() {
            let words = unlike.iter_mut().zip(&column[some.clone()]);
            for ((unlike, &word), &entry) in words.zip(&*entries) {
                let entry = if entry == FREE { 0 } else { entry as usize };
                *unlike |= self.entries[entry * width + j] != word;
            }
        }
        for (k, entry) in entries.iter_mut().enumerate() {
            if unlike[k] && *entry != FREE {
                let key = (0..self.key).map(|j| keys[j * many + some.start + k]);
                *entry = self.slots[self.hashed_slot(key)];
            }
        }
    }

    /// Adds an entry, unless the key has one already.
    pub fn insert(&mut self, key: &[u32], value: &[u32]) {
        debug_assert_eq!((key.len(), value.len()), (self.key, self.value));
        if self.slot(key) != FREE {
            return;
        }
        let entry = u32::at(self.count);
        self.entries.extend_from_slice(key);
        self.entries.extend_from_slice(value);
        self.count += 1;
        if self.count * 3 <= self.slots.len() * 2 {
            let slot = self.hashed_slot(key.iter().copied());
            self.slots[slot] = entry;
        } else {
            self.grow();
        }
    }

    /// All entries, as key and value, in the order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        let width = self.key + self.value;
        (0..self.count).map(move |i| self.entries[i * width..(i + 1) * width].split_at(self.key))
    }

    /// Removes all entries and frees their memory.
    pub fn clear(&mut self) {
        *self = Self::new(self.key, self.value);
    }

    fn key_of(&self, entry: u32) -> &[u32] {
        let start = entry as usize * (self.key + self.value);
        &self.entries[start..start + self.key]
    }

    /// The slot where the search for a key begins, from the sum of its numbers' hashes.
    fn first_slot(&self, sum: u64) -> usize {
        as_index(hash::quick(sum, 0) >> self.shift)
    }

    /// The slot that contains `key`, or the free one where it belongs.
    fn hashed_slot(&self, key: impl Iterator<Item = u32> + Clone) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.first_slot(key.clone().fold(0, add));
        while self.slots[slot] != FREE && !same(self.key_of(self.slots[slot]), key.clone()) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Builds `slots` for all entries, with room for as many more.
    fn grow(&mut self) {
        let size = (self.count * 3).next_power_of_two().max(1 << FIRST);
        self.shift = u64::BITS - size.trailing_zeros();
        self.slots = vec![FREE; size];
        for entry in 0..u32::at(self.count) {
            let slot = self.hashed_slot(self.key_of(entry).iter().copied());
            self.slots[slot] = entry;
        }
    }
}

#[cfg(test)]
mod tests;
