//! How a group acts on what a state is made of.
//!
//! Read `values` first, then `action_by_maps` (values that a user's maps move), `parameters` and
//! `nodes`.

pub mod action_by_maps;
pub mod nodes;
pub mod parameters;
pub mod values;
