//! The engine of ltstool: everything that touches every state or every transition.
//!
//! Plain Rust; the Python module is the thin layer in `bindings`, compiled with the feature
//! `python` only.

pub mod labels;
pub mod lts;

#[cfg(feature = "python")]
mod bindings;
