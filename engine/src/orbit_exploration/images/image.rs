//! What threads find of a state.

use crate::orbit_exploration::orbit_table::{Canon, Fresh};

/// What was found of a state.
pub enum Image<'i> {
    /// Its orbit was visited before; the element that leads to the image.
    Known(u32, &'i [u32]),
    /// The image is that at this place, which comes before; the element that leads to it.
    Same(u32, &'i [u32]),
    /// Its canonical image.
    Found(Canon<'i>),
    /// The same, with what looking for it has found; the element that leads to it.
    Fresh(Fresh<'i>, &'i [u32]),
    /// Something is to be learned first.
    Missing,
}
