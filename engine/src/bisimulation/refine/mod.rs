//! Partition refinement by signatures; only states that a split may affect are visited.
//!
//! The signature of a state is the set of its next steps, as pairs of a label and a block. States
//! of one block stay together while their signatures are equal. The method follows Jacobs and
//! Wissmann, Fast coalgebraic bisimilarity minimization (POPL 2023): of the parts of a block the
//! largest keeps its number, so a state gets a new number O(log n) times at most, and only states
//! with a transition to a state with a new number are visited again. The other states of a block
//! are *clean*: their signatures are equal, and unchanged.
//!
//! While many states move, a round sweeps over all states in the order of their numbers, and the
//! forward transitions show which of them are affected. This is sequential and needs no other data.
//! When few states move, lists of predecessors and of the members of blocks take over, and the cost
//! of a round is proportional to what changes. Signatures are compared by a hash of 64 bits; see
//! [`verify`](crate::bisimulation::verify) for why the result is exact nevertheless.
//!
//! Read `signature` first, then `refiner` (the decisions of a round, from `split_groups`),
//! `patience` (when to sweep), `sweep`, and the lists: `worklist` or `branching_worklist`.

pub mod branching_worklist;
pub mod patience;
pub mod refiner;
pub mod signature;
pub mod split_groups;
pub mod sweep;
pub mod worklist;

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Refining, Result};
use crate::base::partition::Partition;
use crate::bisimulation::refine::refiner::{Most, Refiner};
use crate::bisimulation::refine::signature::Signature;
use crate::bisimulation::refine::split_groups::Groups;

/// The coarsest refinement of `start` in which the states of a block have signatures with equal
/// hashes.
///
/// If `canonical`, the numbers of blocks depend only on the signatures and on how many states share
/// them: isomorphic systems get the same numbers for corresponding states.
pub fn refine<S: Signature + Send + Sync>(
    start: Partition,
    signature: &mut S,
    canonical: bool,
    cancel: &Cancel,
) -> Result<Partition> {
    let settled = States::new(start.block.len());
    refine_rest(start, settled, signature, canonical, cancel)
}

/// Like [`refine`] for the states that are not `settled`. The blocks of settled states contain no
/// others, and are not split.
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

/// Like [`refine_rest`]; `None` if refinement was given up because it exceeded `most`.
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
        shown: Refining::begin(cancel),
    };
    let moved = refiner.sweeps(signature, cancel)?;
    if !moved.is_empty() {
        signature.lists(&mut refiner, moved, cancel)?;
    }
    let given_up = refiner.is_given_up();
    let partition = Partition { blocks: refiner.hash.len(), block: refiner.block };
    Ok((!given_up).then_some(partition))
}
