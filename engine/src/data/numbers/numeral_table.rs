//! A table of interned numerals.

use crate::data::numbers::Number;
use rustc_hash::FxHashMap;

/// The numerals of some sorts, which are given by index, in the order of creation.
#[derive(Clone, Default)]
pub struct Numerals {
    all: Vec<(u32, Number)>,
    /// For each sort the terms of 0, 1, 2, ... without gaps: most numbers are small.
    first: Vec<Vec<u32>>,
    /// The terms of all other numerals.
    others: FxHashMap<(u32, Number), u32>,
}

impl Numerals {
    /// An empty table for `sorts` sorts.
    pub fn new(sorts: usize) -> Self {
        Self { first: vec![Vec::new(); sorts], ..Self::default() }
    }

    /// The number of numerals.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The index of the sort and the number of a numeral.
    pub fn get(&self, index: u32) -> (u32, &Number) {
        let (which, number) = &self.all[index as usize];
        (*which, number)
    }

    /// The largest number of a sort that was ever made.
    pub fn largest(&self, which: u32) -> Option<&Number> {
        self.all.iter().filter(|(own, _)| *own == which).map(|(_, number)| number).max()
    }

    /// The term of a number, if it has one.
    #[inline]
    pub fn find(&self, which: u32, number: &Number) -> Option<u32> {
        if let &Number::Small(number) = number
            && let Ok(at) = usize::try_from(number)
            && let Some(&term) = self.first[which as usize].get(at)
        {
            return Some(term);
        }
        if self.others.is_empty() {
            return None;
        }
        self.others.get(&(which, number.clone())).copied()
    }

    /// Renumbers the terms after garbage collection.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        let terms = self.first.iter_mut().flatten().chain(self.others.values_mut());
        terms.for_each(|term| *term = number(*term));
    }

    /// Adds the term of a number that has none.
    pub fn add(&mut self, which: u32, number: Number, term: u32) {
        self.all.push((which, number.clone()));
        let first = &mut self.first[which as usize];
        if number != Number::Small(first.len() as i64) {
            self.others.insert((which, number), term);
            return;
        }
        first.push(term);
        while !self.others.is_empty()
            && let Some(next) = self.others.remove(&(which, Number::Small(first.len() as i64)))
        {
            first.push(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_has_its_term(added in prop::collection::vec((0u32..2, -3i64..12), 0..40)) {
            let mut numerals = Numerals::new(2);
            let mut known: Vec<(u32, Number)> = Vec::new();
            for (which, value) in added {
                let number = match value {
                    // Some numbers exceed a machine word.
                    10.. => Number::from(BigInt::from(value) << 70),
                    _ => Number::Small(value),
                };
                let own = known.iter().position(|entry| *entry == (which, number.clone()));
                prop_assert_eq!(numerals.find(which, &number), own.map(|at| at as u32));
                if own.is_none() {
                    numerals.add(which, number.clone(), known.len() as u32);
                    known.push((which, number));
                }
            }
            for (at, (which, number)) in (0..).zip(&known) {
                prop_assert_eq!(numerals.find(*which, number), Some(at));
                prop_assert_eq!(numerals.get(at), (*which, number));
            }
            prop_assert_eq!(numerals.count(), known.len());
        }
    }
}
