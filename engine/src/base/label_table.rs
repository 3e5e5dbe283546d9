//! A table of labels: byte strings exactly as they were written, numbered from 0.

use crate::base::hash::low_half;
use crate::base::ids::as_index;
use crate::base::ids::{Id, Label};
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// Interned byte strings in one arena: label `i` is `bytes[offsets[i - 1]..offsets[i]]`.
///
/// Invariant: no two labels are equal, and `slots` finds every label: open addressing, a power of
/// two slots, at most half full; a slot holds the number and half of the hash.
#[derive(Clone, Default)]
pub struct Labels {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
    slots: Vec<u64>,
}

const FREE: u64 = u64::MAX;

/// The keyed hash of a label: its words are multiplied with keys chosen at random in every process,
/// so that no file can be written whose labels collide. (After wyhash, by Wang Yi.)
fn hash(label: &[u8]) -> usize {
    static KEYS: OnceLock<[u64; 3]> = OnceLock::new();
    let [seed, first, last] = *KEYS.get_or_init(|| {
        let random = RandomState::new();
        // Odd, hence never 0.
        [0, 1, 2].map(|which: u8| random.hash_one(which) | 1)
    });
    let (mut hash, mut rest) = (seed, label);
    while let Some((words, after)) = rest.split_first_chunk::<16>() {
        hash = folded(long(words) ^ first, long(&words[8..]) ^ hash);
        rest = after;
    }
    // The rest as two words, which may overlap; the length, hashed below, distinguishes the cases.
    let size = rest.len();
    let (left, right) = match size {
        8.. => (long(rest), long(&rest[size - 8..])),
        4.. => (short(rest), short(&rest[size - 4..])),
        1.. => (u64::from(rest[0]), u64::from(rest[size / 2]) << 8 | u64::from(rest[size - 1])),
        0 => (0, 0),
    };
    hash = folded(left ^ first, right ^ hash);
    as_index(folded(hash ^ label.len() as u64, last))
}

/// The 128-bit product folded to 64 bits: low half xor high half.
#[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
fn folded(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

/// The first eight bytes as a number.
fn long(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(*bytes.first_chunk().expect("eight bytes or more"))
}

/// The first four bytes as a number.
fn short(bytes: &[u8]) -> u64 {
    u64::from(u32::from_le_bytes(*bytes.first_chunk().expect("four bytes or more")))
}

impl Labels {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there is no label.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// The bytes of label `id`.
    pub fn get(&self, id: Label) -> &[u8] {
        let id = id.index();
        let start = if id == 0 { 0 } else { self.offsets[id - 1] };
        &self.bytes[start..self.offsets[id]]
    }

    /// All labels in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..u32::at(self.len())).map(|id| self.get(Label(id)))
    }

    /// The number of `label`, if it is in the table.
    pub fn find(&self, label: &[u8]) -> Option<Label> {
        self.find_hashed(hash(label), label)
    }

    fn find_hashed(&self, hash: usize, label: &[u8]) -> Option<Label> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash & mask;
        loop {
            match self.slots[slot] {
                FREE => return None,
                entry
                    if entry >> 32 == hash as u64 >> 32
                        && self.get(Label(low_half(entry))) == label =>
                {
                    return Some(Label(low_half(entry)));
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// The number of `label`; it is added if it is new.
    pub fn intern(&mut self, label: &[u8]) -> Label {
        let hash = hash(label);
        if let Some(id) = self.find_hashed(hash, label) {
            return id;
        }
        if (self.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let id = Label::at(self.len());
        self.bytes.extend_from_slice(label);
        self.offsets.push(self.bytes.len());
        self.position(id, hash);
        id
    }

    /// Puts a label with this hash into a free slot.
    fn position(&mut self, id: Label, hash: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = hash & mask;
        while self.slots[slot] != FREE {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = hash as u64 >> 32 << 32 | u64::from(id);
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(16);
        self.slots = vec![FREE; size];
        for id in 0..u32::at(self.len()) {
            self.position(Label(id), hash(self.get(Label(id))));
        }
    }
}

impl<'a> FromIterator<&'a [u8]> for Labels {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(labels: I) -> Self {
        let mut table = Self::new();
        for label in labels {
            table.intern(label);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Labels that all had the same hash under fixed keys; with random keys only a few share a
    /// slot.
    #[test]
    fn colliding_labels_cannot_be_designed() {
        let cancelling = 0x243f_6a88_85a3_08d3u64.to_le_bytes();
        let labels = (0..20_000).map(|k| [&cancelling[..], format!("{k:08}").as_bytes()].concat());
        let mut positions: Vec<usize> = labels.map(|label| hash(&label) & 0xffff).collect();
        positions.sort_unstable();
        let most = positions.chunk_by(|left, right| left == right).map(<[usize]>::len).max();
        assert!(most < Some(20), "{most:?}");
    }

    proptest! {
        #[test]
        fn labels_are_interned_once(labels in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..4), 0..200)) {
            let mut table = Labels::new();
            let ids: Vec<Label> = labels.iter().map(|label| table.intern(label)).collect();
            for (label, id) in labels.iter().zip(&ids) {
                prop_assert_eq!(table.get(*id), &label[..]);
                prop_assert_eq!(table.find(label), Some(*id));
            }
            let mut distinct = labels.clone();
            distinct.sort();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), table.len());
            prop_assert_eq!(table.find(b"never interned"), None);
        }
    }
}
