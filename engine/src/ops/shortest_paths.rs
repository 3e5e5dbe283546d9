//! Shortest paths to goal states.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::State;
use crate::base::lts::Lts;
use crate::base::paths::path_to;
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
    let outgoing = Outgoing::of_lts(lts);
    // For every visited state, the transition that first reached it.
    let mut by = vec![NEW; lts.states as usize];
    by[lts.initial] = ROOT;
    let mut order = vec![lts.initial];
    let mut paths = Vec::new();
    let stage = cancel.stage("searching for paths", Measure::Share(lts.states.into()));
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        stage.check_at(next)?;
        if paths.len() == most {
            break;
        }
        next += 1;
        if is_goal(state) {
            let last = |transition: u32| {
                (transition != ROOT).then(|| (lts.source[transition as usize], transition))
            };
            paths.push((state, path_to(state, |at| last(by[at]))));
        }
        for &transition in outgoing.of(state) {
            let target = lts.target[transition as usize];
            if by[target] == NEW {
                by[target] = transition;
                order.push(target);
            }
        }
    }
    Ok(paths)
}
