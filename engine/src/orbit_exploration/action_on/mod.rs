//! How a group acts on what a state is made of.

pub mod action_by_maps;
pub mod nodes;
pub mod parameters;
pub mod values;
