//! The engine of ltstool: everything that visits every state or every transition.
//!
//! Plain Rust; the Python module is a thin layer, `bindings`, compiled only with the feature
//! `python`.

// Numbers of 32 bits count states, labels, terms and so on: none may wrap silently. Tests count little.
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
pub mod compare;
pub mod data;
pub mod data_formula;
pub mod diagrams;
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
