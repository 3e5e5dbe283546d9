//! Garbage collection of terms.
//!
//! Rewriting creates many terms, of which an exploration retains few: values and arguments of
//! labels. The terms created since the last collection are marked from last to first, so that each
//! is visited before its parts; then the live ones are moved down in order, so that children still
//! have smaller numbers than their parents. Older terms are permanent. (Compare the young
//! generation in Lieberman and Hewitt: A real-time garbage collector based on the lifetimes of
//! objects, 1983.)

use crate::base::bitset::Bits;
use crate::base::ids::Id;
use crate::data::rewrite::Data;
use crate::data::terms::{Head, NONE, Term, Terms};
use std::ops::Range;

/// The new numbers of terms after a collection.
pub struct Moved {
    /// The first term that may have another number.
    from: Term,
    numbers: Vec<Term>,
}

impl Moved {
    /// The new number of a term; `NONE` if it was dropped.
    pub fn of(&self, term: Term) -> Term {
        match term.checked_sub(self.from) {
            None => term,
            Some(at) => self.numbers.get(at as usize).copied().unwrap_or(NONE),
        }
    }

    /// Replaces terms by their new numbers; they must not have been dropped.
    pub fn renumber(&self, terms: &mut [Term]) {
        for term in terms {
            *term = self.of(*term);
            assert_ne!(*term, NONE, "referenced terms remain");
        }
    }
}

impl Terms {
    /// Drops the terms from `from` on that are neither numerals nor parts of `live` terms.
    fn drop_garbage(&mut self, from: Term, live: impl Iterator<Item = Term>) -> Moved {
        let new = from..u32::at(self.len());
        let lives = self.lasting(&new, live);
        let mut numbers = vec![NONE; new.len()];
        let (mut next, mut end) = (from, self.nodes[from as usize].start as usize);
        let mut first = end;
        for term in new {
            // The position written to is never after the one read.
            let word = self.nodes[term as usize].word;
            let last = self.nodes[term as usize + 1].start as usize;
            let children = first..last;
            first = last;
            if !lives.has(term - from) {
                continue;
            }
            for child in children {
                let child = self.children[child];
                self.children[end] = match child.checked_sub(from) {
                    None => child,
                    Some(at) => numbers[at as usize],
                };
                end += 1;
            }
            numbers[(term - from) as usize] = next;
            self.nodes[next as usize].word = word;
            next += 1;
            self.nodes[next as usize].start = u32::at(end);
        }
        self.nodes[next as usize].word = 0;
        self.nodes.truncate(next as usize + 1);
        self.nodes.shrink_to_fit();
        self.children.truncate(end);
        self.children.shrink_to_fit();
        self.index_again(from);
        self.spilled_from = None;
        let moved = Moved { from, numbers };
        self.numerals.renumber(|term| moved.of(term));
        moved
    }

    /// Which of the terms `new`, counted from the first, are numerals or parts of `live` terms.
    fn lasting(&self, new: &Range<Term>, live: impl Iterator<Item = Term>) -> Bits {
        let mut lives = Bits::new(new.len());
        let mut mark = |term: Term| {
            if let Some(at) = term.checked_sub(new.start).filter(|_| term < new.end) {
                lives.add(at);
            }
        };
        live.for_each(&mut mark);
        for term in new.clone().rev() {
            if matches!(self.head(term), Head::Numeral(_)) {
                lives.add(term - new.start);
            }
            if lives.has(term - new.start) {
                for &child in self.children(term) {
                    if child >= new.start {
                        lives.add(child - new.start);
                    }
                }
            }
        }
        lives
    }
}

impl Data {
    /// Drops the terms from `from` on that are neither numerals nor parts of `live` terms, and also
    /// cached results. Must not be called during rewriting.
    pub fn drop_garbage(&mut self, from: Term, live: impl Iterator<Item = Term>) -> Moved {
        debug_assert!(self.truth < from && self.falsity < from, "their terms do not change");
        self.memo.forget();
        self.values.clear();
        // Normal forms of terms in the rules are needed again and again.
        let settled = self.normal.len().min(from as usize);
        self.normal.truncate(settled);
        self.normal.shrink_to_fit();
        let normal = self.normal.iter().copied().filter(|&normal| normal != NONE);
        let moved = self.terms.drop_garbage(from, live.chain(normal));
        for normal in self.normal.iter_mut().filter(|normal| **normal != NONE) {
            *normal = moved.of(*normal);
        }
        let noted = std::mem::take(&mut self.noted).into_iter();
        self.noted = noted.map(|value| moved.of(value)).filter(|&value| value != NONE).collect();
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::Cancel;
    use crate::base::spill::Storage;
    use crate::data::numbers::{Kind as NumberKind, NumberSort};
    use crate::data::rewrite::declare::{Declarations, Declared};
    use crate::data::terms::{Kind, Symbol};
    use proptest::prelude::*;

    const ZERO: i64 = 2;
    const PAIR: i64 = 5;
    const PLUS: i64 = 6;

    /// Truth values, natural numbers, lists of numbers, a map `plus` that adds the length of a list
    /// to a number, and a map `twice` that inserts more elements into a list.
    fn data() -> Data {
        let symbols = vec![
            Symbol::new("T", &[], 0, Kind::Constructor),
            Symbol::new("F", &[], 0, Kind::Constructor),
            Symbol::new("0", &[], 1, Kind::Constructor),
            Symbol::new("S", &[1], 1, Kind::Constructor),
            Symbol::new("end", &[], 2, Kind::Constructor),
            Symbol::new("pair", &[1, 2], 2, Kind::Constructor),
            Symbol::new("plus", &[2, 1], 1, Kind::Map),
            Symbol::new("twice", &[2], 2, Kind::Map),
        ];
        let rule = |variables, left: &[i64], right: &[i64]| Declared {
            variables,
            bound: vec![],
            left: left.to_vec(),
            right: right.to_vec(),
            condition: None,
        };
        let rules = vec![
            rule(1, &[PLUS, 4, -1], &[-1]),
            rule(3, &[PLUS, PAIR, -1, -2, -3], &[PLUS, -2, 3, -3]),
            rule(0, &[7, 4], &[4]),
            rule(2, &[7, PAIR, -1, -2], &[PAIR, 3, -1, PAIR, -1, 7, -2]),
        ];
        let numbers = vec![NumberSort { kind: NumberKind::Natural, sort: 1, constructors: [2, 3] }];
        let sorts = vec![b"Bool".to_vec(), b"Nat".to_vec(), b"Row".to_vec()];
        let (truth, falsity, loose) = (0, 1, false);
        let declarations = Declarations { sorts, symbols, rules, truth, falsity, numbers, loose };
        Data::declared(declarations, &Cancel::never()).expect("it is well-formed")
    }

    /// A list of numbers, with `twice` applied to some of its tails.
    fn list(choices: &[(u8, bool)]) -> Vec<i64> {
        let mut code = Vec::new();
        for &(number, twice) in choices {
            code.extend(twice.then_some(7));
            code.push(PAIR);
            code.extend(std::iter::repeat_n(3, usize::from(number)));
            code.push(ZERO);
        }
        code.push(4);
        code
    }

    proptest! {
        #[test]
        fn live_terms_survive_collection(
            collections in prop::collection::vec(
                (prop::collection::vec((prop::collection::vec((0u8..4, any::<bool>()), 0..6), any::<bool>()), 0..8), any::<bool>()),
                1..5,
            ),
        ) {
            let mut data = data();
            let name = format!("ltstool-{}-garbage", std::process::id());
            let mut storage = Storage::new(std::env::temp_dir().join(name), 1);
            let mut settled = data.terms.len();
            // The live terms, with their texts.
            let mut had: Vec<(Term, String)> = Vec::new();
            for (additions, spilled_from) in collections {
                for (choices, is_had) in additions {
                    let term = data.terms.decode(&list(&choices)).unwrap();
                    let normal = data.normalise(term).unwrap();
                    data.note_value(normal);
                    if is_had {
                        had.push((normal, data.terms.show(normal).escape_ascii().to_string()));
                    }
                    let zero = data.terms.decode(&[ZERO]).unwrap();
                    let sum = data.terms.apply(PLUS as u32, &[normal, zero]);
                    let sum = data.normalise(sum).unwrap();
                    prop_assert!(data.terms.number(sum).is_some());
                }
                let before = data.terms.len();
                let forms = |data: &Data| {
                    data.normal.iter().take(settled).filter(|&&normal| normal != NONE).count()
                };
                let known = forms(&data);
                let moved = data.drop_garbage(settled as Term, had.iter().map(|own| own.0));
                for (term, _) in &mut had {
                    *term = moved.of(*term);
                }
                prop_assert!(data.terms.len() <= before);
                // Normal forms of live terms are still known.
                prop_assert_eq!(forms(&data), known);
                for term in 0..data.terms.len() as Term {
                    prop_assert!(data.terms.children(term).iter().all(|&child| child < term));
                }
                // Only live terms are left, and each is found by its parts.
                let mut lasts = vec![false; data.terms.len()];
                had.iter().for_each(|own| lasts[own.0 as usize] = true);
                for term in (0..data.terms.len() as Term).rev() {
                    let numeral = matches!(data.terms.head(term), Head::Numeral(_));
                    prop_assert!(lasts[term as usize] || numeral || (term as usize) < settled);
                    if lasts[term as usize] {
                        data.terms.children(term).iter().for_each(|&c| lasts[c as usize] = true);
                    }
                    if let Head::Symbol(symbol) = data.terms.head(term) {
                        let children = data.terms.children(term).to_vec();
                        prop_assert_eq!(data.terms.apply(symbol, &children), term);
                    }
                }
                settled = data.terms.len();
                if spilled_from {
                    for out in [true, false] {
                        storage.transfer(0, out, |transfer| data.transfer(transfer)).unwrap();
                    }
                }
                for (term, text) in &had {
                    prop_assert_eq!(&data.terms.show(*term).escape_ascii().to_string(), text);
                    prop_assert_eq!(data.normalise(*term), Ok(*term));
                }
            }
            // Rewriting gives the same results as before.
            for (term, _) in had {
                let twice = data.terms.apply(7, &[term]);
                let mut fresh = self::data();
                let mut bytes = Vec::new();
                data.terms.to_bytes(term, &mut bytes);
                let there = fresh.terms.from_bytes(&bytes).unwrap();
                let there = fresh.terms.apply(7, &[there]);
                let (here, there) = (data.normalise(twice).unwrap(), fresh.normalise(there).unwrap());
                prop_assert_eq!(data.terms.show(here), fresh.terms.show(there));
            }
        }
    }
}
