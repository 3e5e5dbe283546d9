//! Hash-consed terms: equal terms have equal numbers.

use crate::base::hash;
use crate::base::put_away::Pass;
use crate::base::reserve::no_memory;
use crate::data::numbers::numeral_table::Numerals;
use crate::data::numbers::{Number, NumberSort, Operation};
use bytemuck::{Pod, Zeroable};
use std::io;

/// The number of a term.
pub type Term = u32;

/// No term.
pub const NONE: Term = u32::MAX;

/// What a function symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Builds values.
    Constructor,
    /// Defined by rewrite rules.
    Map,
    /// Stands in normal forms as constructors do, but no variable ranges over it.
    Placeholder,
}

/// A declared function symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub name: Vec<u8>,
    /// Sorts of the arguments.
    pub arguments: Vec<u32>,
    /// Sort of the result.
    pub sort: u32,
    pub kind: Kind,
    /// What is computed in place of its rules where all arguments are numerals.
    pub native: Option<Operation>,
    /// Whether it says that there are values that meet a condition, which is looked for.
    pub quantifies: bool,
}

impl Symbol {
    /// One that is not native, and does not quantify.
    pub fn new(name: impl Into<Vec<u8>>, arguments: &[u32], sort: u32, kind: Kind) -> Self {
        let (name, arguments) = (name.into(), arguments.to_vec());
        Self { name, arguments, sort, kind, native: None, quantifies: false }
    }
}

/// A sort whose values are rows of elements: the symbols of the empty row and of what puts one in front
/// of a row, and what stands around them.
#[derive(Clone, Copy, Debug)]
pub struct Collection {
    pub empty: u32,
    pub insert: u32,
    pub brackets: [&'static [u8]; 2],
}

/// What a term has outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    Symbol(u32),
    Variable(u32),
    /// A closed number; equal ones have one term.
    Numeral(u32),
}

// A node's word: the number of its symbol, variable or numeral, and what is known of the whole term.
const VARIABLE: u32 = 1 << 31;
/// No variable occurs.
const GROUND: u32 = 1 << 30;
/// Built from constructors and placeholders only.
const VALUE: u32 = 1 << 29;
/// Built from constructors only.
const PROPER: u32 = 1 << 28;
/// No rule rewrites it or a part of it.
const NORMAL: u32 = 1 << 27;
pub(crate) const FLAGS: u32 = GROUND | VALUE | PROPER | NORMAL;
/// It is a numeral.
const NUMERAL: u32 = 1 << 26;
/// The bits below: the number.
const NUMBER: u32 = NUMERAL - 1;
/// Of a symbol: it makes numerals of numerals.
const COLLAPSES: u32 = 1;

/// Symbols, variables and numerals that there may be: their words have room for no more.
const MOST: usize = 1 << 26;

const FREE: u64 = u64::MAX;

/// Slots at first.
const FEWEST: usize = 64;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Node {
    pub word: u32,
    /// Where its children begin; they end where those of the next node begin.
    pub start: u32,
}

/// All terms of one specification.
///
/// Invariant: no two nodes have the same head and children; children have smaller numbers than
/// their parents. `slots` (open addressing, at most two thirds full) holds hash and number of each.
#[derive(Clone)]
pub struct Terms {
    pub symbols: Vec<Symbol>,
    /// Whether only what is built from constructors and placeholders is a value; else every normal
    /// form without variables is.
    pub strict: bool,
    /// Whether what no equation fits may stand for any value of its sort, so that two such terms may be
    /// equal; else different normal forms are different.
    pub loose: bool,
    arities: Vec<u32>,
    /// For every symbol what a term with it outside is, if all its children are.
    pub(crate) flags: Vec<u32>,
    /// One more than there are terms.
    pub(super) nodes: Vec<Node>,
    pub(super) children: Vec<Term>,
    slots: Vec<u64>,
    /// How many nodes there were when terms were last put away; none if other ones have their numbers
    /// since then.
    pub(super) spilled_from: Option<usize>,
    /// The sorts that are written as `[1,2]`, `{1,2}` or `{1:2}`.
    pub collections: Vec<Collection>,
    /// What makes a fraction of a numerator and a denominator.
    pub fraction: Option<u32>,
    /// The sorts that have numerals.
    pub(crate) number_sorts: Vec<NumberSort>,
    pub(crate) numerals: Numerals,
    /// Parts of terms, with variables in them, that were visited to put something into them.
    pub(crate) visited: usize,
}

impl Terms {
    /// No terms yet, over these symbols; `rewritten` says of which symbols there are rules.
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
            arities: symbols.iter().map(|symbol| symbol.arguments.len() as u32).collect(),
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

    /// Has closed numbers of some sorts as numerals from now on.
    pub fn add_numbers(&mut self, sorts: Vec<NumberSort>) -> Result<(), String> {
        debug_assert!(self.len() == 0, "terms that are there stay what they are");
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

    /// What there is in memory, but for numerals.
    pub fn columns(&mut self, pass: &mut Pass<'_>) -> io::Result<()> {
        let count = self.nodes.len();
        let before = if pass.is_out() { self.spilled_from.replace(count) } else { Some(count) };
        // Nodes stay as they are but for what is found out about them.
        pass.any(&mut self.nodes)?;
        pass.changing(before.is_none(), &mut self.children)?;
        pass.changing(before != Some(count), &mut self.slots)
    }

    /// Number of terms.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The symbol or variable outside.
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

    /// Whether no variable occurs.
    pub fn is_ground(&self, term: Term) -> bool {
        self.has(term, GROUND)
    }

    /// Whether a normal form is a value: without variables, and if values are to be that, built from
    /// constructors and placeholders only.
    pub fn is_value(&self, term: Term) -> bool {
        self.has(term, VALUE) || !self.strict && self.has(term, GROUND) && self.has(term, NORMAL)
    }

    /// Whether it is built from constructors and placeholders only.
    pub fn is_built(&self, term: Term) -> bool {
        self.has(term, VALUE)
    }

    /// Whether it is built from constructors only, and so is a value of its sort.
    pub fn is_proper(&self, term: Term) -> bool {
        self.has(term, PROPER)
    }

    /// Whether it is known that no rule rewrites it or a part of it.
    #[inline]
    pub fn is_normal(&self, term: Term) -> bool {
        self.has(term, NORMAL)
    }

    /// Notes that no rule rewrites a term.
    pub fn set_normal(&mut self, term: Term) {
        self.nodes[term as usize].word |= NORMAL;
    }

    /// Whether there is no rule with this symbol outside on the left.
    #[inline]
    pub fn is_inert(&self, symbol: u32) -> bool {
        self.flags[symbol as usize] & NORMAL != 0
    }

    /// Whether what has a symbol outside is different from all that have another one there.
    #[inline]
    pub fn is_certain(&self, symbol: u32) -> bool {
        self.is_inert(symbol) && !self.may_equal_others(symbol)
    }

    /// Whether what has a symbol outside, and is no more rewritten, may yet be equal to what has another
    /// one there.
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

    /// Variable number `variable` as a term.
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

    /// The numeral of a number in one of the sorts that have numerals, by its place.
    pub(crate) fn numeral(&mut self, which: u32, number: Number) -> Term {
        if let Some(known) = self.numerals.find(which, &number) {
            return known;
        }
        let index = self.numerals.count();
        if index == MOST {
            no_memory();
        }
        let term = self.len() as Term;
        self.nodes[term as usize].word = index as u32 | NUMERAL | FLAGS;
        self.nodes.push(Node { word: 0, start: self.children.len() as u32 });
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
                let term = entry as u32;
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
        let term = self.len() as Term;
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

    /// Has slots for all terms, of which those from number `from` on may be others than before.
    pub(super) fn index_again(&mut self, from: Term) {
        let size = FEWEST.max((self.len() * 3).div_ceil(2).next_power_of_two());
        let (old, mut slots) = (std::mem::take(&mut self.slots), vec![FREE; size]);
        let mut place = |entry: u64| {
            let mut slot = (entry >> 32) as usize & (size - 1);
            while slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = entry;
        };
        old.into_iter().filter(|&entry| (entry as Term) < from).for_each(&mut place);
        for term in from..self.len() as Term {
            let head = self.nodes[term as usize].word & !FLAGS;
            if head & (VARIABLE | NUMERAL) != NUMERAL {
                place(u64::from(hash::term(head, self.children(term))) << 32 | u64::from(term));
            }
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_one_hash_are_told_apart() {
        const MANY: u32 = 100;
        let triple = Symbol::new("triple", &[0, 0, 0], 0, Kind::Constructor);
        let mut terms = Terms::new(vec![triple], &[false]);
        let mut hashes = Vec::new();
        let variables: Vec<Term> = (0..MANY).map(|v| terms.variable(v)).collect();
        // Those that are there are found again.
        for _ in 0..2 {
            hashes.clear();
            for number in 0..MANY * MANY * MANY {
                let places = [number / MANY / MANY, number / MANY % MANY, number % MANY];
                let children = places.map(|place| variables[place as usize]);
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
