//! A table of labels: byte strings kept exactly as they were written, numbered from 0.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Interned byte strings in one arena. Label `i` is the bytes between `ends[i-1]` and `ends[i]`.
///
/// Invariant: no two labels are equal, and `slots` (open addressing, a power of two, at most half
/// full) finds the number of every label.
#[derive(Clone, Default)]
pub struct Labels {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

fn hash(label: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(label);
    hasher.finish() as usize
}

impl Labels {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of labels.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no label.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of label `id`.
    pub fn get(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.bytes[start..self.ends[id]]
    }

    /// All labels in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len() as u32).map(|id| self.get(id))
    }

    /// The number of `label`, if it is in the table.
    pub fn find(&self, label: &[u8]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(label) & mask;
        loop {
            match self.slots[slot] {
                FREE => return None,
                id if self.get(id) == label => return Some(id),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// The number of `label`, which is added if it is new.
    pub fn intern(&mut self, label: &[u8]) -> u32 {
        if let Some(id) = self.find(label) {
            return id;
        }
        if (self.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let id = self.len() as u32;
        self.bytes.extend_from_slice(label);
        self.ends.push(self.bytes.len());
        self.place(id);
        id
    }

    fn place(&mut self, id: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = hash(self.get(id)) & mask;
        while self.slots[slot] != FREE {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = id;
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(16);
        self.slots = vec![FREE; size];
        for id in 0..self.len() as u32 {
            self.place(id);
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

    proptest! {
        #[test]
        fn numbers_are_stable(labels in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..4), 0..200)) {
            let mut table = Labels::new();
            let ids: Vec<u32> = labels.iter().map(|label| table.intern(label)).collect();
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
