//! Strategies for choosing the representative of an orbit.

use crate::group::action::Group;
use crate::group::canonical_image::Searcher;
use num_bigint::BigUint;

/// A strategy for choosing the representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The least image under all elements of the group.
    Enumerate,
    /// The image that sorts the points by colours, which are refined and, for ties, individualised.
    Refine,
}

impl Strategy {
    /// The strategy that suits a group.
    pub fn suited(group: &Group) -> Self {
        let is_small = group.order() <= BigUint::from(FEW_ELEMENTS);
        if is_small && !Searcher::new(group).is_symmetric() {
            Self::Enumerate
        } else {
            Self::Refine
        }
    }
}

/// For up to this many elements, comparing all images is faster than sorting points.
const FEW_ELEMENTS: u32 = 64;
/// The most elements that may be enumerated.
pub const MOST_ELEMENTS: u32 = 1 << 16;
