//! Partition refinement by signatures, of the states only that a split may concern.
//!
//! The signature of a state is what it can do next, as a set of pairs of a label and a block. States
//! of one block stay together while their signatures are equal. After Jacobs and Wissmann, Fast
//! coalgebraic bisimilarity minimization (POPL 2023): of the parts of a block the largest keeps its
//! number, so that a state gets a new number O(log n) times at most, and only states with a
//! transition to one with a new number are looked at again. The others of their block are *clean*:
//! their signatures are equal, and equal to what they were.
//!
//! While many states move, all are swept in order of their numbers, and it is the forward
//! transitions that tell who is concerned: one sequential pass, nothing else is kept. When few
//! move, lists of predecessors and of the members of blocks take over, and a round costs what
//! changes. Signatures are told apart by a hash of 64 bits; see
//! [`verify`](crate::bisimulation::verify) for why the result is exact nevertheless.
//!
//! Read `partition` and `signature` first, then `refiner` (what a round decides, of `split_groups`),
//! `patience` (when to sweep), `sweep`, and the lists: `worklist`, or `branching_worklist`, with
//! `block_members`.

pub mod block_members;
pub mod branching_worklist;
pub mod partition;
pub mod patience;
pub mod refiner;
pub mod signature;
pub mod split_groups;
pub mod sweep;
pub mod worklist;

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::bisimulation::refine::partition::Partition;
use crate::bisimulation::refine::refiner::{Most, Refiner};
use crate::bisimulation::refine::signature::Signature;
use crate::bisimulation::refine::split_groups::Groups;

/// The coarsest refinement of `start` in which states of one block have signatures of one hash.
///
/// With `canonical`, the numbers of blocks depend on nothing but signatures and numbers of states
/// that share them: isomorphic systems get the same numbers for corresponding states.
pub fn refine<S: Signature + Send + Sync>(
    start: Partition,
    signature: &mut S,
    canonical: bool,
    cancel: &Cancel,
) -> Result<Partition> {
    let settled = States::new(start.block.len());
    refine_rest(start, settled, signature, canonical, cancel)
}

/// The same for states that are not settled; blocks of settled ones have no others, and stay.
pub fn refine_rest<S: Signature + Send + Sync>(
    start: Partition,
    settled: States,
    signature: &mut S,
    canonical: bool,
    cancel: &Cancel,
) -> Result<Partition> {
    refine_up_to(Most::ANY, start, settled, signature, canonical, cancel)
        .map(Option::unwrap_or_default)
}

/// The same; no partition if refinement was given up.
pub fn refine_up_to<S: Signature + Send + Sync>(
    most: Most,
    start: Partition,
    settled: States,
    signature: &mut S,
    canonical: bool,
    cancel: &Cancel,
) -> Result<Option<Partition>> {
    let mut size = vec![0; start.blocks];
    for &block in &start.block {
        size[block] += 1;
    }
    let mut refiner = Refiner {
        hash: vec![0; start.blocks],
        size,
        block: start.block,
        settled,
        groups: Groups::default(),
        splits: Vec::new(),
        canonical,
        most,
        moves: 0,
    };
    let moved = refiner.sweeps(signature, cancel)?;
    if !moved.is_empty() {
        signature.lists(&mut refiner, moved, cancel)?;
    }
    let given_up = refiner.is_given_up();
    let partition = Partition { blocks: refiner.size.len(), block: refiner.block };
    Ok((!given_up).then_some(partition))
}
