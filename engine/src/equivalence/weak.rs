//! Weak bisimulation.
//!
//! What is told apart from where paths end ([`crate::equivalence::weak_ends`]), and then by refinement by sketches of
//! signatures ([`crate::equivalence::saturated`]), may be too little, but never too much; [`crate::equivalence::stable`] finds out
//! what was missed, and splits by that.

use crate::base::cancel::Poll;
use crate::base::csr::Forward;
use crate::equivalence::essential::essential;
use crate::equivalence::refine::{Partition, refine};
use crate::equivalence::saturated::Weak;
use crate::equivalence::search::Steps;
use crate::equivalence::smallest::by_smallest;
use crate::equivalence::stable::stabilise;
use crate::equivalence::weak_ends::weak_ends;

/// The coarsest weak bisimulation of a graph whose internal steps lead to smaller states, and stand
/// before all others of a state: for every state its block, and the essential transitions between the
/// blocks. `ending` says that every path ends, or stays in one state at last.
pub fn weak(
    graph: &Forward,
    tau: u32,
    ending: bool,
    poll: Poll,
) -> Option<(Vec<u32>, Forward<'static>)> {
    let mut partition =
        if ending { weak_ends(graph, tau, poll)? } else { Partition::trivial(graph.states()) };
    let mut sketches = Weak::new(graph, tau);
    let (steps, mut sources) = (Steps::new(graph, tau), None);
    loop {
        let before = partition.blocks;
        partition = refine(partition, &mut sketches, false, poll)?;
        let told = partition.blocks - before;
        let sketches = (&sketches, &steps);
        if stabilise(graph, tau, &mut partition, sketches, &mut sources, told, poll)? {
            break;
        }
    }
    drop((sketches, steps, sources));
    let Partition { mut block, blocks } = partition;
    let (quotient, number) = by_smallest(graph, &block, blocks, tau, poll)?;
    for block in &mut block {
        *block = number[*block as usize];
    }
    Some((block, essential(quotient, tau, poll)?))
}
