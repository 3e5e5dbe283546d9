//! Permutations that are stored as the images of all points, or as the few points that they move.

use crate::base::disjoint_sets::DisjointSets;
use crate::group::permutation::{Permutation, compose, identity};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A permutation. Comparison and hash do not depend on how it is stored; the order is the
/// lexicographic one of the images of all points.
#[derive(Clone, Debug)]
pub enum CompactPermutation {
    All(Permutation),
    /// Sorted by point; all other points are fixed.
    Moved(Arc<[(u32, u32)]>),
    /// A transposition: both points with their images, sorted by point.
    Exchanged([(u32, u32); 2]),
}

/// Permutations that move at most one point in this many are stored as their moved points.
const FEW: usize = 4;

impl CompactPermutation {
    /// The permutation with these images.
    pub fn of(images: &[u32]) -> Self {
        let moved = (0..).zip(images).filter(|&(point, &image)| point != image);
        let count = moved.clone().count();
        if count == 2 {
            let (point, &image) = moved.clone().next().expect("there are two");
            Self::transposition(point, image)
        } else if count * FEW <= images.len() {
            Self::Moved(moved.map(|(point, &image)| (point, image)).collect())
        } else {
            Self::All(images.into())
        }
    }

    /// The permutation that exchanges two points.
    pub fn transposition(left: u32, right: u32) -> Self {
        let (left, right) = (left.min(right), left.max(right));
        Self::Exchanged([(left, right), (right, left)])
    }

    /// The permutation that exchanges two disjoint lists of points, position by position.
    pub fn exchange(left: &[u32], right: &[u32]) -> Self {
        if let ([left], [right]) = (left, right) {
            return Self::transposition(*left, *right);
        }
        let pairs = left.iter().zip(right).flat_map(|(&a, &b)| [(a, b), (b, a)]);
        let mut moved: Vec<(u32, u32)> = pairs.collect();
        moved.sort_unstable();
        Self::Moved(moved.into())
    }

    /// The two points that it exchanges, if it moves no other.
    pub fn transposed(&self) -> Option<(u32, u32)> {
        if let Self::Exchanged([pair, _]) = self {
            return Some(*pair);
        }
        let mut moved = self.moved();
        let (left, right) = moved.next()?;
        (moved.next()?.0 == right && moved.next().is_none()).then_some((left, right))
    }

    pub fn image(&self, point: u32) -> u32 {
        match self {
            Self::All(images) => images[point as usize],
            Self::Moved(moved) => moved
                .binary_search_by_key(&point, |&(point, _)| point)
                .map_or(point, |at| moved[at].1),
            Self::Exchanged([left, right]) => {
                let own = [left, right].into_iter().find(|pair| pair.0 == point);
                own.map_or(point, |pair| pair.1)
            }
        }
    }

    /// The moved points with their images, in ascending order.
    pub fn moved(&self) -> impl Iterator<Item = (u32, u32)> {
        let (all, few) = match self {
            Self::All(images) => (&images[..], &[][..]),
            Self::Moved(moved) => (&[][..], &moved[..]),
            Self::Exchanged(moved) => (&[][..], &moved[..]),
        };
        let all = (0..).zip(all).filter(|&(point, &image)| point != image);
        all.map(|(point, &image)| (point, image)).chain(few.iter().copied())
    }

    /// The images of all points.
    pub fn images(&self, degree: usize) -> Permutation {
        match self {
            Self::All(images) => images.clone(),
            Self::Moved(_) | Self::Exchanged(_) => self.before(&identity(degree)),
        }
    }

    /// The permutation that maps x to self(first(x)).
    pub fn after(&self, first: &[u32]) -> Permutation {
        match self {
            Self::All(images) => compose(images, first),
            Self::Moved(_) | Self::Exchanged(_) => first.iter().map(|&x| self.image(x)).collect(),
        }
    }

    /// The permutation that maps x to last(self(x)).
    pub fn before(&self, last: &[u32]) -> Permutation {
        match self {
            Self::All(images) => compose(last, images),
            Self::Moved(_) | Self::Exchanged(_) => {
                let mut product: Permutation = last.into();
                for (point, image) in self.moved().filter(|&(p, _)| (p as usize) < last.len()) {
                    product[point as usize] = last[image as usize];
                }
                product
            }
        }
    }

    /// The permutation that maps element(x) to element(self(x)).
    pub fn conjugate(&self, element: &[u32]) -> Self {
        match self {
            Self::All(images) => {
                let mut conjugate: Permutation = images.clone();
                for (point, &image) in images.iter().enumerate() {
                    conjugate[element[point] as usize] = element[image as usize];
                }
                Self::All(conjugate)
            }
            Self::Moved(moved) => {
                let position = |&(point, image): &(u32, u32)| {
                    (element[point as usize], element[image as usize])
                };
                let mut moved: Vec<(u32, u32)> = moved.iter().map(position).collect();
                moved.sort_unstable();
                Self::Moved(moved.into())
            }
            Self::Exchanged([(left, right), _]) => {
                Self::transposition(element[*left as usize], element[*right as usize])
            }
        }
    }
}

impl PartialEq for CompactPermutation {
    fn eq(&self, other: &Self) -> bool {
        self.moved().eq(other.moved())
    }
}

impl Eq for CompactPermutation {}

impl Hash for CompactPermutation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.moved().for_each(|pair| pair.hash(state));
        // No image follows the last moved point.
        u32::MAX.hash(state);
    }
}

impl Ord for CompactPermutation {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut own, mut others) = (self.moved(), other.moved());
        loop {
            // Below the first difference both have the same images.
            let (image, other) = match (own.next(), others.next()) {
                (None, None) => return Ordering::Equal,
                (Some((point, image)), Some((other, moved))) if point == other => (image, moved),
                (Some((point, image)), Some((other, _))) if point < other => (image, point),
                (Some((point, image)), None) => (image, point),
                (_, Some((point, moved))) => (point, moved),
            };
            if image != other {
                return image.cmp(&other);
            }
        }
    }
}

impl PartialOrd for CompactPermutation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Permutations in compact form.
pub fn compact(permutations: &[Permutation]) -> Vec<CompactPermutation> {
    permutations.iter().map(|images| CompactPermutation::of(images)).collect()
}

/// The orbits of `0..degree` under generators: for every point the least point of its orbit.
pub fn orbits_under<'a>(
    degree: usize,
    generators: impl IntoIterator<Item = &'a CompactPermutation>,
) -> Vec<u32> {
    let mut orbits = DisjointSets::new(degree);
    for generator in generators {
        for (left, right) in generator.moved() {
            orbits.join(left, right);
        }
    }
    orbits.into_least()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::permutation::{inverse, orbits};
    use proptest::prelude::*;
    use std::hash::BuildHasher;

    const DEGREE: usize = 9;

    /// Permutations of which some move few points.
    fn permutation() -> impl Strategy<Value = Permutation> {
        let swap = (0..DEGREE, 0..DEGREE).prop_map(|(left, right)| {
            let mut images = identity(DEGREE);
            images.swap(left, right);
            images
        });
        let any = Just((0..DEGREE as u32).collect::<Vec<u32>>()).prop_shuffle();
        prop_oneof![swap, any.prop_map(Permutation::from)]
    }

    proptest! {
        #[test]
        fn compact_permutations_agree_with_lists_of_images(
            left in permutation(),
            right in permutation(),
            element in permutation(),
        ) {
            let (few, more) = (CompactPermutation::of(&left), CompactPermutation::of(&right));
            prop_assert_eq!(few.cmp(&more), left.cmp(&right));
            prop_assert_eq!(few == more, left == right);
            prop_assert_eq!(few.images(DEGREE), left.clone());
            prop_assert_eq!(few.after(&right), compose(&left, &right));
            prop_assert_eq!(few.before(&right), compose(&right, &left));
            let all = CompactPermutation::All(left.clone());
            prop_assert_eq!(&few, &all);
            let hasher = rustc_hash::FxBuildHasher;
            prop_assert_eq!(hasher.hash_one(&few), hasher.hash_one(&all));
            let moved = compose(&compose(&element, &left), &inverse(&element));
            for stored in [&few, &all] {
                prop_assert_eq!(stored.conjugate(&element).images(DEGREE), moved.clone());
                prop_assert!((0..).zip(&left).all(|(x, &image)| stored.image(x) == image));
            }
            prop_assert_eq!(orbits_under(DEGREE, [&few, &more]), orbits(DEGREE, &[left, right]));
        }
    }
}
