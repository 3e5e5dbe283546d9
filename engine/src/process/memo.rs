//! What was computed once: rows of numbers under keys of numbers.

use rustc_hash::FxHasher;
use std::hash::Hasher;

const FREE: u32 = u32::MAX;

/// A map from keys to values, each a row of 32-bit numbers, all keys of one length and all values.
///
/// Invariant: no two entries have the same key, and `slots` finds every entry: by its hash (open
/// addressing, a power of two, at most two thirds full), or, where keys are dense, by the key itself.
pub struct Memo {
    key: usize,
    value: usize,
    count: usize,
    entries: Vec<u32>,
    slots: Vec<u32>,
    index: Index,
}

enum Index {
    /// By the hash, shifted to the right by so much.
    Hashed(u32),
    /// For each number of a key where it stands in the number of the slot, and what it is below.
    Dense(Vec<(u32, u32)>),
}

const FIRST: u32 = 3;
/// Dense keys have at most so many slots for an entry, unless they are few.
const SPARSE: usize = 8;
const FEW: usize = 256;

fn hash(key: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for &word in key {
        hasher.write_u32(word);
    }
    let hash = hasher.finish();
    (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The slot of a key; `None` if it is not dense.
fn dense_slot(places: &[(u32, u32)], key: &[u32]) -> Option<usize> {
    let mut slot = 0;
    for (&word, &(shift, limit)) in key.iter().zip(places) {
        if word >= limit {
            return None;
        }
        slot |= (word as usize) << shift;
    }
    Some(slot)
}

/// Whether short rows of one length are the same, without a call.
fn same(left: &[u32], right: &[u32]) -> bool {
    left.iter().zip(right).all(|(l, r)| l == r)
}

impl Memo {
    /// An empty map; a key, and a value, may have no numbers.
    pub fn new(key: usize, value: usize) -> Self {
        Self {
            key,
            value,
            count: 0,
            entries: Vec::new(),
            slots: vec![FREE; 1 << FIRST],
            index: Index::Hashed(64 - FIRST),
        }
    }

    /// Number of entries.
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

    /// The value under a key, if there is one.
    pub fn get(&self, key: &[u32]) -> Option<&[u32]> {
        let width = self.key + self.value;
        let entry = match &self.index {
            Index::Dense(places) => self.slots[dense_slot(places, key)?],
            Index::Hashed(shift) => self.slots[self.hashed_slot(*shift, key)],
        };
        if entry == FREE {
            return None;
        }
        let start = entry as usize * width + self.key;
        Some(&self.entries[start..start + self.value])
    }

    /// Adds an entry unless the key has one.
    pub fn insert(&mut self, key: &[u32], value: &[u32]) {
        debug_assert_eq!((key.len(), value.len()), (self.key, self.value));
        if self.get(key).is_some() {
            return;
        }
        let entry = self.count as u32;
        self.entries.extend_from_slice(key);
        self.entries.extend_from_slice(value);
        self.count += 1;
        let slot = match &self.index {
            Index::Dense(places) => dense_slot(places, key),
            Index::Hashed(shift) if self.count * 3 <= self.slots.len() * 2 => {
                Some(self.hashed_slot(*shift, key))
            }
            Index::Hashed(_) => None,
        };
        match slot {
            Some(slot) => self.slots[slot] = entry,
            None => self.grow(),
        }
    }

    /// All entries, key and value, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        let width = self.key + self.value;
        (0..self.count).map(move |i| self.entries[i * width..(i + 1) * width].split_at(self.key))
    }

    /// Forgets all entries, and their memory.
    pub fn clear(&mut self) {
        *self = Self::new(self.key, self.value);
    }

    fn key_of(&self, entry: u32) -> &[u32] {
        let start = entry as usize * (self.key + self.value);
        &self.entries[start..start + self.key]
    }

    /// The slot that holds `key`, or the free one where it belongs.
    fn hashed_slot(&self, shift: u32, key: &[u32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (hash(key) >> shift) as usize;
        while self.slots[slot] != FREE && !same(self.key_of(self.slots[slot]), key) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Finds a place for every entry anew, with room for as many again.
    fn grow(&mut self) {
        self.slots = Vec::new();
        if let Some((places, slots)) = self.dense() {
            self.slots = vec![FREE; slots];
            for entry in 0..self.count as u32 {
                let slot = dense_slot(&places, self.key_of(entry)).expect("below the limits");
                self.slots[slot] = entry;
            }
            self.index = Index::Dense(places);
            return;
        }
        let size = (self.count * 3).next_power_of_two().max(1 << FIRST);
        let shift = 64 - size.trailing_zeros();
        self.slots = vec![FREE; size];
        for entry in 0..self.count as u32 {
            let slot = self.hashed_slot(shift, self.key_of(entry));
            self.slots[slot] = entry;
        }
        self.index = Index::Hashed(shift);
    }

    /// Where the numbers of a key stand in the number of a slot, and how many slots that makes, if
    /// not too many of them would be free. Numbers with few values stand low: neighbours in memory
    /// differ in them.
    fn dense(&self) -> Option<(Vec<(u32, u32)>, usize)> {
        let mut most = vec![0; self.key];
        for entry in 0..self.count as u32 {
            for (most, &word) in most.iter_mut().zip(self.key_of(entry)) {
                *most = word.max(*most);
            }
        }
        let mut order: Vec<usize> = (0..self.key).collect();
        order.sort_by_key(|&i| most[i]);
        let (mut places, mut bits) = (vec![(0, 0); self.key], 0);
        for i in order {
            let own = u32::BITS - most[i].leading_zeros();
            places[i] = (bits, 1u32.checked_shl(own)?);
            bits += own;
        }
        let slots = 1usize.checked_shl(bits)?;
        (bits < 32 && slots <= FEW.max(SPARSE * self.count)).then_some((places, slots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn a_memo_is_a_map_that_keeps_what_came_first(
            width in 0usize..3, most in 1u32..5000,
            entries in prop::collection::vec((0u32..5000, 0u32..9, 0u32..99), 0..200),
        ) {
            let mut memo = Memo::new(width, 1);
            let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
            for (a, b, value) in entries {
                let key = &[a % most, b][..width];
                prop_assert_eq!(memo.get(key).map(|v| v[0]), known.get(key).copied());
                memo.insert(key, &[value]);
                known.entry(key.to_vec()).or_insert(value);
            }
            prop_assert_eq!(memo.len(), known.len());
            for (key, value) in memo.iter() {
                prop_assert_eq!(known.get(key), Some(&value[0]));
            }
        }
    }
}
