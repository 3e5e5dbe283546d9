//! Hashes that represent the blocks of states from which every path ends, or stays in one state
//! from some point on, modulo strong or branching bisimulation.
//!
//! The signature of a state is a set of pairs of a label and a block, where the state's own block
//! is written *itself*. A state belongs to the block of a successor in two cases: an internal step
//! leads there, and that block can do everything else that the state can do; or any step leads
//! there, and the block has the same set once steps to it count as steps to *itself*. Otherwise it
//! is a bottom state, and its hash is that of its set.
//!
//! Sets are compared by hashes. If different sets have the same hash, the blocks are not stable; if
//! the blocks are stable, they are the coarsest that are. Proof: take two blocks that should be
//! one, as close to the ends of paths as possible. Then no blocks reached from them should be
//! merged with them or with each other, except that one of the two may be reached from the other.
//! Each got its hash from a bottom state. If no step leads from one to the other, their sets are
//! equal, and so are their hashes: a hash that is changed to avoid those of its successors is
//! changed in the same way. Otherwise such a step shows that the one state belongs to the block of
//! the other; but this was tested, and hashes differ only if sets do.
//!
//! This saves nine tenths of the time on chains of single steps or of internal diamonds, and two
//! thirds on grids. If internal steps have no cycles but other steps do, as in random systems, the
//! sweep adds up to half of the time. Measured in November 2026.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::hash::{mix, quick};
use crate::base::ids::{Label, State};
use crate::base::memory;
use crate::base::partition::Partition;
use crate::bisimulation::start::acyclic::acyclic_partition;
use rustc_hash::FxHashMap;
use std::mem;

/// Set in the hash of a block that has a step to itself.
const LOOP: u64 = 1;

/// Replaces the hash of the state's own block.
const ITSELF: u64 = !0;

/// Sets with more members than this are sorted.
const MANY: usize = if cfg!(test) { 2 } else { 16 };

/// A step: the hash of its target, its label, and its target.
type Step = (u64, Label, State);

/// A partition and its settled states: the blocks of states whose blocks are final, and one block
/// of all others.
///
/// Internal steps have the label `tau`, and none is a loop; for strong bisimulation `tau` is
/// [`Label::NONE`].
pub fn acyclic_blocks(graph: &Forward, tau: Label, cancel: &Cancel) -> Result<(Partition, States)> {
    let mut blocks = AcyclicBlocks::new(graph, tau);
    acyclic_partition(graph, |state, hashes| blocks.hash_of(state, hashes), cancel)
}

/// The blocks of the states visited so far.
struct AcyclicBlocks<'a> {
    graph: &'a Forward<'a>,
    tau: Label,
    /// For every visited state a bottom state of its block; empty if no steps are internal.
    bottom: Vec<State>,
    /// The sorted sets of bottom states with large sets.
    large: FxHashMap<State, Vec<u64>>,
    /// The steps of the current state: the labels of its loops, and its other steps, sorted.
    loops: Vec<Label>,
    steps: Vec<Step>,
}

impl<'a> AcyclicBlocks<'a> {
    /// No states visited yet.
    fn new(graph: &'a Forward<'a>, tau: Label) -> Self {
        let bottom = if tau == Label::NONE { Vec::new() } else { memory::zeroes(graph.states()) };
        let (large, loops, steps) = Default::default();
        Self { graph, tau, bottom, large, loops, steps }
    }

    /// The hash of a state, from the hashes of its successors.
    fn hash_of(&mut self, state: State, hashes: &[u64]) -> u64 {
        let (mut loops, mut steps) = (mem::take(&mut self.loops), mem::take(&mut self.steps));
        loops.clear();
        steps.clear();
        for (label, target) in self.graph.steps(state) {
            if target == state {
                loops.push(label);
            } else {
                steps.push((hashes[target], label, target));
            }
        }
        loops.sort_unstable();
        loops.dedup();
        steps.sort_unstable();
        steps.dedup_by_key(|step| (step.0, step.1));
        let own = loops.iter().map(|&label| member(label, ITSELF));
        let all = own.chain(steps.iter().map(|step| member(step.1, step.0)));
        let sum = all.fold(0, u64::wrapping_add);
        let mut groups = steps.chunk_by(|left, right| left.0 == right.0);
        let home = groups.find(|group| self.belongs(sum, &loops, &steps, group, hashes));
        let bottom = home.map(|group| group[0].2);
        let hash = match home {
            Some(group) => group[0].0,
            None => of_bottom(sum, !loops.is_empty(), &steps, None),
        };
        if !self.bottom.is_empty() {
            let of = |target: State| self.bottom[target];
            self.bottom[state] = bottom.map_or(state, of);
        }
        (self.loops, self.steps) = (loops, steps);
        hash
    }

    /// Whether a state belongs to the block with the hash of `group`, some of its `steps`. `sum` is
    /// the sum of the members of its set.
    fn belongs(
        &mut self,
        sum: u64,
        loops: &[Label],
        steps: &[Step],
        group: &[Step],
        hashes: &[u64],
    ) -> bool {
        let (hash, _, target) = group[0];
        let tau = self.tau;
        if group.iter().any(|step| step.1 == tau) {
            let bottom = self.bottom[target];
            let to = |step: &Step| if step.0 == hash { ITSELF } else { step.0 };
            let others = steps.iter().filter(|step| (step.0, step.1) != (hash, tau));
            let own = loops.iter().map(|&label| member(label, ITSELF));
            let mut all = own.chain(others.map(|step| member(step.1, to(step))));
            return all.all(|member| self.can(bottom, member, hashes));
        }
        if hash & LOOP == 0 {
            return false;
        }
        let mut sum = sum;
        for &(_, label, _) in group {
            sum = sum.wrapping_sub(member(label, hash));
            if loops.binary_search(&label).is_err() {
                sum = sum.wrapping_add(member(label, ITSELF));
            }
        }
        of_bottom(sum, true, steps, Some(hash)) == hash
    }

    /// Whether a member is in the set of a bottom state.
    fn can(&mut self, bottom: State, goal: u64, hashes: &[u64]) -> bool {
        let graph = self.graph;
        let to = |target: State| if target == bottom { ITSELF } else { hashes[target] };
        let mut members = graph.steps(bottom).map(|(label, target)| member(label, to(target)));
        if members.len() <= MANY {
            return members.any(|member| member == goal);
        }
        let set = self.large.entry(bottom).or_insert_with(|| {
            let mut set: Vec<u64> = members.collect();
            set.sort_unstable();
            set
        });
        set.binary_search(&goal).is_ok()
    }
}

/// The hash of a pair of a label and a hash.
#[inline]
fn member(label: Label, hash: u64) -> u64 {
    mix(hash, label.into())
}

/// The hash of a bottom state, from the sum of the members of its set. It differs from the hashes
/// of its successors, except for `but`.
#[inline]
fn of_bottom(sum: u64, has_loop: bool, steps: &[Step], but: Option<u64>) -> u64 {
    let mut hash = masked(quick(sum ^ sum >> 31, 0) & !LOOP | u64::from(has_loop));
    // A bottom state has no step into its own block except to itself.
    while but != Some(hash) && steps.binary_search_by_key(&hash, |step| step.0).is_ok() {
        hash = masked(hash.wrapping_add(LOOP + 1));
    }
    hash
}

#[inline]
fn masked(hash: u64) -> u64 {
    #[cfg(test)]
    let hash = hash & tests::HASH_MASK.get();
    hash
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::base::cancel::Cancel;
    use crate::bisimulation::minimise::{Equivalence, Kind, minimise};
    use crate::bisimulation::tests::{naive, system};
    use rustc_hash::FxHashSet;
    use std::cell::Cell;

    thread_local! {
        /// The bits of block hashes that are used, so that tests get collisions.
        pub static HASH_MASK: Cell<u64> = const { Cell::new(!0) };
    }

    /// The hash of a block is changed to avoid that of a successor; a state with a step to the
    /// block belongs to it.
    #[test]
    fn a_changed_hash_is_recognised_by_predecessors() {
        let transitions = "101 112 123 122 133 323 121 333 102 113 132 103 303 000 013 022 023 032 222 020 232 003 \
            012 033 002 202 021";
        let digit = |transition: &str, at: usize| u32::from(transition.as_bytes()[at] - b'0');
        let transition =
            |transition| (digit(transition, 0), digit(transition, 1), digit(transition, 2));
        let (transitions, strong) = (
            transitions.split_whitespace().map(transition).collect::<Vec<_>>(),
            Equivalence::plain(Kind::Strong),
        );
        for bits in 5..9 {
            HASH_MASK.set((1 << bits) - 1);
            let (least, _) =
                minimise(&system(4, &transitions), strong, true, &Cancel::never()).unwrap();
            HASH_MASK.set(!0);
            let expected: FxHashSet<u32> = naive(4, &transitions, strong).into_iter().collect();
            assert_eq!(least.states as usize, expected.len());
        }
    }
}
