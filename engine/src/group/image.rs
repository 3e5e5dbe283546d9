//! Canonical images: of all images of an object under a group one that depends on its orbit only,
//! and the elements that fix the object.
//!
//! The search follows the stabiliser chain. A node is known by the points x_1 .. x_i that an element
//! takes to the first i base points; a leaf is one element. Points are coloured by what the object
//! has to do with them, the more finely the more points are told apart; where several points can
//! be the next, those of the rarest colour are tried. A leaf with the image of the best one shows an
//! element that fixes the object, and whatever such elements map to what was seen before is passed
//! over (McKay, Practical graph isomorphism, 1981; for groups, Leon, 1991).

use super::chain::Chain;
use super::permutation::{Permutation, compose, identity, inverse, orbits};
use crate::equivalence::stop::{Poll, Stop};
use std::cmp::Ordering;

/// Something that a group on points acts on.
pub trait Object {
    type Image: Ord;

    /// Makes the colours of the points finer, in a way that commutes with the group: where the
    /// object is moved together with the colours, the result is what was moved.
    fn refine(&mut self, colours: &mut [u64]);

    /// The image of the object under an element.
    fn image(&mut self, element: &[u32]) -> Self::Image;
}

pub struct Canonical<I> {
    /// The same for all objects of an orbit.
    pub image: I,
    /// Takes the object to its image.
    pub element: Permutation,
    /// Together with the elements that were known before, generators of those that fix the object.
    pub fixing: Vec<Permutation>,
}

/// A number that depends on two others and their order.
pub fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.rotate_left(29)).wrapping_add(b).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 32
}

/// The canonical image of an object under a group; `known` elements fix the object. Gives up when
/// more than `limit` nodes are needed.
pub fn canonical<O: Object>(
    group: &Chain,
    known: &[Permutation],
    object: &mut O,
    limit: u64,
    poll: Poll,
) -> Result<Canonical<O::Image>, Stop> {
    let (trace, path) = (Vec::new(), Vec::new());
    let fixing = known.to_vec();
    let best = None;
    let mut search = Search { group, object, fixing, trace, path, best, visited: 0, limit, poll };
    let start = identity(group.degree);
    let mut colours = vec![0; group.degree];
    if !group.levels.is_empty() {
        search.object.refine(&mut colours);
    }
    search.visit(start, &colours)?;
    let fixing = search.fixing.split_off(known.len());
    let best = search.best.expect("there is a leaf");
    Ok(Canonical { image: best.image, element: best.element, fixing })
}

/// Nodes between two calls of `poll`.
const POLL_EVERY: u64 = 1 << 10;

struct Search<'a, 'b, O: Object> {
    group: &'a Chain,
    object: &'a mut O,
    /// Elements that fix the object.
    fixing: Vec<Permutation>,
    /// What the colours of the nodes above amount to.
    trace: Vec<u64>,
    /// The points that are taken to the base points.
    path: Vec<u32>,
    best: Option<Leaf<O::Image>>,
    visited: u64,
    limit: u64,
    poll: Poll<'b>,
}

struct Leaf<I> {
    trace: Vec<u64>,
    path: Vec<u32>,
    element: Permutation,
    image: I,
}

impl<O: Object> Search<'_, '_, O> {
    /// Looks at all leaves below a node whose element takes the points of the path to the base; says
    /// to which depth to go back.
    fn visit(&mut self, element: Permutation, colours: &[u64]) -> Result<usize, Stop> {
        if self.visited.is_multiple_of(POLL_EVERY) && !(self.poll)() {
            return Err(Stop::Interrupted);
        }
        if self.visited == self.limit {
            return Err(Stop::Limit);
        }
        self.visited += 1;
        let depth = self.path.len();
        let group = self.group;
        let Some(level) = group.levels.get(depth) else { return Ok(self.leaf(element)) };
        let back = inverse(&element);
        let coloured =
            |&point: &u32| (colours[back[point as usize] as usize], back[point as usize]);
        let mut candidates: Vec<(u64, u32)> = level.orbit.iter().map(coloured).collect();
        candidates.sort_unstable_by_key(|candidate| candidate.0);
        let rarest = candidates.chunk_by(|a, b| a.0 == b.0).min_by_key(|same| same.len());
        let mut tried: Vec<u32> = Vec::new();
        let mut known = usize::MAX;
        let mut same = Vec::new();
        for &(colour, point) in rarest.expect("an orbit has a point") {
            if known != self.fixing.len() {
                known = self.fixing.len();
                let fixed = |g: &&Permutation| self.path.iter().all(|&x| g[x as usize] == x);
                let fixing: Vec<Permutation> = self.fixing.iter().filter(fixed).cloned().collect();
                same = orbits(group.degree, &fixing);
            }
            if tried.iter().any(|&other| same[other as usize] == same[point as usize]) {
                continue;
            }
            tried.push(point);
            let place = level.place(element[point as usize]).expect("a point of the orbit");
            let mut finer = colours.to_vec();
            finer[point as usize] = mix(colour, depth as u64 + 1);
            if depth + 1 < group.levels.len() {
                self.object.refine(&mut finer);
            }
            self.path.push(point);
            self.trace.push(finer.iter().map(|&c| mix(c, 1)).fold(0, u64::wrapping_add));
            let to = if self.is_worse() {
                depth
            } else {
                self.visit(compose(&level.from[place], &element), &finer)?
            };
            self.path.pop();
            self.trace.pop();
            if to < depth {
                return Ok(to);
            }
        }
        Ok(depth)
    }

    /// Whether all leaves below are worse than the best one.
    fn is_worse(&self) -> bool {
        let depth = self.trace.len();
        self.best.as_ref().is_some_and(|best| self.trace[..] > best.trace[..depth])
    }

    /// Compares a leaf with the best one; says to which depth to go back.
    fn leaf(&mut self, element: Permutation) -> usize {
        let depth = self.path.len();
        let image = self.object.image(&element);
        if let Some(best) = &self.best {
            match (&self.trace, &image).cmp(&(&best.trace, &best.image)) {
                Ordering::Greater => return depth,
                Ordering::Equal => {
                    self.fixing.push(compose(&inverse(&best.element), &element));
                    let common = self.path.iter().zip(&best.path).take_while(|(a, b)| a == b);
                    return common.count();
                }
                Ordering::Less => {}
            }
        }
        let (trace, path) = (self.trace.clone(), self.path.clone());
        self.best = Some(Leaf { trace, path, element, image });
        depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::subgroup::Subgroup;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A set of pairs of points.
    struct Pairs(Vec<(u32, u32)>);

    impl Object for Pairs {
        type Image = Vec<(u32, u32)>;

        fn refine(&mut self, colours: &mut [u64]) {
            for _ in 0..colours.len() {
                let old = colours.to_vec();
                for &(x, y) in &self.0 {
                    let (x, y) = (x as usize, y as usize);
                    colours[x] = colours[x].wrapping_add(mix(old[y], 5));
                    colours[y] = colours[y].wrapping_add(mix(old[x], 7));
                }
            }
        }

        fn image(&mut self, element: &[u32]) -> Vec<(u32, u32)> {
            let moved = self.0.iter().map(|&(x, y)| (element[x as usize], element[y as usize]));
            let mut image: Vec<(u32, u32)> = moved.collect();
            image.sort_unstable();
            image.dedup();
            image
        }
    }

    fn elements(degree: usize, generators: &[Permutation]) -> BTreeSet<Permutation> {
        let mut found: BTreeSet<Permutation> = [identity(degree)].into();
        let mut waiting: Vec<Permutation> = found.iter().cloned().collect();
        while let Some(element) = waiting.pop() {
            for generator in generators {
                let product = compose(generator, &element);
                if found.insert(product.clone()) {
                    waiting.push(product);
                }
            }
        }
        found
    }

    fn permutations() -> impl Strategy<Value = Vec<Permutation>> {
        let one = Just((0..6u32).collect::<Vec<u32>>()).prop_shuffle();
        prop::collection::vec(one.prop_map(Permutation::from), 0..4)
    }

    fn pairs() -> impl Strategy<Value = Vec<(u32, u32)>> {
        prop::collection::vec((0u32..6, 0u32..6), 0..6)
    }

    proptest! {
        #[test]
        fn the_image_is_that_of_the_orbit(generators in permutations(), pairs in pairs(), use_known: bool) {
            let pairs = Pairs(pairs).image(&identity(6));
            let all = elements(6, &generators);
            let group = Subgroup::new(6, &generators).unwrap();
            let mut fixing: Vec<Permutation> = Vec::new();
            for element in &all {
                if Pairs(pairs.clone()).image(element) == pairs {
                    fixing.push(element.clone());
                }
            }
            let known = if use_known { fixing.clone() } else { Vec::new() };
            let mut object = Pairs(pairs.clone());
            let one = canonical(group.chain(), &known, &mut object, 1 << 20, &mut || true).unwrap();
            prop_assert!(all.contains(&one.element));
            prop_assert_eq!(&object.image(&one.element), &one.image);
            let mut found = one.fixing;
            found.extend(known);
            prop_assert_eq!(elements(6, &found), fixing.into_iter().collect());
            for element in all.iter().step_by(all.len() / 8 + 1) {
                let mut moved = Pairs(Pairs(pairs.clone()).image(element));
                let same =
                    canonical(group.chain(), &[], &mut moved, 1 << 20, &mut || true).unwrap();
                prop_assert_eq!(&same.image, &one.image);
            }
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
        for pairs in [
            Vec::new(),
            (0..12).map(|x| (2 * x, 2 * x + 1)).collect(),
            (0..24).map(|x| (x, (x + 1) % 24)).collect(),
        ] {
            let mut object = Pairs(pairs);
            let found = canonical(group.chain(), &[], &mut object, 10_000, &mut || true).unwrap();
            assert_eq!(object.image(&found.element), found.image);
        }
    }

    #[test]
    fn the_limit_and_an_interrupt_end_the_search() {
        let group = symmetric(8);
        let mut object = Pairs(Vec::new());
        let stopped = canonical(group.chain(), &[], &mut object, 3, &mut || true);
        assert_eq!(stopped.err(), Some(Stop::Limit));
        let stopped = canonical(group.chain(), &[], &mut object, 3, &mut || false);
        assert_eq!(stopped.err(), Some(Stop::Interrupted));
    }
}
