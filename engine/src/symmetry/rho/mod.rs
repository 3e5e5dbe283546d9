//! rho-encodings: a quotient as an LTS that can be expanded to the original.
//!
//! Read `encode` and `decode`, then `expand`; `members` and `coset_tables` enumerate the original,
//! `choose_members` chooses which of it to store.

pub mod choose_members;
pub mod coset_tables;
pub mod decode;
pub mod encode;
pub mod expand;
pub mod members;
