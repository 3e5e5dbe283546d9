//! Groups, symmetries of an LTS, and its quotients.

pub mod detect;
pub mod generators;
pub mod group;
pub mod isomorphism;
pub mod quotient;
pub mod quotient_parts;
