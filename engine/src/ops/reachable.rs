//! Reachability from the initial state.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::Id;
use crate::base::ids::State;
use crate::base::lts::Lts;
use crate::base::memory::room;
use crate::base::stages::Measure;

/// For every state, whether it is reachable from the initial state.
pub fn reachable_states(lts: &Lts, cancel: &Cancel) -> Result<Vec<bool>> {
    let mut reached = vec![false; lts.states as usize];
    for state in breadth_first(lts, &Outgoing::of_lts(lts), cancel)? {
        reached[state] = true;
    }
    Ok(reached)
}

/// The reachable part of `lts`. States are numbered in breadth-first order; transitions are sorted
/// by source, and those of one source keep their order in `lts`. The label table is unchanged.
pub fn restrict(lts: &Lts, cancel: &Cancel) -> Result<Lts> {
    let outgoing = Outgoing::of_lts(lts);
    let order = breadth_first(lts, &outgoing, cancel)?;
    let mut number = vec![State::NONE; lts.states as usize];
    for (new, &old) in order.iter().enumerate() {
        number[old] = State(u32::at(new));
    }
    let transitions = order.iter().map(|&state| outgoing.of(state).len()).sum();
    let mut label = room(transitions);
    let [mut source, mut target] = [(); 2].map(|()| room(transitions));
    for (new, &old) in order.iter().enumerate() {
        cancel.check_at(new)?;
        for &transition in outgoing.of(old) {
            source.push(State(u32::at(new)));
            label.push(lts.label[transition as usize]);
            target.push(number[lts.target[transition as usize]]);
        }
    }
    Ok(Lts::from_valid(
        State(0),
        u32::at(order.len()),
        (source, label, target),
        lts.labels.clone(),
        lts.internal.clone(),
    ))
}

/// The reachable states in breadth-first order.
fn breadth_first(lts: &Lts, outgoing: &Outgoing, cancel: &Cancel) -> Result<Vec<State>> {
    let mut visited = vec![false; lts.states as usize];
    visited[lts.initial] = true;
    let mut order = vec![lts.initial];
    let stage = cancel.stage("visiting states", Measure::Share(lts.states.into()));
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        stage.check_at(next)?;
        next += 1;
        for &transition in outgoing.of(state) {
            let target = lts.target[transition as usize];
            if !visited[target] {
                visited[target] = true;
                order.push(target);
            }
        }
    }
    Ok(order)
}
