//! Rewriting to normal form.
//!
//! Here is what it works on and owns: the [`Data`]. `declare` makes them of sorts, symbols and rules;
//! `machine` finds normal forms, of numbers with `arithmetic`; `limits` is when it gives up, and why,
//! `bounds` where it never has to; `waiting` is what the normal form of an open term waits for;
//! `differences` tells terms apart; `normal_forms` notes values that no equation fits; `quantifiers` is
//! what holds of some value.

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
use crate::base::put_away::Pass;
use crate::data::compile::program::Program;
use crate::data::logic::{Enumeration, Logic};
use crate::data::memo::Memo;
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::terms::{Head, Kind, NONE, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::io;

/// Terms with the rules that rewrite them.
///
/// The rule that is applied to a term is the first, in the order of declaration, that matches it with
/// its arguments in normal form. Variables of open terms are inert: a rule rewrites an open term only
/// if that is what happens to every instance. `compile` says what is evaluated when.
pub struct Data {
    pub terms: Terms,
    pub sorts: Vec<Vec<u8>>,
    pub truth: Term,
    pub falsity: Term,
    /// For every sort its constructors, in the order of their declaration.
    pub constructors: Vec<Vec<u32>>,
    /// What errors call the rules; those without a name are told by their number.
    pub rule_names: Vec<String>,
    /// The maps of values that no equation fits, each with the shortest such application met.
    pub normal_forms: BTreeMap<u32, Vec<u8>>,
    /// Values whose maps are known.
    pub(super) noted: FxHashSet<Term>,
    program: Program,
    /// How many steps each symbol takes at most.
    bounds: Vec<u32>,
    /// The symbols that say that there is something.
    quantifiers: FxHashMap<u32, Quantifier>,
    /// How they are decided.
    pub decide: Option<Decide>,
    /// Quantifiers that are being looked at, one for another.
    nested: u32,
    /// Normal form of every term that was asked for, else `NONE`.
    pub(super) normal: Vec<Term>,
    /// Results of calls.
    pub memo: Memo,
    pub(crate) logic: Logic,
    /// What was found of the values of sorts.
    pub(super) values: FxHashMap<u32, Enumeration>,
    stack: Vec<Term>,
    frames: Vec<Frame>,
    /// Rewrite steps that one call may take.
    pub step_limit: u64,
    /// Rewrite steps so far: rules that were applied.
    pub steps: u64,
    /// Says when rewriting and solving give up.
    pub cancel: Cancel,
}

/// A symbol that holds of arguments if there are values that meet a condition with them, or is the set
/// of these values.
#[derive(Clone, Debug)]
pub struct Quantifier {
    /// The sorts of the values.
    pub sorts: Vec<u32>,
    /// Over variables for the arguments, then for the values.
    pub condition: Term,
    /// What adds a value to a set, and the empty set.
    pub set: Option<(u32, Term)>,
}

/// What a quantifier comes to for arguments, which are values; `NONE` if that is not decided.
pub type Decide = fn(&mut Data, &Quantifier, &[Term]) -> Result<Term, Unfinished>;

/// What is done with a result.
#[derive(Clone, Copy)]
enum Frame {
    /// Push it and go on with the code.
    Push { op: u32, base: u32 },
    /// Put it into a register and go on with the code.
    Store { op: u32, base: u32, register: u32 },
    /// It is the normal form of a term.
    Keep(Term),
    /// It is what a call gives, whose arguments are on top of the stack.
    Memoise(u32),
    /// Push it: it is an argument of a term; the next one is this.
    Argument { term: Term, next: u32 },
}

impl Data {
    /// What there is in memory of terms.
    pub fn columns(&mut self, pass: &mut Pass<'_>) -> io::Result<()> {
        self.terms.columns(pass)?;
        pass.any(&mut self.normal)
    }

    pub(crate) fn with(terms: Terms, program: Program) -> Self {
        let memo = Memo::new(terms.symbols.len());
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
            decide: None,
            nested: 0,
            normal: Vec::new(),
            memo,
            logic: Logic::default(),
            values: FxHashMap::default(),
            stack: Vec::new(),
            frames: Vec::new(),
            step_limit: 10_000_000,
            steps: 0,
            cancel: Cancel::never(),
        }
    }

    /// Whether a term has a symbol outside that no rule rewrites, and that may stand in values, so
    /// that equations between two such terms can be taken apart.
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
