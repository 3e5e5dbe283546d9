use crate::group::canonical_image::*;
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
    type Image = Vec<u32>;
    type Trouble = Infallible;

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

const DEGREE: usize = 5;
/// An odd number with all kinds of bits.
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
        let group = Group::new(DEGREE, 0, generators.clone()).unwrap();
        let find = |known: &[Permutation], tuples: Vec<[u32; 2]>| {
            let Ok(least) =
                Searcher::new(&group).find(known, &mut Relation { tuples, is_blind });
            least
        };
        let least = find(&known, tuples.clone());
        prop_assert!(all.contains(&least.element.to_vec()));
        let moved_there: Vec<u32> =
            moved(&tuples, &least.element).into_iter().flatten().collect();
        prop_assert_eq!(&moved_there, &least.image);
        prop_assert_eq!(closure(DEGREE, &least.stabiliser), fixing);
        for element in &all {
            let other = find(&[], moved(&tuples, element));
            prop_assert_eq!(&other.image, &least.image);
        }
        let subgroup = Subgroup::new(DEGREE, &generators).unwrap();
        let Ok(other) =
            Searcher::of_subgroup(&subgroup).find(&[], &mut Relation { tuples, is_blind });
        prop_assert_eq!(&other.image, &least.image);
    }
}

fn symmetric(degree: u32) -> Subgroup {
    let cycle: Permutation = (0..degree).map(|x| (x + 1) % degree).collect();
    let swap: Permutation =
        (0..degree).map(|x| [1, 0].get(x as usize).copied().unwrap_or(x)).collect();
    Subgroup::new(degree as usize, &[cycle, swap]).unwrap()
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
        let poll = &mut || true;
        let mut bounded = Bounded::new(&mut object, 10_000, poll);
        let found = Searcher::of_subgroup(&group).find(&[], &mut bounded).unwrap();
        let image: Vec<u32> = moved(&tuples, &found.element).into_iter().flatten().collect();
        assert_eq!(image, found.image);
    }
}

#[test]
fn the_limit_and_an_interrupt_end_the_search() {
    let group = symmetric(8);
    let searcher = Searcher::of_subgroup(&group);
    let mut object = Relation { tuples: Vec::new(), is_blind: true };
    let poll = &mut || true;
    let stopped = searcher.find(&[], &mut Bounded::new(&mut object, 3, poll));
    assert_eq!(stopped.err(), Some(Stop::Limit));
    let poll = &mut || false;
    let stopped = searcher.find(&[], &mut Bounded::new(&mut object, 3, poll));
    assert_eq!(stopped.err(), Some(Stop::Interrupted));
}
