//! Interned sets of hashes.

use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::ids::as_index;
use hashbrown::HashTable;

/// Interned sets of hashes: members are sorted, equal sets are stored once. A set is named by its
/// offset in the arena.
///
/// Invariant: `arena[offset]` is the length of the set at `offset`, followed by its members;
/// `offsets` finds every set.
#[derive(Default)]
pub struct HashSets {
    arena: Vec<u64>,
    offsets: HashTable<u32>,
    /// The length of the arena after the last compaction, when all its sets were in use.
    used: usize,
}

pub const OTHER: u32 = NONE - 1;

/// The hash of a set; independent of the order of the members.
pub fn sum(set: &[u64]) -> u64 {
    let sum = set.iter().fold(set.len().min(1) as u64, |sum, &member| sum.wrapping_add(member));
    #[cfg(test)]
    let sum = sum & tests::HASH_MASK.get();
    sum
}

const CROWD: usize = 1 << 16;
const MOVED: u64 = 1 << 63;

fn set(arena: &[u64], offset: u32) -> &[u64] {
    let offset = offset as usize;
    &arena[offset + 1..offset + 1 + as_index(arena[offset])]
}

impl HashSets {
    /// The members of the set at an offset.
    pub fn get(&self, offset: u32) -> &[u64] {
        set(&self.arena, offset)
    }

    /// Whether all of `members` are in the set at an offset.
    pub fn holds(&self, offset: u32, members: &[u64]) -> bool {
        let set = self.get(offset);
        members.iter().all(|member| {
            if set.len() <= 8 { set.contains(member) } else { set.binary_search(member).is_ok() }
        })
    }

    /// The offset of a set, given by its sorted members; the set is added if it is new.
    pub fn intern(&mut self, members: &[u64]) -> u32 {
        let hash = sum(members);
        let Self { arena, offsets, .. } = self;
        if let Some(&known) = offsets.find(hash, |&offset| set(arena, offset) == members) {
            return known;
        }
        assert!(arena.len() < OTHER as usize, "positions have 32 bits");
        let offset = u32::at(arena.len());
        arena.push(members.len() as u64);
        arena.extend_from_slice(members);
        offsets.insert_unique(hash, offset, |&offset| sum(set(arena, offset)));
        offset
    }

    /// The offset of the union of the sets at two offsets, either of which may be [`NONE`].
    pub fn union(&mut self, left: u32, right: u32) -> u32 {
        if left == right || right == NONE {
            return left;
        }
        if left == NONE {
            return right;
        }
        let mut members = [self.get(left), self.get(right)].concat();
        members.sort_unstable();
        members.dedup();
        self.intern(&members)
    }

    /// Whether the arena has grown so much that compaction may pay.
    pub fn is_crowded(&self) -> bool {
        self.arena.len() > 2 * self.used + CROWD
    }

    /// Retains only the sets at `offsets[holder]` for the given holders, and updates these entries;
    /// entries that are not an offset in the arena stay as they are.
    pub fn compact(&mut self, holders: impl Iterator<Item = usize>, offsets: &mut [u32]) {
        let mut arena: Vec<u64> = Vec::new();
        for holder in holders {
            let old = offsets[holder] as usize;
            if old >= self.arena.len() {
                continue;
            }
            if self.arena[old] & MOVED == 0 {
                let new = arena.len() as u64;
                arena.extend_from_slice(&self.arena[old..=old + as_index(self.arena[old])]);
                self.arena[old] = MOVED | new;
            }
            offsets[holder] = u32::at(self.arena[old] & !MOVED);
        }
        self.arena = arena;
        self.used = self.arena.len();
        self.offsets.clear();
        let mut offset = 0;
        while offset < self.used {
            let length = as_index(self.arena[offset]);
            let hash = sum(&self.arena[offset + 1..offset + 1 + length]);
            self.offsets
                .insert_unique(hash, u32::at(offset), |&offset| sum(set(&self.arena, offset)));
            offset += 1 + length;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;
    use std::collections::BTreeSet;

    thread_local! {
        /// A mask applied to the hashes of sets, so that tests can force collisions.
        pub static HASH_MASK: Cell<u64> = const { Cell::new(!0) };
    }

    type Set = BTreeSet<u64>;

    fn sets() -> impl Strategy<Value = Vec<Set>> {
        prop::collection::vec(prop::collection::btree_set(0u64..40, 0..14), 1..30)
    }

    proptest! {
        #[test]
        fn sets_are_interned_once((sets, holders) in (sets(), prop::collection::btree_set(0usize..30, 0..9))) {
            let mut interned = HashSets::default();
            let members = |set: &Set| set.iter().copied().collect::<Vec<u64>>();
            let mut offsets: Vec<u32> = sets.iter().map(|set| interned.intern(&members(set))).collect();
            for (left, &offset) in sets.iter().zip(&offsets) {
                prop_assert_eq!(interned.get(offset), members(left));
                for (subset, &there) in sets.iter().zip(&offsets) {
                    prop_assert_eq!(offset == there, left == subset);
                    prop_assert_eq!(interned.holds(offset, &members(subset)), subset.is_subset(left));
                    let both = interned.union(offset, there);
                    prop_assert_eq!(interned.get(both), members(&(left | subset)));
                }
                prop_assert_eq!((interned.union(offset, NONE), interned.union(NONE, offset)), (offset, offset));
            }
            let holders: BTreeSet<usize> = holders.into_iter().filter(|&at| at < sets.len()).collect();
            offsets.push(NONE);
            interned.compact(holders.iter().copied().chain([sets.len()]), &mut offsets);
            prop_assert_eq!(offsets.pop(), Some(NONE));
            for &at in &holders {
                prop_assert_eq!(interned.get(offsets[at]), members(&sets[at]));
                prop_assert_eq!(interned.intern(&members(&sets[at])), offsets[at]);
            }
        }
    }
}
