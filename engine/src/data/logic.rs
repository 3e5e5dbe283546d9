//! Cached results about Boolean functions (see `truth_tables`) and about the values of sorts (see
//! `enumerate`).

use crate::data::terms::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// A truth table: bit i is the result where argument j is bit j of i.
pub type TruthTable = u64;

/// Cached results about Boolean functions and the sizes of sorts.
#[derive(Default)]
pub struct Logic {
    /// Constants that stand for two terms which are neither true nor false.
    pub(crate) undecided: [u32; 2],
    pub(crate) tables: FxHashMap<u32, Option<TruthTable>>,
    /// The functions that give a truth value for undecided arguments whenever all truth values in
    /// their place give the same one.
    pub(crate) complete: FxHashSet<u32>,
    pub(crate) equalities: Option<Vec<bool>>,
    pub(crate) sizes: FxHashMap<u32, Option<usize>>,
}

/// The values of a sort found so far, and the state of the enumeration.
pub(super) struct Enumeration {
    /// The sort itself, and the sorts that occur in its values.
    pub(super) sorts: Vec<u32>,
    pub(super) makers: Vec<Maker>,
    /// The values of each sort.
    pub(super) values: Vec<Values>,
    /// The number of values of each sort before the last round, and before the current one.
    pub(super) old: Vec<usize>,
    pub(super) before: Vec<usize>,
    /// The constructor being applied, and the first of its arguments to be taken from the last
    /// round.
    pub(super) maker: usize,
    pub(super) new: usize,
    /// The range of each argument, and the current choice; `None` if all were chosen.
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) chosen: Option<Vec<usize>>,
    /// The number of values of the first sort that are constants, which are found without
    /// applications.
    pub(super) constants: usize,
    pub(super) tries: usize,
    pub(super) complete: bool,
}

/// A constructor with the arguments that matter.
pub(super) struct Maker {
    /// The index of its sort.
    pub(super) sort: usize,
    pub(super) symbol: u32,
    /// The normal form of the constructor applied to variables; `None` if it has no rules.
    pub(super) open: Option<Term>,
    /// The arguments that matter, each with the index of its sort.
    pub(super) arguments: Vec<(usize, usize)>,
    pub(super) arity: usize,
}

#[derive(Default)]
pub(super) struct Values {
    pub(super) all: Vec<Term>,
    /// The same values as a set, if constructors may give the same value twice.
    pub(super) seen: Option<FxHashSet<Term>>,
}

impl Values {
    pub(super) fn add(&mut self, value: Term) {
        if self.seen.as_mut().is_none_or(|seen| seen.insert(value)) {
            self.all.push(value);
        }
    }
}
