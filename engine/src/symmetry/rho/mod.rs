//! rho-encodings: a quotient as an LTS that can be expanded to what it came from.

pub mod choose_members;
pub mod coset_tables;
pub mod decode;
pub mod encode;
pub mod expand;
pub mod members;
