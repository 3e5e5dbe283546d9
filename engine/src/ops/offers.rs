//! The steps that a state offers: deadlocks, nondeterminism and duplicate transitions.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::lts::Lts;
use crate::base::stages::Measure;

/// For every state, whether it has no transition.
pub fn deadlocks(lts: &Lts) -> Vec<bool> {
    let mut dead = vec![true; lts.states as usize];
    for &state in lts.source.iter() {
        dead[state] = false;
    }
    dead
}

/// For every state, whether two transitions with the same label lead to different states; all
/// internal labels are one, and so are labels that differ only in their spelling.
pub fn nondeterministic_states(lts: &Lts, cancel: &Cancel) -> Result<Vec<bool>> {
    let lts = &lts.clone().with_distinct_labels();
    let mut action: Vec<Label> = (0..u32::at(lts.labels.len())).map(Label).collect();
    for &label in lts.internal.iter() {
        action[label] = lts.internal[0];
    }
    let mut nondeterministic = vec![false; lts.states as usize];
    each_offer(
        lts,
        cancel,
        |label| action[label],
        |state, offer| {
            nondeterministic[state] =
                offer.windows(2).any(|w| w[0].0 == w[1].0 && w[0].1 != w[1].1);
        },
    )?;
    Ok(nondeterministic)
}

/// The number of transitions that duplicate another one.
pub fn duplicates(lts: &Lts, cancel: &Cancel) -> Result<usize> {
    let mut count = 0;
    each_offer(
        lts,
        cancel,
        |label| label,
        |_, offer| {
            count += offer.windows(2).filter(|w| w[0] == w[1]).count();
        },
    )?;
    Ok(count)
}

/// Calls `take` with every state and its sorted pairs (action of the label, target).
fn each_offer(
    lts: &Lts,
    cancel: &Cancel,
    action: impl Fn(Label) -> Label,
    mut take: impl FnMut(State, &[(Label, State)]),
) -> Result<()> {
    let outgoing = Outgoing::of_lts(lts);
    let mut offer = Vec::new();
    let stage = cancel.stage("visiting states", Measure::Share(lts.states.into()));
    for state in lts.each_state() {
        stage.check_at(state.index())?;
        offer.clear();
        let transitions = outgoing.of(state).iter().map(|&transition| transition as usize);
        offer.extend(
            transitions.map(|transition| (action(lts.label[transition]), lts.target[transition])),
        );
        offer.sort_unstable();
        take(state, &offer);
    }
    Ok(())
}
