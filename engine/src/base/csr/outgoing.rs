//! The rows of every state.

use crate::base::lts::Lts;

/// Numbers of rows, grouped by source.
///
/// Invariant: the rows of state s are `rows[starts[s]..starts[s + 1]]`, in the order of the LTS,
/// duplicates included.
pub struct Outgoing {
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl Outgoing {
    /// All rows of `lts`.
    pub fn new(lts: &Lts) -> Self {
        Self::with_labels(lts, |_| true)
    }

    /// The rows of `lts` whose label is to be kept.
    pub fn with_labels(lts: &Lts, keep: impl Fn(u32) -> bool) -> Self {
        assert!(lts.transitions() <= u32::MAX as usize, "rows are numbered with 32 bits");
        let kept = || (0..lts.transitions()).filter(|&row| keep(lts.label[row]));
        // Shifted by two, so that filling turns the starts of s + 1 into those of s.
        let mut starts = vec![0; lts.states as usize + 2];
        for row in kept() {
            starts[lts.source[row] as usize + 2] += 1;
        }
        for s in 2..starts.len() {
            starts[s] += starts[s - 1];
        }
        let mut rows = vec![0; starts[starts.len() - 1]];
        for row in kept() {
            let place = &mut starts[lts.source[row] as usize + 1];
            rows[*place] = row as u32;
            *place += 1;
        }
        starts.pop();
        Self { starts, rows }
    }

    /// The rows of a state.
    pub fn of(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.rows[self.starts[state]..self.starts[state + 1]]
    }
}
