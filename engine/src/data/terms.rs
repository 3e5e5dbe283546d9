//! Hash-consed terms: equal terms have equal numbers.

use crate::base::hash;
use crate::base::hash::low_half;
use crate::base::ids::Id;
use crate::base::reserve::no_memory;
use crate::base::spill::Transfer;
use crate::data::numbers::numeral_table::Numerals;
use crate::data::numbers::{Number, NumberSort, Operation};
use bytemuck::{Pod, Zeroable};
use std::io;

/// The number of a term.
pub type Term = u32;

/// No term.
pub const NONE: Term = u32::MAX;

/// The kind of a function symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Builds values.
    Constructor,
    /// Defined by rewrite rules.
    Map,
    /// Occurs in normal forms as constructors do, but not in the values that variables range over.
    Placeholder,
}

/// A declared function symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub name: Vec<u8>,
    /// The sorts of the arguments.
    pub arguments: Vec<u32>,
    /// The sort of the result.
    pub sort: u32,
    pub kind: Kind,
    /// The operation computed in place of its rules if all arguments are numerals.
    pub native: Option<Operation>,
    /// Whether it is a quantifier, which is decided by searching for values.
    pub quantifies: bool,
}

impl Symbol {
    /// A symbol that is neither native nor a quantifier.
    pub fn new(name: impl Into<Vec<u8>>, arguments: &[u32], sort: u32, kind: Kind) -> Self {
        let (name, arguments) = (name.into(), arguments.to_vec());
        Self { name, arguments, sort, kind, native: None, quantifies: false }
    }
}

/// A sort of lists, sets or bags: the symbols of the empty collection and of inserting an element
/// in front, and the brackets of its text.
#[derive(Clone, Copy, Debug)]
pub struct Collection {
    pub empty: u32,
    pub insert: u32,
    pub brackets: [&'static [u8]; 2],
}

/// The outermost symbol of a term, or its variable or numeral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    Symbol(u32),
    Variable(u32),
    /// A closed number; equal numbers are the same term.
    Numeral(u32),
}

// A node's word: the number of its symbol, variable or numeral, and flags for the whole term.
const VARIABLE: u32 = 1 << 31;
/// Contains no variable.
const GROUND: u32 = 1 << 30;
/// Built from constructors and placeholders only.
const VALUE: u32 = 1 << 29;
/// Built from constructors only.
const PROPER: u32 = 1 << 28;
/// Neither the term nor a part of it is rewritten by a rule.
const NORMAL: u32 = 1 << 27;
pub(crate) const FLAGS: u32 = GROUND | VALUE | PROPER | NORMAL;
/// The term is a numeral.
const NUMERAL: u32 = 1 << 26;
/// The bits below are the number.
const NUMBER: u32 = NUMERAL - 1;
/// Flag of a symbol: it builds numerals from numerals.
const COLLAPSES: u32 = 1;

/// The largest number of symbols, variables and numerals each, given the bits of a word.
const MOST: usize = 1 << 26;

const FREE: u64 = u64::MAX;

/// The initial number of slots.
const FEWEST: usize = 64;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Node {
    pub word: u32,
    /// The start of its children, which end where those of the next node start.
    pub start: u32,
}

/// All terms of one specification.
///
/// Invariant: no two nodes have the same head and children; children have smaller numbers than
/// their parents. `slots` (open addressing, at most two thirds full) has hash and number of each.
#[derive(Clone)]
pub struct Terms {
    pub symbols: Vec<Symbol>,
    /// Whether only terms built from constructors and placeholders are values; otherwise every
    /// closed normal form is one.
    pub strict: bool,
    /// Whether a term that no equation matches may denote any value of its sort, so that two such
    /// terms may be equal; otherwise different normal forms are different.
    pub loose: bool,
    arities: Vec<u32>,
    /// For every symbol the flags of its applications, if all children have them.
    pub(crate) flags: Vec<u32>,
    /// The nodes of all terms, and one more that marks the end.
    pub(super) nodes: Vec<Node>,
    pub(super) children: Vec<Term>,
    slots: Vec<u64>,
    /// The number of nodes when terms were last spilled; `None` after a garbage collection.
    pub(super) spilled_from: Option<usize>,
    /// The sorts that are written as `[1,2]`, `{1,2}` or `{1:2}`.
    pub collections: Vec<Collection>,
    /// The symbol that builds a fraction from numerator and denominator.
    pub fraction: Option<u32>,
    /// The sorts that have numerals.
    pub(crate) number_sorts: Vec<NumberSort>,
    pub(crate) numerals: Numerals,
    /// The number of open subterms visited by substitution so far.
    pub(crate) visited: usize,
}

impl Terms {
    /// An empty set of terms over these symbols; `rewritten` marks the symbols that have rules.
    pub fn new(symbols: Vec<Symbol>, rewritten: &[bool]) -> Self {
        let flags = symbols.iter().zip(rewritten).map(|(symbol, &rewritten)| {
            let kind = match symbol.kind {
                Kind::Constructor => VALUE | PROPER,
                Kind::Placeholder => VALUE,
                Kind::Map => 0,
            };
            kind | GROUND | if rewritten { 0 } else { NORMAL }
        });
        Self {
            arities: symbols.iter().map(|symbol| u32::at(symbol.arguments.len())).collect(),
            flags: flags.collect(),
            symbols,
            strict: true,
            loose: false,
            nodes: vec![Node { word: 0, start: 0 }],
            children: Vec::new(),
            slots: vec![FREE; FEWEST],
            spilled_from: None,
            collections: Vec::new(),
            fraction: None,
            number_sorts: Vec::new(),
            numerals: Numerals::default(),
            visited: 0,
        }
    }

    /// Makes closed numbers of some sorts numerals; there must be no terms yet.
    pub fn add_numbers(&mut self, sorts: Vec<NumberSort>) -> Result<(), String> {
        debug_assert!(self.len() == 0, "existing terms do not change");
        for sort in &sorts {
            for &symbol in &sort.constructors {
                let known = self.symbols.get(symbol as usize);
                if known.is_none_or(|s| s.kind != Kind::Constructor) || !self.is_inert(symbol) {
                    return Err("numbers are not made of constructors without rules".into());
                }
                self.flags[symbol as usize] |= COLLAPSES;
            }
        }
        self.numerals = Numerals::new(sorts.len());
        self.number_sorts = sorts;
        Ok(())
    }

    /// Visits the arrays to be spilled or read back, except those of numerals.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> io::Result<()> {
        let count = self.nodes.len();
        let before = if transfer.is_out() { self.spilled_from.replace(count) } else { Some(count) };
        // Only the flags of existing nodes change.
        transfer.any(&mut self.nodes)?;
        transfer.changing(before.is_none(), &mut self.children)?;
        transfer.changing(before != Some(count), &mut self.slots)
    }

    /// The number of terms.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The outermost symbol, the variable or the numeral.
    #[inline]
    pub fn head(&self, term: Term) -> Head {
        let word = self.nodes[term as usize].word;
        let number = word & NUMBER;
        match word & (VARIABLE | NUMERAL) {
            0 => Head::Symbol(number),
            NUMERAL => Head::Numeral(number),
            _ => Head::Variable(number),
        }
    }

    /// The arguments.
    #[inline]
    pub fn children(&self, term: Term) -> &[Term] {
        let (node, next) = (self.nodes[term as usize], self.nodes[term as usize + 1]);
        &self.children[node.start as usize..next.start as usize]
    }

    /// The number of arguments of a symbol.
    #[inline]
    pub fn arity(&self, symbol: u32) -> usize {
        self.arities[symbol as usize] as usize
    }

    #[inline]
    fn has(&self, term: Term, flag: u32) -> bool {
        self.nodes[term as usize].word & flag != 0
    }

    /// Whether a term contains no variable.
    pub fn is_ground(&self, term: Term) -> bool {
        self.has(term, GROUND)
    }

    /// Whether a normal form is a value: closed and, if values are strict, built from constructors
    /// and placeholders only.
    pub fn is_value(&self, term: Term) -> bool {
        self.has(term, VALUE) || !self.strict && self.has(term, GROUND) && self.has(term, NORMAL)
    }

    /// Whether a term is built from constructors and placeholders only.
    pub fn is_built(&self, term: Term) -> bool {
        self.has(term, VALUE)
    }

    /// Whether a term is built from constructors only, and hence is a value of its sort.
    pub fn is_proper(&self, term: Term) -> bool {
        self.has(term, PROPER)
    }

    /// Whether a term is known to be a normal form.
    #[inline]
    pub fn is_normal(&self, term: Term) -> bool {
        self.has(term, NORMAL)
    }

    /// Records that a term is a normal form.
    pub fn set_normal(&mut self, term: Term) {
        self.nodes[term as usize].word |= NORMAL;
    }

    /// Whether the symbol has no rules.
    #[inline]
    pub fn is_inert(&self, symbol: u32) -> bool {
        self.flags[symbol as usize] & NORMAL != 0
    }

    /// Whether applications of this symbol differ from those of any other symbol.
    #[inline]
    pub fn is_certain(&self, symbol: u32) -> bool {
        self.is_inert(symbol) && !self.may_equal_others(symbol)
    }

    /// Whether a normal form with this outermost symbol may equal one with another outermost
    /// symbol.
    pub(crate) fn may_equal_others(&self, symbol: u32) -> bool {
        self.loose && self.symbols[symbol as usize].kind == Kind::Map
    }

    /// The sort of a term that is not a variable.
    pub fn sort(&self, term: Term) -> u32 {
        match self.head(term) {
            Head::Symbol(symbol) => self.symbols[symbol as usize].sort,
            Head::Numeral(number) => self.number_sorts[self.numerals.get(number).0 as usize].sort,
            Head::Variable(_) => unreachable!("a variable has no sort of its own"),
        }
    }

    /// The variable with this number as a term.
    pub fn variable(&mut self, variable: u32) -> Term {
        self.intern(variable | VARIABLE, NORMAL, &[])
    }

    /// A symbol applied to terms.
    #[inline]
    pub fn apply(&mut self, symbol: u32, children: &[Term]) -> Term {
        debug_assert_eq!(children.len(), self.arity(symbol));
        let flags = self.flags[symbol as usize];
        if flags & COLLAPSES != 0
            && let Some(numeral) = self.collapsed(symbol, children)
        {
            return numeral;
        }
        self.intern(symbol, flags & FLAGS, children)
    }

    /// The numeral of a number in a sort of numbers, which is given by index.
    pub(crate) fn numeral(&mut self, which: u32, number: Number) -> Term {
        if let Some(known) = self.numerals.find(which, &number) {
            return known;
        }
        let index = self.numerals.count();
        if index == MOST {
            no_memory();
        }
        let term = u32::at(self.len());
        self.nodes[term as usize].word = u32::at(index) | NUMERAL | FLAGS;
        self.nodes.push(Node { word: 0, start: u32::at(self.children.len()) });
        self.numerals.add(which, number, term);
        term
    }

    #[inline]
    pub(crate) fn intern(&mut self, head: u32, flags: u32, children: &[Term]) -> Term {
        let hash = hash::term(head, children);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == FREE {
                break;
            }
            if (entry >> 32) as u32 == hash {
                let term = low_half(entry);
                if self.nodes[term as usize].word & !FLAGS == head
                    && self.children(term) == children
                {
                    return term;
                }
            }
            slot = (slot + 1) & mask;
        }
        self.add(head, flags, children, hash, slot)
    }

    fn add(&mut self, head: u32, flags: u32, children: &[Term], hash: u32, slot: usize) -> Term {
        let term = u32::at(self.len());
        let flags = children.iter().fold(flags, |all, &c| all & self.nodes[c as usize].word);
        self.nodes[term as usize].word = head | flags;
        self.children.extend_from_slice(children);
        let Ok(start) = u32::try_from(self.children.len()) else { no_memory() };
        self.nodes.push(Node { word: 0, start });
        self.slots[slot] = u64::from(hash) << 32 | u64::from(term);
        if self.len() * 3 > self.slots.len() * 2 {
            self.index_again(term);
        }
        term
    }

    /// Rebuilds the slots for all terms; those from `from` on may have changed.
    pub(super) fn index_again(&mut self, from: Term) {
        let size = FEWEST.max((self.len() * 3).div_ceil(2).next_power_of_two());
        let (old, mut slots) = (std::mem::take(&mut self.slots), vec![FREE; size]);
        let mut insert = |entry: u64| {
            let mut slot = (entry >> 32) as usize & (size - 1);
            while slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = entry;
        };
        old.into_iter().filter(|&entry| low_half(entry) < from).for_each(&mut insert);
        for term in from..u32::at(self.len()) {
            let head = self.nodes[term as usize].word & !FLAGS;
            if head & (VARIABLE | NUMERAL) != NUMERAL {
                insert(u64::from(hash::term(head, self.children(term))) << 32 | u64::from(term));
            }
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_with_equal_hashes_are_distinct() {
        const MANY: u32 = 100;
        let triple = Symbol::new("triple", &[0, 0, 0], 0, Kind::Constructor);
        let mut terms = Terms::new(vec![triple], &[false]);
        let mut hashes = Vec::new();
        let variables: Vec<Term> = (0..MANY).map(|v| terms.variable(v)).collect();
        // The second round finds the terms of the first.
        for _ in 0..2 {
            hashes.clear();
            for number in 0..MANY * MANY * MANY {
                let digits = [number / MANY / MANY, number / MANY % MANY, number % MANY];
                let children = digits.map(|digit| variables[digit as usize]);
                assert_eq!(terms.apply(0, &children), MANY + number);
                hashes.push(hash::term(0, &children));
            }
        }
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert!(hashes.len() < count);
    }
}
