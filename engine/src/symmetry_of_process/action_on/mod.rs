//! Group actions on the components of a state.
//!
//! Read `values` first, then `action_by_maps` (values with user-defined maps), `parameters` and
//! `nodes`.

pub mod action_by_maps;
pub mod nodes;
pub mod parameters;
pub mod values;
