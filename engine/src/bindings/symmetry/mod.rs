//! Groups, symmetries of an LTS, and its quotients.

pub(crate) mod detect;
mod generators;
pub(crate) mod group;
pub(crate) mod quotient;
pub(crate) mod quotient_parts;
