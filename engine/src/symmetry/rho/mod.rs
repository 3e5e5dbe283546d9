//! rho-encodings: a quotient as an LTS that can be expanded to what it came from.
//!
//! Read `encode` and `decode`, then `expand`; `members` and `coset_tables` say what a quotient
//! stands for, `choose_members` what is best stored of it.

pub mod choose_members;
pub mod coset_tables;
pub mod decode;
pub mod encode;
pub mod expand;
pub mod members;
