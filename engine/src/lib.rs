//! The engine of ltstool: everything that touches every state or every transition.
//!
//! Plain Rust; the Python module is the thin layer in `bindings`, compiled with the feature
//! `python` only.

pub mod aut;
pub mod base;
pub mod bisimulation;
pub mod compare;
pub mod data;
pub mod data_formula;
pub mod fair_paths;
pub mod formula;
pub mod group;
pub mod lpe;
pub mod model_checking;
pub mod ops;
pub mod orbit_exploration;
pub mod parity_game;
pub mod partition;
pub mod preorder;
pub mod symmetry;

#[cfg(feature = "python")]
mod bindings;
