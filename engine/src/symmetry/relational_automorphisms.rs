//! Automorphisms of a relational structure: permutations of coloured points that preserve a set of
//! facts.

use crate::base::cancel::{Cancel, NoResult};
use crate::base::ids::Id;
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::{Chain, NoGroup};
use crate::group::symmetric_families::Families;
use crate::symmetry::automorphism_search::{self, Searchable};
use crate::symmetry::equitable_partition::{IncidenceGraph, Relation};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A fact: the number of a relation, and a tuple of points in it.
pub type Fact = (u32, Vec<u32>);

/// The most nodes that the search individualises.
const MOST_CHOICES: u64 = 1 << 24;

/// The most numbers in the tables of a chain that is made to leave out generators.
const MOST_CELLS: usize = 1 << 20;

/// Generators of the automorphism group, and its order.
///
/// Each point must be in `0..colours.len()`; points of different colours are never exchanged.
/// [`NoGroup::TooLarge`] if too many nodes are tried, or the generators have too many images.
pub fn automorphisms(
    colours: &[u32],
    facts: &[Fact],
    cancel: &Cancel,
) -> Result<(Vec<Permutation>, BigUint), NoGroup> {
    let structure = Structure::new(colours, facts);
    let group = automorphism_search::automorphisms(&structure, MOST_CHOICES, cancel);
    let group = group.map_err(|why| match why {
        NoResult::Limit => NoGroup::TooLarge,
        NoResult::Stopped(why) => NoGroup::Stopped(why),
    })?;
    // The search has found each outside of the group of those before it, mostly in a larger
    // stabiliser.
    let generators = group.generators.into_iter().rev();
    let generators: Vec<Permutation> = generators.map(Into::into).collect();
    let cells = group.factors.iter().map(|&size| size as usize).sum::<usize>() * colours.len();
    let order = group.factors.into_iter().map(BigUint::from).product();
    // Of a product of symmetric groups no generator is redundant: each joins two items.
    let is_product = Families::of(colours.len(), &generators).is_some();
    if is_product || cells > MOST_CELLS {
        return Ok((generators, order));
    }
    Ok((needed(colours.len(), generators, &order, cancel)?, order))
}

/// The generators that are no products of those before them.
fn needed(
    points: usize,
    generators: Vec<Permutation>,
    order: &BigUint,
    cancel: &Cancel,
) -> Result<Vec<Permutation>, NoGroup> {
    let mut chain = Chain::trivial(points);
    let mut needed = Vec::new();
    for generator in generators {
        if chain.order() == *order {
            break;
        }
        if chain.add(&generator, cancel)? {
            needed.push(generator);
        }
    }
    Ok(needed)
}

/// The points, and then the facts. A relation joins each point to the facts where it is at a
/// position.
struct Structure<'a> {
    colours: &'a [u32],
    facts: FxHashSet<Fact>,
    /// Colours `0..` of points and facts.
    own: Vec<u32>,
    /// For each position the facts of the points there, and the points of the facts.
    relations: [Vec<Relation>; 2],
}

impl<'a> Structure<'a> {
    fn new(colours: &'a [u32], facts: &[Fact]) -> Self {
        let points = u32::at(colours.len());
        let mut sorted: Vec<&Fact> = facts.iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut keys: Vec<(u32, u32, u32)> = colours.iter().map(|&colour| (0, colour, 0)).collect();
        keys.extend(sorted.iter().map(|(of, tuple)| (1, *of, u32::at(tuple.len()))));
        let mut distinct = keys.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let own = keys.iter().map(|key| distinct.binary_search(key).expect("it is there"));
        let own = own.map(u32::at).collect();
        let positions = sorted.iter().map(|fact| fact.1.len()).max().unwrap_or(0);
        let pairs = |position: usize| {
            let numbered = (0..).zip(&sorted);
            numbered.filter_map(move |(fact, (_, tuple))| Some((*tuple.get(position)?, fact)))
        };
        let facts_of = |at| {
            Relation::new(
                colours.len(),
                pairs(at).map(|(point, fact): (u32, u32)| (point, fact + points)),
            )
        };
        let points_of = |at| {
            Relation::new(sorted.len(), pairs(at).map(|(point, fact): (u32, u32)| (fact, point)))
        };
        let relations =
            [(0..positions).map(facts_of).collect(), (0..positions).map(points_of).collect()];
        Self { colours, facts: facts.iter().cloned().collect(), own, relations }
    }
}

impl IncidenceGraph for Structure<'_> {
    fn nodes(&self) -> usize {
        self.own.len()
    }

    fn edges(&self, node: u32) -> (u32, &[Relation]) {
        let points = u32::at(self.colours.len());
        if node < points { (0, &self.relations[0]) } else { (points, &self.relations[1]) }
    }

    fn colours(&self) -> Vec<u32> {
        self.own.clone()
    }
}

impl Searchable for Structure<'_> {
    /// The points.
    fn base(&self) -> Vec<Range<u32>> {
        vec![self.shown()]
    }

    fn others(&self) -> Range<u32> {
        0..0
    }

    fn shown(&self) -> Range<u32> {
        0..u32::at(self.colours.len())
    }

    fn is_automorphism(&self, image: impl Fn(u32) -> u32) -> bool {
        let mut moved: Fact = (0, Vec::new());
        let colour = |point: u32| self.colours[point as usize];
        self.shown().all(|point| colour(image(point)) == colour(point))
            && self.facts.iter().all(|(relation, points)| {
                moved.0 = *relation;
                moved.1.clear();
                moved.1.extend(points.iter().map(|&point| image(point)));
                moved.1 == *points || self.facts.contains(&moved)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::Stopped;
    use crate::group::action::Group;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const POINTS: usize = 5;

    fn every_permutation(points: usize) -> Vec<Vec<u32>> {
        let mut tuples = vec![Vec::new()];
        for _ in 0..points {
            let longer = tuples.iter().flat_map(|tuple: &Vec<u32>| {
                let next = (0..points as u32).filter(|x| !tuple.contains(x));
                next.map(|x| tuple.iter().copied().chain([x]).collect::<Vec<u32>>())
            });
            tuples = longer.collect();
        }
        tuples
    }

    proptest! {
        #[test]
        fn the_group_is_that_of_all_automorphisms(
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
            let elements: BTreeSet<Vec<u32>> =
                group.elements(&Cancel::never()).unwrap().into_iter().map(|g| g.to_vec()).collect();
            prop_assert_eq!(order, BigUint::from(expected.len()));
            prop_assert_eq!(elements, expected);
        }
    }

    #[test]
    fn the_search_stops_when_cancelled() {
        let facts: Vec<Fact> = (0..40).map(|x| (0, vec![2 * x, 2 * x + 1])).collect();
        for allowed in [0, 1, 5, 20] {
            let group = automorphisms(&[0; 80], &facts, &Cancel::after(allowed));
            assert_eq!(group.err(), Some(NoGroup::Stopped(Stopped::Interrupt)));
        }
        assert!(automorphisms(&[0; 80], &facts, &Cancel::never()).is_ok());
    }
}
