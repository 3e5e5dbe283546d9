//! Weak bisimulation.
//!
//! Refinement by sketches of signatures ([`super::saturated`]) may separate too little, but never too
//! much; [`super::stable`] finds out what was missed, and splits by that.

use super::Poll;
use super::essential::essential;
use super::forward::Forward;
use super::refine::{Partition, refine};
use super::saturated::Weak;
use super::search::Steps;
use super::smallest::by_smallest;
use super::stable::{Verdict, certify};

/// The coarsest weak bisimulation of a graph whose internal steps lead to smaller states, and stand
/// before all others of a state: for every state its block, and the essential transitions between the
/// blocks.
pub fn weak(graph: &Forward, tau: u32, poll: Poll) -> Option<(Vec<u32>, Forward<'static>)> {
    let mut partition = Partition::trivial(graph.states());
    let mut sketches = Weak::new(graph, tau, 0);
    let (steps, mut reach) = (Steps::new(graph, tau), None);
    for seed in 1.. {
        partition = refine(partition, &mut sketches, false, poll)?;
        match certify(graph, tau, partition, (&sketches, &steps), &mut reach, poll)? {
            Verdict::Stable(stable) => {
                partition = stable;
                break;
            }
            Verdict::Split(split, true) => partition = split,
            Verdict::Split(split, false) => {
                // Other sketches may tell more.
                partition = split;
                sketches = Weak::new(graph, tau, seed);
            }
        }
    }
    drop((sketches, steps, reach));
    let Partition { mut block, blocks } = partition;
    let (quotient, number) = by_smallest(graph, &block, blocks, tau, poll)?;
    for block in &mut block {
        *block = number[*block as usize];
    }
    Some((block, essential(quotient, tau, poll)?))
}
