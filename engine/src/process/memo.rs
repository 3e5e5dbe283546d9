//! What was computed once: rows of numbers under keys of numbers.

use rustc_hash::FxHasher;
use std::hash::Hasher;

const FREE: u32 = u32::MAX;

/// A map from keys to values, each a row of 32-bit numbers, all keys of one length and all values.
///
/// Invariant: no two entries have the same key, and `slots` (open addressing, a power of two, at
/// most two thirds full) finds every entry.
pub struct Memo {
    key: usize,
    value: usize,
    count: usize,
    entries: Vec<u32>,
    slots: Vec<u32>,
    shift: u32,
}

const FIRST: u32 = 3;

fn hash(key: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for &word in key {
        hasher.write_u32(word);
    }
    let hash = hasher.finish();
    (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
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
            shift: 64 - FIRST,
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
        match self.slots[self.slot(key)] {
            FREE => None,
            entry => {
                let start = entry as usize * (self.key + self.value) + self.key;
                Some(&self.entries[start..start + self.value])
            }
        }
    }

    /// Adds an entry unless the key has one.
    pub fn insert(&mut self, key: &[u32], value: &[u32]) {
        debug_assert_eq!((key.len(), value.len()), (self.key, self.value));
        let slot = self.slot(key);
        if self.slots[slot] != FREE {
            return;
        }
        self.slots[slot] = self.count as u32;
        self.entries.extend_from_slice(key);
        self.entries.extend_from_slice(value);
        self.count += 1;
        if self.count * 3 > self.slots.len() * 2 {
            self.grow();
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
    fn slot(&self, key: &[u32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (hash(key) >> self.shift) as usize;
        while self.slots[slot] != FREE && !same(self.key_of(self.slots[slot]), key) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.shift -= 1;
        self.slots = Vec::new();
        self.slots = vec![FREE; size];
        for entry in 0..self.count as u32 {
            let mut slot = (hash(self.key_of(entry)) >> self.shift) as usize;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = entry;
        }
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
            width in 0usize..3, entries in prop::collection::vec((0u32..9, 0u32..9, 0u32..99), 0..200),
        ) {
            let mut memo = Memo::new(width, 1);
            let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
            for (a, b, value) in entries {
                let key = &[a, b][..width];
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
