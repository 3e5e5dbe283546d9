//! A set of pairs of 32-bit numbers, numbered in order of arrival.

use crate::base::hash;
use crate::base::hash::low_half;
use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::ids::as_index;
use crate::base::memory::huge_pages;
use crate::base::spill::Transfer;
use std::hint::black_box;
use std::io::Result;

/// Interned pairs: 8 bytes each, plus 6 to 12 bytes of index.
///
/// Invariant: no two pairs are equal, and `slots` finds every pair in the way given by `index`.
/// Free slots are `NONE`. There are fewer than `NONE` pairs.
pub struct Pairs {
    pairs: Vec<[u32; 2]>,
    slots: Vec<u32>,
    index: Index,
    /// The number of pairs when they were last spilled.
    spilled: Option<usize>,
}

#[derive(Clone, Copy)]
enum Index {
    /// Open addressing, a power of two slots, at most two thirds full. The slot is the hash shifted
    /// to the right by the given number. It holds the pair's number in its low bits and above them
    /// a tag, taken from other bits of the hash. Since numbers are less than two thirds of a power
    /// of two, no slot in use is all ones.
    Hashed(u32),
    /// One slot for each pair of a left and a right number with at most these numbers of bits.
    Dense(u32, u32),
}

const FIRST: u32 = 4;
/// The number of pairs looked up at a time.
const TOGETHER: usize = 64;
/// The largest number of dense slots, in total and per pair.
const DENSE: usize = 1 << 18;
const SPARSE: usize = 8;

fn hash([left, right]: [u32; 2]) -> u64 {
    hash::quick(u64::from(left) << 32 | u64::from(right), 0)
}

/// The number of slots for this many pairs.
fn hashed_slots(pairs: usize) -> usize {
    (pairs * 3).div_ceil(2).next_power_of_two().max(1 << FIRST)
}

/// The mask of the tag in a slot, if hashes are shifted by `shift`.
fn tags(shift: u32) -> u32 {
    // With 2^32 or more slots there is no room for a tag.
    !low_half((1u64 << (u64::BITS - shift)) - 1)
}

/// The dense slot of a pair; larger than the number of slots if the pair has none.
fn dense_slot([left, right]: [u32; 2], (left_bits, right_bits): (u32, u32)) -> usize {
    if left >> left_bits | right >> right_bits == 0 {
        (left << right_bits | right) as usize
    } else {
        usize::MAX
    }
}

impl Default for Pairs {
    fn default() -> Self {
        let slots = vec![NONE; 1 << FIRST];
        Self { pairs: Vec::new(), slots, index: Index::Hashed(u64::BITS - FIRST), spilled: None }
    }
}

impl Pairs {
    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// All pairs, by number.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The number of a pair; `NONE` if it is not in the set.
    pub fn find(&self, pair: [u32; 2]) -> u32 {
        match self.index {
            Index::Hashed(shift) => match self.slots[self.hashed_slot(shift, pair)] {
                NONE => NONE,
                word => word & !tags(shift),
            },
            Index::Dense(left, right) => {
                self.slots.get(dense_slot(pair, (left, right))).copied().unwrap_or(NONE)
            }
        }
    }

    /// Appends to `numbers` the number of each of `pairs`, or `NONE`.
    pub fn find_many(&self, pairs: &[[u32; 2]], numbers: &mut Vec<u32>) {
        match self.index {
            // Rounds may consist of one state.
            Index::Hashed(_) if pairs.len() == 1 => numbers.push(self.find(pairs[0])),
            Index::Hashed(shift) => {
                for pairs in pairs.chunks(TOGETHER) {
                    self.find_hashed(shift, pairs, numbers);
                }
            }
            Index::Dense(left, right) => numbers.extend(pairs.iter().map(|&pair| {
                self.slots.get(dense_slot(pair, (left, right))).copied().unwrap_or(NONE)
            })),
        }
    }

    /// [`Pairs::find_many`] for at most `TOGETHER` pairs.
    ///
    /// The time goes into memory accesses: a slot and a pair, each at random positions of a large
    /// table. So all first slots are read, then the following ones up to one that is free or has
    /// the right tag, and only then the pairs that are likely to match: the processor fetches many
    /// at a time.
    fn find_hashed(&self, shift: u32, pairs: &[[u32; 2]], numbers: &mut Vec<u32>) {
        let Some(last) = self.pairs.len().checked_sub(1) else {
            numbers.resize(numbers.len() + pairs.len(), NONE);
            return;
        };
        let (mask, tags) = (self.slots.len() - 1, tags(shift));
        let (mut words, mut hashes) = ([NONE; TOGETHER], [0; TOGETHER]);
        for ((word, own), &pair) in words.iter_mut().zip(&mut hashes).zip(pairs) {
            *own = hash(pair);
            *word = self.slots[as_index(*own >> shift)];
        }
        for (word, own) in words.iter_mut().zip(hashes).take(pairs.len()) {
            let mut slot = as_index(own >> shift);
            while *word != NONE && (*word ^ low_half(own)) & tags != 0 {
                slot = (slot + 1) & mask;
                *word = self.slots[slot];
            }
        }
        let (from, mut uncertain) = (numbers.len(), 0u64);
        numbers.extend(words.iter().zip(pairs).enumerate().map(|(k, (&word, &pair))| {
            let id = word & !tags;
            let same = self.pairs[last.min(id as usize)] == pair;
            uncertain |= u64::from(!same & (word != NONE)) << k;
            if same & (word != NONE) { id } else { NONE }
        }));
        while uncertain != 0 {
            let k = uncertain.trailing_zeros() as usize;
            numbers[from + k] = self.find(pairs[k]);
            uncertain &= uncertain - 1;
        }
    }

    /// Reads the slots where the search for pairs starts, so that they are in the cache later; the
    /// processor fetches many at a time.
    pub fn fetch(&self, pairs: impl Iterator<Item = [u32; 2]>) {
        if let Index::Hashed(shift) = self.index {
            black_box(pairs.fold(0, |sum, pair| sum ^ self.slots[as_index(hash(pair) >> shift)]));
        }
    }

    /// The number of a pair, and whether it is new; a new pair is added.
    pub fn intern(&mut self, pair: [u32; 2]) -> (u32, bool) {
        let id = u32::at(self.pairs.len());
        let (slot, word, full) = match self.index {
            Index::Hashed(shift) => {
                let slot = self.hashed_slot(shift, pair);
                let known = self.slots[slot];
                if known != NONE {
                    return (known & !tags(shift), false);
                }
                let full = hashed_slots(self.pairs.len() + 1) > self.slots.len();
                (slot, low_half(hash(pair)) & tags(shift) | id, full)
            }
            Index::Dense(left, right) => {
                let slot = dense_slot(pair, (left, right));
                match self.slots.get(slot) {
                    Some(&NONE) => (slot, id, false),
                    Some(&known) => return (known, false),
                    None => (slot, id, true),
                }
            }
        };
        if self.pairs.len() == self.pairs.capacity() {
            self.pairs.reserve(1);
            huge_pages(self.pairs.spare_capacity_mut());
        }
        self.pairs.push(pair);
        if full {
            self.grow();
        } else {
            self.slots[slot] = word;
        }
        (id, true)
    }

    /// Visits the arrays to be spilled or read back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        let changed =
            transfer.is_out() && self.spilled.replace(self.pairs.len()) != Some(self.pairs.len());
        transfer.grows(&mut self.pairs)?;
        transfer.changing(changed, &mut self.slots)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.pairs[..]) + size_of_val(&self.slots[..])
    }

    /// An upper bound on the additional bytes that `more` pairs would take.
    pub fn bytes_for(&self, more: usize) -> usize {
        let all = self.pairs.len() + more;
        let mut slots = self.slots.len();
        if matches!(self.index, Index::Dense(..)) || hashed_slots(all) > slots {
            slots = slots.max(hashed_slots(all)).max(DENSE.min(SPARSE * all));
        }
        (slots - self.slots.len()) * size_of::<u32>() + more * size_of::<[u32; 2]>()
    }

    /// The slot that contains `pair`, or the free one where it belongs.
    fn hashed_slot(&self, shift: u32, pair: [u32; 2]) -> usize {
        let mask = self.slots.len() - 1;
        let tags = tags(shift);
        let hash = hash(pair);
        let mut slot = as_index(hash >> shift);
        loop {
            let word = self.slots[slot];
            let is_candidate = (word ^ low_half(hash)) & tags == 0;
            if word == NONE || is_candidate && self.pairs[(word & !tags) as usize] == pair {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Rebuilds the index for all pairs, with room for more.
    fn grow(&mut self) {
        // The old table is freed before the new one is allocated, to keep the peak low.
        self.slots = Vec::new();
        let count = self.pairs.len();
        let most = self.pairs.iter().fold([0; 2], |m, p| [m[0].max(p[0]), m[1].max(p[1])]);
        let bits @ [left, right] = most.map(|most| u32::BITS - most.leading_zeros());
        if bits[0] + bits[1] <= DENSE.ilog2() && 1 << (left + right) <= SPARSE * count {
            self.index = Index::Dense(left, right);
            self.slots = vec![NONE; 1 << (left + right)];
            for (id, &pair) in (0..).zip(&self.pairs) {
                self.slots[dense_slot(pair, (left, right))] = id;
            }
            return;
        }
        let size = hashed_slots(count);
        let shift = u64::BITS - size.ilog2();
        self.index = Index::Hashed(shift);
        self.slots = Vec::with_capacity(size);
        huge_pages(self.slots.spare_capacity_mut());
        self.slots.resize(size, NONE);
        let mut id = 0;
        for pairs in self.pairs.chunks(TOGETHER) {
            // Read all slots before writing any.
            self.fetch(pairs.iter().copied());
            for hash in pairs.iter().map(|&pair| hash(pair)) {
                let mut slot = as_index(hash >> shift);
                while self.slots[slot] != NONE {
                    slot = (slot + 1) & (size - 1);
                }
                self.slots[slot] = low_half(hash) & tags(shift) | id;
                id += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_empty_set_contains_no_pair() {
        let mut numbers = Vec::new();
        Pairs::default().find_many(&[[0, 0], [NONE, 3]], &mut numbers);
        assert_eq!(numbers, [NONE, NONE]);
    }

    proptest! {
        #[test]
        fn pairs_keep_their_numbers(
            spread in 1u32..999, pairs in prop::collection::vec((0u32..12, 0u32..12), 0..400),
        ) {
            let mut set = Pairs::default();
            let mut seen: Vec<[u32; 2]> = Vec::new();
            for (left, right) in pairs {
                let pair = [left * spread, right];
                let promised = set.bytes() + set.bytes_for(1);
                let known = seen.iter().position(|&p| p == pair);
                prop_assert_eq!(set.find(pair), known.map_or(NONE, |id| id as u32));
                let (id, new) = set.intern(pair);
                prop_assert_eq!(new, known.is_none());
                if new {
                    seen.push(pair);
                }
                prop_assert_eq!(seen[id as usize], pair);
                prop_assert_eq!(set.pairs()[id as usize], pair);
                prop_assert!(set.bytes() <= promised);
            }
            prop_assert_eq!(set.len(), seen.len());
            let all: Vec<[u32; 2]> = (0..20).flat_map(|l| (0..20).map(move |r| [l * spread, r])).collect();
            let mut numbers = vec![7];
            set.find_many(&all, &mut numbers);
            let expected = all.iter().map(|pair| {
                seen.iter().position(|p| p == pair).map_or(NONE, |id| id as u32)
            });
            prop_assert_eq!(numbers, [7].into_iter().chain(expected).collect::<Vec<u32>>());
        }
    }
}
