//! Aldebaran files: bytes to columns and back.
//!
//! Read `line`, the grammar, first; then `scan`, the pass over a file, whose usual lines are read
//! by `chunk`; then `write`.

pub mod chunk;
pub mod line;
pub mod scan;
pub mod write;
