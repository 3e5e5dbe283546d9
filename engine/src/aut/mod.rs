//! Aldebaran files: bytes to columns and back.

pub mod scan;
mod syntax;
pub mod write;
