//! Permutations of `0..n` as their lists of images. `compose(g, h)` maps x to g(h(x)).

use crate::base::ids::Id;
use rustc_hash::FxHashMap;
use std::hash::Hash;

pub type Permutation = Box<[u32]>;

pub fn identity(degree: usize) -> Permutation {
    (0..u32::at(degree)).collect()
}

pub fn compose(left: &[u32], right: &[u32]) -> Permutation {
    right.iter().map(|&x| left[x as usize]).collect()
}

pub fn inverse(permutation: &[u32]) -> Permutation {
    let mut inverse = vec![0; permutation.len()];
    for (x, &image) in permutation.iter().enumerate() {
        inverse[image as usize] = u32::at(x);
    }
    inverse.into()
}

/// The least point that is moved.
pub fn first_moved(permutation: &[u32]) -> Option<u32> {
    (0..).zip(permutation).find(|&(x, &image)| x != image).map(|(x, _)| x)
}

/// Whether every number below the length occurs exactly once.
pub fn is_permutation(images: &[u32]) -> bool {
    let mut seen = vec![false; images.len()];
    images.iter().all(|&image| {
        seen.get_mut(image as usize).is_some_and(|seen| !std::mem::replace(seen, true))
    })
}

/// For every point the length of its cycle.
pub fn periods_of(permutation: &[u32]) -> Vec<u32> {
    let mut periods = vec![0; permutation.len()];
    for start in 0..permutation.len() {
        if periods[start] != 0 {
            continue;
        }
        let (mut length, mut at) = (1, permutation[start] as usize);
        while at != start {
            (length, at) = (length + 1, permutation[at] as usize);
        }
        for _ in 0..length {
            periods[at] = length;
            at = permutation[at] as usize;
        }
    }
    periods
}

/// The orbits of `0..degree` under generators: for every point the least point of its orbit.
pub fn orbits(degree: usize, generators: &[Permutation]) -> Vec<u32> {
    let mut least = vec![u32::MAX; degree];
    for start in 0..u32::at(degree) {
        if least[start as usize] != u32::MAX {
            continue;
        }
        least[start as usize] = start;
        let mut waiting = vec![start];
        while let Some(point) = waiting.pop() {
            for generator in generators {
                let image = generator[point as usize];
                if least[image as usize] == u32::MAX {
                    least[image as usize] = start;
                    waiting.push(image);
                }
            }
        }
    }
    least
}

/// The orbit of an object, explored breadth first by the images under generators; a part of it if
/// it has more members than a limit.
pub struct ObjectOrbit<T> {
    /// The members, each with an element that maps the object to it.
    pub members: Vec<(T, Permutation)>,
    /// Generators of the object's stabiliser (Schreier's lemma), or of a subgroup of it for a part.
    pub fixing: Vec<Permutation>,
}

impl<T: Copy + Eq + Hash> ObjectOrbit<T> {
    /// The orbit of `object` under `generators`, explored until it has more than `most` members.
    /// `image` returns the image of a member under the generator with the given number; an error of
    /// it, such as an interrupt, ends the exploration.
    pub fn new<E>(
        object: T,
        generators: &[&[u32]],
        degree: usize,
        most: usize,
        mut image: impl FnMut(T, usize) -> Result<T, E>,
    ) -> Result<Self, E> {
        let mut members = vec![(object, identity(degree))];
        let mut numbers: FxHashMap<T, usize> = [(object, 0)].into_iter().collect();
        let mut fixing = Vec::new();
        let mut at = 0;
        while at < members.len() && members.len() <= most {
            for (number, generator) in generators.iter().enumerate() {
                let image = image(members[at].0, number)?;
                let product = compose(generator, &members[at].1);
                if let Some(&known) = numbers.get(&image) {
                    fixing.push(compose(&inverse(&members[known].1), &product));
                } else {
                    numbers.insert(image, members.len());
                    members.push((image, product));
                }
            }
            at += 1;
        }
        Ok(Self { members, fixing })
    }
}

/// All elements of a group, as a reference for tests.
#[cfg(test)]
pub fn closure(degree: usize, generators: &[Permutation]) -> std::collections::BTreeSet<Vec<u32>> {
    let mut elements: std::collections::BTreeSet<Vec<u32>> = [(0..degree as u32).collect()].into();
    let mut waiting: Vec<Vec<u32>> = elements.iter().cloned().collect();
    while let Some(element) = waiting.pop() {
        for generator in generators {
            let product: Vec<u32> = element.iter().map(|&x| generator[x as usize]).collect();
            if elements.insert(product.clone()) {
                waiting.push(product);
            }
        }
    }
    elements
}
