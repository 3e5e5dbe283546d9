//! The result of a thread for one state.

use crate::orbits::orbit_table::{Canon, Fresh};

/// The result for one state.
pub enum Image<'i> {
    /// Its orbit was visited before; with the element that leads to the image.
    Known(u32, &'i [u32]),
    /// The image equals an earlier one, at this position; with the element that leads to it.
    Same(u32, &'i [u32]),
    /// Its canonical image, not looked up yet.
    Found(Canon<'i>),
    /// Its canonical image, which is in no orbit, with the results of the lookup; and the element
    /// that leads to it.
    Fresh(Fresh<'i>, &'i [u32]),
    /// Something has to be learned first.
    Missing,
}
