//! Aldebaran files: bytes to columns and back.

mod piece;
pub mod scan;
mod syntax;
pub mod write;
