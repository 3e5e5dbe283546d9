//! Numerals and the constructor terms they denote: conversion in both directions.

use crate::base::ids::Id;
use crate::data::numbers::{Kind, Number, NumberSort};
use crate::data::terms::{FLAGS, Head, NONE, Term, Terms};

/// The largest number that is expanded into successors for matching.
pub const MOST_EXPANDED: i64 = 1000;

impl Terms {
    /// The sorts that have numerals.
    pub fn number_sorts(&self) -> &[NumberSort] {
        &self.number_sorts
    }

    /// The number denoted by a numeral; `None` for other terms.
    pub fn number(&self, term: Term) -> Option<&Number> {
        match self.head(term) {
            Head::Numeral(number) => Some(self.numerals.get(number).1),
            _ => None,
        }
    }

    /// The largest number that was made of a sort of numbers, which is given by its index.
    pub fn largest_number(&self, which: u32) -> Option<&Number> {
        self.numerals.largest(which)
    }

    /// The numeral of a number in a sort, if the sort has numerals and this number.
    pub fn numeral_of_sort(&mut self, sort: u32, number: Number) -> Option<Term> {
        let which = self.number_sorts.iter().position(|known| known.sort == sort)?;
        self.number_sorts[which].kind.has(&number).then(|| self.numeral(u32::at(which), number))
    }

    /// Whether a sort of numbers contains this number.
    pub(crate) fn has_number(&self, sort: u32, number: &Number) -> bool {
        let sort = self.number_sorts.iter().find(|known| known.sort == sort);
        sort.is_some_and(|sort| sort.kind.has(number))
    }

    fn numeral_of_kind(&mut self, kind: Kind, number: Number) -> Term {
        let which = self.number_sorts.iter().position(|known| known.kind == kind);
        self.numeral(u32::at(which.expect("a sort of numbers has what it is made of")), number)
    }

    /// The numeral that results from a constructor applied to numerals, if it does.
    pub(crate) fn collapsed(&mut self, symbol: u32, children: &[Term]) -> Option<Term> {
        let which = self.number_sorts.iter().position(|s| s.constructors.contains(&symbol))?;
        let sort = self.number_sorts[which];
        let first = symbol == sort.constructors[0];
        let number = match (sort.kind, children) {
            (Kind::Natural, []) => Number::Small(0),
            (Kind::Positive, []) => Number::Small(1),
            (Kind::Integer, &[part]) => {
                let number = self.number(part)?;
                if first { number.clone() } else { number.negated() }
            }
            (_, &[part]) => self.number(part)?.plus(1),
            _ => return None,
        };
        Some(self.numeral(u32::at(which), number))
    }

    /// The outermost constructor of a numeral; `None` for other terms.
    pub fn constructor(&self, term: Term) -> Option<u32> {
        let Head::Numeral(number) = self.head(term) else { return None };
        let (which, number) = self.numerals.get(number);
        let sort = self.number_sorts[which as usize];
        let first = match sort.kind {
            Kind::Natural => number.is_zero(),
            Kind::Positive => *number == Number::Small(1),
            Kind::Integer => !number.is_negative(),
        };
        Some(sort.constructors[usize::from(!first)])
    }

    /// The argument of a numeral's outermost constructor; `NONE` if there is none.
    pub fn inside(&mut self, term: Term) -> Term {
        let Head::Numeral(number) = self.head(term) else { return NONE };
        let (which, number) = self.numerals.get(number);
        let number = number.clone();
        match self.number_sorts[which as usize].kind {
            Kind::Natural if number.is_zero() => NONE,
            Kind::Positive if number == Number::Small(1) => NONE,
            Kind::Integer if number.is_negative() => {
                self.numeral_of_kind(Kind::Positive, number.negated())
            }
            Kind::Integer => self.numeral_of_kind(Kind::Natural, number),
            _ => self.numeral(which, number.plus(-1)),
        }
    }

    /// A child of a term, or of the constructor term that a numeral denotes.
    #[inline]
    pub fn part(&mut self, term: Term, child: usize) -> Term {
        match self.children(term).get(child) {
            Some(&part) => part,
            None => self.inside(term),
        }
    }

    /// The children of a term, or of the constructor term that a numeral denotes.
    pub fn parts(&mut self, term: Term) -> Vec<Term> {
        match self.inside(term) {
            NONE => self.children(term).to_vec(),
            part => vec![part],
        }
    }

    /// The outermost symbol of a term; for a numeral its constructor.
    #[inline]
    pub fn outside(&self, term: Term) -> Option<u32> {
        match self.head(term) {
            Head::Symbol(symbol) => Some(symbol),
            Head::Numeral(_) => self.constructor(term),
            Head::Variable(_) => None,
        }
    }

    /// The term with numerals replaced by the constructor terms they denote. For matching only: the
    /// result is not interned as the same term.
    pub(crate) fn expanded(&mut self, term: Term) -> Result<Term, String> {
        if self.number_sorts.is_empty() {
            return Ok(term);
        }
        let mut tasks = vec![(term, false)];
        let mut results: Vec<Term> = Vec::new();
        while let Some((term, visited)) = tasks.pop() {
            let Some(symbol) = self.outside(term) else {
                results.push(term);
                continue;
            };
            if visited {
                let from = results.len() - self.arity(symbol);
                let flags = self.flags[symbol as usize] & FLAGS;
                let built = self.intern(symbol, flags, &results[from..]);
                results.truncate(from);
                results.push(built);
            } else {
                if self.number(term).is_some_and(|n| n.magnitude_exceeds(MOST_EXPANDED)) {
                    return Err(format!("a number above {MOST_EXPANDED} on its left side"));
                }
                tasks.push((term, true));
                tasks.extend(self.parts(term).into_iter().rev().map(|part| (part, false)));
            }
        }
        Ok(results[0])
    }

    /// Whether a numeral is certainly not an instance of an open constructor term.
    pub(crate) fn numeral_differs(&self, numeral: Term, other: Term) -> bool {
        let (Some(number), mut at) = (self.number(numeral), other) else { return false };
        let Head::Numeral(index) = self.head(numeral) else { return false };
        let sort = self.number_sorts[self.numerals.get(index).0 as usize];
        if sort.kind == Kind::Integer {
            let outside = self.constructor(numeral);
            return matches!(self.head(other), Head::Symbol(symbol)
                if self.is_certain(symbol) && outside != Some(symbol));
        }
        // Count the successors around the rest of the term.
        let mut least = i64::from(sort.kind == Kind::Positive);
        while let Head::Symbol(symbol) = self.head(at) {
            if symbol != sort.constructors[1] {
                return self.is_certain(symbol);
            }
            least += 1;
            at = self.children(at)[0];
        }
        *number < Number::Small(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::Cancel;
    use crate::data::numbers::NumberSort;
    use crate::data::rewrite::Data;
    use crate::data::rewrite::declare::Declarations;
    use crate::data::terms::{Kind as SymbolKind, Symbol};

    #[test]
    fn only_small_numerals_are_expanded_into_successors() {
        let made = |name: &str, arguments: &[u32], sort| {
            Symbol::new(name, arguments, sort, SymbolKind::Constructor)
        };
        let symbols =
            vec![made("T", &[], 0), made("F", &[], 0), made("0", &[], 1), made("S", &[1], 1)];
        let sorts = ["Bool", "Nat"].map(|name| name.as_bytes().to_vec()).to_vec();
        let numbers = vec![NumberSort { kind: Kind::Natural, sort: 1, constructors: [2, 3] }];
        let (rules, truth, falsity, loose) = (vec![], 0, 1, false);
        let declarations = Declarations { sorts, symbols, rules, truth, falsity, numbers, loose };
        let mut data = Data::declared(declarations, &Cancel::never()).expect("it is well-formed");
        for (number, fits) in [
            (0, true),
            (7, true),
            (MOST_EXPANDED, true),
            (MOST_EXPANDED + 1, false),
            (i64::MAX, false),
        ] {
            let term = data.terms.numeral_of_sort(1, Number::Small(number)).expect("a number");
            let expanded = data.terms.expanded(term);
            assert_eq!(expanded.is_ok(), fits, "{number}");
            let Ok(mut inside) = expanded else { continue };
            let mut successors = 0;
            while let &[below] = data.terms.children(inside) {
                (inside, successors) = (below, successors + 1);
            }
            assert_eq!(successors, number);
        }
    }
}
