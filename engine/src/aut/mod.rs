//! Reading and writing Aldebaran files (`.aut`).
//!
//! Read `line` (the grammar) first, then `scan`, the pass over a file, which leaves most lines to
//! `chunk`; then `write`.

pub mod chunk;
pub mod line;
pub mod scan;
pub mod write;
