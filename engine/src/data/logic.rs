//! What was found out of the user's Boolean functions so far; `truth_tables` finds it out.

use rustc_hash::FxHashMap;

/// A truth table: bit i is the result where argument j is bit j of i.
pub type TruthTable = u64;

/// What was found out so far.
#[derive(Default)]
pub struct Logic {
    pub(crate) tables: FxHashMap<u32, Option<TruthTable>>,
    pub(crate) equalities: Option<Vec<bool>>,
    pub(crate) sizes: FxHashMap<u32, Option<usize>>,
}
