//! Weak bisimulation. Weak transitions are never stored.
//!
//! States are first separated by refinement by sketches of signatures (`signature_sketch`, based on
//! `sketch`), which may separate too few states, but never too many. `stabilise` finds the remaining differences: it checks the
//! `obligations` of the partition, mostly by searches (`guided_search`, guided by sketches). If
//! these take too long, many weak transitions are computed at once (`reach_bits`,
//! `split_by_targets`). `transitive_reduction` removes the transitions that others imply, in the
//! order of `topological_order`, with searches guided by `state_sketch`.

pub mod guided_search;
pub mod obligations;
pub mod reach_bits;
pub mod signature_sketch;
pub mod sketch;
pub mod split_by_targets;
pub mod stabilise;
pub mod state_sketch;
pub mod topological_order;
pub mod transitive_reduction;

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::ids::{Block, Label};
use crate::base::partition::Partition;
use crate::bisimulation::refine::refine;
use crate::bisimulation::weak::guided_search::Steps;
use crate::bisimulation::weak::signature_sketch::Weak;
use crate::bisimulation::weak::stabilise::stabilise;
use crate::bisimulation::weak::topological_order::by_smallest;
use crate::bisimulation::weak::transitive_reduction::transitive_reduction;

/// The coarsest weak bisimulation: the block of every state, and the transitions between blocks
/// that are not implied by others.
///
/// Internal steps of the graph must lead to smaller states, and precede all other steps of a state.
pub fn weak(
    graph: &Forward,
    tau: Label,
    cancel: &Cancel,
) -> Result<(Vec<Block>, Forward<'static>)> {
    let mut partition = Partition::trivial(graph.states());
    let mut sketches = Weak::new(graph, tau);
    let (steps, mut sources) = (Steps::new(graph, tau), None);
    loop {
        let before = partition.blocks;
        partition = refine(partition, &mut sketches, false, cancel)?;
        let separated = partition.blocks - before;
        let sketches = (&sketches, &steps);
        if stabilise(graph, tau, &mut partition, sketches, &mut sources, separated, cancel)? {
            break;
        }
    }
    drop((sketches, steps, sources));
    let Partition { mut block, blocks } = partition;
    let (quotient, number) = by_smallest(graph, &block, blocks, tau, cancel)?;
    for block in &mut block {
        *block = Block(number[*block].0);
    }
    Ok((block, transitive_reduction(quotient, tau, cancel)?))
}
