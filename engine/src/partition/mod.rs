//! Generation of a state space in partitions, possibly on several machines: a partition owns the
//! states that a hash of their values assigns to it.
//!
//! Levels are explored breadth first, by all partitions together, in supersteps: what one sends in
//! a superstep, the others receive in the next. States get the same numbers as on one machine,
//! whatever the number of partitions: the *key* of a new state is the least pair of a source's
//! number and the position of a step among the source's steps with which it is visited, and new
//! states are numbered in the order of their keys. As keys are ordered by source, a level can be
//! done in chunks, one range of sources after the other, with the same numbers. In this module,
//! "level" also means such a chunk.
//!
//! Read `generation` (the data of a partition; `numbers` of states), then the supersteps of a
//! level, `expand`, `receive`, `ranking` and `finish_level` in this order, then `traces`,
//! `checkpoint` and `spill`. `shared_nodes` defines how states are sent, `wire` the format of
//! batches. The caller of the methods routes the batches. `minimise` minimises systems generated in
//! this way; `orbits` explores one state of each orbit.
//!
//! Levels of states and of orbits have the same supersteps and share `ranking`, `numbers`,
//! `supersteps` and `wire`. They do not share the contents of batches: nodes of trees for states;
//! images, elements and stabilisers for orbits.

pub mod checkpoint;
pub mod expand;
pub mod finish_level;
pub mod generation;
pub mod minimise;
pub mod numbers;
pub mod orbits;
pub mod ranking;
pub mod receive;
pub mod shared_nodes;
pub mod spill;
pub mod supersteps;
pub mod traces;
pub mod wire;

/// The key of a visit to a state: the number of the source, and the position of the step among the
/// steps of the source.
pub type Key = (u64, u32);

/// A batch for every partition, or one from each.
pub type Batches = Vec<Vec<u8>>;
