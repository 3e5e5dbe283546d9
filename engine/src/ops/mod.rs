//! What is asked of every LTS before any equivalence or symmetry: linear in its size.

pub mod hide;
