//! The result of a thread for one state.

use crate::orbits::orbit_table::{Canon, NewImage};

/// The result for one state.
pub enum Image<'i> {
    /// Its orbit was visited before; with the element that leads to the image.
    Known(u32, &'i [u32]),
    /// The image equals an earlier one, at this position; with the element that leads to it.
    SameAs(u32, &'i [u32]),
    /// Its canonical image, not looked up yet.
    Computed(Canon<'i>),
    /// Its canonical image, which is in no orbit, with the results of the lookup; and the element
    /// that leads to it.
    New(NewImage<'i>, &'i [u32]),
    /// Something has to be learned first.
    Unlearned,
}
