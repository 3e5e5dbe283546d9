//! Sketches of sets of blocks, and of pairs of a label and a block.
//!
//! A sketch is two words with a bit for every member: that of a union is found from those of its parts,
//! and a label turns the bits of the blocks behind it. Different sets may have equal sketches.
//!
//! No step of its own: what it saves is told where it is used, in `signature_sketch` and
//! `acyclic_weak`.

use crate::base::hash::pair;
use crate::base::ids::Label;

pub type Sketch = [u64; 2];

/// The bits of a block: one of 64, and one of four of a level that half as many blocks have as the
/// level before, so that large sets are told apart as well as small ones.
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

/// Whether a set may have all members of another one.
#[inline]
pub fn has(sum: Sketch, part: Sketch) -> bool {
    part[0] & !sum[0] | part[1] & !sum[1] == 0
}

/// The sketch of what a label leads to, from that of the blocks.
#[inline]
pub fn behind(label: Label, seed: u32, [a, b]: Sketch) -> Sketch {
    let hash = pair(label, !seed);
    [a.rotate_left(hash as u32 & 63), b.rotate_left((hash >> 32) as u32 & 63)]
}
