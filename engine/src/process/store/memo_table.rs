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
/// Invariant: no two entries have the same key, and the index finds every entry.
pub struct Memo {
    key: usize,
    value: usize,
    count: usize,
    entries: Vec<u32>,
    index: Index,
    /// The number of entries when they were last spilled.
    spilled: Option<usize>,
}

enum Index {
    /// Slots with entry numbers, by open addressing: a power of two, at most two thirds full. The
    /// slot is the hash shifted to the right by the first number.
    Hashed(u32, Vec<u32>),
    /// An entry number for each dense key.
    Dense(Vec<Digit>, Vec<u32>),
    /// For each dense key its value itself, a single number below `NO_VALUE`; this is small enough
    /// to stay in the processor's cache.
    Small(Vec<Digit>, Vec<u8>),
}

/// For one component of a dense key, its weight in the number of the slot and its upper limit
/// (exclusive).
#[derive(Clone, Copy, Default)]
struct Digit {
    weight: u32,
    limit: u32,
}

const FIRST: u32 = 3;
/// The largest number of dense slots (bytes for small values) per entry; ignored for up to `FEW`
/// slots.
const SPARSE: usize = 8;
const SPARSE_SMALL: usize = 32;
const FEW: usize = 256;

/// Marks a free slot if values are small.
const NO_VALUE: u8 = u8::MAX;

/// The number of keys looked up at a time.
const TOGETHER: usize = 32;

fn hash(key: impl Iterator<Item = u32>) -> u64 {
    hash::quick(key.fold(0, add), 0)
}

impl Digit {
    /// The contribution of a component to the slot number; `FREE` if it is not below the limit.
    fn part(self, word: u32) -> u32 {
        if word < self.limit { word * self.weight } else { FREE }
    }
}

/// The slot of a key; larger than the number of slots if the key is not dense.
fn dense_slot(digits: &[Digit], key: &[u32]) -> usize {
    let parts = key.iter().zip(digits).map(|(&word, digit)| digit.part(word));
    // The sum is less than 2^31 unless a part is `FREE`.
    parts.fold(0, |sum, part| if part == FREE { FREE } else { sum.saturating_add(part) }) as usize
}

/// The slots of `many` keys, given column by column.
fn dense_slots(digits: &[Digit], keys: &[u32], many: usize, slots: &mut Vec<u32>) {
    slots.clear();
    slots.resize(many, 0);
    for (&digit, column) in digits.iter().zip(keys.chunks_exact(many.max(1))) {
        for (slot, &word) in slots.iter_mut().zip(column) {
            *slot = slot.saturating_add(digit.part(word));
        }
    }
}

/// The value, if it is a single number that fits into a byte.
fn small(value: &[u32]) -> Option<u8> {
    let &[value] = value else { return None };
    u8::try_from(value).ok().filter(|&value| value != NO_VALUE)
}

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
            index: Index::Hashed(64 - FIRST, vec![FREE; 1 << FIRST]),
            spilled: None,
        }
    }

    /// Visits the arrays to be spilled or read back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        let changed = transfer.is_out() && self.spilled.replace(self.count) != Some(self.count);
        transfer.changing(changed, &mut self.entries)?;
        match &mut self.index {
            Index::Hashed(_, slots) | Index::Dense(_, slots) => transfer.changing(changed, slots),
            Index::Small(_, values) => transfer.changing(changed, values),
        }
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
        let slots = match &self.index {
            Index::Hashed(_, slots) | Index::Dense(_, slots) => size_of_val(&slots[..]),
            Index::Small(_, values) => values.len(),
        };
        size_of_val(&self.entries[..]) + slots
    }

    /// The value of a key, if it has one; for values of a length other than 1.
    pub fn get(&self, key: &[u32]) -> Option<&[u32]> {
        let entry = self.slot(key);
        (entry != FREE).then(|| self.value(entry))
    }

    /// The value of a key, if it has one; for values of length 1.
    pub fn get_number(&self, key: &[u32]) -> Option<u32> {
        let value = self.slot(key);
        let single = matches!(self.index, Index::Small(..));
        (value != FREE).then(|| if single { value } else { self.value(value)[0] })
    }

    /// The contents of a key's slot: an entry number, a small value, or `FREE`.
    fn slot(&self, key: &[u32]) -> u32 {
        match &self.index {
            Index::Hashed(shift, slots) => {
                slots[self.hashed_slot(*shift, slots, key.iter().copied())]
            }
            Index::Dense(digits, slots) => {
                slots.get(dense_slot(digits, key)).copied().unwrap_or(FREE)
            }
            Index::Small(digits, values) => match values.get(dense_slot(digits, key)) {
                None | Some(&NO_VALUE) => FREE,
                Some(&value) => value.into(),
            },
        }
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
        match &self.index {
            _ if self.count == 0 => entries.resize(many, FREE),
            // Rounds may consist of one state.
            Index::Hashed(..) if many == 1 => entries.push(self.slot(keys)),
            Index::Hashed(shift, slots) => {
                for start in (0..many).step_by(TOGETHER) {
                    let end = many.min(start + TOGETHER);
                    self.find_hashed((*shift, slots), keys, many, start..end, entries);
                }
            }
            Index::Dense(digits, slots) => {
                dense_slots(digits, keys, many, entries);
                for slot in entries {
                    *slot = slots.get(*slot as usize).copied().unwrap_or(FREE);
                }
            }
            Index::Small(..) => {
                unreachable!("values are single numbers, and `get_many` finds them")
            }
        }
    }

    /// The values (of length 1) of `many` keys, `FREE` where there is none.
    pub fn get_many(&self, keys: &[u32], many: usize, results: &mut Vec<u32>) {
        debug_assert_eq!(self.value, 1);
        if let Index::Small(digits, values) = &self.index {
            dense_slots(digits, keys, many, results);
            for slot in results {
                let value = values.get(*slot as usize).copied().unwrap_or(NO_VALUE);
                *slot = if value == NO_VALUE { FREE } else { value.into() };
            }
            return;
        }
        self.find_many(keys, many, results);
        for entry in results.iter_mut().filter(|entry| **entry != FREE) {
            *entry = self.value(*entry)[0];
        }
    }

    /// Appends the entries of some of `many` keys, at most `TOGETHER` of them.
    fn find_hashed(
        &self,
        (shift, slots): (u32, &[u32]),
        keys: &[u32],
        many: usize,
        some: Range<usize>,
        results: &mut Vec<u32>,
    ) {
        let width = self.key + self.value;
        let mut sums = [0; TOGETHER];
        for column in keys.chunks_exact(many) {
            for (sum, &word) in sums.iter_mut().zip(&column[some.clone()]) {
                *sum = add(*sum, word);
            }
        }
        let sums = &sums[..some.len()];
        results.extend(sums.iter().map(|&sum| slots[as_index(hash::quick(sum, 0) >> shift)]));
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
                *entry = slots[self.hashed_slot(shift, slots, key)];
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
        let mut index = std::mem::replace(&mut self.index, Index::Hashed(0, Vec::new()));
        let inserted = match &mut index {
            Index::Hashed(shift, slots) if self.count * 3 <= slots.len() * 2 => {
                let slot = self.hashed_slot(*shift, slots, key.iter().copied());
                slots[slot] = entry;
                true
            }
            Index::Hashed(..) => false,
            Index::Dense(digits, slots) => {
                slots.get_mut(dense_slot(digits, key)).map(|slot| *slot = entry).is_some()
            }
            Index::Small(digits, values) => {
                let slot = values.get_mut(dense_slot(digits, key));
                slot.zip(small(value)).map(|(slot, value)| *slot = value).is_some()
            }
        };
        self.index = if inserted { index } else { self.indexed() };
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

    /// The slot that contains `key`, or the free one where it belongs.
    fn hashed_slot(
        &self,
        shift: u32,
        slots: &[u32],
        key: impl Iterator<Item = u32> + Clone,
    ) -> usize {
        let mask = slots.len() - 1;
        let mut slot = as_index(hash(key.clone()) >> shift);
        while slots[slot] != FREE && !same(self.key_of(slots[slot]), key.clone()) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Builds an index of all entries, with room for as many more.
    fn indexed(&self) -> Index {
        let all = 0..u32::at(self.count);
        if let Some((digits, count)) = self.dense() {
            if all.clone().all(|entry| small(self.value(entry)).is_some()) {
                let mut values = vec![NO_VALUE; count];
                for entry in all {
                    let value = small(self.value(entry)).unwrap_or(NO_VALUE);
                    values[dense_slot(&digits, self.key_of(entry))] = value;
                }
                return Index::Small(digits, values);
            }
            if count <= FEW.max(SPARSE * self.count) {
                let mut slots = vec![FREE; count];
                for entry in all {
                    slots[dense_slot(&digits, self.key_of(entry))] = entry;
                }
                return Index::Dense(digits, slots);
            }
        }
        let size = (self.count * 3).next_power_of_two().max(1 << FIRST);
        let shift = 64 - size.trailing_zeros();
        let mut slots = vec![FREE; size];
        for entry in all {
            let slot = self.hashed_slot(shift, &slots, self.key_of(entry).iter().copied());
            slots[slot] = entry;
        }
        Index::Hashed(shift, slots)
    }

    /// The digits of dense keys and the number of slots, unless too many slots would be free. The
    /// number with the fewest values varies fastest, so that keys differing in it only are
    /// neighbours in memory.
    fn dense(&self) -> Option<(Vec<Digit>, usize)> {
        let mut most = vec![0u32; self.key];
        for entry in 0..u32::at(self.count) {
            for (most, &word) in most.iter_mut().zip(self.key_of(entry)) {
                *most = word.max(*most);
            }
        }
        let mut order: Vec<usize> = (0..self.key).collect();
        order.sort_by_key(|&i| most[i]);
        let (mut digits, mut slots) = (vec![Digit::default(); self.key], 1u32);
        for i in order {
            // Some spare room, so that a position whose values grow one by one does not rebuild the
            // index each time.
            let limit = most[i].checked_add(1 + most[i] / 8)?;
            digits[i] = Digit { weight: slots, limit };
            slots = slots.checked_mul(limit).filter(|&slots| slots < 1 << 31)?;
        }
        let slots = slots as usize;
        (slots <= FEW.max(SPARSE_SMALL * self.count)).then_some((digits, slots))
    }
}

#[cfg(test)]
mod tests;
