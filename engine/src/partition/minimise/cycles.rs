//! Cycles of internal steps within a partition: each becomes one node.

use crate::base::cancel::Cancel;
use crate::base::csr::Forward;
use crate::base::ids::Block;
use crate::base::ids::Id;
use crate::base::memory;
use crate::bisimulation::tau_scc::components;
use crate::partition::minimise::Failure;
use crate::partition::minimise::counting_sort::CountingSort;
use crate::partition::minimise::transitions::{Transition, Transitions};
use bytemuck::cast_vec;
use std::ops::Range;

/// The nodes for own states.
pub struct OwnNodes {
    /// The node of every state.
    pub of: Vec<u32>,
    pub count: u32,
}

/// The nodes for own states: one for all states on a cycle of internal steps, which have the label
/// `tau`. Internal steps lead to nodes of the same or a smaller number.
pub fn nodes(
    transitions: &mut Transitions,
    states: &Range<u64>,
    tau: u32,
    cancel: &Cancel,
) -> Result<OwnNodes, Failure> {
    let own = u32::at(states.end - states.start);
    let inner = |transition: &Transition| {
        let is_inner = transition.label == tau && states.contains(&transition.target);
        is_inner.then(|| u32::at(transition.target - states.start))
    };
    let mut counting_sort = CountingSort::new(own as usize);
    let mut goes_up = false;
    transitions.each(|transition| {
        if let Some(target) = inner(&transition) {
            counting_sort.count(transition.source);
            goes_up |= target >= transition.source;
        }
        true
    })?;
    if !goes_up {
        return Ok(OwnNodes { of: (0..own).collect(), count: own });
    }
    let count = counting_sort.counted()?;
    let mut targets = memory::zeroed(count);
    transitions.each(|transition| {
        if let Some(target) = inner(&transition) {
            targets[counting_sort.next(transition.source)] = target;
        }
        true
    })?;
    // All labels are equal: zeroed memory that is only read is not allocated.
    let graph = Forward::of_numbers(counting_sort.starts(), memory::zeroed(count), targets);
    let (of, count) = components(&graph, &[true], cancel)?;
    Ok(OwnNodes { of: cast_vec::<Block, u32>(of), count })
}
