//! The LTS that a quotient stands for.

use super::members::Members;
use super::quotient::Quotient;
use crate::lts::Lts;
use crate::ops::reachable::restrict;
use std::sync::Arc;

/// The expansion: all images of all rows, states numbered breadth first. There must be fewer states
/// than 2^32.
pub fn expand(quotient: &Quotient) -> Lts {
    let members = Members::new(quotient);
    let initial = members.bases[quotient.initial as usize];
    let internal = Arc::new(quotient.internal.clone());
    let labels = Arc::clone(&quotient.labels);
    let states = members.states() as u32;
    let columns = [members.source, members.label, members.target];
    let lts = Lts::from_valid(initial, states, columns, labels, internal);
    restrict(&lts, &mut || true).expect("nobody stops it")
}
