//! Subgroups, in particular stabilisers: there are few different ones, and each is used often.

use crate::base::cancel::Cancel;
use crate::group::compact_permutation::{CompactPermutation, compact, root};
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::{Chain, LARGE, NoGroup};
use crate::group::symmetric_families::{Families, symmetric_orbits};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A subgroup, given by few generators, with its stabiliser chain on the points.
///
/// If all generators are transpositions, the group has all permutations of each of its orbits, and
/// the chain is built only if it is used.
pub struct Subgroup {
    points: usize,
    generators: Vec<CompactPermutation>,
    chain: OnceLock<Chain>,
    /// The cached results of the methods of these names.
    images: OnceLock<Vec<Permutation>>,
    order: OnceLock<BigUint>,
    symmetric: OnceLock<Option<Vec<Vec<u32>>>>,
}

impl Subgroup {
    pub fn trivial(points: usize) -> Self {
        Self::of_chain(points, Vec::new(), Chain::trivial(points))
    }

    fn of_chain(points: usize, generators: Vec<CompactPermutation>, chain: Chain) -> Self {
        let chain = OnceLock::from(chain);
        let (images, order, symmetric) = Default::default();
        Self { points, generators, chain, images, order, symmetric }
    }

    /// The group that these elements generate; elements that are in the group of the earlier ones
    /// are dropped.
    pub fn new(
        points: usize,
        generators: &[CompactPermutation],
        cancel: &Cancel,
    ) -> Result<Self, NoGroup> {
        if let Some(subgroup) = Self::of_transpositions(points, generators)? {
            return Ok(subgroup);
        }
        if points >= LARGE {
            let images: Vec<Permutation> = generators.iter().map(|g| g.images(points)).collect();
            if let Some(families) = Families::of(points, &images) {
                let images = needed(points, &images, &families);
                let chain = Chain::of_families(points, &families, &images)?;
                return Ok(Self::of_chain(points, compact(&images), chain));
            }
        }
        let mut subgroup = Self::trivial(points);
        for generator in generators {
            subgroup.add(&generator.images(points), cancel)?;
        }
        Ok(subgroup)
    }

    /// The group that these elements generate, if each is a transposition.
    fn of_transpositions(
        points: usize,
        generators: &[CompactPermutation],
    ) -> Result<Option<Self>, NoGroup> {
        let mut above: Vec<u32> = (0..points as u32).collect();
        let mut kept = Vec::new();
        for generator in generators {
            let Some((one, other)) = generator.transposed() else { return Ok(None) };
            let (one, other) = (root(&mut above, one), root(&mut above, other));
            if one != other {
                above[other as usize] = one;
                kept.push(generator.clone());
            }
        }
        let mut orbits: Vec<Vec<u32>> = vec![Vec::new(); points];
        for point in 0..points as u32 {
            orbits[root(&mut above, point) as usize].push(point);
        }
        orbits.retain(|orbit| orbit.len() > 1);
        orbits.sort_unstable();
        Chain::check_size(points, orbits.iter().map(|orbit| (orbit.len(), 1)))?;
        Ok(Some(Self {
            points,
            generators: kept,
            chain: OnceLock::new(),
            images: OnceLock::new(),
            order: OnceLock::new(),
            symmetric: OnceLock::from(Some(orbits)),
        }))
    }

    /// Adds an element to the generators; returns false if it was in the group already.
    pub fn add(&mut self, element: &[u32], cancel: &Cancel) -> Result<bool, NoGroup> {
        self.chain();
        let chain = self.chain.get_mut().expect("just built");
        let new = chain.add(element, cancel)?;
        if new {
            self.generators.push(CompactPermutation::of(element));
            (self.images, self.order, self.symmetric) = Default::default();
        }
        Ok(new)
    }

    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// The generators.
    pub fn generators(&self) -> &[CompactPermutation] {
        &self.generators
    }

    /// The generators as their images of all points.
    pub fn images(&self) -> &[Permutation] {
        let images = || self.generators.iter().map(|g| g.images(self.points)).collect();
        self.images.get_or_init(images)
    }

    pub fn order(&self) -> BigUint {
        let order = || match self.symmetric.get() {
            Some(Some(orbits)) => {
                let each = orbits.iter().flat_map(|orbit| 2..=orbit.len());
                each.map(BigUint::from).product()
            }
            _ => self.chain().order(),
        };
        self.order.get_or_init(order).clone()
    }

    pub fn chain(&self) -> &Chain {
        self.chain.get_or_init(|| {
            let orbits = self.symmetric.get().and_then(Option::as_ref);
            let orbits = orbits.expect("a group without chain is generated by transpositions");
            let items = |orbit: &Vec<u32>| orbit.iter().map(|&point| vec![point]).collect();
            let families = Families(orbits.iter().map(items).collect());
            let chain = Chain::of_families(self.points, &families, self.images());
            chain.unwrap_or_else(|_| unreachable!("the size was checked"))
        })
    }

    /// The nontrivial orbits, if the group is the product of the symmetric groups on them.
    pub fn symmetric_orbits(&self) -> Option<&[Vec<u32>]> {
        let find = || symmetric_orbits(self.points, self.images(), &self.order());
        self.symmetric.get_or_init(find).as_deref()
    }

    pub fn contains(&self, element: &[u32]) -> bool {
        self.chain().contains(element)
    }

    /// The least element of the coset `element * self`: equal for equal cosets.
    pub fn least_of_coset(&self, element: &[u32]) -> Permutation {
        let Some(orbits) = self.symmetric_orbits() else {
            return self.chain().least_of_coset(element);
        };
        // The images of an orbit's points may occur in any order; ascending order is the least.
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

/// Some of the generators of a group, without those that are recognised as redundant given the
/// earlier ones.
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

/// A table of subgroups of one group. Number 0 is the trivial one; two numbers may stand for the
/// same subgroup given by different generators.
pub struct Subgroups {
    points: usize,
    numbers: FxHashMap<Vec<CompactPermutation>, u32>,
    pub list: Vec<Subgroup>,
}

impl Subgroups {
    pub fn new(points: usize) -> Self {
        let numbers = [(Vec::new(), 0)].into_iter().collect();
        Self { points, numbers, list: vec![Subgroup::trivial(points)] }
    }

    /// The subgroups generated by these lists, numbered by position in `lists`. The first list must
    /// be empty.
    pub fn numbered(
        points: usize,
        lists: impl Iterator<Item = Vec<CompactPermutation>>,
        cancel: &Cancel,
    ) -> Result<Self, NoGroup> {
        let mut all = Self::new(points);
        for generators in lists.skip(1) {
            all.push(generators, cancel)?;
        }
        Ok(all)
    }

    /// Adds a subgroup under the next number, even if an equal one exists.
    pub fn push(
        &mut self,
        generators: Vec<CompactPermutation>,
        cancel: &Cancel,
    ) -> Result<(), NoGroup> {
        let number = self.list.len() as u32;
        self.list.push(Subgroup::new(self.points, &generators, cancel)?);
        self.numbers.entry(generators).or_insert(number);
        Ok(())
    }

    pub fn intern(
        &mut self,
        mut generators: Vec<CompactPermutation>,
        cancel: &Cancel,
    ) -> Result<u32, NoGroup> {
        generators.sort_unstable();
        generators.dedup();
        self.intern_sorted(&generators, cancel)
    }

    /// The number of the subgroup with these generators, which must be sorted and distinct.
    pub fn intern_sorted(
        &mut self,
        generators: &[CompactPermutation],
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

    /// Permutations that move few points, so that often the group is the product of symmetric
    /// groups.
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
        fn subgroups_are_what_their_elements_generate(
            generators in permutations(),
            elements in permutations(),
            more in permutations(),
        ) {
            let mut subgroup = Subgroup::new(6, &compact(&generators), &Cancel::never()).unwrap();
            let mut all = closure(6, &generators);
            for element in [None].into_iter().chain(more.iter().map(Some)) {
                if let Some(element) = element {
                    let is_new = !all.contains(&element.to_vec());
                    prop_assert_eq!(subgroup.add(element, &Cancel::never()).unwrap(), is_new);
                    all = closure(6, &[subgroup.images(), std::slice::from_ref(element)].concat());
                }
                prop_assert_eq!(subgroup.order(), BigUint::from(all.len()));
                prop_assert_eq!(closure(6, subgroup.images()), all.clone());
                prop_assert_eq!(subgroup.chain().order(), BigUint::from(all.len()));
                // No generator is in the group of the earlier ones.
                for (number, generator) in subgroup.images().iter().enumerate() {
                    let earlier = closure(6, &subgroup.images()[..number]);
                    prop_assert!(!earlier.contains(&generator.to_vec()));
                }
                for element in &elements {
                    let coset = all.iter().map(|h| compose(element, h).to_vec());
                    let least = subgroup.least_of_coset(element);
                    prop_assert_eq!(coset.min().unwrap(), least.to_vec());
                    prop_assert_eq!(subgroup.contains(element), all.contains(&element.to_vec()));
                }
            }
        }
    }
}
