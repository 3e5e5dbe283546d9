//! Aldebaran files: bytes to columns and back.

pub mod chunk;
pub mod line;
pub mod scan;
pub mod write;
