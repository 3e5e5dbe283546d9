//! Minimisation of a partitioned system, where each partition has the transitions of a range of
//! states: blocks are split by signatures (Blom and Orzan, *Distributed state space minimization*,
//! 2005), also modulo branching bisimulation, where inert steps are followed across partitions.
//!
//! In a round the owner of each block decides whether its states are visited; the partitions
//! compute their signatures; the owner of a signature, determined by its hash, counts its states;
//! the owner of the block numbers its parts, of which the largest keeps the old number. Changes are
//! sent to the partitions with transitions to the states. Whole signatures are compared, not
//! hashes. So a round in which all blocks were visited and none was split proves that they are a
//! bisimulation.
//!
//! To save memory, a round may be done in chunks, each for some of the blocks. Later chunks use the
//! blocks that earlier ones have split, which does not change the result.
//!
//! Read `load` (transitions as they are received, in the file of `transitions`, then as a `graph`
//! without own `cycles`), `part` (the data of a partition), `links` (updates between partitions),
//! then a round: `touch`, `sets` and `sign`, `owners`, `apply`. `divergence` handles infinite runs
//! of internal steps, `spill` saves memory. The caller of the methods routes the batches.

pub mod apply;
pub mod counting_sort;
pub mod cycles;
pub mod divergence;
pub mod graph;
pub mod links;
pub mod load;
pub mod owners;
pub mod part;
pub mod sets;
pub mod sign;
pub mod spill;
pub mod touch;
pub mod transitions;

pub use crate::partition::Batches;
pub use crate::partition::supersteps::Failure;
