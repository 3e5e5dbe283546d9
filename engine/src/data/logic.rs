//! What was found out so far: of the user's Boolean functions, by `truth_tables`, and of the values of
//! sorts, by `enumerate`.

use crate::data::terms::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

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

/// What is known of the values of a sort, and how to go on.
pub(super) struct Enumeration {
    /// The sort itself, and those that its values are made of.
    pub(super) sorts: Vec<u32>,
    pub(super) makers: Vec<Maker>,
    /// Of each sort.
    pub(super) values: Vec<Values>,
    /// Values of each sort that are older than the last round, and those before this one.
    pub(super) old: Vec<usize>,
    pub(super) before: Vec<usize>,
    /// The maker that is being applied, and to which of its arguments values of the last round.
    pub(super) maker: usize,
    pub(super) new: usize,
    /// From where to where its arguments go, and where they are; none if it is done.
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) chosen: Option<Vec<usize>>,
    /// Values of the first sort that are constants, which cost nothing.
    pub(super) constants: usize,
    pub(super) tries: usize,
    pub(super) complete: bool,
}

/// A constructor, as far as its arguments count.
pub(super) struct Maker {
    /// The place of its sort.
    pub(super) sort: usize,
    pub(super) symbol: u32,
    /// What its rules make of it where its arguments are variables; none if it has no rules.
    pub(super) open: Option<Term>,
    /// The arguments that count, and the places of their sorts.
    pub(super) arguments: Vec<(usize, usize)>,
    pub(super) arity: usize,
}

#[derive(Default)]
pub(super) struct Values {
    pub(super) all: Vec<Term>,
    /// The same, where constructors may make one again.
    pub(super) seen: Option<FxHashSet<Term>>,
}

impl Values {
    pub(super) fn add(&mut self, value: Term) {
        if self.seen.as_mut().is_none_or(|seen| seen.insert(value)) {
            self.all.push(value);
        }
    }
}
