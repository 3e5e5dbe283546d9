//! Groups, symmetries of an LTS, and its quotients.

pub mod detect;
pub mod generators;
pub mod group;
pub mod quotient;
pub mod quotient_parts;
