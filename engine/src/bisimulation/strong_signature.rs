//! The signature of strong bisimulation: the transitions of a state, as pairs of a label and the
//! target's block.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::csr::incoming::Sources;
use crate::base::hash::{mix, pair};
use crate::base::ids::{Block, Label, State};
use crate::bisimulation::refine::refiner::Refiner;
use crate::bisimulation::refine::signature::{Local, Signature};
use std::sync::Arc;

/// Up to this size, duplicates are removed by comparing all pairs.
const SMALL: usize = 16;

/// Hashes of sets, as sums, so that the order of members does not matter.
#[derive(Default)]
pub struct Distinct(Vec<u64>);

impl Distinct {
    /// The sum of the distinct members; 0 for the empty set.
    #[inline]
    pub fn sum(&mut self, all: impl ExactSizeIterator<Item = u64>) -> u64 {
        let mut sum = all.len().min(1) as u64;
        if all.len() <= SMALL {
            let mut members = [0u64; SMALL];
            for (i, member) in all.enumerate() {
                if !members[..i].contains(&member) {
                    sum = sum.wrapping_add(member);
                }
                members[i] = member;
            }
            return sum;
        }
        self.0.clear();
        self.0.extend(all);
        self.0.sort_unstable();
        self.0.dedup();
        self.0.iter().fold(sum, |sum, &member| sum.wrapping_add(member))
    }
}

/// Signatures as sets of pairs of a label and a block.
pub struct Strong<'a> {
    graph: &'a Forward<'a>,
    backward: Option<Sources>,
    members: Distinct,
    seed: u64,
    /// Hashes that replace the signatures in the first sweep.
    start: Option<Arc<Vec<u32>>>,
    sweeps: u32,
}

impl<'a> Strong<'a> {
    /// The signatures of the states of a graph.
    pub fn new(graph: &'a Forward<'a>) -> Self {
        Self::with(graph, 0)
    }

    /// Like [`Self::new`], with different hashes for every seed.
    pub fn seeded(graph: &'a Forward<'a>, seed: u64) -> Self {
        Self::with(graph, mix(seed, 0))
    }

    fn with(graph: &'a Forward<'a>, seed: u64) -> Self {
        Self { graph, backward: None, members: Distinct::default(), seed, start: None, sweeps: 0 }
    }

    /// The same, starting with these hashes, which bisimilar states must share.
    pub fn starting(self, hashes: Option<Arc<Vec<u32>>>) -> Self {
        Self { start: hashes, ..self }
    }
}

impl Signature for Strong<'_> {
    fn begin_sweep(&mut self, _: &[Block], _: &States, _: &Cancel) -> Result<()> {
        self.sweeps += 1;
        if self.sweeps > 1 {
            self.start = None;
        }
        Ok(())
    }

    fn begins_again(&self) -> bool {
        self.start.is_some()
    }

    fn fork(&self) -> Option<Self> {
        let start = self.start.clone();
        Some(Self { start, sweeps: self.sweeps, ..Self::with(self.graph, self.seed) })
    }

    #[inline]
    fn touched(&self, state: State, _: &[Block], moved: &States, _: &States) -> bool {
        self.graph.target[self.graph.range(state)].iter().any(|&target| moved.has(target))
    }

    #[inline]
    fn hash(&mut self, state: State, block: &[Block]) -> u64 {
        if let Some(start) = &self.start {
            return pair(start[state], 0u32);
        }
        let transitions = self.graph.steps(state);
        self.members.sum(transitions.map(|(label, t)| pair(label, block[t]) ^ self.seed))
    }

    fn lists(&mut self, refiner: &mut Refiner, moved: Vec<State>, cancel: &Cancel) -> Result<()> {
        refiner.lists(self, moved, cancel)
    }
}

impl Local for Strong<'_> {
    fn begin_lists(&mut self, keep: &dyn Fn(State) -> bool, cancel: &Cancel) -> Result<()> {
        self.backward = Some(Sources::marked(self.graph, Label::NONE, keep, cancel)?);
        Ok(())
    }

    fn affected(
        &mut self,
        moved: &[State],
        _: &[Block],
        settled: &States,
        marked: &mut States,
        list: &mut Vec<State>,
    ) {
        let Some(backward) = &self.backward else { return };
        for &state in moved {
            for &source in backward.of(state) {
                let source = source.state();
                if !settled.has(source) && !marked.has(source) {
                    marked.add(source);
                    list.push(source);
                }
            }
        }
    }
}
