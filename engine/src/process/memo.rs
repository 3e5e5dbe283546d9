//! What was computed once: rows of numbers under keys of numbers.

use std::ops::Range;

/// No entry.
pub const FREE: u32 = u32::MAX;

/// A map from keys to values, each a row of 32-bit numbers, all keys of one length and all values.
///
/// Invariant: no two entries have the same key, and `slots` finds every entry: by its hash (open
/// addressing, a power of two, at most two thirds full), or, where keys are dense, by the key itself.
/// `small` is empty, or has for every dense slot its value, which is one number below `NO_VALUE`: so
/// little memory stays in the processor's cache.
pub struct Memo {
    key: usize,
    value: usize,
    count: usize,
    entries: Vec<u32>,
    slots: Vec<u32>,
    small: Vec<u8>,
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

/// What a slot without an entry has in `small`.
const NO_VALUE: u8 = u8::MAX;

/// Keys that are looked up at a time.
const TOGETHER: usize = 32;

/// A sum of the words of a key, weighted by powers.
fn add(sum: u64, word: u32) -> u64 {
    sum.wrapping_add(u64::from(word)).wrapping_mul(0xf135_7aea_2e62_a9c5)
}

fn finish(sum: u64) -> u64 {
    (sum ^ sum >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn hash(key: impl Iterator<Item = u32>) -> u64 {
    finish(key.fold(0, add))
}

/// The slot of a key; `None` if it is not dense.
fn dense_slot(places: &[(u32, u32)], key: &[u32]) -> Option<usize> {
    let slot = key.iter().zip(places).fold(0, |slot, (&word, &place)| slot | bits(word, place));
    (slot != FREE).then_some(slot as usize)
}

/// What a word of a key has in the number of a dense slot, all ones if it is not below the limit.
fn bits(word: u32, (shift, limit): (u32, u32)) -> u32 {
    if word < limit { word << shift } else { FREE }
}

/// The dense slots of `many` keys, `FREE` for those that have none.
fn dense_slots(places: &[(u32, u32)], keys: &[u32], many: usize, slots: &mut Vec<u32>) {
    slots.resize(many, 0);
    for (&place, column) in places.iter().zip(keys.chunks_exact(many.max(1))) {
        for (slot, &word) in slots.iter_mut().zip(column) {
            *slot |= bits(word, place);
        }
    }
}

/// A value that is one small number.
fn small(value: &[u32]) -> Option<u8> {
    let &[value] = value else { return None };
    u8::try_from(value).ok().filter(|&value| value != NO_VALUE)
}

/// Whether a row and a short key are the same, without a call.
fn same(row: &[u32], key: impl Iterator<Item = u32>) -> bool {
    row.iter().zip(key).all(|(&l, r)| l == r)
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
            small: Vec::new(),
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
        size_of_val(&self.entries[..]) + size_of_val(&self.slots[..]) + self.small.len()
    }

    /// The value under a key, if there is one.
    pub fn get(&self, key: &[u32]) -> Option<&[u32]> {
        let slot = match &self.index {
            Index::Dense(places) => dense_slot(places, key)?,
            Index::Hashed(shift) => self.hashed_slot(*shift, key.iter().copied()),
        };
        let entry = self.slots[slot];
        (entry != FREE).then(|| self.value(entry))
    }

    /// The value of an entry.
    pub fn value(&self, entry: u32) -> &[u32] {
        let start = entry as usize * (self.key + self.value) + self.key;
        &self.entries[start..start + self.value]
    }

    /// The entries of `many` keys, `FREE` where there is none. Of the keys, all first words come first,
    /// then all second words, and so on.
    ///
    /// All slots are read before any entry is, so that the processor fetches for many at a time.
    pub fn find_many(&self, keys: &[u32], many: usize, found: &mut Vec<u32>) {
        found.clear();
        match &self.index {
            _ if self.count == 0 => found.resize(many, FREE),
            Index::Dense(places) => {
                dense_slots(places, keys, many, found);
                for slot in found {
                    *slot = self.slots.get(*slot as usize).copied().unwrap_or(FREE);
                }
            }
            &Index::Hashed(shift) => {
                for start in (0..many).step_by(TOGETHER) {
                    let end = many.min(start + TOGETHER);
                    self.find_hashed(shift, keys, many, start..end, found);
                }
            }
        }
    }

    /// The values, one number each, of `many` keys, `FREE` where there is none.
    pub fn get_many(&self, keys: &[u32], many: usize, found: &mut Vec<u32>) {
        debug_assert_eq!(self.value, 1);
        match &self.index {
            Index::Dense(places) if !self.small.is_empty() => {
                found.clear();
                dense_slots(places, keys, many, found);
                for slot in found {
                    let value = self.small.get(*slot as usize).copied().unwrap_or(NO_VALUE);
                    *slot = if value == NO_VALUE { FREE } else { u32::from(value) };
                }
            }
            _ => {
                self.find_many(keys, many, found);
                for entry in found.iter_mut().filter(|entry| **entry != FREE) {
                    *entry = self.value(*entry)[0];
                }
            }
        }
    }

    /// Appends the entries of some of `many` keys, at most `TOGETHER`.
    fn find_hashed(
        &self,
        shift: u32,
        keys: &[u32],
        many: usize,
        some: Range<usize>,
        found: &mut Vec<u32>,
    ) {
        let width = self.key + self.value;
        let mut sums = [0; TOGETHER];
        for column in keys.chunks_exact(many) {
            for (sum, &word) in sums.iter_mut().zip(&column[some.clone()]) {
                *sum = add(*sum, word);
            }
        }
        let sums = &sums[..some.len()];
        found.extend(sums.iter().map(|&sum| self.slots[(finish(sum) >> shift) as usize]));
        let entries = &mut found[some.start..];
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
                *entry = self.slots[self.hashed_slot(shift, key)];
            }
        }
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
                Some(self.hashed_slot(*shift, key.iter().copied()))
            }
            Index::Hashed(_) => None,
        };
        match slot {
            Some(slot) => {
                self.slots[slot] = entry;
                if !self.small.is_empty() {
                    match small(value) {
                        Some(value) => self.small[slot] = value,
                        None => self.small = Vec::new(),
                    }
                }
            }
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
    fn hashed_slot(&self, shift: u32, key: impl Iterator<Item = u32> + Clone) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (hash(key.clone()) >> shift) as usize;
        while self.slots[slot] != FREE && !same(self.key_of(self.slots[slot]), key.clone()) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Finds a place for every entry anew, with room for as many again.
    fn grow(&mut self) {
        self.slots = Vec::new();
        self.small = Vec::new();
        if let Some((places, slots)) = self.dense() {
            self.slots = vec![FREE; slots];
            let mut values = vec![NO_VALUE; slots];
            let mut all_small = true;
            for entry in 0..self.count as u32 {
                let slot = dense_slot(&places, self.key_of(entry)).expect("below the limits");
                self.slots[slot] = entry;
                let value = small(self.value(entry));
                all_small &= value.is_some();
                values[slot] = value.unwrap_or(NO_VALUE);
            }
            if all_small {
                self.small = values;
            }
            self.index = Index::Dense(places);
            return;
        }
        let size = (self.count * 3).next_power_of_two().max(1 << FIRST);
        let shift = 64 - size.trailing_zeros();
        self.slots = vec![FREE; size];
        for entry in 0..self.count as u32 {
            let slot = self.hashed_slot(shift, self.key_of(entry).iter().copied());
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
            width in 0usize..3, most in prop_oneof![1u32..30, 1u32..5000],
            most_value in prop_oneof![Just(99u32), Just(260u32)],
            entries in prop::collection::vec((0u32..5000, 0u32..9, 0u32..9999), 0..200),
        ) {
            let (mut memo, mut pairs) = (Memo::new(width, 1), Memo::new(width, 2));
            let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
            for (a, b, value) in entries {
                let (key, value) = (&[a % most, b][..width], value % most_value);
                prop_assert_eq!(memo.get(key).map(|v| v[0]), known.get(key).copied());
                memo.insert(key, &[value]);
                pairs.insert(key, &[value, 7]);
                known.entry(key.to_vec()).or_insert(value);
            }
            prop_assert_eq!(memo.len(), known.len());
            let asked: Vec<[u32; 2]> =
                (0..70).flat_map(|a| [[a * 73, a % 9], [a, a % 5], [a % most, a % 3]]).collect();
            let columns: Vec<u32> =
                (0..width).flat_map(|j| asked.iter().map(move |key| key[j])).collect();
            let mut found = vec![1];
            memo.get_many(&columns, asked.len(), &mut found);
            prop_assert_eq!(found.len(), asked.len());
            let mut entries = Vec::new();
            pairs.find_many(&columns, asked.len(), &mut entries);
            prop_assert_eq!(entries.len(), asked.len());
            for ((key, &value), &entry) in asked.iter().zip(&found).zip(&entries) {
                let expected = known.get(&key[..width]).copied();
                prop_assert_eq!((value != FREE).then_some(value), expected);
                let pair = (entry != FREE).then(|| pairs.value(entry).to_vec());
                prop_assert_eq!(pair, expected.map(|value| vec![value, 7]));
            }
            for (key, value) in memo.iter() {
                prop_assert_eq!(known.get(key), Some(&value[0]));
            }
        }
    }
}
