//! Serialisation of values, valid for all processes that have read the same specification: symbols
//! by number, in prefix order, numbers by their digits. A subterm that occurs again is a reference
//! to its first occurrence, since a value may have exponentially many subterms, nearly all of them
//! shared.

use crate::base::ids::Id;
use crate::data::numbers::Number;
use crate::data::terms::{Head, Term, Terms};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// A token with this bit is a numeral; the lowest bits are the index of its sort.
const NUMERAL: u32 = 1 << 31;
/// The number follows as a length and bytes, rather than as a machine word.
const BIG: u32 = 1 << 30;
/// A token with this bit that is not a numeral refers to an earlier application; the lowest bits
/// are its number, in order of completion.
const AGAIN: u32 = 1 << 30;

impl Terms {
    /// Appends the bytes of a closed term.
    pub fn to_bytes(&self, term: Term, bytes: &mut Vec<u8>) {
        let mut complete: FxHashMap<Term, u32> = FxHashMap::default();
        let mut waiting = vec![(term, false)];
        while let Some((term, is_complete)) = waiting.pop() {
            if is_complete {
                complete.insert(term, u32::at(complete.len()));
                continue;
            }
            match self.head(term) {
                Head::Symbol(symbol) => {
                    let children = self.children(term);
                    if let Some(known) = complete.get(&term) {
                        bytes.extend((AGAIN | known).to_le_bytes());
                        continue;
                    }
                    bytes.extend(symbol.to_le_bytes());
                    if !children.is_empty() {
                        waiting.push((term, true));
                        waiting.extend(children.iter().rev().map(|&child| (child, false)));
                    }
                }
                Head::Numeral(number) => match self.numerals.get(number) {
                    (which, Number::Small(value)) => {
                        bytes.extend((NUMERAL | which).to_le_bytes());
                        bytes.extend(value.to_le_bytes());
                    }
                    (which, Number::Big(value)) => {
                        let digits = value.to_signed_bytes_le();
                        bytes.extend((NUMERAL | BIG | which).to_le_bytes());
                        bytes.extend((digits.len() as u64).to_le_bytes());
                        bytes.extend(digits);
                    }
                },
                Head::Variable(_) => unreachable!("a value has no variables"),
            }
        }
    }

    /// The closed normal form with these bytes; `None` if they are invalid.
    pub fn from_bytes(&mut self, mut bytes: &[u8]) -> Option<Term> {
        // Applications with missing arguments.
        let mut open: Vec<(u32, Vec<Term>)> = Vec::new();
        let mut complete: Vec<Term> = Vec::new();
        loop {
            let token = u32::from_le_bytes(*take(&mut bytes)?);
            let mut term = if token & NUMERAL != 0 {
                let number = if token & BIG == 0 {
                    Number::Small(i64::from_le_bytes(*take(&mut bytes)?))
                } else {
                    let length = u64::from_le_bytes(*take(&mut bytes)?);
                    let (digits, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
                    bytes = rest;
                    BigInt::from_signed_bytes_le(digits).into()
                };
                let which = token & !(NUMERAL | BIG);
                let sort = self.number_sorts.get(which as usize)?;
                if !sort.kind.has(&number) {
                    return None;
                }
                self.numeral(which, number)
            } else if token & AGAIN != 0 {
                *complete.get((token & !AGAIN) as usize)?
            } else {
                self.symbols.get(token as usize)?;
                let arity = self.arity(token);
                if arity > 0 {
                    open.push((token, Vec::with_capacity(arity)));
                    continue;
                }
                self.normal(token, &[])
            };
            loop {
                let Some((symbol, arguments)) = open.last_mut() else {
                    return bytes.is_empty().then_some(term);
                };
                arguments.push(term);
                if arguments.len() < self.arity(*symbol) {
                    break;
                }
                let (symbol, arguments) = open.pop().expect("it is the last");
                term = self.normal(symbol, &arguments);
                complete.push(term);
            }
        }
    }

    /// An application that is known to be a normal form.
    fn normal(&mut self, symbol: u32, arguments: &[Term]) -> Term {
        let term = self.apply(symbol, arguments);
        if !self.is_normal(term) {
            self.set_normal(term);
        }
        term
    }
}

fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::numbers::{Kind as NumberKind, NumberSort};
    use crate::data::terms::{Kind, Symbol};
    use proptest::prelude::*;

    /// Symbols: zero and successor of a sort of numbers, a constant, a pair and a map.
    fn terms() -> Terms {
        let symbols = vec![
            Symbol::new("Z", &[], 0, Kind::Constructor),
            Symbol::new("S", &[0], 0, Kind::Constructor),
            Symbol::new("c", &[], 1, Kind::Constructor),
            Symbol::new("pair", &[1, 1], 1, Kind::Constructor),
            Symbol::new("f", &[0, 1, 0], 1, Kind::Map),
        ];
        let mut terms = Terms::new(symbols, &[false, false, false, false, true]);
        let numbers = NumberSort { kind: NumberKind::Natural, sort: 0, constructors: [0, 1] };
        terms.add_numbers(vec![numbers]).expect("constructors without rules");
        terms
    }

    /// A value of sort 1, built in prefix order from the choices.
    fn value(terms: &mut Terms, choices: &mut impl Iterator<Item = (u8, i64)>) -> Term {
        let (choice, number) = choices.next().unwrap_or_default();
        match choice % 3 {
            0 => terms.apply(2, &[]),
            1 => {
                let (left, right) = (value(terms, choices), value(terms, choices));
                terms.apply(3, &[left, right])
            }
            _ => {
                let big = BigInt::from(number) * BigInt::from(number) * BigInt::from(number.abs());
                let a = terms.numeral(0, Number::Small(number.abs()));
                let (middle, b) = (value(terms, choices), terms.numeral(0, big.into()));
                terms.apply(4, &[a, middle, b])
            }
        }
    }

    proptest! {
        #[test]
        fn bytes_denote_the_same_term_in_another_table(
            choices in prop::collection::vec((any::<u8>(), -1i64 << 62..1 << 62), 0..20),
            cut in 1usize..40,
        ) {
            let (mut here, mut there) = (terms(), terms());
            // The other side has other terms under these numbers.
            value(&mut there, &mut [(1, 0), (2, 7)].into_iter());
            let term = value(&mut here, &mut choices.clone().into_iter());
            let mut bytes = Vec::new();
            here.to_bytes(term, &mut bytes);
            let expected = value(&mut there, &mut choices.into_iter());
            prop_assert_eq!(there.from_bytes(&bytes), Some(expected));
            // A value is a normal form on both sides.
            prop_assert!(there.is_normal(expected));
            prop_assert_eq!(there.from_bytes(&bytes[..bytes.len().saturating_sub(cut)]), None);
            prop_assert_eq!(there.from_bytes(&[&bytes[..], &[0; 4]].concat()), None);
            for unknown in [5, AGAIN, AGAIN | 1] {
                prop_assert_eq!(there.from_bytes(&u32::to_le_bytes(unknown)), None);
            }
        }
    }

    #[test]
    fn shared_subterms_are_written_once() {
        let mut terms = terms();
        let mut term = terms.apply(2, &[]);
        for _ in 0..100 {
            term = terms.apply(3, &[term, term]);
        }
        let mut bytes = Vec::new();
        terms.to_bytes(term, &mut bytes);
        assert_eq!(bytes.len(), 4 * (100 + 2 + 99));
        assert_eq!(terms.from_bytes(&bytes), Some(term));
        // A reference to an application that is not complete.
        let forward = [3, 2, AGAIN].map(u32::to_le_bytes).concat();
        assert_eq!(terms.from_bytes(&forward), None);
    }
}
