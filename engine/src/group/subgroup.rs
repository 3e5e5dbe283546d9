//! Subgroups, most of all stabilisers, of which there are few different ones and many uses.

use crate::base::cancel::Cancel;
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::{Chain, LARGE, NoGroup};
use crate::group::symmetric_families::{Families, symmetric_orbits};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A subgroup by few generators, with its chain on the points.
pub struct Subgroup {
    pub generators: Vec<Permutation>,
    chain: Chain,
    /// What [`Subgroup::symmetric_orbits`] has found.
    symmetric: OnceLock<Option<Vec<Vec<u32>>>>,
}

impl Subgroup {
    pub fn trivial(points: usize) -> Self {
        Self::new(points, &[], &Cancel::never()).expect("an empty chain is small")
    }

    /// The group of these elements; of the generators only those that add something are kept.
    pub fn new(
        points: usize,
        generators: &[Permutation],
        cancel: &Cancel,
    ) -> Result<Self, NoGroup> {
        if points >= LARGE
            && let Some(families) = Families::of(points, generators)
        {
            let generators = needed(points, generators, &families);
            let chain = Chain::of_families(points, &families, &generators)?;
            return Ok(Self { generators, chain, symmetric: OnceLock::new() });
        }
        let chain = Chain::new(points, &[], cancel)?;
        let mut subgroup = Self { generators: Vec::new(), chain, symmetric: OnceLock::new() };
        for generator in generators {
            subgroup.add(generator, cancel)?;
        }
        Ok(subgroup)
    }

    /// Adds an element; false if it was there.
    pub fn add(&mut self, element: &[u32], cancel: &Cancel) -> Result<bool, NoGroup> {
        let new = self.chain.add(element, cancel)?;
        if new {
            self.generators.push(element.into());
            self.symmetric = OnceLock::new();
        }
        Ok(new)
    }

    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    pub fn order(&self) -> BigUint {
        self.chain.order()
    }

    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The orbits of points that move, if the group has every permutation of each, independently.
    pub fn symmetric_orbits(&self) -> Option<&[Vec<u32>]> {
        let find = || symmetric_orbits(self.chain.degree, &self.generators, &self.order());
        self.symmetric.get_or_init(find).as_deref()
    }

    pub fn contains(&self, element: &[u32]) -> bool {
        self.chain.contains(element)
    }

    /// The least element of the coset `element * self`: equal for equal cosets.
    pub fn least_of_coset(&self, element: &[u32]) -> Permutation {
        let Some(orbits) = self.symmetric_orbits() else {
            return self.chain.least_of_coset(element);
        };
        // The images of an orbit's points come in any order: in theirs, they are least.
        let mut least: Permutation = element.into();
        let mut images = Vec::new();
        for orbit in orbits {
            images.clear();
            images.extend(orbit.iter().map(|&point| element[point as usize]));
            images.sort_unstable();
            for (&point, &image) in orbit.iter().zip(&images) {
                least[point as usize] = image;
            }
        }
        least
    }
}

/// Some of the generators of a group, without those that are seen to add nothing to those before.
fn needed(points: usize, generators: &[Permutation], all: &Families) -> Vec<Permutation> {
    let (mut kept, mut order): (Vec<Permutation>, _) = (Vec::new(), Some(BigUint::from(1u32)));
    for generator in generators {
        if order.as_ref() == Some(&all.order()) {
            break;
        }
        kept.push(generator.clone());
        let grown = Families::of(points, &kept).map(|families| families.order());
        if grown.is_some() && grown == order {
            kept.pop();
        } else {
            order = grown;
        }
    }
    kept
}

/// Subgroups of one group under numbers. Number 0 is the trivial one; two numbers can stand for one
/// subgroup given by different generators.
pub struct Subgroups {
    points: usize,
    numbers: FxHashMap<Vec<Permutation>, u32>,
    pub list: Vec<Subgroup>,
}

impl Subgroups {
    pub fn new(points: usize) -> Self {
        let numbers = [(Vec::new(), 0)].into_iter().collect();
        Self { points, numbers, list: vec![Subgroup::trivial(points)] }
    }

    /// The subgroups of these lists of generators, under the places of the lists. The first one is
    /// empty.
    pub fn numbered(
        points: usize,
        lists: impl Iterator<Item = Vec<Permutation>>,
        cancel: &Cancel,
    ) -> Result<Self, NoGroup> {
        let mut all = Self::new(points);
        for generators in lists.skip(1) {
            all.push(generators, cancel)?;
        }
        Ok(all)
    }

    /// Adds a subgroup under the next number, whichever there are.
    pub fn push(&mut self, generators: Vec<Permutation>, cancel: &Cancel) -> Result<(), NoGroup> {
        let number = self.list.len() as u32;
        self.list.push(Subgroup::new(self.points, &generators, cancel)?);
        self.numbers.entry(generators).or_insert(number);
        Ok(())
    }

    pub fn intern(
        &mut self,
        mut generators: Vec<Permutation>,
        cancel: &Cancel,
    ) -> Result<u32, NoGroup> {
        generators.sort_unstable();
        generators.dedup();
        self.intern_sorted(&generators, cancel)
    }

    /// The same of generators that are sorted, each one once.
    pub fn intern_sorted(
        &mut self,
        generators: &[Permutation],
        cancel: &Cancel,
    ) -> Result<u32, NoGroup> {
        if generators.is_empty() {
            return Ok(0);
        }
        if let Some(&number) = self.numbers.get(generators) {
            return Ok(number);
        }
        let number = self.list.len() as u32;
        self.list.push(Subgroup::new(self.points, generators, cancel)?);
        self.numbers.insert(generators.to_vec(), number);
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::permutation::{closure, compose};
    use proptest::prelude::*;

    /// Permutations that move few points, so that groups often have all permutations of their orbits.
    fn permutations() -> impl Strategy<Value = Vec<Permutation>> {
        let swap = (0usize..6, 0usize..6).prop_map(|(one, other)| {
            let mut points: Vec<u32> = (0..6).collect();
            points.swap(one, other);
            points
        });
        let any = Just((0..6u32).collect::<Vec<u32>>()).prop_shuffle();
        let one = prop_oneof![4 => swap, 1 => any];
        prop::collection::vec(one.prop_map(Permutation::from), 0..5)
    }

    proptest! {
        #[test]
        fn cosets_have_a_least_element(generators in permutations(), elements in permutations()) {
            let all = closure(6, &generators);
            let subgroup = Subgroup::new(6, &generators, &Cancel::never()).unwrap();
            for element in &elements {
                let coset = all.iter().map(|h| compose(element, h).to_vec());
                let least = subgroup.least_of_coset(element);
                prop_assert_eq!(coset.min().unwrap(), least.to_vec());
            }
        }
    }
}
