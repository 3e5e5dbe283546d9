//! A set of rows of 32-bit integers, all of one width, numbered in order of arrival.

use rustc_hash::FxHasher;
use std::hash::Hasher;

const FREE: u32 = u32::MAX;

/// Interned rows in one arena.
///
/// Invariant: no two rows are equal, and `slots` (open addressing, a power of two, at most half
/// full) finds every row.
#[derive(Clone)]
pub struct Rows {
    width: usize,
    count: usize,
    values: Vec<u32>,
    slots: Vec<u32>,
}

fn hash(row: &[u32]) -> usize {
    let mut hasher = FxHasher::default();
    for &value in row {
        hasher.write_u32(value);
    }
    hasher.finish() as usize
}

impl Rows {
    /// An empty set of rows of this width (which may be 0).
    pub fn new(width: usize) -> Self {
        Self { width, count: 0, values: Vec::new(), slots: vec![FREE; 16] }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Row number `id`.
    pub fn get(&self, id: u32) -> &[u32] {
        let start = id as usize * self.width;
        &self.values[start..start + self.width]
    }

    /// The number of a row, if it is in the set.
    pub fn find(&self, row: &[u32]) -> Option<u32> {
        match self.slots[self.slot(row)] {
            FREE => None,
            id => Some(id),
        }
    }

    /// The number of a row, and whether it is new.
    pub fn intern(&mut self, row: &[u32]) -> (u32, bool) {
        debug_assert_eq!(row.len(), self.width);
        if (self.count + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.slot(row);
        if self.slots[slot] != FREE {
            return (self.slots[slot], false);
        }
        let id = self.count as u32;
        self.values.extend_from_slice(row);
        self.count += 1;
        self.slots[slot] = id;
        (id, true)
    }

    /// The slot that holds `row`, or the free one where it belongs.
    fn slot(&self, row: &[u32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(row) & mask;
        while self.slots[slot] != FREE && self.get(self.slots[slot]) != row {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = vec![FREE; size];
        for id in 0..self.count as u32 {
            let mask = size - 1;
            let mut slot = hash(self.get(id)) & mask;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_keep_their_numbers(rows in prop::collection::vec((0u32..6, 0u32..6), 0..300)) {
            let mut set = Rows::new(2);
            let mut seen: Vec<(u32, u32)> = Vec::new();
            for row in rows {
                let (id, new) = set.intern(&[row.0, row.1]);
                prop_assert_eq!(new, !seen.contains(&row));
                if new {
                    seen.push(row);
                }
                prop_assert_eq!(seen[id as usize], row);
            }
            prop_assert_eq!(set.len(), seen.len());
            prop_assert_eq!(set.find(&[9, 9]), None);
        }

        #[test]
        fn the_empty_row_is_one_row(times in 0usize..4) {
            let mut set = Rows::new(0);
            for _ in 0..times {
                prop_assert_eq!(set.intern(&[]).0, 0);
            }
            prop_assert_eq!(set.len(), times.min(1));
        }
    }
}
