//! Reading and writing Aldebaran files (`.aut`).
//!
//! Read `line` (the grammar) first, then `scan`, which reads a file block by block and has most
//! lines read by `chunk`; then `write`.

pub mod chunk;
pub mod line;
pub mod scan;
pub mod write;
