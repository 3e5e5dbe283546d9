//! Arithmetic: computes the normal form of operations on numbers directly.

use crate::data::numbers::numerals::MOST_EXPANDED;
use crate::data::numbers::{Number, Operation, Outcome};
use crate::data::rewrite::Data;
use crate::data::terms::{Head, NONE, Term};
use std::borrow::Cow;

/// The largest depth of terms that are evaluated.
const DEPTH: usize = 16;

impl Data {
    /// The result of an operation as a term; `NONE` if an argument is not a numeral or the sort of
    /// the symbol does not contain the result.
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
            [Some(number), None] if arguments.len() == 1 => operation.apply(&[number]),
            [Some(left), Some(right)] => operation.apply(&[left, right]),
            _ => return NONE,
        };
        self.term_of(symbol, outcome)
    }

    /// Whether an operation is left as it is though rules match it: they would apply it once for
    /// each unit of a large numeral, and the other argument is closed but not a numeral.
    pub(super) fn stays(&self, operation: Operation, arguments: &[Term]) -> bool {
        let is_large = |term| {
            self.terms.number(term).is_some_and(|number| number.magnitude_exceeds(MOST_EXPANDED))
        };
        let is_unknown = |term| self.terms.number(term).is_none() && self.terms.is_ground(term);
        matches!(operation, Operation::Add | Operation::Multiply | Operation::Power)
            && arguments.iter().any(|&term| is_large(term))
            && arguments.iter().any(|&term| is_unknown(term))
    }

    /// The value of an open term of operations whose variables stand for numerals; otherwise
    /// `NONE`. Creates no intermediate terms.
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
            [only] => operation.apply(&[&*self.number(only, values, depth)?]),
            [left, right] => {
                let left = self.number(left, values, depth)?;
                operation.apply(&[&*left, &*self.number(right, values, depth)?])
            }
            _ => None,
        }
    }

    /// The number that a term evaluates to, if its sort contains it.
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
