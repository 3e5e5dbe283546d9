//! Hash functions for numbers, pairs and byte strings. None of them is keyed; `label_table`, whose
//! labels come from files and could be made to collide, has its own keyed one.

use std::hash::Hasher;

/// The low 32 bits of a word; the high ones are dropped on purpose.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "that is what it is for")]
pub fn low_half(word: u64) -> u32 {
    word as u32
}

/// 2^64 over the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const SEED: u64 = 0x51_7c_c1_b7_27_22_0a_95;

/// A bijection of 64-bit numbers that spreads every bit over all others; multipliers and shifts as
/// in Appleby's MurmurHash3.
#[inline]
fn scatter(x: u64) -> u64 {
    let x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    let x = (x ^ x >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ x >> 29
}

/// The hash of a pair of 32-bit numbers. It is injective: no two pairs have the same hash.
#[inline]
pub fn pair(left: impl Into<u32>, right: impl Into<u32>) -> u64 {
    scatter((u64::from(left.into()) << 32 | u64::from(right.into())) ^ SEED)
}

/// The hash of two 64-bit numbers, in this order. For a fixed value of either number it is a
/// bijection in the other.
#[inline]
pub fn mix(left: u64, right: u64) -> u64 {
    scatter(left ^ SEED ^ right.wrapping_mul(GOLDEN))
}

/// A cheaper hash of two numbers, in this order, with one multiplication for each: good enough for
/// hash tables that compare keys.
#[inline]
pub fn quick(left: u64, right: u64) -> u64 {
    let hash = (left ^ right.wrapping_mul(GOLDEN)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ hash >> 32
}

/// The hash of two numbers, in this order, under which sixteen consecutive values of `right` get
/// adjacent slots, so that keys inserted and looked up in order stay in the processor's cache.
/// Their upper bits differ.
#[inline]
pub fn near(left: u64, right: u32) -> u64 {
    let low = u64::from(right & 15);
    quick(left, u64::from(right >> 4)).wrapping_add(low) ^ low << 60
}

/// A `Hasher` for single numbers by [`near`].
#[derive(Clone, Copy, Default)]
pub struct Near(u64);

impl Hasher for Near {
    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.0 = near(self.0, number);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// The hash of a function symbol applied to the given terms.
#[inline]
pub fn term(symbol: u32, below: &[u32]) -> u32 {
    let mut hash = u64::from(symbol).wrapping_mul(GOLDEN);
    for &term in below {
        hash = (hash.rotate_left(23) ^ u64::from(term)).wrapping_mul(GOLDEN);
    }
    (hash >> 32) as u32
}

/// Extends a polynomial hash by one word (the multiplier is that of rustc-hash).
#[inline]
pub fn add(sum: u64, word: u32) -> u64 {
    sum.wrapping_add(u64::from(word)).wrapping_mul(0xf135_7aea_2e62_a9c5)
}

/// The hash of bytes: Fowler, Noll and Vo's FNV-1a.
pub fn bytes(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_hash_of_pairs_is_injective(left in any::<[u32; 2]>(), right in any::<[u32; 2]>()) {
            prop_assert_eq!(pair(left[0], left[1]) == pair(right[0], right[1]), left == right);
        }

        #[test]
        fn near_hashes_of_neighbours_are_adjacent(word: u64, block in 0..u32::MAX / 16) {
            let first = near(word, block * 16);
            for low in 1..16 {
                let hash = near(word, block * 16 + low);
                let distance = hash.wrapping_sub(first) & 0xffff;
                prop_assert_eq!(distance, u64::from(low));
                prop_assert_ne!(hash >> 57, first >> 57);
            }
        }

        #[test]
        fn mix_is_injective_in_each_argument(left in any::<u64>(), two in any::<u64>(), right in any::<u64>()) {
            prop_assert_eq!(mix(left, two) == mix(left, right), two == right);
            prop_assert_eq!(mix(two, left) == mix(right, left), two == right);
        }
    }
}
