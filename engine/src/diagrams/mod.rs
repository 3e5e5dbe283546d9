//! Multi-valued decision diagrams of sets of markings: all reachable markings of a net, as one
//! graph, without storing them one by one.
//!
//! Read `net.rs`, which has the net and the order of its places, then `nodes.rs`, `saturation.rs`,
//! which computes the reachable markings, `counts.rs`, which reads numbers from them, and
//! `conditions.rs`, which selects those of which a condition holds.

pub mod conditions;
pub mod counts;
pub mod net;
mod nodes;
pub mod saturation;
#[cfg(test)]
mod tests;
