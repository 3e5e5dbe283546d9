//! Disjoint sets of the numbers `0..count`, which are joined two by two.
//!
//! R. E. Tarjan, J. van Leeuwen, Worst-case analysis of set union algorithms, JACM 1984: paths are
//! halved. The least member represents a set, so representatives do not depend on the order of
//! joins.

use crate::base::ids::Id;

pub struct DisjointSets {
    /// The parent of every number: a member of its set that is not greater; the least member is its
    /// own parent.
    above: Vec<u32>,
}

impl DisjointSets {
    /// Every number is in a set of its own.
    pub fn new(count: usize) -> Self {
        Self { above: (0..u32::at(count)).collect() }
    }

    /// The least member of the set of a number.
    pub fn least(&mut self, mut number: u32) -> u32 {
        let above = &mut self.above;
        while above[number as usize] != number {
            above[number as usize] = above[above[number as usize] as usize];
            number = above[number as usize];
        }
        number
    }

    /// Joins the sets of two numbers. Returns their least members, the lesser one first; `None` if
    /// both are in the same set.
    pub fn join(&mut self, left: u32, greater: u32) -> Option<(u32, u32)> {
        let (left, greater) = (self.least(left), self.least(greater));
        let (least, greater) = (left.min(greater), left.max(greater));
        self.above[greater as usize] = least;
        (least != greater).then_some((least, greater))
    }

    /// The least member of the set of each number.
    pub fn into_least(mut self) -> Vec<u32> {
        for number in 0..self.above.len() {
            // The numbers before have their least member already.
            self.above[number] = self.above[self.above[number] as usize];
        }
        self.above
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn joins_agree_with_renaming(pairs in prop::collection::vec((0..9u32, 0..9u32), 0..12)) {
            let mut sets = DisjointSets::new(9);
            let mut names: Vec<u32> = (0..9).collect();
            for (left, right) in pairs {
                let (a, b) = (names[left as usize], names[right as usize]);
                let joined = (a != b).then_some((a.min(b), a.max(b)));
                prop_assert_eq!(sets.join(left, right), joined);
                names.iter_mut().for_each(|name| if *name == a.max(b) { *name = a.min(b) });
                for number in 0..9 {
                    prop_assert_eq!(sets.least(number), names[number as usize]);
                }
            }
            prop_assert_eq!(sets.into_least(), names);
        }
    }
}
