//! The LTS that a quotient stands for.

use super::quotient::{Quotient, lcm};
use crate::lts::Lts;
use crate::ops::reachable::restrict;
use std::sync::Arc;

impl Quotient {
    /// The number of the first state of each orbit when the states `g^i r` are numbered orbit by
    /// orbit; one entry more than there are orbits.
    pub fn bases(&self) -> Vec<u32> {
        let mut bases = vec![0u32];
        for &period in &self.periods {
            bases.push(bases[bases.len() - 1] + period);
        }
        bases
    }

    /// How many transitions row `row` stands for.
    pub fn row_period(&self, row: usize, label_periods: &[u32]) -> u32 {
        let ends = lcm(
            u64::from(self.periods[self.source[row] as usize]),
            u64::from(self.periods[self.target[row] as usize]),
        );
        lcm(ends, u64::from(label_periods[self.label[row] as usize])) as u32
    }
}

/// The expansion: all images of all rows, states numbered breadth first.
pub fn expand(quotient: &Quotient) -> Lts {
    let bases = quotient.bases();
    let label_periods = quotient.label_periods();
    let mut columns: [Vec<u32>; 3] = Default::default();
    for row in 0..quotient.source.len() {
        let (s, t) = (quotient.source[row] as usize, quotient.target[row] as usize);
        let mut label = quotient.label[row];
        for power in 0..quotient.row_period(row, &label_periods) {
            columns[0].push(bases[s] + power % quotient.periods[s]);
            columns[1].push(label);
            columns[2].push(bases[t] + (quotient.shift[row] + power) % quotient.periods[t]);
            label = quotient.permutation[label as usize];
        }
    }
    let states = bases[bases.len() - 1] as usize;
    let initial = bases[quotient.initial as usize];
    let internal = Arc::new(quotient.internal.clone());
    let labels = Arc::clone(&quotient.labels);
    let lts = Lts::from_valid(initial, states as u32, columns, labels, internal);
    restrict(&lts, &mut || true).expect("nobody stops it")
}
