//! Shortest paths to goal states.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::State;
use crate::base::lts::Lts;
use crate::base::stages::Measure;

/// The `most` nearest distinct states that satisfy `is_goal`, nearest first, each with the
/// transitions of a shortest path from the initial state.
pub fn nearest(
    lts: &Lts,
    is_goal: impl Fn(State) -> bool,
    most: usize,
    cancel: &Cancel,
) -> Result<Vec<(State, Vec<u32>)>> {
    const NEW: u32 = u32::MAX;
    const ROOT: u32 = u32::MAX - 1;
    let outgoing = Outgoing::rows(lts);
    // For every visited state, the transition that first reached it.
    let mut by = vec![NEW; lts.states as usize];
    by[lts.initial] = ROOT;
    let mut order = vec![lts.initial];
    let mut found = Vec::new();
    let stage = cancel.stage("searching for paths", Measure::Share(lts.states.into()));
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        stage.check_at(next)?;
        if found.len() == most {
            break;
        }
        next += 1;
        if is_goal(state) {
            let mut rows = Vec::new();
            let mut at = state;
            while by[at] != ROOT {
                rows.push(by[at]);
                at = lts.source[by[at] as usize];
            }
            rows.reverse();
            found.push((state, rows));
        }
        for &row in outgoing.of(state) {
            let target = lts.target[row as usize];
            if by[target] == NEW {
                by[target] = row;
                order.push(target);
            }
        }
    }
    Ok(found)
}
