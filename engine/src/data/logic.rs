//! What was found out of the user's Boolean functions so far; `truth_tables` finds it out.

use rustc_hash::{FxHashMap, FxHashSet};

/// A truth table: bit i is the result where argument j is bit j of i.
pub type TruthTable = u64;

/// What was found out so far.
#[derive(Default)]
pub struct Logic {
    /// Constants that stand for two terms which are neither true nor false.
    pub(crate) undecided: [u32; 2],
    pub(crate) tables: FxHashMap<u32, Option<TruthTable>>,
    /// The functions that give a truth value wherever all truth values in place of what is undecided
    /// give it.
    pub(crate) complete: FxHashSet<u32>,
    pub(crate) equalities: Option<Vec<bool>>,
    pub(crate) sizes: FxHashMap<u32, Option<usize>>,
}
