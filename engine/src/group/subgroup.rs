//! Subgroups, in particular stabilisers: there are few different ones, and each is used often.

use crate::base::cancel::Cancel;
use crate::base::disjoint_sets::DisjointSets;
use crate::base::ids::Id;
use crate::group::compact_permutation::{CompactPermutation, compact, orbits_under};
use crate::group::permutation::{Permutation, identity};
use crate::group::schreier_sims::{Chain, LARGE, NoGroup};
use crate::group::symmetric_families::{
    Families, nontrivial, order_of_product, origins, symmetric_orbits,
};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A subgroup, given by few generators, with its stabiliser chain on the points.
///
/// If the group is recognised as the product of the symmetric groups on its orbits, the chain is built
/// only if it is used.
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
                let images = needed(points, &images, &families, cancel)?;
                if let Some(orbits) = families.of_single_points() {
                    return Self::of_symmetric_orbits(points, compact(&images), orbits);
                }
                let chain = Chain::of_families(points, &families, &images, cancel)?;
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
        let mut orbits = DisjointSets::new(points);
        let mut independent = Vec::new();
        for generator in generators {
            let Some((left, right)) = generator.transposed() else { return Ok(None) };
            if orbits.join(left, right).is_some() {
                independent.push(generator.clone());
            }
        }
        let orbits = nontrivial(&orbits_under(points, &independent));
        Self::of_symmetric_orbits(points, independent, orbits).map(Some)
    }

    /// The product of the symmetric groups on these orbits, which the elements generate.
    fn of_symmetric_orbits(
        points: usize,
        generators: Vec<CompactPermutation>,
        orbits: Vec<Vec<u32>>,
    ) -> Result<Self, NoGroup> {
        Chain::check_size(points, orbits.iter().map(|orbit| (orbit.len(), 1)))?;
        let (chain, images, order) = Default::default();
        let symmetric = OnceLock::from(Some(orbits));
        Ok(Self { points, generators, chain, images, order, symmetric })
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
            Some(Some(orbits)) => order_of_product(orbits),
            _ => self.chain().order(),
        };
        self.order.get_or_init(order).clone()
    }

    pub fn chain(&self) -> &Chain {
        self.chain.get_or_init(|| {
            let orbits = self.symmetric.get().and_then(Option::as_ref);
            let orbits = orbits.expect("only a product of symmetric groups has no chain");
            let items = |orbit: &Vec<u32>| orbit.iter().map(|&point| vec![point]).collect();
            let families = Families(orbits.iter().map(items).collect());
            // Its size was checked, so this ends soon.
            let never = &Cancel::never();
            let chain = Chain::of_families(self.points, &families, self.images(), never);
            chain.unwrap_or_else(|_| unreachable!("the size was checked"))
        })
    }

    /// The nontrivial orbits, if the group is the product of the symmetric groups on them.
    pub fn symmetric_orbits(&self) -> Option<&[Vec<u32>]> {
        let find = || symmetric_orbits(self.points, self.images(), &self.order());
        self.symmetric.get_or_init(find).as_deref()
    }

    pub fn contains(&self, element: &[u32]) -> bool {
        match self.symmetric.get() {
            // The element moves each point within its orbit.
            Some(Some(orbits)) => {
                origins(orbits, element) == origins(orbits, &identity(self.points))
            }
            _ => self.chain().contains(element),
        }
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
fn needed(
    points: usize,
    generators: &[Permutation],
    all: &Families,
    cancel: &Cancel,
) -> Result<Vec<Permutation>, NoGroup> {
    if let Some(exchanges) = exchanged_items(points, generators, all) {
        let mut sets = DisjointSets::new(points);
        let joins = |&(_, (left, right)): &(_, (u32, u32))| sets.join(left, right).is_some();
        return Ok(generators
            .iter()
            .zip(exchanges)
            .filter(joins)
            .map(|(g, _)| g.clone())
            .collect());
    }
    let (mut independent, mut order): (Vec<Permutation>, _) =
        (Vec::new(), Some(BigUint::from(1u32)));
    for generator in generators {
        cancel.check()?;
        if order.as_ref() == Some(&all.order()) {
            break;
        }
        independent.push(generator.clone());
        let grown = Families::of(points, &independent).map(|families| families.order());
        if grown.is_some() && grown == order {
            independent.pop();
        } else {
            order = grown;
        }
    }
    Ok(independent)
}

/// For each generator the first points of the two items that it exchanges; `None` if some generator
/// does not just exchange two items.
fn exchanged_items(
    points: usize,
    generators: &[Permutation],
    Families(sets): &Families,
) -> Option<Vec<(u32, u32)>> {
    let mut items: Vec<&[u32]> = vec![&[]; points];
    for item in sets.iter().flatten() {
        item.iter().for_each(|&point| items[point as usize] = item);
    }
    let exchange = |generator: &Permutation| {
        let (point, &image) = (0..).zip(generator).find(|&(point, &image)| point != image)?;
        let (left, right) = (items[point as usize], items[image as usize]);
        let exchanged = CompactPermutation::exchange(left, right);
        let is_one = left.len() == right.len() && CompactPermutation::of(generator) == exchanged;
        is_one.then(|| (left[0], right[0]))
    };
    generators.iter().map(exchange).collect()
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
        let number = u32::at(self.list.len());
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
        let number = u32::at(self.list.len());
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
        let swap = (0usize..6, 0usize..6).prop_map(|(left, right)| {
            let mut points: Vec<u32> = (0..6).collect();
            points.swap(left, right);
            points
        });
        let any = Just((0..6u32).collect::<Vec<u32>>()).prop_shuffle();
        let permutation = prop_oneof![4 => swap, 1 => any];
        prop::collection::vec(permutation.prop_map(Permutation::from), 0..5)
    }

    /// Exchanges of two of three pairs of points, and of two of three points, and rarely any
    /// permutation of six points.
    fn exchanges() -> impl Strategy<Value = Vec<Permutation>> {
        let pairs = (0u32..3, 0u32..3)
            .prop_map(|(a, b)| CompactPermutation::exchange(&[a, a + 3], &[b, b + 3]));
        let points = (6u32..9, 6u32..9).prop_map(|(a, b)| CompactPermutation::exchange(&[a], &[b]));
        let of = |permutation: CompactPermutation| permutation.images(9);
        let any = Just((0..6u32).collect::<Vec<u32>>()).prop_shuffle();
        let any = any.prop_map(|images| images.into_iter().chain(6..9).collect());
        let permutation = prop_oneof![8 => pairs.prop_map(of), 8 => points.prop_map(of), 1 => any];
        let moves = |g: &Permutation| (0..).zip(g).any(|(point, &image)| point != image);
        prop::collection::vec(permutation.prop_filter("it moves points", moves), 0..7)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn products_of_symmetric_groups_contain_their_permutations(
            points in Just((0..u32::at(LARGE)).collect::<Vec<u32>>()).prop_shuffle(),
            sizes in prop::collection::vec(2usize..9, 1..7),
            exchanged in prop::collection::vec((0usize..40, 1usize..4), 1..4),
        ) {
            let (mut generators, mut start) = (Vec::new(), 0);
            for size in sizes {
                let orbit = &points[start..start + size];
                generators.push(CompactPermutation::exchange(&orbit[..1], &orbit[1..2]));
                let mut images: Vec<u32> = (0..u32::at(LARGE)).collect();
                for (number, &point) in orbit.iter().enumerate() {
                    images[point as usize] = orbit[(number + 1) % size];
                }
                generators.push(CompactPermutation::of(&images));
                start += size;
            }
            let never = Cancel::never();
            let group = Subgroup::new(LARGE, &generators, &never).unwrap();
            prop_assert!(group.chain.get().is_none());
            let mut chain = Chain::trivial(LARGE);
            for generator in &generators {
                chain.add(&generator.images(LARGE), &never).unwrap();
            }
            prop_assert_eq!(group.order(), chain.order());
            let mut element: Permutation = (0..u32::at(LARGE)).collect();
            for (number, distance) in exchanged {
                // Often two points of one orbit.
                let (left, right) = (points[number], points[number + distance]);
                element.swap(left as usize, right as usize);
                prop_assert_eq!(group.contains(&element), chain.contains(&element));
                prop_assert_eq!(group.chain().contains(&element), chain.contains(&element));
            }
        }
    }

    proptest! {
        #[test]
        fn exactly_redundant_exchanges_are_dropped(
            generators in exchanges(),
        ) {
            let families = Families::of(9, &generators);
            prop_assume!(families.is_some());
            let families = families.unwrap();
            let needed = needed(9, &generators, &families, &Cancel::never()).unwrap();
            prop_assert_eq!(closure(9, &needed), closure(9, &generators));
            if exchanged_items(9, &generators, &families).is_some() {
                let is_outside = |&number: &usize| {
                    let earlier = closure(9, &generators[..number]);
                    !earlier.contains(&generators[number].to_vec())
                };
                let expected: Vec<Permutation> = (0..generators.len())
                    .filter(is_outside)
                    .map(|number| generators[number].clone())
                    .collect();
                prop_assert_eq!(needed, expected);
            }
        }

        #[test]
        fn subgroups_are_generated_by_their_elements(
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
