//! Stabiliser chains (Schreier and Sims): a group represented by few of its elements.
//!
//! Level i belongs to a point b_i, the i-th base point. It holds the orbit of b_i under the
//! elements that fix all smaller points, and for each point of the orbit one element that maps b_i
//! there. Every element of the group is the product of one of these from each level, in exactly one
//! way (Sims 1970; the incremental form is Knuth's, Efficient representation of perm groups, 1991).
//!
//! Base points are taken in the order of their numbers, and no level has an orbit of one point: so
//! the base depends on the group only, not on the generators.

use crate::base::cancel::{Cancel, Stopped};
use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::group::compact_permutation::CompactPermutation;
use crate::group::permutation::{Permutation, first_moved, inverse};
use crate::group::symmetric_families::Families;
use num_bigint::BigUint;
use thiserror::Error;

/// The number of points from which a group is first tested for being a product of symmetric groups.
pub(crate) const LARGE: usize = 64;

/// The most numbers that the tables of one chain may hold together.
pub const MAX_CELLS: usize = 1 << 27;

/// Why generators give no group, or no faithful action.
#[derive(Debug, Clone, Copy, Error, PartialEq, Eq)]
pub enum NoGroup {
    /// The tables of the chain would hold more than [`MAX_CELLS`] numbers.
    #[error("the tables of the group would be too large")]
    TooLarge,
    /// Some element moves this member of the set but none of the points.
    #[error("an element of the group moves no point, but number {0} of what it acts on")]
    NotFaithful(u32),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

pub struct Level {
    pub point: u32,
    /// The base point itself, then the other points of its orbit.
    pub orbit: Vec<u32>,
    /// For each point of the orbit an element that maps the base point there; then the inverses.
    pub to: Vec<CompactPermutation>,
    pub from: Vec<CompactPermutation>,
    /// The position of each point in the orbit, or `NONE`.
    position: Vec<u32>,
    /// Generators of the elements that fix all smaller points. For a chain made from families, only
    /// the first level has them.
    generators: Vec<Permutation>,
}

impl Level {
    fn new(point: u32, degree: usize, generators: Vec<Permutation>) -> Self {
        let mut position = vec![NONE; degree];
        position[point as usize] = 0;
        let stay = || vec![CompactPermutation::Moved([].into())];
        Self { point, orbit: vec![point], to: stay(), from: stay(), position, generators }
    }

    /// The position of a point in the orbit.
    pub fn position(&self, point: u32) -> Option<usize> {
        let position = self.position[point as usize];
        (position != NONE).then_some(position as usize)
    }
}

/// A permutation group on `0..degree`.
pub struct Chain {
    pub degree: usize,
    pub levels: Vec<Level>,
    cells: usize,
    is_of_families: bool,
    /// The numbers processed since the last cancellation check.
    looked_at: usize,
}

impl Chain {
    /// The trivial group.
    pub fn trivial(degree: usize) -> Self {
        Self { degree, levels: Vec::new(), cells: 0, is_of_families: false, looked_at: 0 }
    }

    /// The group that these elements generate.
    pub fn new(
        degree: usize,
        generators: &[Permutation],
        cancel: &Cancel,
    ) -> Result<Self, NoGroup> {
        let mut chain = Self::trivial(degree);
        if degree >= LARGE
            && let Some(families) = Families::of(degree, generators)
        {
            return Self::of_families(degree, &families, generators, cancel);
        }
        for generator in generators {
            chain.add(generator, cancel)?;
        }
        Ok(chain)
    }

    /// The group of all permutations of the items of each family, which `generators` must generate.
    pub fn of_families(
        degree: usize,
        families: &Families,
        generators: &[Permutation],
        cancel: &Cancel,
    ) -> Result<Self, NoGroup> {
        let mut chain = Self { is_of_families: true, ..Self::trivial(degree) };
        let sizes = families.0.iter().map(|items| (items.len(), items[0].len()));
        chain.cells = Self::check_size(degree, sizes)?;
        // For each point its family, its item there, and its position in that item.
        let mut of = vec![None; degree];
        for (family, items) in families.0.iter().enumerate() {
            for (item, points) in items.iter().enumerate() {
                for (position, &point) in points.iter().enumerate() {
                    of[point as usize] = Some((family, item, position));
                }
            }
        }
        // The items of each family that no smaller base point has fixed yet.
        let mut free: Vec<Vec<usize>> =
            families.0.iter().map(|items| (0..items.len()).collect()).collect();
        let mut generators = generators.to_vec();
        for point in 0..u32::at(degree) {
            let Some((family, item, position)) = of[point as usize] else { continue };
            if free[family].len() < 2 || !free[family].contains(&item) {
                continue;
            }
            cancel.check_every(&mut chain.looked_at, degree)?;
            let mut level = Level::new(point, degree, std::mem::take(&mut generators));
            let items = &families.0[family];
            free[family].retain(|&other| other != item);
            for &other in &free[family] {
                let image = items[other][position];
                level.position[image as usize] = u32::at(level.orbit.len());
                level.orbit.push(image);
                let exchange = CompactPermutation::exchange(&items[item], &items[other]);
                level.to.push(exchange.clone());
                level.from.push(exchange);
            }
            chain.levels.push(level);
        }
        Ok(chain)
    }

    /// The size of the tables of a chain of families, given the numbers of items and of points of
    /// each item; an error if it is too large.
    pub fn check_size(
        degree: usize,
        families: impl Iterator<Item = (usize, usize)>,
    ) -> Result<usize, NoGroup> {
        // The space for each level's positions, and for the exchanges of items: a few words each.
        let cells = families.map(|(items, points)| items * degree + items * items * (6 + points));
        let cells = cells.sum();
        if cells > MAX_CELLS { Err(NoGroup::TooLarge) } else { Ok(cells) }
    }

    /// Adds an element to the generators; returns false if it was in the group already.
    pub fn add(&mut self, element: &[u32], cancel: &Cancel) -> Result<bool, NoGroup> {
        if self.is_of_families {
            if self.contains(element) {
                return Ok(false);
            }
            let more = [self.generators(), &[element.into()]].concat();
            *self = Self::new(self.degree, &more, cancel)?;
            return Ok(true);
        }
        let mut waiting: Vec<(u32, Permutation)> = vec![(0, element.into())];
        let mut grown = false;
        // Each element is queued with a point below which it moves nothing.
        while let Some((from, element)) = waiting.pop() {
            let Some(residue) = self.residue(from, element) else { continue };
            grown = true;
            let moved = first_moved(&residue).expect("not the identity");
            let at = self.levels.partition_point(|level| level.point < from);
            let exists = self.levels.get(at).is_some_and(|level| level.point <= moved);
            if !exists {
                let deeper = self.levels.get(at).map_or(Vec::new(), |next| next.generators.clone());
                self.charge(2)?;
                self.levels.insert(at, Level::new(moved, self.degree, deeper));
            }
            self.levels[at].generators.push(residue);
            self.extend(at, &mut waiting, cancel)?;
        }
        Ok(grown)
    }

    /// Extends the orbit of a level by its newest generator, and queues the Schreier generators.
    fn extend(
        &mut self,
        at: usize,
        waiting: &mut Vec<(u32, Permutation)>,
        cancel: &Cancel,
    ) -> Result<(), NoGroup> {
        let known = self.levels[at].orbit.len();
        let newest = self.levels[at].generators.len() - 1;
        let mut i = 0;
        while i < self.levels[at].orbit.len() {
            // The old points were combined with the old generators before.
            let first = if i < known { newest } else { 0 };
            for j in first..=newest {
                let level = &mut self.levels[at];
                let (point, generator) = (level.orbit[i], &level.generators[j]);
                let image = generator[point as usize];
                let product = level.to[i].before(generator);
                cancel.check_every(&mut self.looked_at, 4 * self.degree)?;
                let level = &mut self.levels[at];
                if let Some(position) = level.position(image) {
                    let schreier = level.from[position].after(&product);
                    if first_moved(&schreier).is_some() {
                        waiting.push((level.point + 1, schreier));
                    }
                } else {
                    level.position[image as usize] = u32::at(level.orbit.len());
                    level.orbit.push(image);
                    level.from.push(CompactPermutation::All(inverse(&product)));
                    level.to.push(CompactPermutation::All(product));
                    self.charge(2)?;
                }
            }
            i += 1;
        }
        Ok(())
    }

    fn charge(&mut self, permutations: usize) -> Result<(), NoGroup> {
        self.count(permutations * self.degree)
    }

    fn count(&mut self, cells: usize) -> Result<(), NoGroup> {
        self.cells += cells;
        if self.cells > MAX_CELLS { Err(NoGroup::TooLarge) } else { Ok(()) }
    }

    /// Sifts an element that moves nothing below `from`. Returns `None` if it is in the group, else
    /// the element to add as a generator: the original one.
    fn residue(&self, from: u32, mut element: Permutation) -> Option<Permutation> {
        let at = self.levels.partition_point(|level| level.point < from);
        let original = element.clone();
        for level in &self.levels[at..] {
            let Some(position) = level.position(element[level.point as usize]) else {
                return Some(original);
            };
            if position > 0 {
                element = level.from[position].after(&element);
            }
        }
        first_moved(&element).map(|_| original)
    }

    pub fn contains(&self, element: &[u32]) -> bool {
        self.residue(0, element.into()).is_none()
    }

    /// The number of elements.
    pub fn order(&self) -> BigUint {
        self.levels.iter().map(|level| BigUint::from(level.orbit.len())).product()
    }

    /// The least element of the coset `element * self`, in the lexicographic order of images. Equal
    /// cosets have the same.
    pub fn least_of_coset(&self, element: &[u32]) -> Permutation {
        let mut least: Permutation = element.into();
        for level in &self.levels {
            let points = level.orbit.iter().enumerate();
            let best = points.min_by_key(|&(_, &point)| least[point as usize]);
            let (position, _) = best.expect("an orbit holds its point");
            if position > 0 {
                least = level.to[position].before(&least);
            }
        }
        least
    }

    /// Generators of the group.
    pub fn generators(&self) -> &[Permutation] {
        self.levels.first().map_or(&[], |level| &level.generators)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::permutation::{closure, compose};
    use proptest::prelude::*;

    fn permutations() -> impl Strategy<Value = Vec<Permutation>> {
        let permutation = Just((0..6u32).collect::<Vec<u32>>()).prop_shuffle();
        prop::collection::vec(permutation.prop_map(Permutation::from), 0..4)
    }

    proptest! {
        #[test]
        fn the_chain_has_the_elements_of_the_group(generators in permutations(), other in permutations()) {
            let all = closure(6, &generators);
            let chain = Chain::new(6, &generators, &Cancel::never()).unwrap();
            prop_assert_eq!(chain.order(), BigUint::from(all.len()));
            for element in &all {
                prop_assert!(chain.contains(element));
            }
            for element in &other {
                prop_assert_eq!(chain.contains(element), all.contains(&element.to_vec()));
                let coset = all.iter().map(|h| compose(element, h).to_vec());
                let least = chain.least_of_coset(element);
                prop_assert_eq!(coset.min().unwrap(), least.to_vec());
            }
            let again = closure(6, chain.generators());
            prop_assert_eq!(again, all);
        }

        #[test]
        fn the_base_does_not_depend_on_the_generators(generators in permutations()) {
            let elements: Vec<Permutation> =
                closure(6, &generators).into_iter().map(Permutation::from).collect();
            let points = |chain: &Chain| {
                chain.levels.iter().map(|l| (l.point, l.orbit.len())).collect::<Vec<_>>()
            };
            let left = Chain::new(6, &generators, &Cancel::never()).unwrap();
            let of_all = Chain::new(6, &elements, &Cancel::never()).unwrap();
            prop_assert_eq!(points(&left), points(&of_all));
        }
    }

    #[test]
    fn large_symmetric_groups_are_not_enumerated() {
        let degree = 30u32;
        let cycle: Permutation = (0..degree).map(|x| (x + 1) % degree).collect();
        let swap: Permutation =
            (0..degree).map(|x| [1, 0].get(x as usize).copied().unwrap_or(x)).collect();
        let chain = Chain::new(degree as usize, &[cycle, swap], &Cancel::never()).unwrap();
        let factorial: BigUint = (1..=degree).map(BigUint::from).product();
        assert_eq!(chain.order(), factorial);
    }
}
