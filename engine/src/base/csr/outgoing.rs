//! Transition numbers of an LTS, grouped by source.

use crate::base::cancel::Cancel;
use crate::base::csr::grouped::Grouped;
use crate::base::ids::{Label, State};
use crate::base::lts::Lts;

/// The numbers of the transitions of every state, in the order of the LTS, duplicates included.
pub type Outgoing = Grouped<State, u32>;

impl Outgoing {
    /// All transitions of `lts`.
    pub fn of_lts(lts: &Lts) -> Self {
        Self::with_labels(lts, |_| true)
    }

    /// The transitions of `lts` whose label satisfies `keep`.
    pub fn with_labels(lts: &Lts, keep: impl Fn(Label) -> bool) -> Self {
        let transitions = (0..).zip(lts.source.iter()).zip(lts.label.iter());
        let chosen = transitions
            .filter(|&(_, &label)| keep(label))
            .map(|((transition, &source), _)| (source, transition));
        Self::checked(lts.states as usize, || chosen.clone(), &Cancel::never())
            .expect("not interrupted")
    }
}
