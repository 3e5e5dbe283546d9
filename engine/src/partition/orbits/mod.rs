//! Exploration of one state per orbit in partitions: a partition owns the orbits whose canonical
//! images a hash of their values assigns to it.
//!
//! The partition that expands a representative computes the canonical images of its targets, which
//! is most of the work, and sends those that others own. The image of a state is the same wherever
//! it is computed: values are compared by content, not by number. Levels have the same supersteps
//! as those of a generation, and orbits get the same numbers as on one machine.
//!
//! If orbits are only counted, canonical images represent them, and nothing is sent back. If the
//! quotient is stored, an orbit is represented by the state that was visited first, as on one
//! machine. For each image its owner is sent the key and the state of the first visit, and the
//! elements that lead from the image to the other visited states; it answers with the number of the
//! orbit, its stabiliser, and the least element of each coset. So the partition that expanded a
//! state has its transitions.
//!
//! Certificates need no exchange. They are about single local situations, values of tests and
//! values of data, each closed under the generators. A partition certifies all that its own states
//! gave; each state is expanded by one partition; and sets that are closed separately are closed
//! together. The group action on values is about the orbits of values, of which each partition has
//! all or nothing. So the certificates of all partitions together hold for the whole.
//!
//! Read `orbit_part` (the data of a partition), the supersteps `expand`, `receive` and
//! `finish_level`, then `partner` (numbering of what partitions send each other), `checkpoint`,
//! `spill`, `proving` and `result`.

pub mod checkpoint;
pub mod expand;
pub mod finish_level;
pub mod orbit_part;
pub mod partner;
pub mod proving;
pub mod receive;
pub mod result;
pub mod spill;
