//! How one image of a state is chosen.

use crate::group::action::Group;
use crate::group::canonical_image::Searcher;
use num_bigint::BigUint;

/// How the image is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The least image under all elements of the group.
    Enumerate,
    /// Points are sorted by their colours, which are refined and, for ties, individualised.
    Refine,
}

impl Strategy {
    /// The one that suits a group.
    pub fn suited(group: &Group) -> Self {
        let is_small = group.order() <= BigUint::from(FEW_ELEMENTS);
        if is_small && !Searcher::new(group).is_symmetric() {
            Self::Enumerate
        } else {
            Self::Refine
        }
    }
}

/// So few images are compared faster than points are sorted.
const FEW_ELEMENTS: u32 = 64;
/// The elements that may be enumerated.
pub const MOST_ELEMENTS: u32 = 1 << 16;
