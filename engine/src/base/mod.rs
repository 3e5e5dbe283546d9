//! The foundation: used by all other modules, and uses none of them.
//!
//! Read `lts` and `label_table` first, which define a system, then `label_reader`, which yields the
//! actions of a label, and `csr`, the transitions in the form that algorithms work on. Next come
//! index types, sets and tables: `ids`, `bitset`, `marks`, `hash`, `interner`, `hash_sets`,
//! `disjoint_sets`, `partition`, `paths`. Last the machine's resources: `parallel`, `lock`,
//! `scratch`, `memory`, `spill`, `cancel`, `gaps`, `stages`, `reserve`, `emergency`.

pub mod bitset;
pub mod cancel;
pub mod csr;
pub mod disjoint_sets;
pub mod emergency;
pub mod gaps;
pub mod hash;
pub mod hash_sets;
pub mod ids;
pub mod interner;
pub mod label_reader;
pub mod label_table;
pub mod lock;
pub mod lts;
pub mod marks;
pub mod memory;
pub mod parallel;
pub mod partition;
pub mod paths;
#[cfg(test)]
pub mod random;
pub mod reserve;
pub mod scratch;
pub mod spill;
pub mod stages;
