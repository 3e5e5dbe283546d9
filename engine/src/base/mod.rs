//! What every room uses, and what uses none of them.
//!
//! Read `lts` and `label_table` first: what a system is. Then its transitions as they are worked
//! on: `csr`, `csr_lists`, `csr_backward`, `outgoing`. Then sets of numbers and rows: `bitset`,
//! `marks`, `kept`, `row_interner`. Last what is asked of the machine: `parallel`, `pool`,
//! `memory`, `cancel`, `emergency`.

pub mod bitset;
pub mod cancel;
pub mod csr;
pub mod emergency;
pub mod ids;
pub mod kept;
pub mod label_table;
pub mod lts;
pub mod marks;
pub mod memory;
pub mod parallel;
pub mod pool;
pub mod row_interner;
