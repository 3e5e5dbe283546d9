//! The ascending numbers of a partition's states: 64 bits each. The upper half rarely changes.

use crate::base::hash::low_half;
use crate::base::ids::Id;
use crate::base::spill::Transfer;
use std::io::Result;

/// Ascending numbers, by position.
#[derive(Default)]
pub struct Numbers {
    /// The lower halves.
    low: Vec<u32>,
    /// The positions at which the upper half becomes at least 1, 2, and so on.
    turns: Vec<u32>,
}

impl Numbers {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// Appends a number larger than all before.
    pub fn push(&mut self, number: u64) {
        debug_assert!(self.len().checked_sub(1).is_none_or(|last| self.at(last) < number));
        while (self.turns.len() as u64) < number >> u32::BITS {
            self.turns.push(u32::at(self.low.len()));
        }
        self.low.push(low_half(number));
    }

    /// The number at a position.
    #[inline]
    pub fn at(&self, position: usize) -> u64 {
        let low = u64::from(self.low[position]);
        if self.turns.is_empty() {
            return low;
        }
        let turns = self.turns.partition_point(|&turn| turn as usize <= position);
        (turns as u64) << u32::BITS | low
    }

    /// The number at a position, if there is one.
    pub fn get(&self, position: usize) -> Option<u64> {
        (position < self.len()).then(|| self.at(position))
    }

    /// How many entries are below a number.
    pub fn below(&self, number: u64) -> usize {
        let (high, low) = ((number >> u32::BITS) as usize, low_half(number));
        let end = |high: usize| self.turns.get(high).map_or(self.len(), |&turn| turn as usize);
        let begin = high.checked_sub(1).map_or(0, end);
        begin + self.low[begin..end(high)].partition_point(|&own| own < low)
    }

    /// The position of a number, if it is an entry.
    pub fn find(&self, number: u64) -> Option<usize> {
        let position = self.below(number);
        (self.get(position) == Some(number)).then_some(position)
    }

    /// The entries from a position on.
    pub fn from(&self, position: usize) -> impl ExactSizeIterator<Item = u64> + '_ {
        (position.min(self.len())..self.len()).map(|position| self.at(position))
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.low[..]) + size_of_val(&self.turns[..])
    }

    /// Visits all arrays, to spill them or read them back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        transfer.grows(&mut self.low)?;
        transfer.grows(&mut self.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_back_at_their_positions(
            steps in prop::collection::vec(prop::sample::select(vec![1u64, 2, 1 << 31, (1 << 32) - 1, 1 << 32, 3 << 32]), 0..30),
            queries in prop::collection::vec(0u64..20 << 32, 0..9),
        ) {
            let all: Vec<u64> = steps.iter().scan(0, |sum, step| {
                *sum += step;
                Some(*sum - 1)
            }).collect();
            let mut numbers = Numbers::default();
            all.iter().for_each(|&number| numbers.push(number));
            prop_assert_eq!(numbers.len(), all.len());
            prop_assert_eq!(numbers.get(all.len()), None);
            prop_assert!(numbers.from(all.len() + 3).next().is_none());
            for (position, &number) in all.iter().enumerate() {
                prop_assert_eq!(numbers.at(position), number);
                prop_assert!(numbers.from(position).eq(all[position..].iter().copied()));
            }
            for number in queries.into_iter().chain(all.iter().flat_map(|&own| [own, own + 1])) {
                prop_assert_eq!(numbers.below(number), all.partition_point(|&own| own < number));
                prop_assert_eq!(numbers.find(number), all.binary_search(&number).ok());
            }
        }
    }
}
