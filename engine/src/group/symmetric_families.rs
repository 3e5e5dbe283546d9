//! Products of symmetric groups, recognised from generators alone.
//!
//! A transitive permutation group that contains a transposition of two points is the symmetric
//! group if the finest invariant partition with both points in one block has one block only:
//! "exchanged by a transposition of the group" is an invariant equivalence (Jordan). The order is
//! then a factorial, and no stabiliser has to be computed.

use crate::base::disjoint_sets::DisjointSets;
use crate::base::ids::Id;
use crate::group::permutation::{Permutation, identity, orbits};
use num_bigint::BigUint;
use num_integer::Integer;
use rustc_hash::{FxHashMap, FxHashSet};

/// Sets of items, such that a group is the product of the symmetric groups on the sets. A set is a
/// list of items; an item consists of one point of each of several orbits that the group moves
/// alike.
pub struct Families(pub Vec<Vec<Vec<u32>>>);

impl Families {
    /// The families of a group, if it is recognised as a product of symmetric groups.
    pub fn of(degree: usize, generators: &[Permutation]) -> Option<Self> {
        let mut members = nontrivial(&orbits(degree, generators));
        let mut families = Vec::new();
        let mut taken = vec![false; generators.len()];
        while let Some(first) = members.first().cloned() {
            let moves = |g: &Permutation, orbit: &[u32]| orbit.iter().any(|&p| g[p as usize] != p);
            // Independence: a generator that moves this orbit moves only orbits that are moved
            // alike.
            let own: Vec<usize> =
                (0..generators.len()).filter(|&g| moves(&generators[g], &first)).collect();
            if own.iter().any(|&g| std::mem::replace(&mut taken[g], true)) {
                return None;
            }
            let own: Vec<&Permutation> = own.iter().map(|&g| &generators[g]).collect();
            if !has_all(degree, &first, &own) {
                return None;
            }
            let mut items: Vec<Vec<u32>> = first.iter().map(|&point| vec![point]).collect();
            let mut others = Vec::new();
            for orbit in members.drain(..).skip(1) {
                if !own.iter().any(|g| moves(g, &orbit)) {
                    others.push(orbit);
                    continue;
                }
                let images = equivariant_bijection(&first, &orbit, generators)?;
                for item in &mut items {
                    item.push(images[&item[0]]);
                }
            }
            members = others;
            families.push(items);
        }
        Some(Self(families))
    }

    /// The orbits, if no two of them are permuted alike.
    pub fn of_single_points(&self) -> Option<Vec<Vec<u32>>> {
        let is_single = self.0.iter().flatten().all(|item| item.len() == 1);
        is_single.then(|| self.0.iter().map(|items| items.concat()).collect())
    }

    pub fn order(&self) -> BigUint {
        order_of_product(&self.0)
    }
}

/// Whether the group has every permutation of an orbit. False if no power of a generator is
/// recognised as a transposition.
fn has_all(degree: usize, orbit: &[u32], generators: &[&Permutation]) -> bool {
    let Some((left, right)) = generators.iter().find_map(|g| transposed(orbit, g)) else {
        return false;
    };
    join_images(&mut DisjointSets::new(degree), (left, right), generators) == orbit.len() - 1
}

/// Joins two points, and the blocks of their images under all elements of a group; returns by how
/// many there are fewer blocks.
fn join_images(sets: &mut DisjointSets, pair: (u32, u32), generators: &[&Permutation]) -> usize {
    let mut waiting = vec![pair];
    let mut joined = 0;
    while let Some((left, right)) = waiting.pop() {
        if sets.join(left, right).is_some() {
            joined += 1;
            waiting.extend(generators.iter().map(|g| (g[left as usize], g[right as usize])));
        }
    }
    joined
}

/// Sets of points of which a group has all permutations that fix all other points, as far as powers
/// of its generators show them.
pub fn exchangeable(degree: usize, generators: &[Permutation]) -> Vec<Vec<u32>> {
    let all: Vec<u32> = (0..u32::at(degree)).collect();
    let mut sets = DisjointSets::new(degree);
    for pair in generators.iter().filter_map(|g| transposed(&all, g)) {
        join_images(&mut sets, pair, &generators.iter().collect::<Vec<_>>());
    }
    let least: Vec<u32> = all.iter().map(|&point| sets.least(point)).collect();
    nontrivial(&least)
}

/// Two points of an orbit that some power of a permutation exchanges while it fixes all others of
/// the orbit.
fn transposed(orbit: &[u32], permutation: &Permutation) -> Option<(u32, u32)> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let (mut pair, mut power) = (None, BigUint::from(1u32));
    for &point in orbit {
        if !seen.insert(point) {
            continue;
        }
        let (mut length, mut at) = (1u32, permutation[point as usize]);
        while at != point {
            seen.insert(at);
            (length, at) = (length + 1, permutation[at as usize]);
        }
        if length == 2 && pair.is_none() {
            pair = Some((point, permutation[point as usize]));
        } else {
            power = power.lcm(&BigUint::from(length));
        }
    }
    // The power under which all other cycles are trivial has to be odd, to exchange the pair.
    pair.filter(|_| power.is_odd())
}

/// The bijection between two orbits that commutes with all generators, if there is one.
fn equivariant_bijection(
    left: &[u32],
    right: &[u32],
    generators: &[Permutation],
) -> Option<FxHashMap<u32, u32>> {
    if left.len() != right.len() {
        return None;
    }
    // A generator with a power that is a transposition of one orbit has to be one on the other,
    // too; either of the two points there may be the image.
    let exchange = generators.iter().find_map(|g| Some((transposed(left, g)?, g)));
    let ((from, _), generator) = exchange?;
    let (a, b) = transposed(right, generator)?;
    [a, b].into_iter().find_map(|to| bijection(left, from, to, generators))
}

fn bijection(
    left: &[u32],
    from: u32,
    to: u32,
    generators: &[Permutation],
) -> Option<FxHashMap<u32, u32>> {
    let mut images: FxHashMap<u32, u32> = FxHashMap::default();
    images.insert(from, to);
    let mut waiting = vec![from];
    while let Some(point) = waiting.pop() {
        let image = images[&point];
        for g in generators {
            let (next, moved) = (g[point as usize], g[image as usize]);
            match images.insert(next, moved) {
                Some(known) if known != moved => return None,
                Some(_) => {}
                None => waiting.push(next),
            }
        }
    }
    let targets: FxHashSet<u32> = images.values().copied().collect();
    (images.len() == left.len() && targets.len() == left.len()).then_some(images)
}

/// The nontrivial orbits, if the group has this order and is the product of the symmetric groups on
/// them.
pub fn symmetric_orbits(
    points: usize,
    generators: &[Permutation],
    order: &BigUint,
) -> Option<Vec<Vec<u32>>> {
    let members = nontrivial(&orbits(points, generators));
    (order_of_product(&members) == *order).then_some(members)
}

/// The orbits of more than one point, each in ascending order, by their least points; `least` has
/// the least point of the orbit of each point.
pub fn nontrivial(least: &[u32]) -> Vec<Vec<u32>> {
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); least.len()];
    for (point, &least) in (0..).zip(least) {
        members[least as usize].push(point);
    }
    members.retain(|orbit| orbit.len() > 1);
    members
}

/// For each point the first point of the class that it comes from under an element; a
/// point in no class is one by itself.
pub fn origins(classes: &[Vec<u32>], element: &[u32]) -> Vec<u32> {
    let mut first = identity(element.len());
    for class in classes {
        for &point in class {
            first[point as usize] = class[0];
        }
    }
    let mut origins = vec![0; element.len()];
    for (&first, &to) in first.iter().zip(element) {
        origins[to as usize] = first;
    }
    origins
}

/// The order of the product of the symmetric groups on some sets.
pub fn order_of_product<T, S: AsRef<[T]>>(sets: &[S]) -> BigUint {
    let (mut order, mut factor) = (BigUint::from(1u32), 1u64);
    // As many factors as fit into a word are multiplied first.
    for next in sets.iter().flat_map(|set| 2..=set.as_ref().len() as u64) {
        match factor.checked_mul(next) {
            Some(product) => factor = product,
            None => {
                order *= factor;
                factor = next;
            }
        }
    }
    order * factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::Cancel;
    use crate::group::permutation::{closure, compose, identity};
    use crate::group::schreier_sims::Chain;
    use proptest::prelude::*;

    /// Permutations of 0..4 that move 4..8 alike or fix them.
    fn generators() -> impl Strategy<Value = Vec<Permutation>> {
        let few = (Just((0..4u32).collect::<Vec<_>>()).prop_shuffle(), 0..3u32, 0..3usize);
        prop::collection::vec(few, 1..4).prop_map(|all| {
            let permutation =
                |(images, equivariant_bijection, kind): (Vec<u32>, u32, usize)| -> Permutation {
                    let own: Vec<u32> = match kind {
                        0 => vec![1, 0, 2, 3],
                        1 => vec![1, 2, 3, 0],
                        _ => images,
                    };
                    let copy: Vec<u32> =
                        if equivariant_bijection == 0 { vec![0, 1, 2, 3] } else { own.clone() };
                    own.iter().copied().chain(copy.iter().map(|x| x + 4)).collect()
                };
            all.into_iter().map(permutation).collect()
        })
    }

    fn permutation() -> impl Strategy<Value = Permutation> {
        Just((0..8u32).collect::<Vec<u32>>()).prop_shuffle().prop_map(Permutation::from)
    }

    proptest! {
        #[test]
        fn recognised_families_have_the_elements_of_the_group(generators in generators(), more in permutation()) {
            if let Some(seen) = Families::of(8, &generators) {
                let all = closure(8, &generators);
                prop_assert_eq!(seen.order(), BigUint::from(all.len()));
                let chain = Chain::new(8, &generators, &Cancel::never()).unwrap();
                let direct = Chain::of_families(8, &seen, &generators, &Cancel::never()).unwrap();
                let shape = |chain: &Chain| -> Vec<(u32, usize)> {
                    chain.levels.iter().map(|level| (level.point, level.orbit.len())).collect()
                };
                prop_assert_eq!(shape(&chain), shape(&direct));
                for level in &direct.levels {
                    for (&point, (to, from)) in level.orbit.iter().zip(level.to.iter().zip(&level.from)) {
                        let id = identity(8);
                        let (after, before) = (to.after(&id), from.before(&id));
                        prop_assert!(all.contains(&after.to_vec()) && all.contains(&before.to_vec()));
                        prop_assert_eq!(to.image(level.point), point);
                        prop_assert_eq!(from.image(point), level.point);
                        prop_assert!((0..level.point).all(|fixed| to.image(fixed) == fixed));
                        prop_assert_eq!(compose(&after, &before), id);
                        prop_assert_eq!(to.after(&before), from.before(&after));
                    }
                }
                // Adding an element to a chain made from families gives the larger group.
                let mut grown = Chain::of_families(8, &seen, &generators, &Cancel::never()).unwrap();
                grown.add(&more, &Cancel::never()).unwrap();
                let mut generators = generators;
                generators.push(more);
                prop_assert_eq!(grown.order(), BigUint::from(closure(8, &generators).len()));
            }
        }
    }

    #[test]
    fn large_groups_are_recognised() {
        let n = 1000u32;
        let on = |f: &dyn Fn(u32) -> u32| (0..2 * n).map(|x| f(x % n) + x / n * n).collect();
        let swap = on(&|x| [1, 0].get(x as usize).copied().unwrap_or(x));
        let cycle = on(&|x| (x + 1) % n);
        let factorial: BigUint = (1..=n).map(BigUint::from).product();
        let generators = [swap, cycle];
        let seen = Families::of(2 * n as usize, &generators).unwrap();
        assert_eq!(seen.order(), factorial);
    }
}
