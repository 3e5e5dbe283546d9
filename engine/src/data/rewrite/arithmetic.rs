//! Numbers are computed, where that gets to the normal form at once.

use crate::data::numbers::{Number, Operation, Outcome};
use crate::data::rewrite::Data;
use crate::data::terms::{Head, NONE, Term};
use std::borrow::Cow;

/// Terms are looked into no deeper than this.
const DEPTH: usize = 16;

impl Data {
    /// What an operation gives for arguments, else `NONE`: where one of them is no numeral, or the sort
    /// of the symbol does not have the result.
    pub(super) fn computed(
        &mut self,
        symbol: u32,
        operation: Operation,
        arguments: &[Term],
    ) -> Term {
        let mut numbers = [const { None }; 2];
        for (number, &term) in numbers.iter_mut().zip(arguments) {
            *number = self.terms.number(term);
        }
        let outcome = match numbers {
            [Some(one), None] if arguments.len() == 1 => operation.apply(&[one]),
            [Some(one), Some(other)] => operation.apply(&[one, other]),
            _ => return NONE,
        };
        self.term_of(symbol, outcome)
    }

    /// What an open term of operations comes to, where the values of variables are numerals; else
    /// `NONE`. No term is made on the way.
    pub(super) fn computed_at_once(&mut self, term: Term, values: &[Term]) -> Term {
        let outcome = self.outcome(term, values, DEPTH);
        let Head::Symbol(symbol) = self.terms.head(term) else { return NONE };
        self.term_of(symbol, outcome)
    }

    fn term_of(&mut self, symbol: u32, outcome: Option<Outcome>) -> Term {
        match outcome {
            Some(Outcome::Truth(truth)) => self.constant(truth),
            Some(Outcome::Number(number)) => {
                let sort = self.terms.symbols[symbol as usize].sort;
                self.terms.numeral_of_sort(sort, number).unwrap_or(NONE)
            }
            None => NONE,
        }
    }

    fn outcome(&self, term: Term, values: &[Term], depth: usize) -> Option<Outcome> {
        let Head::Symbol(symbol) = self.terms.head(term) else { return None };
        let operation = self.terms.symbols[symbol as usize].native?;
        match *self.terms.children(term) {
            [one] => operation.apply(&[&*self.number(one, values, depth)?]),
            [one, other] => {
                let one = self.number(one, values, depth)?;
                operation.apply(&[&*one, &*self.number(other, values, depth)?])
            }
            _ => None,
        }
    }

    /// The number that a term comes to, if its sort has it.
    fn number(&self, term: Term, values: &[Term], depth: usize) -> Option<Cow<'_, Number>> {
        match self.terms.head(term) {
            Head::Numeral(_) => self.terms.number(term).map(Cow::Borrowed),
            Head::Variable(v) => {
                let &value = values.get(v as usize).filter(|&&value| value != NONE)?;
                self.terms.number(value).map(Cow::Borrowed)
            }
            Head::Symbol(symbol) => {
                let Outcome::Number(number) = self.outcome(term, values, depth.checked_sub(1)?)?
                else {
                    return None;
                };
                let sort = self.terms.symbols[symbol as usize].sort;
                self.terms.has_number(sort, &number).then_some(Cow::Owned(number))
            }
        }
    }
}
