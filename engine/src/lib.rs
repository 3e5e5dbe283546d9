//! The engine of ltstool: everything that touches every state or every transition.
//!
//! Plain Rust; the Python module is the thin layer in `bindings`, compiled with the feature
//! `python` only.

pub mod aut;
pub mod data;
pub mod emergency;
pub mod equivalence;
pub mod group;
pub mod labels;
pub mod logic;
pub mod lts;
pub mod memory;
pub mod ops;
pub mod parallel;
pub mod process;
pub mod rows;
pub mod stop;
pub mod symmetry;
pub mod walk;

#[cfg(feature = "python")]
mod bindings;
