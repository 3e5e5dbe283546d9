//! The annotated quotient of an LTS under a cyclic group of symmetries.

use crate::labels::Labels;
use std::sync::Arc;

/// An LTS up to a cyclic group <g>, without loss (theory: orbits with stabilisers, one transition
/// for each transition orbit).
///
/// Orbit `o` of states has a representative `r(o)` and the period `periods[o]`, the least p >= 1
/// with g^p r = r; its states are `g^i r` for i < p. A row (source, label, shift, target) is the
/// transition `r(source) -label-> g^shift r(target)`, and stands for its images under all powers of
/// g; there is one row for each orbit of transitions.
///
/// Invariant: every period divides `order`; `shift[t] < periods[target[t]]`; `permutation` is g on
/// the labels of the table, and its order divides `order`; the initial orbit has period 1.
#[derive(Clone)]
pub struct Quotient {
    pub order: u32,
    pub initial: u32,
    pub periods: Vec<u32>,
    pub source: Vec<u32>,
    pub label: Vec<u32>,
    pub shift: Vec<u32>,
    pub target: Vec<u32>,
    pub labels: Arc<Labels>,
    pub permutation: Vec<u32>,
    pub internal: Vec<u32>,
}

/// Greatest common divisor.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Least common multiple.
pub fn lcm(a: u64, b: u64) -> u64 {
    a / gcd(a, b) * b
}

impl Quotient {
    /// For every label the least p >= 1 with g^p a = a.
    pub fn label_periods(&self) -> Vec<u32> {
        periods_of(&self.permutation)
    }

    /// Numbers of states and transitions of the LTS it stands for.
    pub fn count(&self) -> (u128, u128) {
        let states = self.periods.iter().map(|&p| u128::from(p)).sum();
        let labels = self.label_periods();
        let transitions = (0..self.source.len())
            .map(|t| {
                let ends = lcm(
                    u64::from(self.periods[self.source[t] as usize]),
                    u64::from(self.periods[self.target[t] as usize]),
                );
                u128::from(lcm(ends, u64::from(labels[self.label[t] as usize])))
            })
            .sum();
        (states, transitions)
    }
}

/// For every point of a permutation the length of its cycle.
pub fn periods_of(permutation: &[u32]) -> Vec<u32> {
    let mut periods = vec![0; permutation.len()];
    for start in 0..permutation.len() {
        if periods[start] != 0 {
            continue;
        }
        let mut length = 0;
        let mut at = start;
        loop {
            length += 1;
            at = permutation[at] as usize;
            if at == start {
                break;
            }
        }
        loop {
            periods[at] = length;
            at = permutation[at] as usize;
            if at == start {
                break;
            }
        }
    }
    periods
}
