//! Terms of mCRL2 in their binary form, which its files `.lts` and `.lps` are streams of.
//!
//! Read `read`, which says what such a stream is made of, first; then `write`.

pub mod read;
pub mod write;

/// How a stream begins: a zero, and the number that marks it.
pub const MAGIC: u64 = 0x00_8b_af;
/// Versions that are read; the last one is written.
pub const VERSIONS: std::ops::RangeInclusive<u64> = 0x8306..=0x8308;
/// The name that numbers have in the table of symbols.
pub const NUMBER: &[u8] = b"<aterm_int>";
/// What marks a transition: its source, label and target follow.
pub const TRANSITION: &[u8] = b"transition";

/// What a packet is.
const SYMBOL: u64 = 0;
const SHARED: u64 = 1;
const OUTPUT: u64 = 2;
const NUMBER_OUTPUT: u64 = 3;

/// Bits that tell one of so many things apart.
fn width(count: usize) -> u32 {
    usize::BITS - count.leading_zeros()
}
