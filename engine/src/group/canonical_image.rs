//! Canonical images: for an object and a permutation group, one image that depends on the orbit of
//! the object only, an element that maps the object there, and the stabiliser of the object.
//!
//! If the group has all permutations of its orbits, points are sorted by their colours, which
//! depend only on the role of the point in the object. Mostly this suffices, or the points of one
//! colour can be exchanged. The same works if the group has all permutations of items of several
//! points each, for example a component together with its states.
//!
//! Otherwise a search goes down the stabiliser chain. A node is given by the points x_1 .. x_i that
//! an element maps to the first i base points; a leaf is one element. The further down a node is,
//! the finer is its colouring of the points; among the candidates for the next point, those of the
//! rarest colour are tried. A leaf with the same image as the best one yields an element that fixes
//! the object; candidates that such elements map to one already tried are pruned (McKay, Practical
//! graph isomorphism, 1981; for groups given by a chain Leon, Permutation group algorithms based on
//! partitions, 1991, and Jefferson, Jonauskyte, Pfeiffer and Waldecker, Minimal and canonical
//! images, 2019).

use crate::base::hash::mix;
use crate::group::action::Group;
use crate::group::compact_permutation::{CompactPermutation, orbits_under};
use crate::group::permutation::{Permutation, compose, identity, inverse};
use crate::group::schreier_sims::Level;
use crate::group::subgroup::Subgroup;
use crate::group::symmetric_families::{Families, exchangeable, symmetric_orbits};
use std::borrow::Cow;
use std::cmp::Ordering;

/// An object that a group acts on.
pub trait Object {
    type Image: Ord + Default;
    /// The error of an operation that fails.
    type Error;

    /// Refines colours of points by the role of the points in the object.
    ///
    /// It has to be equivariant: if g maps one object and its colours to another, it also maps the
    /// refined colours of the one to those of the other. Points of different colours must stay so.
    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Self::Error>;

    /// Writes the image of the object under an element; equal objects give equal images.
    fn image(&mut self, element: &[u32], image: &mut Self::Image) -> Result<(), Self::Error>;

    /// Whether an element fixes the object. `moved` is the same element, which moves few points;
    /// `own` caches the image under the identity.
    fn is_fixed(
        &mut self,
        element: &[u32],
        _moved: &CompactPermutation,
        own: &mut Option<Self::Image>,
    ) -> Result<bool, Self::Error> {
        let mut image = Self::Image::default();
        if own.is_none() {
            self.image(&identity(element.len()), &mut image)?;
            *own = Some(std::mem::take(&mut image));
        }
        self.image(element, &mut image)?;
        Ok(own.as_ref() == Some(&image))
    }

    /// The order of two images, `Equal` only for equal ones.
    fn compare(&self, left: &Self::Image, right: &Self::Image) -> Result<Ordering, Self::Error> {
        Ok(left.cmp(right))
    }
}

/// The result of a search: the least image found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Least<I = Vec<u32>> {
    /// The image, the same for all objects of an orbit.
    pub image: I,
    /// An element that maps the object to the image, as its images of the points.
    pub element: Permutation,
    /// Generators of the stabiliser of the object; some may be redundant.
    pub stabiliser: Vec<CompactPermutation>,
    /// Whether the search was completed. If it was given up, the image is merely one of the orbit,
    /// and elements of the stabiliser may be missing.
    pub is_exact: bool,
}

/// A group prepared for searches.
pub struct Searcher<'a> {
    levels: &'a [Level],
    points: usize,
    symmetric: Option<Cow<'a, [Vec<u32>]>>,
    items: Option<Items>,
    /// In another group: sets of points that transpositions of the group exchange.
    exchangeable: Vec<Vec<u32>>,
    /// In another group: generators that move few points, but more than two.
    short: Vec<CompactPermutation>,
}

/// Sets of items of several points each, such that the group has all permutations of the items of
/// each set, independently of the other sets.
struct Items {
    sets: Vec<Vec<Vec<u32>>>,
    /// For every point that is moved: its set and the position of its item there.
    of: Vec<(u32, u32)>,
}

impl Items {
    fn new(points: usize, Families(sets): Families) -> Self {
        let mut of = vec![(0, 0); points];
        for (set, items) in (0..).zip(&sets) {
            for (position, item) in (0..).zip(items) {
                item.iter().for_each(|&point| of[point as usize] = (set, position));
            }
        }
        Self { sets, of }
    }

    fn of(&self, point: u32) -> &[u32] {
        let (set, position) = self.of[point as usize];
        &self.sets[set as usize][position as usize]
    }
}

impl<'a> Searcher<'a> {
    pub fn new(group: &'a Group) -> Self {
        let own: Vec<Permutation> =
            (0..group.generators.len()).map(|i| group.generator(i).into()).collect();
        let symmetric = symmetric_orbits(group.points, &own, &group.order()).map(Cow::Owned);
        let items = match symmetric {
            Some(_) => None,
            None => Families::of(group.points, &own).map(|all| Items::new(group.points, all)),
        };
        let is_other = symmetric.is_none() && items.is_none();
        let others = if is_other { &own[..] } else { &[] };
        let short = others.iter().map(|g| CompactPermutation::of(g));
        let short = short.filter(|g| matches!(g, CompactPermutation::Moved(_))).collect();
        let exchangeable = exchangeable(group.points, others);
        let (levels, points) = (group.levels(), group.points);
        Self { levels, points, symmetric, items, exchangeable, short }
    }

    pub fn of_subgroup(subgroup: &'a Subgroup) -> Self {
        let chain = subgroup.chain();
        let symmetric = subgroup.symmetric_orbits().map(Cow::Borrowed);
        let (levels, points) = (&chain.levels[..], chain.degree);
        let (exchangeable, short) = (Vec::new(), Vec::new());
        Self { levels, points, symmetric, items: None, exchangeable, short }
    }

    /// Whether the group has all permutations of each of its orbits.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric.is_some()
    }

    /// The canonical image of an object; `known` are elements that fix it.
    pub fn find<O: Object>(
        &self,
        known: &[CompactPermutation],
        object: &mut O,
    ) -> Result<Least<O::Image>, O::Error> {
        self.find_within(u64::MAX, known, object)
    }

    /// The canonical image, or the best image found within `choices` branches of the search.
    pub fn find_within<O: Object>(
        &self,
        choices: u64,
        known: &[CompactPermutation],
        object: &mut O,
    ) -> Result<Least<O::Image>, O::Error> {
        let mut colours = vec![0; self.points];
        if !self.levels.is_empty() {
            object.refine(&mut colours)?;
        }
        let mut fixing = known.to_vec();
        let ordered = match (&self.symmetric, &self.items) {
            (Some(orbits), _) => Some(sorted(orbits, &colours)),
            (None, Some(items)) => Some(sorted_items(items, &colours)),
            (None, None) => None,
        };
        if let Some((element, ties)) = ordered {
            let mut image = O::Image::default();
            // Points of the same colour can mostly be exchanged; then any order gives the same
            // image.
            let twins = self.twins(&ties, object)?;
            let are_all = twins.len() == ties.len();
            fixing.extend(twins);
            if are_all {
                object.image(&element, &mut image)?;
                return Ok(Least { image, element, stabiliser: fixing, is_exact: true });
            }
        } else {
            // What is known to fix the object need not be found by leaves of the search.
            let (_, ties) = sorted(&self.exchangeable, &colours);
            fixing.extend(self.twins(&ties, object)?);
            fixing.extend(self.fixing(self.short.iter().cloned(), object)?);
        }
        let (trace, path, best) = (Vec::new(), Vec::new(), None);
        let Self { levels, points, .. } = *self;
        let (left, is_on_path) = (Some(choices), vec![false; points]);
        let mut search =
            ImageSearch { levels, points, object, fixing, trace, path, is_on_path, best, left };
        search.visit(identity(points), &colours)?;
        let is_exact = search.left.is_some();
        let Leaf { image, element, .. } = search.best.expect("there is a leaf");
        Ok(Least { image, element, stabiliser: search.fixing, is_exact })
    }

    /// The transpositions of these pairs of points, or of their items, that fix an object.
    fn twins<O: Object>(
        &self,
        pairs: &[(u32, u32)],
        object: &mut O,
    ) -> Result<Vec<CompactPermutation>, O::Error> {
        let exchange = |&(left, right): &(u32, u32)| match &self.items {
            Some(items) => CompactPermutation::exchange(items.of(left), items.of(right)),
            None => CompactPermutation::exchange(&[left], &[right]),
        };
        self.fixing(pairs.iter().map(exchange), object)
    }

    /// Those of some elements that fix an object.
    fn fixing<O: Object>(
        &self,
        elements: impl ExactSizeIterator<Item = CompactPermutation>,
        object: &mut O,
    ) -> Result<Vec<CompactPermutation>, O::Error> {
        let mut fixing = Vec::new();
        if elements.len() == 0 {
            return Ok(fixing);
        }
        let (mut element, mut own) = (identity(self.points), None);
        for moved in elements {
            moved.moved().for_each(|(point, image)| element[point as usize] = image);
            let is_fixed = object.is_fixed(&element, &moved, &mut own)?;
            moved.moved().for_each(|(point, _)| element[point as usize] = point);
            if is_fixed {
                fixing.push(moved);
            }
        }
        Ok(fixing)
    }
}

struct ImageSearch<'a, O: Object> {
    levels: &'a [Level],
    points: usize,
    object: &'a mut O,
    /// Elements that fix the object.
    fixing: Vec<CompactPermutation>,
    /// For each node above, a hash of its colours.
    trace: Vec<u64>,
    /// The points that are mapped to the base points, and whether each point is one of them.
    path: Vec<u32>,
    is_on_path: Vec<bool>,
    best: Option<Leaf<O::Image>>,
    /// The number of branches left; `None` once the search was given up.
    left: Option<u64>,
}

struct Leaf<I> {
    trace: Vec<u64>,
    path: Vec<u32>,
    element: Permutation,
    image: I,
}

impl<O: Object> ImageSearch<'_, O> {
    /// Visits all leaves below a node, whose element maps the points of the path to the base.
    /// Returns the depth to go back to.
    fn visit(&mut self, element: Permutation, colours: &[u64]) -> Result<usize, O::Error> {
        let depth = self.path.len();
        let Some(level) = self.levels.get(depth) else { return self.leaf(element) };
        let back = inverse(&element);
        let coloured =
            |&point: &u32| (colours[back[point as usize] as usize], back[point as usize]);
        let mut candidates: Vec<(u64, u32)> = level.orbit.iter().map(coloured).collect();
        candidates.sort_unstable_by_key(|candidate| candidate.0);
        let rarest = candidates.chunk_by(|a, b| a.0 == b.0).min_by_key(|same| same.len());
        let rarest = rarest.expect("an orbit has a point");
        let mut tried: Vec<u32> = Vec::new();
        let mut known = usize::MAX;
        let mut same = Vec::new();
        for &(colour, point) in rarest {
            if known != self.fixing.len() && rarest.len() > 1 {
                known = self.fixing.len();
                let fixed = |g: &&CompactPermutation| {
                    g.moved().all(|(point, _)| !self.is_on_path[point as usize])
                };
                same = orbits_under(self.points, self.fixing.iter().filter(fixed));
            }
            if tried.iter().any(|&other| same[other as usize] == same[point as usize]) {
                continue;
            }
            if rarest.len() > 1 && !self.may_choose() {
                return Ok(0);
            }
            tried.push(point);
            let position = level.position(element[point as usize]).expect("a point of the orbit");
            let mut finer = Cow::Borrowed(colours);
            // Individualising the only point of a colour refines nothing.
            if rarest.len() > 1 {
                let finer = finer.to_mut();
                finer[point as usize] = mix(colour, depth as u64 + 1);
                if depth + 1 < self.levels.len() {
                    self.object.refine(finer)?;
                }
            }
            self.path.push(point);
            self.is_on_path[point as usize] = true;
            self.trace.push(finer.iter().map(|&c| mix(c, 1)).fold(0, u64::wrapping_add));
            let to = if self.is_worse() {
                depth
            } else {
                self.visit(level.from[position].after(&element), &finer)?
            };
            self.path.pop();
            self.is_on_path[point as usize] = false;
            self.trace.pop();
            if to < depth {
                return Ok(to);
            }
        }
        Ok(depth)
    }

    /// Whether another branch may be tried; always true until there is a leaf.
    fn may_choose(&mut self) -> bool {
        self.left = match self.left {
            Some(0) if self.best.is_some() => None,
            left => left.map(|left| left.saturating_sub(1)),
        };
        self.left.is_some()
    }

    /// Whether all leaves below are worse than the best one.
    fn is_worse(&self) -> bool {
        let depth = self.trace.len();
        self.best.as_ref().is_some_and(|best| self.trace[..] > best.trace[..depth])
    }

    /// Compares a leaf with the best one. Returns the depth to go back to.
    fn leaf(&mut self, element: Permutation) -> Result<usize, O::Error> {
        let depth = self.path.len();
        let mut image = O::Image::default();
        self.object.image(&element, &mut image)?;
        if let Some(best) = &self.best {
            let order = match self.trace.cmp(&best.trace) {
                Ordering::Equal => self.object.compare(&image, &best.image)?,
                order => order,
            };
            match order {
                Ordering::Greater => return Ok(depth),
                Ordering::Equal => {
                    let fixing = compose(&inverse(&best.element), &element);
                    self.fixing.push(CompactPermutation::of(&fixing));
                    let common = self.path.iter().zip(&best.path).take_while(|(a, b)| a == b);
                    return Ok(common.count());
                }
                Ordering::Less => {}
            }
        }
        let (trace, path) = (self.trace.clone(), self.path.clone());
        self.best = Some(Leaf { trace, path, element, image });
        Ok(depth)
    }
}

/// An element that sorts the points of each orbit by colour, and the pairs of neighbours in that
/// order that have the same colour.
fn sorted(orbits: &[Vec<u32>], colours: &[u64]) -> (Permutation, Vec<(u32, u32)>) {
    let mut element = identity(colours.len());
    let mut ties = Vec::new();
    let mut order = Vec::new();
    for orbit in orbits {
        order.clear();
        order.extend(orbit.iter().map(|&point| (colours[point as usize], point)));
        order.sort_unstable();
        for (&(_, point), &position) in order.iter().zip(orbit) {
            element[point as usize] = position;
        }
        let pairs = order.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        ties.extend(pairs.map(|pair| (pair[0].1, pair[1].1)));
    }
    (element, ties)
}

/// Like [`sorted`] for items, which are sorted by the sequence of colours of their points. A tie is
/// given by the first points of both items.
fn sorted_items(items: &Items, colours: &[u64]) -> (Permutation, Vec<(u32, u32)>) {
    let mut element = identity(colours.len());
    let mut ties = Vec::new();
    let mut order = Vec::new();
    for set in &items.sets {
        let coloured =
            |item: &Vec<u32>| item.iter().fold(0, |all, &point| mix(all, colours[point as usize]));
        order.clear();
        order.extend(set.iter().map(|item| (coloured(item), item)));
        order.sort_unstable();
        for ((_, item), positions) in order.iter().zip(set) {
            for (&point, &position) in item.iter().zip(positions) {
                element[point as usize] = position;
            }
        }
        let pairs = order.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        ties.extend(pairs.map(|pair| (pair[0].1[0], pair[1].1[0])));
    }
    (element, ties)
}

#[cfg(test)]
mod tests;
