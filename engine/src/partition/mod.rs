//! A part of a state space that is generated in many parts, maybe on many machines: a partition owns
//! the states that a hash of their values gives it.
//!
//! Levels are explored breadth first, by all partitions together, in supersteps: what one sends in a
//! superstep, others receive in the next. Numbers of states are those that one machine gives, whatever
//! the number of partitions: a new state is visited first by the least pair of a source's number and
//! the place of a step among its own, its *key*, and new states are numbered in the order of their
//! keys. As keys are less where numbers are, a level can be done in pieces, one range of sources
//! after the other: all numbers are the same. What is called a level here may be a piece of one.
//!
//! Read `generation` (what a partition has; `numbers` of states), then the supersteps of a level,
//! `expand`, `receive`, `ranking` and `finish_level` in this order, then `traces`, `checkpoint` and
//! `spill`. `shared_nodes` says how states are sent, `wire` what batches are made of. Who calls the
//! methods routes the batches. `minimise` is for systems that were generated so; `orbits` explores
//! one state of each orbit.
//!
//! Levels of states and of orbits have the same supersteps and share `ranking`, `numbers`,
//! `supersteps` and `wire`. The rest of a superstep is what it sends, and that has nothing in
//! common: nodes of trees of states; images, elements and stabilisers of orbits.

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

/// How a state is visited: the number of the source, and the place of the step among those of the
/// source.
pub type Key = (u64, u32);

/// A batch for every partition, or from each.
pub type Batches = Vec<Vec<u8>>;
