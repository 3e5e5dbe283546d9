//! Finding the first of equal images, in parallel.

use crate::base::hash::quick;
use crate::base::ids::as_index;
use crate::data::terms::Term;
use std::sync::atomic::{AtomicU64, Ordering};

/// For each hash the least position that has it. Threads add positions concurrently; the result
/// does not depend on their order, unless two different images have the same full hash.
///
/// Open addressing: a slot has bits of the hash in the upper half and the position in the lower
/// half, and is free if all bits are set.
#[derive(Default)]
pub struct Firsts(Vec<AtomicU64>);

const FREE: u64 = u64::MAX;
/// The bits of a slot for the position.
const POSITION: u64 = u32::MAX as u64;

impl Firsts {
    /// Clears the table, with space for `count` positions.
    pub fn begin(&mut self, count: usize) {
        self.0.truncate((count * 2).next_power_of_two());
        self.0.iter_mut().for_each(|slot| *slot.get_mut() = FREE);
        self.0.resize_with((count * 2).next_power_of_two(), || AtomicU64::new(FREE));
    }

    /// Adds a position with this hash.
    pub fn note(&self, hash: u64, position: usize) {
        let word = hash & !POSITION | position as u64;
        let mut slot = self.slot(hash);
        loop {
            let entry = self.0[slot].load(Ordering::Relaxed);
            let entry = match entry {
                FREE => match self.0[slot].compare_exchange(
                    FREE,
                    word,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => return,
                    Err(other) => other,
                },
                entry => entry,
            };
            if (entry ^ word) & !POSITION == 0 {
                self.0[slot].fetch_min(word, Ordering::Relaxed);
                return;
            }
            slot = (slot + 1) & (self.0.len() - 1);
        }
    }

    /// The least position with this hash, which must exist.
    pub fn first(&self, hash: u64) -> usize {
        let mut slot = self.slot(hash);
        loop {
            let entry = self.0[slot].load(Ordering::Relaxed);
            if (entry ^ hash) & !POSITION == 0 {
                return (entry & POSITION) as usize;
            }
            slot = (slot + 1) & (self.0.len() - 1);
        }
    }

    fn slot(&self, hash: u64) -> usize {
        as_index(hash) & (self.0.len() - 1)
    }
}

/// The hash of an image; its upper bits are never all set.
pub fn hash(image: &[Term]) -> u64 {
    let hash = image.iter().fold(0, |hash, &value| quick(hash, value.into()));
    if hash | POSITION == FREE { hash ^ 1 << 63 } else { hash }
}
