//! Sets of small numbers, stored as bit vectors.

use crate::base::ids::{Id, State};
use crate::base::reserve::check_refusals;
use std::marker::PhantomData;

/// A set of small numbers, stored as bits. It grows when a number beyond its capacity is added.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Bits<I = u32>(Vec<u64>, PhantomData<I>);

/// A set of states.
pub type States = Bits<State>;

impl<I: Id> Bits<I> {
    /// The empty set with room for the numbers below `capacity`.
    pub fn new(capacity: usize) -> Self {
        check_refusals();
        Self(vec![0; capacity.div_ceil(64)], PhantomData)
    }

    /// The set of all numbers below `count`.
    pub fn full(count: usize) -> Self {
        let mut bits = Self(vec![!0; count.div_ceil(64)], PhantomData);
        if !count.is_multiple_of(64)
            && let Some(last) = bits.0.last_mut()
        {
            *last = (1 << (count % 64)) - 1;
        }
        bits
    }

    /// Whether `number` is in the set.
    #[inline]
    pub fn has(&self, number: I) -> bool {
        let word = self.0.get(number.index() / 64);
        word.is_some_and(|word| word >> (number.index() % 64) & 1 == 1)
    }

    /// Adds `number`; returns whether it was new.
    #[inline]
    pub fn add(&mut self, number: I) -> bool {
        let at = number.index() / 64;
        if at >= self.0.len() {
            check_refusals();
            self.0.resize((at + 1).next_power_of_two(), 0);
        }
        let before = self.0[at];
        self.0[at] |= 1 << (number.index() % 64);
        before != self.0[at]
    }

    /// Removes `number`, if it is in the set.
    pub fn remove(&mut self, number: I) {
        if let Some(word) = self.0.get_mut(number.index() / 64) {
            *word &= !(1 << (number.index() % 64));
        }
    }

    /// Word `number` of the bit vector; 0 beyond its end. Number n is bit n % 64 of word n / 64.
    #[inline]
    pub fn word(&self, number: usize) -> u64 {
        self.0.get(number).copied().unwrap_or(0)
    }

    /// The words of the bit vector. Number n is bit n % 64 of word n / 64.
    pub fn words_mut(&mut self) -> &mut Vec<u64> {
        &mut self.0
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The number of members.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Calls `visit` with every member in increasing order; `visit` may add members larger than the
    /// current one.
    pub fn visit_upwards(&mut self, mut visit: impl FnMut(I, &mut Self)) {
        let mut at = 0;
        while at < self.0.len() {
            let mut done = 0;
            while self.0[at] & !done != 0 {
                let bit = (self.0[at] & !done).trailing_zeros();
                done |= 1 << bit;
                visit(member(at, bit), self);
            }
            at += 1;
        }
    }

    /// The members in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        members(&self.0)
    }

    /// Removes every member that is not in `other` and passes it to `lose`. Both sets have the same
    /// capacity.
    pub fn intersect(&mut self, other: &Self, mut lose: impl FnMut(I)) {
        for (at, (word, &keep)) in self.0.iter_mut().zip(&other.0).enumerate() {
            let mut lost = *word & !keep;
            *word &= keep;
            while lost != 0 {
                lose(member(at, lost.trailing_zeros()));
                lost &= lost - 1;
            }
        }
    }
}

/// The members of the set whose bit vector is `words`, in increasing order.
pub fn members<I: Id>(words: &[u64]) -> impl Iterator<Item = I> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let next = |rest: &u64| Some(rest & (rest - 1)).filter(|&rest| rest != 0);
        std::iter::successors(Some(word).filter(|&word| word != 0), next)
            .map(move |rest| member(at, rest.trailing_zeros()))
    })
}

/// The number represented by bit `bit` of word `word`.
#[inline]
fn member<I: Id>(word: usize, bit: u32) -> I {
    I::at(word * 64 + bit as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn bits_behave_as_a_set(left in prop::collection::btree_set(0u32..300, 0..40), right in prop::collection::btree_set(0u32..300, 0..40)) {
            let bits = |set: &BTreeSet<u32>| {
                let mut bits = Bits::<u32>::new(300);
                for &member in set {
                    prop_assert!(bits.add(member));
                    prop_assert!(!bits.add(member));
                }
                Ok(bits)
            };
            let (mut a, b) = (bits(&left)?, bits(&right)?);
            prop_assert_eq!((a.iter().collect::<BTreeSet<_>>(), a.count()), (left.clone(), left.len()));
            prop_assert!((0..400).all(|n| a.has(n) == left.contains(&n)));
            let mut lost = BTreeSet::new();
            a.intersect(&b, |n| { lost.insert(n); });
            prop_assert_eq!(a.iter().collect::<BTreeSet<_>>(), &left & &right);
            prop_assert_eq!(lost, &left - &right);
            for member in &left {
                a.remove(*member);
            }
            prop_assert_eq!(a.iter().count(), 0);
            let full = Bits::<u32>::full(left.len());
            prop_assert_eq!(full.iter().collect::<Vec<_>>(), (0..left.len() as u32).collect::<Vec<_>>());
        }
    }
}
