//! Row numbers of an LTS, grouped by source.

use crate::base::cancel::Cancel;
use crate::base::csr::grouped::Grouped;
use crate::base::ids::{Label, State};
use crate::base::lts::Lts;

/// The numbers of the rows of every state, in the order of the LTS, duplicates included.
pub type Outgoing = Grouped<State, u32>;

impl Outgoing {
    /// All rows of `lts`.
    pub fn rows(lts: &Lts) -> Self {
        Self::rows_with(lts, |_| true)
    }

    /// The rows of `lts` whose label satisfies `keep`.
    pub fn rows_with(lts: &Lts, keep: impl Fn(Label) -> bool) -> Self {
        let rows = (0..).zip(lts.source.iter()).zip(lts.label.iter());
        let kept = rows.filter(|&(_, &label)| keep(label)).map(|((row, &source), _)| (source, row));
        Self::checked(lts.states as usize, || kept.clone(), &Cancel::never())
            .expect("not interrupted")
    }
}
