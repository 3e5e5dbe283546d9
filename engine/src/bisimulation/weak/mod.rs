//! Weak bisimulation. Weak transitions are never stored.
//!
//! States are told apart from where paths end (`acyclic_weak` in `start`), and then by refinement by
//! sketches of signatures (`signature_sketch`, made of `sketch`): perhaps too few, but never too many.
//! `stabilise` finds those that were missed, by what each partition obliges its states to do
//! (`obligations`), and splits them off: searches (`guided_search`, led by `state_sketch`) tell most; where they take too long many
//! weak transitions are found at once (`reach_bits`, `split_by_targets`). `transitive_reduction`
//! leaves out the transitions that others imply, in the order of `topological_order`.

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
use crate::bisimulation::refine::partition::Partition;
use crate::bisimulation::refine::refine;
use crate::bisimulation::start::acyclic_weak::acyclic_weak_partition;
use crate::bisimulation::weak::guided_search::Steps;
use crate::bisimulation::weak::signature_sketch::Weak;
use crate::bisimulation::weak::stabilise::stabilise;
use crate::bisimulation::weak::topological_order::by_smallest;
use crate::bisimulation::weak::transitive_reduction::transitive_reduction;

/// The coarsest weak bisimulation of a graph whose internal steps lead to smaller states, and stand
/// before all others of a state: for every state its block, and the essential transitions between the
/// blocks. `ending` says that every path ends, or stays in one state at last.
pub fn weak(
    graph: &Forward,
    tau: Label,
    ending: bool,
    cancel: &Cancel,
) -> Result<(Vec<Block>, Forward<'static>)> {
    let mut partition = if ending {
        acyclic_weak_partition(graph, tau, cancel)?
    } else {
        Partition::trivial(graph.states())
    };
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
