//! Automorphisms of a relational structure: permutations of coloured points that preserve a set of
//! facts.

use crate::base::cancel::Cancel;
use crate::base::hash::mix;
use crate::base::ids::Id;
use crate::group::action::Group;
use crate::group::canonical_image::{Object, Searcher};
use crate::group::compact_permutation::CompactPermutation;
use crate::group::permutation::{Permutation, identity};
use crate::group::schreier_sims::NoGroup;
use crate::group::subgroup::Subgroup;
use crate::group::symmetric_families::Families;
use num_bigint::BigUint;

/// A fact: the number of a relation, and a tuple of points in it.
pub type Fact = (u32, Vec<u32>);

/// Irredundant generators of the automorphism group, and its order.
///
/// Each point must be in `0..colours.len()`; points of different colours are never exchanged.
pub fn automorphisms(
    colours: &[u32],
    facts: &[Fact],
    cancel: &Cancel,
) -> Result<(Vec<Permutation>, BigUint), NoGroup> {
    // Refinement sums over the facts, so each must occur once.
    let mut facts = facts.to_vec();
    facts.sort_unstable();
    facts.dedup();
    let mut structure = Structure { facts, cancel };
    let mut refined: Vec<u64> = colours.iter().map(|&colour| mix(u64::from(colour), 0)).collect();
    structure.refine(&mut refined)?;
    let mut classes: Vec<(u32, u64, u32)> = (0..)
        .zip(colours.iter().zip(&refined))
        .map(|(point, (&colour, &refined))| (colour, refined, point))
        .collect();
    classes.sort_unstable();
    let group = Group::new(colours.len(), 0, symmetric(colours.len(), &classes), cancel)?;
    let least = Searcher::new(&group).find(&[], &mut structure)?;
    if least.stabiliser.iter().all(|generator| generator.transposed().is_some()) {
        let subgroup = Subgroup::new(colours.len(), &least.stabiliser, cancel)?;
        return Ok((subgroup.images().to_vec(), subgroup.order()));
    }
    let images = |generator: &CompactPermutation| generator.images(colours.len());
    let mut generators: Vec<Permutation> = least.stabiliser.iter().map(images).collect();
    let order = order_of(colours.len(), &generators, cancel)?;
    for at in (0..generators.len()).rev() {
        let generator = generators.remove(at);
        if order_of(colours.len(), &generators, cancel)? < order {
            generators.insert(at, generator);
        }
    }
    Ok((generators, order))
}

/// The order of the generated group; no chain is built if the group is recognised as symmetric.
fn order_of(
    points: usize,
    generators: &[Permutation],
    cancel: &Cancel,
) -> Result<BigUint, NoGroup> {
    cancel.check()?;
    match Families::of(points, generators) {
        Some(families) => Ok(families.order()),
        None => Ok(Group::new(points, 0, generators.to_vec(), cancel)?.order()),
    }
}

/// Generators of all permutations within classes. A class is a run of triples that agree in the
/// first two components; the third is the point.
fn symmetric(points: usize, classes: &[(u32, u64, u32)]) -> Vec<Permutation> {
    let mut generators = Vec::new();
    for class in classes.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
        if class.len() < 2 {
            continue;
        }
        let mut swap = identity(points);
        swap.swap(class[0].2 as usize, class[1].2 as usize);
        generators.push(swap);
        if class.len() > 2 {
            let mut cycle = identity(points);
            for (at, next) in class.iter().zip(class.iter().cycle().skip(1)) {
                cycle[at.2 as usize] = next.2;
            }
            generators.push(cycle);
        }
    }
    generators
}

struct Structure<'c> {
    facts: Vec<Fact>,
    cancel: &'c Cancel,
}

impl Object for Structure<'_> {
    type Image = Vec<u32>;
    type Error = NoGroup;

    /// Refines until the number of colours stays the same. A point's new colour adds to the old
    /// one, for each occurrence of the point in a fact, a hash of the relation, the position, and
    /// the old colours of all points of the fact.
    fn refine(&mut self, colours: &mut [u64]) -> Result<(), NoGroup> {
        self.cancel.check()?;
        let mut count = distinct(colours);
        while count < colours.len() {
            let old = colours.to_vec();
            for (relation, points) in &self.facts {
                let seed = mix(u64::from(*relation), 1);
                let all = points.iter().fold(seed, |all, &x| mix(all, old[x as usize]));
                for (position, &point) in (1..).zip(points) {
                    let colour = &mut colours[point as usize];
                    *colour = colour.wrapping_add(mix(all, position));
                }
            }
            let now = distinct(colours);
            if now == count {
                break;
            }
            count = now;
        }
        Ok(())
    }

    fn image(&mut self, element: &[u32], image: &mut Vec<u32>) -> Result<(), NoGroup> {
        self.cancel.check()?;
        let mut moved: Vec<Fact> = self
            .facts
            .iter()
            .map(|(relation, points)| {
                (*relation, points.iter().map(|&x| element[x as usize]).collect())
            })
            .collect();
        moved.sort_unstable();
        moved.dedup();
        image.clear();
        for (relation, points) in moved {
            image.extend([relation, u32::at(points.len())]);
            image.extend(points);
        }
        Ok(())
    }
}

fn distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::Stopped;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const POINTS: usize = 5;

    fn every_permutation(points: usize) -> Vec<Vec<u32>> {
        let mut found = vec![Vec::new()];
        for _ in 0..points {
            let longer = found.iter().flat_map(|tuple: &Vec<u32>| {
                let next = (0..points as u32).filter(|x| !tuple.contains(x));
                next.map(|x| tuple.iter().copied().chain([x]).collect::<Vec<u32>>())
            });
            found = longer.collect();
        }
        found
    }

    proptest! {
        #[test]
        fn the_group_has_exactly_the_permutations_that_keep_all_facts(
            colours in prop::collection::vec(0..2u32, POINTS),
            facts in prop::collection::vec(
                (0..2u32, prop::collection::vec(0..POINTS as u32, 0..4)), 0..7),
        ) {
            let set: BTreeSet<Fact> = facts.iter().cloned().collect();
            let keeps = |g: &Vec<u32>| {
                let moved: BTreeSet<Fact> = set
                    .iter()
                    .map(|(r, points)| (*r, points.iter().map(|&x| g[x as usize]).collect()))
                    .collect();
                moved == set && (0..POINTS).all(|x| colours[g[x] as usize] == colours[x])
            };
            let expected: BTreeSet<Vec<u32>> =
                every_permutation(POINTS).into_iter().filter(keeps).collect();
            let (generators, order) = automorphisms(&colours, &facts, &Cancel::never()).unwrap();
            let group = Group::new(POINTS, 0, generators, &Cancel::never()).unwrap();
            let found: BTreeSet<Vec<u32>> =
                group.elements(&Cancel::never()).unwrap().into_iter().map(|g| g.to_vec()).collect();
            prop_assert_eq!(order, BigUint::from(expected.len()));
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_search_ends_where_it_is_told_to() {
        let facts: Vec<Fact> = (0..40).map(|x| (0, vec![2 * x, 2 * x + 1])).collect();
        for allowed in [0, 1, 5, 20] {
            let found = automorphisms(&[0; 80], &facts, &Cancel::after(allowed));
            assert_eq!(found.err(), Some(NoGroup::Stopped(Stopped::Interrupt)));
        }
        assert!(automorphisms(&[0; 80], &facts, &Cancel::never()).is_ok());
    }
}
