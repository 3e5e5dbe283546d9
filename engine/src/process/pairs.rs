//! A set of pairs of 32-bit numbers, numbered in order of arrival.

/// No number: what a search returns that finds nothing.
pub const NONE: u32 = u32::MAX;

/// Interned pairs: 8 bytes each, and 6 to 12 of the table that finds them.
///
/// Invariant: no two pairs are equal, and `slots` (open addressing, a power of two, at most two
/// thirds full) finds every pair. There are fewer than `NONE`.
pub struct Pairs {
    pairs: Vec<[u32; 2]>,
    slots: Vec<u32>,
    shift: u32,
}

const FIRST: u32 = 4;

fn hash([left, right]: [u32; 2]) -> u64 {
    let x = (u64::from(left) << 32 | u64::from(right)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Default for Pairs {
    fn default() -> Self {
        Self { pairs: Vec::new(), slots: vec![NONE; 1 << FIRST], shift: 64 - FIRST }
    }
}

impl Pairs {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Pair number `id`.
    pub fn get(&self, id: u32) -> [u32; 2] {
        self.pairs[id as usize]
    }

    /// The number of a pair, `NONE` if it is not in the set.
    pub fn find(&self, pair: [u32; 2]) -> u32 {
        self.slots[self.slot(pair)]
    }

    /// The number of a pair, and whether it is new.
    pub fn intern(&mut self, pair: [u32; 2]) -> (u32, bool) {
        let slot = self.slot(pair);
        if self.slots[slot] != NONE {
            return (self.slots[slot], false);
        }
        let id = self.pairs.len() as u32;
        self.pairs.push(pair);
        self.slots[slot] = id;
        if self.pairs.len() * 3 > self.slots.len() * 2 {
            self.grow();
        }
        (id, true)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.pairs[..]) + size_of_val(&self.slots[..])
    }

    /// Bytes that `more` pairs would take in addition, at most.
    pub fn bytes_for(&self, more: usize) -> usize {
        let mut slots = self.slots.len();
        while (self.pairs.len() + more) * 3 > slots * 2 {
            slots *= 2;
        }
        (slots - self.slots.len()) * size_of::<u32>() + more * size_of::<[u32; 2]>()
    }

    /// The slot that holds `pair`, or the free one where it belongs.
    fn slot(&self, pair: [u32; 2]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (hash(pair) >> self.shift) as usize;
        loop {
            let id = self.slots[slot];
            if id == NONE || self.pairs[id as usize] == pair {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.shift -= 1;
        // The old table goes before the new one comes: the peak is what is needed in the end.
        self.slots = Vec::new();
        self.slots = vec![NONE; size];
        for (id, &pair) in self.pairs.iter().enumerate() {
            let mut slot = (hash(pair) >> self.shift) as usize;
            while self.slots[slot] != NONE {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = id as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_keep_their_numbers(pairs in prop::collection::vec((0u32..12, 0u32..12), 0..400)) {
            let mut set = Pairs::default();
            let mut seen: Vec<[u32; 2]> = Vec::new();
            for (left, right) in pairs {
                let pair = [left, right];
                let promised = set.bytes() + set.bytes_for(1);
                let known = seen.iter().position(|&p| p == pair);
                prop_assert_eq!(set.find(pair), known.map_or(NONE, |id| id as u32));
                let (id, new) = set.intern(pair);
                prop_assert_eq!(new, known.is_none());
                if new {
                    seen.push(pair);
                }
                prop_assert_eq!(seen[id as usize], pair);
                prop_assert_eq!(set.get(id), pair);
                prop_assert!(set.bytes() <= promised);
            }
            prop_assert_eq!(set.len(), seen.len());
        }
    }
}
