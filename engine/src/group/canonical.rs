//! The canonical image of an object under a permutation group: one member of its orbit, the same
//! for every member, with an element that leads there and the stabiliser.
//!
//! A search goes down the stabiliser chain. At level i it chooses the point that the element will
//! map to the base point b_i. Colours of the points, which depend on nothing but the object and the
//! points chosen before, say which points may be chosen: those of the least colour among the
//! possible ones. Where several are alike, each is tried, the chosen one gets a colour of its own
//! and colours are refined; the least image wins. Two elements with one image give an element that
//! fixes the object; points that those known so far map to one another are tried once (McKay,
//! Practical graph isomorphism, 1981; for groups given by a chain Leon, Permutation group algorithms
//! based on partitions, 1991, and Jefferson, Jonauskyte, Pfeiffer and Waldecker, Minimal and
//! canonical images, 2019).

use super::action::Group;
use super::permutation::{Permutation, identity, inverse, orbits};
use num_bigint::BigUint;

/// What a group acts on.
pub trait Object {
    /// Why a question has no answer.
    type Trouble;

    /// Splits colours of points by how the points stand in the object. Equivariance is all that is
    /// asked for: if g maps object and colours to others, then also the result for the one to that
    /// for the other, and points of different colours stay so.
    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Self::Trouble>;

    /// The object moved by an element, as a row of numbers: equal for equal objects.
    fn image(&mut self, element: &[u32], image: &mut Vec<u32>) -> Result<(), Self::Trouble>;
}

/// The least image that the search has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Least {
    pub image: Vec<u32>,
    /// What the element that leads to the image does to the points.
    pub element: Permutation,
    /// Generators of the stabiliser of the object; some may be superfluous.
    pub stabiliser: Vec<Permutation>,
}

/// A group made ready for searches.
pub struct Searcher<'a> {
    group: &'a Group,
    /// The orbits of points that move, if the group has every permutation of each, independently.
    symmetric: Option<Vec<Vec<u32>>>,
}

impl<'a> Searcher<'a> {
    pub fn new(group: &'a Group) -> Self {
        let own: Vec<Permutation> =
            (0..group.generators.len()).map(|i| group.generator(i).into()).collect();
        let least = orbits(group.points, &own);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); group.points];
        for (point, &least) in (0..).zip(&least) {
            members[least as usize].push(point);
        }
        members.retain(|orbit| orbit.len() > 1);
        let factorial =
            |orbit: &Vec<u32>| (1..=orbit.len()).map(BigUint::from).product::<BigUint>();
        let whole: BigUint = members.iter().map(factorial).product();
        let symmetric = (whole == group.order()).then_some(members);
        Self { group, symmetric }
    }

    /// Whether the group has all permutations of each of its orbits.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric.is_some()
    }

    /// The canonical image of an object.
    pub fn find<O: Object>(&self, object: &mut O) -> Result<Least, O::Trouble> {
        let mut colours = vec![0; self.group.points];
        object.refine(&mut colours)?;
        let mut known = Vec::new();
        if let Some(orbits) = &self.symmetric {
            let (element, ties) = sorted(orbits, &colours);
            let mut image = Vec::new();
            if ties.is_empty() {
                object.image(&element, &mut image)?;
                return Ok(Least { image, element, stabiliser: known });
            }
            // Most points that look alike can be exchanged, and then any order will do.
            let mut own = Vec::new();
            let mut swap = identity(self.group.points);
            object.image(&swap, &mut own)?;
            for &(one, other) in &ties {
                swap.swap(one as usize, other as usize);
                object.image(&swap, &mut image)?;
                if image == own {
                    known.push(swap.clone());
                }
                swap.swap(one as usize, other as usize);
            }
            if known.len() == ties.len() {
                object.image(&element, &mut image)?;
                return Ok(Least { image, element, stabiliser: known });
            }
        }
        self.below(0, &identity(self.group.points), &colours, known, object)
    }

    /// The least image among the elements that map the points chosen above level `at` to its base
    /// points; `back` is the inverse of one of them. `known` fix the object and the points chosen.
    fn below<O: Object>(
        &self,
        at: usize,
        back: &[u32],
        colours: &[u64],
        mut known: Vec<Permutation>,
        object: &mut O,
    ) -> Result<Least, O::Trouble> {
        let Some(level) = self.group.levels().get(at) else {
            let (element, mut image) = (inverse(back), Vec::new());
            object.image(&element, &mut image)?;
            return Ok(Least { image, element, stabiliser: known });
        };
        let possible = level.orbit.iter().map(|&point| back[point as usize]);
        let least = possible.clone().map(|point| colours[point as usize]).min();
        let places: Vec<usize> = possible
            .zip(0..)
            .filter(|&(point, _)| Some(colours[point as usize]) == least)
            .map(|(_, place)| place)
            .collect();
        let mut best: Option<Least> = None;
        let mut tried: Vec<u32> = Vec::new();
        for &place in &places {
            let point = back[level.orbit[place] as usize];
            if !tried.is_empty() {
                let orbits = orbits(self.group.points, &known);
                let same = |&other: &u32| orbits[other as usize] == orbits[point as usize];
                if tried.iter().any(same) {
                    continue;
                }
            }
            tried.push(point);
            let to = &level.to[place];
            let next: Permutation = (0..self.group.points).map(|x| back[to[x] as usize]).collect();
            let mut own = colours.to_vec();
            if places.len() > 1 {
                own[point as usize] = own[point as usize].wrapping_mul(CHOSEN).wrapping_add(1);
                object.refine(&mut own)?;
            }
            let fixing = known.iter().filter(|g| g[point as usize] == point).cloned().collect();
            let mut found = self.below(at + 1, &next, &own, fixing, object)?;
            for generator in std::mem::take(&mut found.stabiliser) {
                if !known.contains(&generator) {
                    known.push(generator);
                }
            }
            match &best {
                Some(least) if found.image > least.image => {}
                Some(least) if found.image == least.image => {
                    let back = inverse(&least.element);
                    known.push(found.element.iter().map(|&x| back[x as usize]).collect());
                }
                _ => best = Some(found),
            }
        }
        let best = best.expect("an orbit holds its point");
        Ok(Least { stabiliser: known, ..best })
    }
}

const CHOSEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The element that brings the points of each orbit into the order of their colours, and all
/// neighbours in that order whose colours are the same.
fn sorted(orbits: &[Vec<u32>], colours: &[u64]) -> (Permutation, Vec<(u32, u32)>) {
    let mut element = identity(colours.len());
    let mut ties = Vec::new();
    let mut order = Vec::new();
    for orbit in orbits {
        order.clear();
        order.extend(orbit.iter().map(|&point| (colours[point as usize], point)));
        order.sort_unstable();
        for (&(_, point), &place) in order.iter().zip(orbit) {
            element[point as usize] = place;
        }
        let pairs = order.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        ties.extend(pairs.map(|pair| (pair[0].1, pair[1].1)));
    }
    (element, ties)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::permutation::closure;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A relation on points: moved, it is the sorted list of the moved tuples. The colours may be as
    /// weak as one likes.
    struct Relation {
        tuples: Vec<[u32; 2]>,
        is_blind: bool,
    }

    impl Object for Relation {
        type Trouble = ();

        fn refine(&mut self, colours: &mut [u64]) -> Result<(), ()> {
            if !self.is_blind {
                let old = colours.to_vec();
                for &[x, y] in &self.tuples {
                    let (x, y) = (x as usize, y as usize);
                    colours[x] = colours[x].wrapping_add((old[y] + 3).wrapping_mul(CHOSEN));
                    colours[y] = colours[y].wrapping_add((old[x] + 5).wrapping_mul(CHOSEN >> 7));
                }
            }
            Ok(())
        }

        fn image(&mut self, element: &[u32], image: &mut Vec<u32>) -> Result<(), ()> {
            *image = moved(&self.tuples, element).into_iter().flatten().collect();
            Ok(())
        }
    }

    fn moved(tuples: &[[u32; 2]], element: &[u32]) -> Vec<[u32; 2]> {
        let images = tuples.iter().map(|pair| pair.map(|x| element[x as usize]));
        images.collect::<BTreeSet<_>>().into_iter().collect()
    }

    const DEGREE: usize = 5;

    fn permutation() -> impl Strategy<Value = Permutation> {
        Just((0..DEGREE as u32).collect::<Vec<u32>>()).prop_shuffle().prop_map(Permutation::from)
    }

    proptest! {
        #[test]
        fn members_of_one_orbit_have_one_image(
            generators in prop::collection::vec(permutation(), 0..3),
            tuples in prop::collection::vec([0..DEGREE as u32, 0..DEGREE as u32], 0..7),
            is_blind: bool,
        ) {
            let all = closure(DEGREE, &generators);
            let tuples = moved(&tuples, &identity(DEGREE));
            let group = Group::new(DEGREE, 0, generators).unwrap();
            let searcher = Searcher::new(&group);
            let find = |tuples: Vec<[u32; 2]>| searcher.find(&mut Relation { tuples, is_blind });
            let least = find(tuples.clone()).unwrap();
            prop_assert!(all.contains(&least.element.to_vec()));
            let moved_there: Vec<u32> =
                moved(&tuples, &least.element).into_iter().flatten().collect();
            prop_assert_eq!(&moved_there, &least.image);
            let own = moved(&tuples, &identity(DEGREE));
            let fixing: BTreeSet<Vec<u32>> =
                all.iter().filter(|&g| moved(&tuples, g) == own).cloned().collect();
            prop_assert_eq!(closure(DEGREE, &least.stabiliser), fixing);
            for element in &all {
                let other = find(moved(&tuples, element)).unwrap();
                prop_assert_eq!(&other.image, &least.image);
            }
        }
    }
}
