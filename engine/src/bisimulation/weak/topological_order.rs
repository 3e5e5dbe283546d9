//! Blocks in the order of their smallest states, and the transitions of these.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::hash::low_half;
use crate::base::ids::Id;
use crate::base::ids::{Block, Label, State};
use crate::base::memory::room;
use crate::base::stages::Measure;
use crate::base::{memory, parallel};

/// Blocks that a thread takes at a time.
const CHUNK: usize = if cfg!(test) { 2 } else { 1 << 13 };

/// The quotient by a branching or weak bisimulation of a graph whose internal steps lead to smaller
/// states, and for every block its state there.
///
/// States are in the order of the smallest states of the blocks, and have the transitions of these:
/// sorted, without duplicates, internal ones first, and without inert ones. The smallest state of a
/// block has no inert step, so it can do directly what others of the block can do after such steps,
/// and its internal steps lead to blocks with smaller states. So internal steps lead to smaller
/// states again.
pub fn by_smallest(
    graph: &Forward,
    block: &[Block],
    blocks: usize,
    tau: Label,
    cancel: &Cancel,
) -> Result<(Forward<'static>, Vec<State>)> {
    let mut number = memory::filled(State::NONE, blocks);
    let mut smallest = room(blocks);
    for (state, &block) in (0..).map(State).zip(block) {
        let number = &mut number[block];
        if *number == State::NONE {
            *number = State(u32::at(smallest.len()));
            smallest.push(state);
        }
    }
    let (mut starts, mut label, mut target) = (vec![0], Vec::new(), Vec::new());
    let look = |states: &[State]| {
        let (mut offsets, mut steps) = (room(states.len()), Vec::new());
        let mut transitions: Vec<u64> = Vec::new();
        for &state in states {
            transitions.clear();
            // Sorted with the internal label first.
            let transition = |(a, t): (Label, State)| {
                u64::from(a.0.wrapping_sub(tau.0)) << 32 | u64::from(number[block[t]])
            };
            transitions.extend(graph.steps(state).map(transition));
            transitions.sort_unstable();
            transitions.dedup();
            steps.extend_from_slice(&transitions);
            offsets.push(u32::at(steps.len()));
        }
        (offsets, steps)
    };
    let count = smallest.len() as u64;
    let stage = cancel.stage("collecting transitions", Measure::Share(count));
    let gather = |(offsets, steps): (Vec<u32>, Vec<u64>)| {
        stage.add(offsets.len());
        let before = u32::at(label.len());
        starts.extend(offsets.iter().map(|end| before + end));
        label.extend(
            steps.iter().map(|transition| Label(((transition >> 32) as u32).wrapping_add(tau.0))),
        );
        target.extend(steps.iter().map(|&transition| State(low_half(transition))));
    };
    parallel::in_order(smallest.chunks(CHUNK), look, gather, cancel)?;
    Ok((Forward { starts, label: label.into(), target: target.into() }, number))
}
