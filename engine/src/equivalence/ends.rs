//! Blocks of branching bisimulation where every path ends, from the ends.
//!
//! A state is in the block of an internal step's target if all else that it can do the bottom states
//! of that block can do, too; otherwise it is a bottom state itself, of the block of its own set of
//! transitions.

use super::forward::Forward;
use super::kept::Kept;
use super::strong::pair;

/// The blocks that were found: what their bottom states can do.
pub struct Ends<'a> {
    graph: &'a Forward<'a>,
    tau: u32,
    sets: Kept,
    /// Where the set of each block is, in increasing order.
    places: Vec<u32>,
    own: Vec<u64>,
}

impl<'a> Ends<'a> {
    /// No blocks yet; internal steps have the label `tau`, no state a step to itself.
    pub fn new(graph: &'a Forward<'a>, tau: u32) -> Self {
        Self { graph, tau, sets: Kept::default(), places: Vec::new(), own: Vec::new() }
    }

    /// The block of a state, from those of the states behind it.
    pub fn block_of(&mut self, state: u32, block: &[u32]) -> u32 {
        let rows = || self.graph.rows(state).map(|(label, target)| (label, block[target as usize]));
        self.own.clear();
        self.own.extend(rows().map(|(label, to)| pair(label, to)));
        self.own.sort_unstable();
        self.own.dedup();
        for (_, to) in rows().filter(|&(label, _)| label == self.tau) {
            let inert = pair(self.tau, to);
            let place = self.places[to as usize];
            let mut others = self.own.iter().filter(|&&member| member != inert);
            if others.all(|&member| self.sets.holds(place, &[member])) {
                return to;
            }
        }
        let place = self.sets.intern(&self.own);
        if self.places.last().is_none_or(|&last| last < place) {
            self.places.push(place);
            return self.places.len() as u32 - 1;
        }
        self.places.partition_point(|&other| other < place) as u32
    }
}
