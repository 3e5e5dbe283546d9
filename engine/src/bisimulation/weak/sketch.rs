//! Sketches of sets of blocks, and of sets of pairs of a label and a block.
//!
//! A sketch is two words, with a bit in each for every member: the sketch of a union is the union
//! of the sketches, and a label rotates the bits of the blocks that it leads to. Different sets may
//! have equal sketches.
//!
//! What sketches save is measured where they are used, in `signature_sketch`.

use crate::base::hash::low_half;
use crate::base::hash::pair;
use crate::base::ids::Label;

pub type Sketch = [u64; 2];

/// The bits of a block: one of 64 in the first word; in the second one of the four bits of a level,
/// where each level has half as many blocks as the level before. So the second word distinguishes
/// large sets, whose first word is full.
#[inline]
pub fn sketch(block: impl Into<u32>, seed: u32) -> Sketch {
    let hash = pair(seed, block) & if cfg!(test) { !60 } else { !0 };
    let level = ((hash >> 6) | 1 << 15).trailing_zeros() as u64;
    [1 << (hash & 63), 1 << (level * 4 + (hash >> 60 & 3))]
}

#[inline]
pub fn add(sum: &mut Sketch, part: Sketch) {
    sum[0] |= part[0];
    sum[1] |= part[1];
}

/// Whether a set may contain another one, given both sketches.
#[inline]
pub fn has(sum: Sketch, part: Sketch) -> bool {
    part[0] & !sum[0] | part[1] & !sum[1] == 0
}

/// The sketch of the pairs of a label and the blocks of a sketch.
#[inline]
pub fn behind(label: Label, seed: u32, [a, b]: Sketch) -> Sketch {
    let hash = pair(label, !seed);
    [a.rotate_left(low_half(hash) & 63), b.rotate_left((hash >> 32) as u32 & 63)]
}
