//! Removes duplicate steps of a state; the first of equal steps remains.

use rustc_hash::FxHashSet;
use std::hash::Hash;

/// The largest number of steps compared pairwise; larger numbers use a hash set.
const FEW: usize = 24;

/// Finds the distinct steps of a state, by label and target; its memory is reused from state to
/// state.
pub struct DistinctSteps<T> {
    seen: FxHashSet<(u32, T)>,
}

impl<T> Default for DistinctSteps<T> {
    fn default() -> Self {
        Self { seen: FxHashSet::default() }
    }
}

impl<T: Copy + Eq + Hash> DistinctSteps<T> {
    /// Calls `take` with the position of each step of a state that differs from all before it.
    #[inline]
    pub fn each(&mut self, labels: &[u32], targets: &[T], mut take: impl FnMut(usize)) {
        let few = labels.len() <= FEW;
        if !few {
            self.seen.clear();
        }
        for (i, (&label, &target)) in labels.iter().zip(targets).enumerate() {
            let known = if few {
                (0..i).any(|j| targets[j] == target && labels[j] == label)
            } else {
                !self.seen.insert((label, target))
            };
            if !known {
                take(i);
            }
        }
    }
}
