//! Rewriting to normal form.
//!
//! This file defines [`Data`], the rewrite system. `declare` builds it from sorts, symbols and
//! rules; `machine` computes normal forms, for numbers with `arithmetic`; `limits` has the limits,
//! and `bounds` finds terms that need none; `waiting` determines what blocks the normal form of an
//! open term; `differences` decides whether terms differ; `normal_forms` records values that no
//! equation matches; `quantifiers` is about existential conditions and sets.

pub mod arithmetic;
pub mod bounds;
pub mod declare;
pub mod differences;
pub mod limits;
pub mod machine;
pub mod normal_forms;
pub mod quantifiers;
pub mod unfinished;
pub mod waiting;

use crate::base::cancel::Cancel;
use crate::base::spill::Transfer;
use crate::data::compile::program::Program;
use crate::data::logic::{Enumeration, Logic};
use crate::data::memo::Memo;
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::terms::{Head, Kind, NONE, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::io;

/// The most rewrite steps of one value: more take a few seconds.
pub const MAX_STEPS: u64 = 10_000_000;

/// Terms with the rules that rewrite them.
///
/// The rule applied to a term is the first one, in the order of declaration, that matches it with
/// its arguments in normal form. Variables of open terms are inert: a rule rewrites an open term
/// only if it rewrites all instances. For the order of evaluation see `compile`.
pub struct Data {
    pub terms: Terms,
    pub sorts: Vec<Vec<u8>>,
    pub truth: Term,
    pub falsity: Term,
    /// For every sort its constructors, in the order of declaration.
    pub constructors: Vec<Vec<u32>>,
    /// The names of rules in error messages; rules without a name are given by number.
    pub rule_names: Vec<String>,
    /// The maps in values that no equation matches, each with the text of its shortest such
    /// application.
    pub normal_forms: BTreeMap<u32, Vec<u8>>,
    /// Values already processed for `normal_forms`.
    pub(super) noted: FxHashSet<Term>,
    program: Program,
    /// For each symbol an upper bound on its number of steps.
    bounds: Vec<u32>,
    /// The quantifiers, by symbol.
    quantifiers: FxHashMap<u32, Quantifier>,
    /// For each symbol whether its rules may come to a quantifier.
    pub(crate) quantifying: Vec<bool>,
    /// The function that decides quantifiers.
    pub decide: Option<Decide>,
    /// The depth of nested quantifiers being decided.
    nested: u32,
    /// The normal form of every term for which it was computed, or `NONE`.
    pub(super) normal: Vec<Term>,
    /// The cache of results of calls.
    pub memo: Memo,
    pub(crate) logic: Logic,
    /// The values of sorts enumerated so far.
    pub(super) values: FxHashMap<u32, Enumeration>,
    stack: Vec<Term>,
    frames: Vec<Frame>,
    /// The largest number of rewrite steps of one call.
    pub step_limit: u64,
    /// The number of rewrite steps so far, that is, of rules applied.
    pub steps: u64,
    /// Stops rewriting and solving.
    pub cancel: Cancel,
}

/// A quantifier: for its arguments, whether some values satisfy a condition, or the set of these
/// values.
#[derive(Clone, Debug)]
pub struct Quantifier {
    /// The sorts of the values.
    pub sorts: Vec<u32>,
    /// The condition; its variables are first the arguments, then the values.
    pub condition: Term,
    /// For sets, the symbol that inserts a value, and the empty set.
    pub set: Option<(u32, Term)>,
}

/// Decides a quantifier for arguments, which are values; returns its value, or `NONE` if undecided.
pub type Decide = fn(&mut Data, &Quantifier, &[Term]) -> Result<Term, Unfinished>;

/// A continuation: what is done with a result.
#[derive(Clone, Copy)]
enum Frame {
    /// Push it and continue with the code.
    Push { op: u32, base: u32 },
    /// Store it in a register and continue with the code.
    Store { op: u32, base: u32, register: u32 },
    /// Cache it as the normal form of this term.
    Keep(Term),
    /// Cache it as the result of a call whose arguments are on top of the stack.
    Memoise(u32),
    /// Push it as an argument of this term; `next` is the index of the next argument.
    Argument { term: Term, next: u32 },
}

impl Data {
    /// Visits the arrays of terms to be spilled or read back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> io::Result<()> {
        self.terms.transfer(transfer)?;
        transfer.any(&mut self.normal)
    }

    pub(crate) fn with(terms: Terms, program: Program) -> Self {
        let memo = Memo::new(terms.symbols.len());
        let quantifying = vec![false; terms.symbols.len()];
        Self {
            terms,
            sorts: Vec::new(),
            truth: NONE,
            falsity: NONE,
            constructors: Vec::new(),
            rule_names: Vec::new(),
            normal_forms: BTreeMap::new(),
            noted: FxHashSet::default(),
            program,
            bounds: Vec::new(),
            quantifiers: FxHashMap::default(),
            quantifying,
            decide: None,
            nested: 0,
            normal: Vec::new(),
            memo,
            logic: Logic::default(),
            values: FxHashMap::default(),
            stack: Vec::new(),
            frames: Vec::new(),
            step_limit: MAX_STEPS,
            steps: 0,
            cancel: Cancel::never(),
        }
    }

    /// Whether the outermost symbol of a term is rewritten by no rule and may occur in values, so
    /// that equations between two such terms can be decomposed.
    pub fn is_free(&self, term: Term) -> bool {
        match self.terms.head(term) {
            Head::Symbol(symbol) => {
                let kind = self.terms.symbols[symbol as usize].kind;
                let stands = kind != Kind::Map || !(self.terms.strict || self.terms.loose);
                stands && self.terms.is_inert(symbol)
            }
            Head::Numeral(_) => true,
            Head::Variable(_) => false,
        }
    }
}
