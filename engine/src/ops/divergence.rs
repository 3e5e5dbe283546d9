//! Divergence: infinite runs of internal steps.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::outgoing::Outgoing;
use crate::base::ids::State;
use crate::base::lts::Lts;
use crate::base::memory;
use crate::ops::scc_summary::components;

/// Which states are divergent or on a cycle of internal steps.
pub struct Divergence {
    /// For every state, whether it lies on a cycle of internal steps (a loop is one).
    pub on_cycle: Vec<bool>,
    /// For every state, whether it has an infinite run of internal steps: it reaches such a cycle
    /// by internal steps.
    pub divergent: Vec<bool>,
}

/// The divergences of `lts`, from the strongly connected components of its internal steps.
pub fn divergence(lts: &Lts, cancel: &Cancel) -> Result<Divergence> {
    let internal = lts.internal_mask();
    let outgoing = Outgoing::with_labels(lts, |label| internal[label]);
    let scc = components(lts, &outgoing, lts.each_state(), "finding components", cancel)?;
    let component = |state: State| scc.of[state];
    let targets =
        |state| outgoing.of(state).iter().map(|&transition| lts.target[transition as usize]);
    // The states by component: a component comes after those that it reaches.
    let mut starts = vec![0; scc.count as usize + 1];
    lts.each_state().for_each(|state| starts[component(state).index() + 1] += 1);
    for c in 0..scc.count as usize {
        starts[c + 1] += starts[c];
    }
    let mut order = memory::zeroed(lts.states as usize);
    for state in lts.each_state() {
        let position = &mut starts[component(state)];
        order[*position] = state;
        *position += 1;
    }
    let mut cyclic = vec![false; scc.count as usize];
    let mut diverges = vec![false; scc.count as usize];
    for &state in &order {
        let own = component(state);
        for target in targets(state) {
            let to = component(target);
            cyclic[own] |= to == own;
            diverges[own] |= to == own || diverges[to];
        }
    }
    let of_component = |facts: &[bool]| lts.each_state().map(|s| facts[component(s)]).collect();
    Ok(Divergence { on_cycle: of_component(&cyclic), divergent: of_component(&diverges) })
}
