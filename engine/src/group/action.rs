//! The action of a permutation group: it permutes a small set of points, and with them a large set.
//!
//! An element is determined by its images of the points, so it is written as those.

use crate::base::cancel::{self, Cancel};
use crate::base::ids::Id;
use crate::group::permutation::{Permutation, identity};
use crate::group::schreier_sims::{Chain, Level, NoGroup};
use num_bigint::BigUint;

/// A group on the points `0..points`. Its generators also permute `points..points + set`, the set
/// that it acts on.
pub struct Group {
    pub points: usize,
    pub set: usize,
    /// Permutations of points and set.
    pub generators: Vec<Permutation>,
    chain: Chain,
}

impl Group {
    pub fn new(
        points: usize,
        set: usize,
        generators: Vec<Permutation>,
        cancel: &Cancel,
    ) -> Result<Self, NoGroup> {
        let chain = Chain::new(points + set, &generators, cancel)?;
        match chain.levels.last() {
            Some(level) if level.point as usize >= points => {
                Err(NoGroup::NotFaithful(level.point - u32::at(points)))
            }
            _ => Ok(Self { points, set, generators, chain }),
        }
    }

    pub fn order(&self) -> BigUint {
        self.chain.order()
    }

    /// The levels of the stabiliser chain; their elements are permutations of points and set.
    pub fn levels(&self) -> &[Level] {
        &self.chain.levels
    }

    /// All elements as images of the points, the identity first.
    pub fn elements(&self, cancel: &Cancel) -> cancel::Result<Vec<Permutation>> {
        let (mut elements, mut unchecked) = (vec![self.identity()], 0);
        for level in self.chain.levels.iter().rev() {
            let below = std::mem::take(&mut elements);
            for to in &level.to {
                for rest in &below {
                    cancel.check_every(&mut unchecked, self.points)?;
                    elements.push(to.after(rest));
                }
            }
        }
        Ok(elements)
    }

    pub fn identity(&self) -> Permutation {
        identity(self.points)
    }

    /// Generator `i` as the images of the points.
    pub fn generator(&self, i: usize) -> &[u32] {
        &self.generators[i][..self.points]
    }

    /// The element as a product: for each level of the chain, a position in its orbit. `None` if
    /// the element is not in the group.
    pub fn factors(&self, element: &[u32]) -> Option<Vec<u32>> {
        let mut rest: Permutation = element.into();
        let mut factors = Vec::with_capacity(self.chain.levels.len());
        for level in &self.chain.levels {
            let position = level.position(rest[level.point as usize])?;
            factors.push(u32::at(position));
            if position > 0 {
                rest = level.from[position].after(&rest);
            }
        }
        let trivial = rest.iter().zip(0..).all(|(&image, point)| image == point);
        trivial.then_some(factors)
    }

    /// The image of a member of the set under a product.
    pub fn image(&self, factors: &[u32], member: u32) -> u32 {
        let base = u32::at(self.points);
        let levels = self.chain.levels.iter().zip(factors).rev();
        levels
            .filter(|&(_, &position)| position > 0)
            .fold(base + member, |at, (level, &position)| level.to[position as usize].image(at))
            - base
    }
}
