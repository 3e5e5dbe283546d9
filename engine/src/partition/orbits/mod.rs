//! One state of each orbit, explored in partitions: a partition owns the orbits whose canonical images
//! a hash of their values gives it.
//!
//! Who expands a representative finds the canonical images of its targets, which is most of the work,
//! and sends those that others own, with their stabilisers. Numbers of orbits matter to nobody else,
//! so nothing is sent back. The image of a state is the same wherever it is found: values are compared
//! by content, not by number.
//!
//! Certificates need no exchange. What they state is about single local situations, values of tests
//! and values of data, each closed under the generators: a partition states it of all that its own
//! states gave, each state is expanded by one partition, and what is closed by itself is closed
//! together with others. That the group acts on some values is about their orbits, which two
//! partitions have both or not at all. So what each partition has proven holds of all together.
//!
//! Read `orbit_part` (what a partition has), `exploring` (the superstep), `partner` (what partitions
//! tell each other) and `proving`.

pub mod exploring;
pub mod orbit_part;
pub mod partner;
pub mod proving;
