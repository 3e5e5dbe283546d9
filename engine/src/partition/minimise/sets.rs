//! Numbered sets of pairs of a label and a block.

use crate::base::hash::low_half;
use crate::base::interner::Interner;
use crate::base::spill::Transfer;
use std::io::Result;

/// The number of every set that is too large.
pub const TOP: u32 = 0;
/// The number of the empty set.
pub const EMPTY: u32 = 1;

/// A pair of a label and a block, as one number.
pub type Pair = u64;

/// The pair of a label and a block.
pub fn pair(label: u32, block: u32) -> Pair {
    Pair::from(label) << 32 | Pair::from(block)
}

/// The sets of a round, each once. A set with more than `most` pairs is `TOP`.
#[derive(Default)]
pub struct Sets {
    interned: Interner,
    most: usize,
    flat: Vec<u32>,
}

impl Sets {
    /// Removes all sets.
    pub fn clear(&mut self, most: usize) {
        *self = Self { most, ..Self::default() };
        self.interned.intern(&[u32::MAX]); // no real set, as those have two words per pair
        self.interned.intern(&[]);
    }

    /// Visits all arrays, to spill them or read them back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        self.interned.transfer(transfer)
    }

    /// The number of a set, given by its pairs, which are sorted here.
    pub fn number(&mut self, pairs: &mut Vec<Pair>) -> u32 {
        pairs.sort_unstable();
        pairs.dedup();
        if pairs.len() > self.most {
            return TOP;
        }
        self.flat.clear();
        self.flat.extend(pairs.iter().flat_map(|&pair| [(pair >> 32) as u32, low_half(pair)]));
        self.interned.intern(&self.flat).0
    }

    /// A set as labels and blocks in turn.
    pub fn get(&self, set: u32) -> &[u32] {
        self.interned.get(set)
    }

    /// The pairs of a set, sorted.
    pub fn pairs(&self, set: u32) -> impl ExactSizeIterator<Item = Pair> + '_ {
        self.get(set).as_chunks::<2>().0.iter().map(|&[label, block]| pair(label, block))
    }

    /// Whether a set contains all of some pairs.
    pub fn has(&self, set: u32, pairs: &[Pair]) -> bool {
        let members = self.get(set).as_chunks::<2>().0;
        pairs.len() <= members.len()
            && pairs.iter().all(|own| {
                members.binary_search_by_key(own, |&[label, block]| pair(label, block)).is_ok()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_have_equal_numbers() {
        let mut sets = Sets::default();
        sets.clear(2);
        assert_eq!(sets.number(&mut vec![]), EMPTY);
        let pairs = sets.number(&mut vec![pair(3, 1), pair(2, 7), pair(3, 1)]);
        assert_eq!(sets.number(&mut vec![pair(2, 7), pair(3, 1)]), pairs);
        assert_eq!(sets.get(pairs), [2, 7, 3, 1]);
        assert!(sets.has(pairs, &[pair(3, 1)]) && !sets.has(pairs, &[pair(3, 2)]));
        assert!(sets.pairs(pairs).eq([pair(2, 7), pair(3, 1)]));
        assert_eq!(sets.number(&mut vec![pair(0, 0), pair(0, 1), pair(0, 2)]), TOP);
    }
}
