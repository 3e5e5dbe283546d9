use crate::base::cancel::{Cancel, NoResult, Stopped};
use crate::base::hash::mix;
use crate::group::bounded_object::Bounded;
use crate::group::canonical_image::*;
use crate::group::compact_permutation::compact;
use crate::group::permutation::closure;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// A relation on points; its image is the sorted list of its moved tuples. The colours may be
/// arbitrarily weak.
struct Relation {
    tuples: Vec<[u32; 2]>,
    is_blind: bool,
}

impl Object for Relation {
    type Image = Vec<u32>;
    type Error = Infallible;

    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Infallible> {
        if !self.is_blind {
            let old = colours.to_vec();
            for &[x, y] in &self.tuples {
                let (x, y) = (x as usize, y as usize);
                colours[x] = colours[x].wrapping_add((old[y] + 3).wrapping_mul(ODD));
                colours[y] = colours[y].wrapping_add((old[x] + 5).wrapping_mul(ODD >> 7));
            }
        }
        Ok(())
    }

    fn image(&mut self, element: &[u32], image: &mut Vec<u32>) -> Result<(), Infallible> {
        *image = moved(&self.tuples, element).into_iter().flatten().collect();
        Ok(())
    }
}

fn moved(tuples: &[[u32; 2]], element: &[u32]) -> Vec<[u32; 2]> {
    let images = tuples.iter().map(|pair| pair.map(|x| element[x as usize]));
    images.collect::<BTreeSet<_>>().into_iter().collect()
}

fn images(degree: usize, generators: &[CompactPermutation]) -> Vec<Permutation> {
    generators.iter().map(|generator| generator.images(degree)).collect()
}

const DEGREE: usize = 5;
/// An odd constant with well-mixed bits.
const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

fn permutation() -> impl Strategy<Value = Permutation> {
    Just((0..DEGREE as u32).collect::<Vec<u32>>()).prop_shuffle().prop_map(Permutation::from)
}

proptest! {
    #[test]
    fn members_of_one_orbit_have_one_image(
        generators in prop::collection::vec(permutation(), 0..3),
        tuples in prop::collection::vec([0..DEGREE as u32, 0..DEGREE as u32], 0..7),
        is_blind: bool,
        use_known: bool,
    ) {
        let all = closure(DEGREE, &generators);
        let tuples = moved(&tuples, &identity(DEGREE));
        let own = moved(&tuples, &identity(DEGREE));
        let fixing: BTreeSet<Vec<u32>> =
            all.iter().filter(|&g| moved(&tuples, g) == own).cloned().collect();
        let known: Vec<Permutation> =
            fixing.iter().filter(|_| use_known).cloned().map(Permutation::from).collect();
        let group = Group::new(DEGREE, 0, generators.clone(), &Cancel::never()).unwrap();
        let find = |known: &[CompactPermutation], tuples: Vec<[u32; 2]>| {
            let Ok(least) =
                Searcher::new(&group).find(known, &mut Relation { tuples, is_blind });
            least
        };
        let least = find(&compact(&known), tuples.clone());
        prop_assert!(all.contains(&least.element.to_vec()));
        let moved_there: Vec<u32> =
            moved(&tuples, &least.element).into_iter().flatten().collect();
        prop_assert_eq!(&moved_there, &least.image);
        prop_assert_eq!(closure(DEGREE, &images(DEGREE, &least.stabiliser)), fixing);
        for element in &all {
            let other = find(&[], moved(&tuples, element));
            prop_assert_eq!(&other.image, &least.image);
        }
        let subgroup = Subgroup::new(DEGREE, &compact(&generators), &Cancel::never()).unwrap();
        let within = |tuples: Vec<[u32; 2]>| {
            let mut relation = Relation { tuples, is_blind };
            let Ok(least) = Searcher::of_subgroup(&subgroup).find(&[], &mut relation);
            least.image
        };
        let image = within(tuples.clone());
        for element in &all {
            prop_assert_eq!(&within(moved(&tuples, element)), &image);
        }
    }

    /// Four points and their copies, which all permutations move alike, and a fixed point.
    #[test]
    fn members_of_one_orbit_have_one_image_under_items(
        tuples in prop::collection::vec([0..9u32, 0..9u32], 0..9),
        is_blind: bool,
    ) {
        let swap = Permutation::from(vec![1, 0, 2, 3, 5, 4, 6, 7, 8]);
        let turn = Permutation::from(vec![1, 2, 3, 0, 5, 6, 7, 4, 8]);
        let generators = vec![swap, turn];
        let all = closure(9, &generators);
        let group = Group::new(9, 0, generators, &Cancel::never()).unwrap();
        let searcher = Searcher::new(&group);
        prop_assert!(searcher.items.is_some());
        let tuples = moved(&tuples, &identity(9));
        let find = |tuples: Vec<[u32; 2]>| {
            let Ok(least) = searcher.find(&[], &mut Relation { tuples, is_blind });
            least
        };
        let least = find(tuples.clone());
        prop_assert!(all.contains(&least.element.to_vec()));
        let own: Vec<u32> = moved(&tuples, &least.element).into_iter().flatten().collect();
        prop_assert_eq!(&own, &least.image);
        let fixing: BTreeSet<Vec<u32>> =
            all.iter().filter(|&g| moved(&tuples, g) == tuples).cloned().collect();
        prop_assert_eq!(closure(9, &images(9, &least.stabiliser)), fixing);
        for element in &all {
            prop_assert_eq!(&find(moved(&tuples, element)).image, &least.image);
        }
    }
}

proptest! {
    /// Two halves of three exchangeable points and of two exchangeable pairs each, the exchange of
    /// the halves, and two fixed points: a group that is no product of symmetric groups, though its
    /// generators show some symmetric subgroups. A relation on few of the points is often fixed by
    /// exchanges of points.
    #[test]
    fn members_of_one_orbit_have_one_image_with_exchanges(
        tuples in prop::collection::vec([0..16u32, 0..16u32], 0..5),
        is_blind: bool,
        others in prop::collection::vec(0..288usize, 4),
    ) {
        let half = |start: u32| {
            let points = (start, start + 1);
            [
                CompactPermutation::transposition(points.0, points.1),
                CompactPermutation::transposition(points.0 + 1, points.1 + 1),
                CompactPermutation::exchange(&[start + 3, start + 5], &[start + 4, start + 6]),
            ]
        };
        let halves = CompactPermutation::exchange(
            &(0..7).collect::<Vec<u32>>(),
            &(7..14).collect::<Vec<u32>>(),
        );
        let generators: Vec<CompactPermutation> =
            half(0).into_iter().chain(half(7)).chain([halves]).collect();
        let generators = images(16, &generators);
        let all: Vec<Vec<u32>> = closure(16, &generators).into_iter().collect();
        prop_assert_eq!(all.len(), 288);
        let group = Group::new(16, 0, generators, &Cancel::never()).unwrap();
        let searcher = Searcher::new(&group);
        prop_assert!(searcher.symmetric.is_none() && searcher.items.is_none());
        prop_assert_eq!(&searcher.exchangeable, &vec![vec![0, 1, 2], vec![7, 8, 9]]);
        prop_assert!(searcher.short.len() == 2);
        let tuples = moved(&tuples, &identity(16));
        let find = |tuples: Vec<[u32; 2]>| {
            let Ok(least) = searcher.find(&[], &mut Relation { tuples, is_blind });
            least
        };
        let least = find(tuples.clone());
        prop_assert!(all.contains(&least.element.to_vec()));
        let own: Vec<u32> = moved(&tuples, &least.element).into_iter().flatten().collect();
        prop_assert_eq!(&own, &least.image);
        let fixing: BTreeSet<Vec<u32>> =
            all.iter().filter(|&g| moved(&tuples, g) == tuples).cloned().collect();
        prop_assert_eq!(closure(16, &images(16, &least.stabiliser)), fixing);
        for number in others {
            prop_assert_eq!(&find(moved(&tuples, &all[number])).image, &least.image);
        }
    }
}

#[test]
fn large_groups_on_items_are_not_enumerated() {
    let both = |images: Vec<u32>| -> Permutation {
        images.iter().copied().chain(images.iter().map(|&x| x + 24)).collect()
    };
    let turn = both((0..24).map(|x| (x + 1) % 24).collect());
    let swap = both((0..24).map(|x| [1, 0].get(x as usize).copied().unwrap_or(x)).collect());
    let group = Group::new(48, 0, vec![turn, swap], &Cancel::never()).unwrap();
    // Half of the items are in another state than the others.
    let tuples: Vec<[u32; 2]> =
        (0..24).map(|x| if x < 12 { [x, x] } else { [x, x + 24] }).collect();
    let mut object = Relation { tuples, is_blind: false };
    let cancel = &Cancel::never();
    let least = Searcher::new(&group).find(&[], &mut Bounded::new(&mut object, 100, cancel));
    assert!(least.is_ok());
}

fn symmetric(degree: u32) -> Subgroup {
    let cycle: Permutation = (0..degree).map(|x| (x + 1) % degree).collect();
    let swap: Permutation =
        (0..degree).map(|x| [1, 0].get(x as usize).copied().unwrap_or(x)).collect();
    Subgroup::new(degree as usize, &compact(&[cycle, swap]), &Cancel::never()).unwrap()
}

#[test]
fn large_groups_are_not_enumerated() {
    let group = symmetric(24);
    for tuples in [
        Vec::new(),
        (0..12).map(|x| [2 * x, 2 * x + 1]).collect(),
        (0..24).map(|x| [x, (x + 1) % 24]).collect(),
    ] {
        let mut object = Relation { tuples: tuples.clone(), is_blind: false };
        let cancel = &Cancel::never();
        let mut bounded = Bounded::new(&mut object, 10_000, cancel);
        let least = Searcher::of_subgroup(&group).find(&[], &mut bounded).unwrap();
        let image: Vec<u32> = moved(&tuples, &least.element).into_iter().flatten().collect();
        assert_eq!(image, least.image);
    }
}

/// An object in which every point has a role of its own.
struct Roles(Vec<u32>);

impl Object for Roles {
    type Image = Vec<u32>;
    type Error = Infallible;

    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Infallible> {
        colours
            .iter_mut()
            .zip(&self.0)
            .for_each(|(colour, &role)| *colour = mix(*colour, role.into()));
        Ok(())
    }

    fn image(&mut self, element: &[u32], image: &mut Vec<u32>) -> Result<(), Infallible> {
        image.resize(element.len(), 0);
        element.iter().zip(&self.0).for_each(|(&point, &role)| image[point as usize] = role);
        Ok(())
    }
}

#[test]
fn points_of_distinct_roles_are_sorted_without_a_search() {
    let (group, cancel) = (symmetric(24), Cancel::never());
    let searcher = Searcher::of_subgroup(&group);
    let sorted = |roles: Vec<u32>| {
        let mut object = Roles(roles);
        // One refinement and one image.
        searcher.find(&[], &mut Bounded::new(&mut object, 2, &cancel)).unwrap().image
    };
    assert_eq!(sorted((0..24).collect()), sorted((0..24).map(|x| 5 * x % 24).collect()));
}

#[test]
fn the_limit_and_an_interrupt_end_the_search() {
    let group = symmetric(8);
    let searcher = Searcher::of_subgroup(&group);
    let mut object = Relation { tuples: Vec::new(), is_blind: true };
    let cancel = &Cancel::never();
    let stopped = searcher.find(&[], &mut Bounded::new(&mut object, 3, cancel));
    assert_eq!(stopped.err(), Some(NoResult::Limit));
    let cancel = &Cancel::after(0);
    let stopped = searcher.find(&[], &mut Bounded::new(&mut object, 3, cancel));
    assert_eq!(stopped.err(), Some(Stopped::Interrupt.into()));
}
