//! What every room uses, and what uses none of them.
//!
//! Read `lts` and `label_table` first: what a system is. Then its transitions as they are worked
//! on: `csr`. Then sets of numbers and rows: `ids`, `bitset`, `marks`, `hash`, `row_interner`,
//! `hash_sets`. Last what is asked of the machine: `parallel`, `pool`,
//! `memory`, `put_away`, `cancel`, `reserve`, `emergency`.

pub mod bitset;
pub mod cancel;
pub mod csr;
pub mod emergency;
pub mod hash;
pub mod hash_sets;
pub mod ids;
pub mod label_table;
pub mod lts;
pub mod marks;
pub mod memory;
pub mod parallel;
pub mod pool;
pub mod put_away;
pub mod reserve;
pub mod row_interner;
