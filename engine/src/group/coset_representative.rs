//! Coset representatives of a stabiliser chain, written out or as the few points that they move.

use crate::group::permutation::{Permutation, compose};
use std::sync::Arc;

/// A permutation, as the images of all points or as the moved points with their images.
#[derive(Clone)]
pub enum Representative {
    All(Permutation),
    /// Sorted by point; all other points are fixed.
    Moved(Arc<[(u32, u32)]>),
}

impl Representative {
    pub fn image(&self, point: u32) -> u32 {
        match self {
            Self::All(images) => images[point as usize],
            Self::Moved(moved) => moved
                .binary_search_by_key(&point, |&(point, _)| point)
                .map_or(point, |at| moved[at].1),
        }
    }

    /// The permutation that maps x to self(first(x)).
    pub fn after(&self, first: &[u32]) -> Permutation {
        match self {
            Self::All(images) => compose(images, first),
            Self::Moved(_) => first.iter().map(|&x| self.image(x)).collect(),
        }
    }

    /// The permutation that maps x to last(self(x)).
    pub fn before(&self, last: &[u32]) -> Permutation {
        match self {
            Self::All(images) => compose(last, images),
            Self::Moved(moved) => {
                let mut product: Permutation = last.into();
                for &(point, image) in moved.iter().filter(|&&(p, _)| (p as usize) < last.len()) {
                    product[point as usize] = last[image as usize];
                }
                product
            }
        }
    }
}
