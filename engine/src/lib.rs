//! The engine of ltstool: everything that visits every state or every transition.
//!
//! Plain Rust; the Python module is a thin layer, `bindings`, compiled only with the feature
//! `python`.

// Numbers of 32 bits count states, labels, terms and so on: none may wrap silently. Tests count
// little.
#![cfg_attr(not(test), deny(clippy::cast_possible_truncation))]

/// Replaces `vec!` of the standard library: without memory the work ends, not the process.
macro_rules! vec {
    ($value:expr; $count:expr) => {
        $crate::base::memory::several($value, $count)
    };
    ($($values:tt)*) => {
        std::vec![$($values)*]
    };
}

pub mod aterm;
pub mod aut;
pub mod base;
pub mod bisimulation;
pub mod check;
pub mod compare;
pub mod data;
pub mod diagrams;
pub mod formula;
pub mod group;
pub mod ops;
pub mod orbits;
pub mod partition;
pub mod preorder;
pub mod process;
pub mod symmetry;
pub mod symmetry_of_process;

#[cfg(feature = "python")]
mod bindings;
