//! What every room uses, and what uses none of them.

pub mod bitset;
pub mod cancel;
pub mod csr;
pub mod csr_backward;
pub mod csr_lists;
pub mod emergency;
pub mod kept;
pub mod label_table;
pub mod lts;
pub mod marks;
pub mod memory;
pub mod outgoing;
pub mod parallel;
pub mod pool;
pub mod row_interner;
