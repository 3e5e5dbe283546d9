//! Shortest ways to states that are looked for.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::State;
use crate::base::lts::Lts;

/// The rows of a shortest path from the initial state to each of the `most` nearest states for which
/// `is_goal` says yes, nearest first, with the state. No two are of one state.
pub fn nearest(
    lts: &Lts,
    is_goal: impl Fn(State) -> bool,
    most: usize,
    cancel: &Cancel,
) -> Result<Vec<(State, Vec<u32>)>> {
    const NEW: u32 = u32::MAX;
    const ROOT: u32 = u32::MAX - 1;
    let outgoing = Outgoing::rows(lts);
    // For every state that was met the row that led to it.
    let mut by = vec![NEW; lts.states as usize];
    by[lts.initial] = ROOT;
    let mut order = vec![lts.initial];
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        cancel.check_at(next)?;
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
