//! Minimisation of a system in partitions, each with the transitions of a range of states: blocks are
//! split by signatures (Blom and Orzan, *Distributed state space minimization*, 2005), modulo branching
//! bisimulation with internal steps that stay in a block followed from partition to partition.
//!
//! In a round the owner of each block says whether it is to be looked at; the partitions compute the
//! signatures of its states; the owner of a signature, which its hash says, counts its states; the
//! owner of the block gives numbers, where the largest part keeps the one there was. What changed is
//! told to partitions with transitions into it. Whole signatures are compared, no hashes of them. So a
//! round in which all blocks were looked at and none was split proves that they are a bisimulation.
//!
//! A round may be done in pieces, each of some of the blocks, so that what is under way takes little
//! memory: what one piece splits, those after it see already, which changes nothing about the result.
//!
//! Read `load` (transitions as they come, in `rows`, then as a `graph` without own `cycles`), `part` (what a partition has), `links` (who is told what),
//! then a round: `touch`, `sets` and `sign`, `owners`, `apply`; `divergence` is for internal steps
//! without end, `spill` for little memory. Who calls the methods routes the batches.

pub mod apply;
pub mod cycles;
pub mod divergence;
pub mod graph;
pub mod links;
pub mod load;
pub mod owners;
pub mod part;
pub mod places;
pub mod rows;
pub mod sets;
pub mod sign;
pub mod spill;
pub mod touch;

pub use crate::partition::Batches;
pub use crate::partition::supersteps::Failure;
