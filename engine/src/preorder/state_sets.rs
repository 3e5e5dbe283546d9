//! Sets of numbers, numbered in order of arrival: the states of a subset construction.

use rustc_hash::FxHasher;
use std::hash::Hasher;

const FREE: u32 = u32::MAX;

/// Interned sets in one arena; a set is its sorted members. Set `i` is the members between
/// `ends[i-1]` and `ends[i]`.
///
/// Invariant: no two sets are equal, and `slots` (open addressing, a power of two, at most half
/// full) finds every set.
pub struct Sets {
    members: Vec<u32>,
    ends: Vec<usize>,
    slots: Vec<u32>,
}

fn hash(set: &[u32]) -> usize {
    let mut hasher = FxHasher::default();
    for &member in set {
        hasher.write_u32(member);
    }
    hasher.finish() as usize
}

impl Default for Sets {
    fn default() -> Self {
        Self { members: Vec::new(), ends: Vec::new(), slots: vec![FREE; 16] }
    }
}

impl Sets {
    /// Number of sets.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no set.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The members of set `id`, sorted.
    pub fn get(&self, id: u32) -> &[u32] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.members[start..self.ends[id]]
    }

    /// The number of a set, given as its sorted members.
    pub fn intern(&mut self, set: &[u32]) -> u32 {
        debug_assert!(set.windows(2).all(|w| w[0] < w[1]));
        if (self.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(set) & mask;
        while self.slots[slot] != FREE {
            if self.get(self.slots[slot]) == set {
                return self.slots[slot];
            }
            slot = (slot + 1) & mask;
        }
        let id = self.len() as u32;
        self.slots[slot] = id;
        self.members.extend_from_slice(set);
        self.ends.push(self.members.len());
        id
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = vec![FREE; size];
        for id in 0..self.len() as u32 {
            let mut slot = hash(self.get(id)) & (size - 1);
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = id;
        }
    }
}

/// Whether every member of the sorted `part` is one of the sorted `whole`.
pub fn is_subset(part: &[u32], whole: &[u32]) -> bool {
    let mut rest = whole.iter();
    part.len() <= whole.len() && part.iter().all(|member| rest.any(|other| other == member))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn sets_keep_their_numbers(sets in prop::collection::vec(prop::collection::btree_set(0u32..6, 0..6), 0..200)) {
            let mut interned = Sets::default();
            let mut seen: Vec<BTreeSet<u32>> = Vec::new();
            for set in sets {
                let members: Vec<u32> = set.iter().copied().collect();
                let id = interned.intern(&members);
                if !seen.contains(&set) {
                    seen.push(set.clone());
                }
                prop_assert_eq!(&seen[id as usize], &set);
                prop_assert_eq!(interned.get(id), &members[..]);
            }
            prop_assert_eq!(interned.len(), seen.len());
            for a in &seen {
                for b in &seen {
                    let (x, y): (Vec<u32>, Vec<u32>) = (a.iter().copied().collect(), b.iter().copied().collect());
                    prop_assert_eq!(is_subset(&x, &y), a.is_subset(b));
                }
            }
        }
    }
}
