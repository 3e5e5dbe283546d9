//! Terms of mCRL2 in their binary format, the format of streams in `.lts` and `.lps` files.
//!
//! Read `read` first, which describes the format, then `write`.

pub mod read;
pub mod write;

/// The start of a stream: a zero byte and the format's magic number.
pub const MAGIC: u64 = 0x00_8b_af;
/// The versions that can be read; the last one is written.
pub const VERSIONS: std::ops::RangeInclusive<u64> = 0x8306..=0x8308;
/// The name of numbers in the symbol table.
pub const NUMBER: &[u8] = b"<aterm_int>";
/// The term that marks a transition: its source, label and target follow.
pub const TRANSITION: &[u8] = b"transition";

/// The types of packets.
const SYMBOL: u64 = 0;
const SHARED: u64 = 1;
const OUTPUT: u64 = 2;
const NUMBER_OUTPUT: u64 = 3;

/// The number of bits needed for a number up to `count`.
fn width(count: usize) -> u32 {
    usize::BITS - count.leading_zeros()
}
