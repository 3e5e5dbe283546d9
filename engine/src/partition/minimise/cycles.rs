//! Cycles of internal steps within a partition: each becomes one node.

use crate::base::cancel::Cancel;
use crate::base::csr::Forward;
use crate::base::ids::Block;
use crate::base::ids::Id;
use crate::base::memory;
use crate::bisimulation::tau_scc::components;
use crate::partition::minimise::Failure;
use crate::partition::minimise::places::Places;
use crate::partition::minimise::rows::{Row, Rows};
use bytemuck::cast_vec;
use std::ops::Range;

/// The nodes for own states.
pub struct Nodes {
    /// The node of every state.
    pub of: Vec<u32>,
    pub count: u32,
}

/// The nodes for own states: one for all states on a cycle of internal steps, which have the label
/// `tau`. Internal steps lead to nodes of the same or a smaller number.
pub fn nodes(
    rows: &mut Rows,
    states: &Range<u64>,
    tau: u32,
    cancel: &Cancel,
) -> Result<Nodes, Failure> {
    let own = u32::at(states.end - states.start);
    let inner = |row: &Row| {
        let is_inner = row.label == tau && states.contains(&row.target);
        is_inner.then(|| u32::at(row.target - states.start))
    };
    let mut places = Places::new(own as usize);
    let mut goes_up = false;
    rows.each(|row| {
        if let Some(target) = inner(&row) {
            places.count(row.source);
            goes_up |= target >= row.source;
        }
        true
    })?;
    if !goes_up {
        return Ok(Nodes { of: (0..own).collect(), count: own });
    }
    let count = places.counted()?;
    let mut targets = memory::zeroed(count);
    rows.each(|row| {
        if let Some(target) = inner(&row) {
            targets[places.next(row.source)] = target;
        }
        true
    })?;
    // All labels are equal: zeroed memory that is only read is not allocated.
    let graph = Forward::of_numbers(places.starts(), memory::zeroed(count), targets);
    let (of, count) = components(&graph, &[true], cancel)?;
    Ok(Nodes { of: cast_vec::<Block, u32>(of), count })
}
