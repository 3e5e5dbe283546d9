//! From a rho-encoding back to the quotient; foreign encodings are checked.

use super::quotient::Quotient;
use crate::labels::Labels;
use crate::lts::Lts;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use thiserror::Error;

/// Why an LTS is no rho-encoding.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NoEncoding {
    #[error("state {0} has two rho-steps, `{1}` and `{2}`")]
    TwoSteps(u32, String, String),
    #[error("two rho-steps lead to state {0}")]
    TwoStepsTo(u32),
    #[error("`{1}` at state {0} is not between 1 and {2}")]
    Range(u32, String, u32),
    #[error("the rho-cycle through state {0} has the sum {1}, which does not divide the order {2}")]
    Sum(u32, u64, u32),
    #[error("the initial state {0} is not fixed by the symmetry: it has the period {1}")]
    Initial(u32, u32),
    #[error("the label permutation has an order that does not divide {0}")]
    Labels(u32),
}

/// Reads the encoding of an LTS under a group of order `order`. `labels` holds the labels of the
/// system and their images, `permutation` is g on them; a label `PREFIX(k)` is a rho-step.
pub fn decode(
    lts: &Lts,
    order: u32,
    prefix: &str,
    labels: Labels,
    permutation: Vec<u32>,
) -> Result<Quotient, NoEncoding> {
    const NONE: u32 = u32::MAX;
    let states = lts.states as usize;
    if super::quotient::periods_of(&permutation).iter().any(|&p| !order.is_multiple_of(p)) {
        return Err(NoEncoding::Labels(order));
    }
    let steps: Vec<Option<u64>> = lts.labels.iter().map(|label| rho_step(label, prefix)).collect();
    let text = |label: u32| String::from_utf8_lossy(lts.labels.get(label)).into_owned();
    let mut next = vec![NONE; states];
    let mut rho = vec![NONE; states];
    let mut has_previous = vec![false; states];
    for t in 0..lts.transitions() {
        let (source, label, target) = (lts.source[t], lts.label[t], lts.target[t]);
        let Some(step) = steps[label as usize] else { continue };
        if step < 1 || step >= u64::from(order) {
            return Err(NoEncoding::Range(source, text(label), order.saturating_sub(1)));
        }
        if rho[source as usize] != NONE {
            if rho[source as usize] == label && next[source as usize] == target {
                continue; // the same step once more
            }
            return Err(NoEncoding::TwoSteps(source, text(rho[source as usize]), text(label)));
        }
        if std::mem::replace(&mut has_previous[target as usize], true) {
            return Err(NoEncoding::TwoStepsTo(target));
        }
        rho[source as usize] = label;
        next[source as usize] = target;
    }
    // Every state has one rho-step in and out, or only one of them and then the cycle is open.
    let mut orbit = vec![NONE; states];
    let mut offset = vec![0u32; states];
    let mut periods = Vec::new();
    for start in 0..states {
        if orbit[start] != NONE {
            continue;
        }
        let number = periods.len() as u32;
        let (mut at, mut sum) = (start, 0u64);
        loop {
            orbit[at] = number;
            offset[at] = sum as u32;
            if rho[at] == NONE {
                if at != start || has_previous[at] {
                    return Err(NoEncoding::Sum(at as u32, sum, order));
                }
                sum = u64::from(order);
                break;
            }
            sum += steps[rho[at] as usize].expect("a rho-step");
            at = next[at] as usize;
            if at == start {
                break;
            }
            if sum >= u64::from(order) || orbit[at] != NONE {
                return Err(NoEncoding::Sum(at as u32, sum, order));
            }
        }
        if sum > u64::from(order) || !order.is_multiple_of(sum as u32) {
            return Err(NoEncoding::Sum(start as u32, sum, order));
        }
        periods.push(sum as u32);
    }
    let initial = orbit[lts.initial as usize];
    if periods[initial as usize] != 1 {
        return Err(NoEncoding::Initial(lts.initial, periods[initial as usize]));
    }
    // The powers of g on labels.
    let mut powers = vec![(0..permutation.len() as u32).collect::<Vec<_>>()];
    for power in 1..order as usize {
        let last = &powers[power - 1];
        powers.push(last.iter().map(|&label| permutation[label as usize]).collect());
    }
    let names: Vec<u32> =
        lts.labels.iter().map(|label| labels.find(label).unwrap_or(NONE)).collect();
    let mut columns: [Vec<u32>; 4] = Default::default();
    let mut seen = FxHashSet::default();
    for t in 0..lts.transitions() {
        if steps[lts.label[t] as usize].is_some() {
            continue;
        }
        let (s, e) = (lts.source[t] as usize, lts.target[t] as usize);
        let (from, to) = (orbit[s], orbit[e]);
        let (own, reach) = (periods[from as usize], periods[to as usize]);
        // Moved so that the source is at offset 0, then the least under its stabiliser <g^own>.
        let back = (order - offset[s]) % order;
        let label = powers[back as usize][names[lts.label[t] as usize] as usize];
        let shift = (offset[e] + back) % reach;
        let least = (0..order / own)
            .map(|k| {
                let power = k * own;
                (powers[power as usize][label as usize], (shift + power) % reach)
            })
            .min()
            .expect("at least the identity");
        if seen.insert((from, least, to)) {
            for (column, value) in columns.iter_mut().zip([from, least.0, least.1, to]) {
                column.push(value);
            }
        }
    }
    let [source, label, shift, target] = columns;
    let internal = lts.internal.iter().filter_map(|&l| labels.find(lts.labels.get(l))).collect();
    Ok(Quotient {
        order,
        initial,
        periods,
        source,
        label,
        shift,
        target,
        labels: Arc::new(labels),
        permutation,
        internal,
    })
}

/// The k of a label `PREFIX(k)`.
pub fn rho_step(label: &[u8], prefix: &str) -> Option<u64> {
    let digits = label.strip_prefix(prefix.as_bytes())?.strip_prefix(b"(")?.strip_suffix(b")")?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}
