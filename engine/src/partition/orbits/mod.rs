//! One state of each orbit, explored in partitions: a partition owns the orbits whose canonical images
//! a hash of their values gives it.
//!
//! Who expands a representative finds the canonical images of its targets, which is most of the work,
//! and sends those that others own. The image of a state is the same wherever it is found: values are
//! compared by content, not by number. Levels have supersteps as those of a generation, and orbits the
//! numbers that one machine gives them.
//!
//! Where orbits are only counted, canonical images stand for them, and nothing is sent back. Where
//! *rows* are made, the state that was visited first stands for its orbit, as on one machine. An owner
//! is sent, of each image, how it was visited first and by which state, and which elements lead from
//! it to the other states that were visited; it answers with the orbit's number, its stabiliser, and
//! the least element of each coset. So who expanded a state has its transitions.
//!
//! Certificates need no exchange. What they state is about single local situations, values of tests
//! and values of data, each closed under the generators: a partition states it of all that its own
//! states gave, each state is expanded by one partition, and what is closed by itself is closed
//! together with others. That the group acts on some values is about their orbits, which two
//! partitions have both or not at all. So what each partition has proven holds of all together.
//!
//! Read `orbit_part` (what a partition has), the supersteps `expand`, `receive` and `finish_level`,
//! then `partner` (what partitions send each other), `checkpoint`, `spill`, `proving` and `result`.

pub mod checkpoint;
pub mod expand;
pub mod finish_level;
pub mod orbit_part;
pub mod partner;
pub mod proving;
pub mod receive;
pub mod result;
pub mod spill;
