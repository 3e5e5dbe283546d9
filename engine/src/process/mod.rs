//! Linear processes: their local steps, the state spaces that they span, and their symmetries.

pub mod acted;
pub mod acting;
pub mod alphabet;
pub mod candidates;
pub mod canonical;
pub mod certificate;
pub mod check;
pub mod counterexample;
pub mod expand;
pub mod explore;
mod explorer;
pub mod homes;
pub mod images;
pub mod linear;
pub mod memo;
pub mod nodes;
pub mod orbit_search;
pub mod orbit_traces;
pub mod orbits;
pub mod output;
pub mod pairs;
pub mod piece;
pub mod plan;
pub mod positions;
pub mod product;
pub mod quotient;
pub mod refinement;
pub mod search;
pub mod shape;
pub mod situations;
pub mod store;
pub mod symmetry;
pub mod tables;
pub mod tasks;
pub mod values;

use crate::memory;
