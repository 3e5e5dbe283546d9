//! The steps of a state, each once: of equal ones the first counts.

use rustc_hash::FxHashSet;
use std::hash::Hash;

/// So many steps of one state are compared with each other; more are put into a set.
const FEW: usize = 24;

/// Steps that were seen of one state, by labels and targets; the memory is kept for the next.
pub struct DistinctSteps<T> {
    seen: FxHashSet<(u32, T)>,
}

impl<T> Default for DistinctSteps<T> {
    fn default() -> Self {
        Self { seen: FxHashSet::default() }
    }
}

impl<T: Copy + Eq + Hash> DistinctSteps<T> {
    /// Calls `take` with the place of each step of a state that is equal to none before it.
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
