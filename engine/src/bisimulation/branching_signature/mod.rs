//! The signature of branching bisimulation: what a state can do after internal steps inside its
//! block, but for such steps.
//!
//! Internal steps lead to smaller states here. A state without an internal step inside its block is
//! a *bottom* state; its signature is that of its own transitions. Signatures of other states are
//! never computed (they are unions that may be large), because a block is stable if and only if its
//! bottom states have one signature, and all transitions of its other states out of the block, or
//! visible ones, are in it (Groote and Vaandrager, An efficient algorithm for branching bisimulation
//! and stuttering equivalence, 1990). So a state belongs to a group of equal bottom states if all its
//! internal steps inside the block lead into the group and all else that it can do is in the group's
//! signature. States that belong to no group can do more than any of them: they are what remains of
//! the block, and the next round's concern.
//!
//! Refinement begins with hashes of what is some steps ahead; these are unions, as sketches.
//!
//! Here is what a state can do; `sweeps` is what refinement asks.

pub mod sweeps;

use crate::base::bitset::States;
use crate::base::csr::Forward;
use crate::base::csr::incoming::Sources;
use crate::base::hash::pair;
use crate::base::hash_sets;
use crate::base::hash_sets::HashSets;
use crate::base::ids::{Block, Label, NONE, State};

/// Signatures in a graph whose internal steps lead to smaller states.
pub struct Branching<'a> {
    pub(crate) graph: &'a Forward<'a>,
    pub(crate) tau: Label,
    /// The states that an internal step leads to.
    pub(crate) after: States,
    /// The states that have an internal step.
    pub(crate) before: States,
    /// For every state in `after` where the signature of its group is kept, [`REMAINS`], or, for a
    /// bottom state of whom nobody has asked since it was looked at, [`UNKNOWN`].
    pub(crate) set: Vec<u32>,
    pub(crate) sets: HashSets,
    pub(crate) own: Vec<u64>,
    /// The same of another state.
    pub(crate) other: Vec<u64>,
    /// Once few states move.
    pub(crate) backward: Option<Sources>,
    /// Hashes that take the place of signatures in the first sweep, until the second begins.
    pub(crate) start: Option<Vec<u32>>,
    pub(crate) first: bool,
}

/// The set of a bottom state that is not kept.
const UNKNOWN: u32 = hash_sets::OTHER;

/// The set of a state that belongs to no group, and the hash of all of these.
const REMAINS: u32 = NONE;
const REMAINS_HASH: u64 = 0x5bf0_3635_16d4_9f2b;

impl<'a> Branching<'a> {
    /// The signatures of the states of a graph with the internal label `tau`.
    pub fn new(graph: &'a Forward<'a>, tau: Label) -> Self {
        let states = graph.states();
        let (mut after, mut before) = (States::new(states), States::new(states));
        for state in graph.each_state() {
            for (label, target) in graph.rows(state) {
                if label == tau {
                    debug_assert!(target < state);
                    after.add(target);
                    before.add(state);
                }
            }
        }
        Self {
            graph,
            tau,
            after,
            before,
            set: vec![UNKNOWN; states],
            sets: HashSets::default(),
            own: Vec::new(),
            other: Vec::new(),
            backward: None,
            start: None,
            first: true,
        }
    }

    /// The same, beginning with [`crate::bisimulation::start::branching_k_step_hashes::hashes`], if these are given.
    pub fn starting(self, hashes: Option<Vec<u32>>) -> Self {
        Self { start: hashes, ..self }
    }

    /// Put what a state can do itself into `own`, sorted, and return whether it has internal steps
    /// inside its block.
    pub(crate) fn gather(&mut self, state: State, block: &[Block]) -> bool {
        can_do(self.graph, self.tau, state, block, &mut self.own)
    }

    /// Where the signature of the group of a state is kept, or [`REMAINS`].
    pub(crate) fn set(&mut self, state: State, block: &[Block]) -> u32 {
        let mut set = self.set[state];
        if set == UNKNOWN {
            can_do(self.graph, self.tau, state, block, &mut self.other);
            set = self.sets.intern(&self.other);
            self.set[state] = set;
        }
        set
    }

    /// Where the signature of the group is kept that the targets of all internal steps of a state
    /// inside its block belong to, or [`REMAINS`].
    fn set_behind(&mut self, state: State, block: &[Block]) -> u32 {
        let graph = self.graph;
        let b = block[state];
        let mut first = None;
        for (label, target) in graph.rows(state) {
            if label == self.tau && block[target] == b {
                let set = self.set(target, block);
                if set == REMAINS || *first.get_or_insert(set) != set {
                    return REMAINS;
                }
            }
        }
        first.unwrap_or(REMAINS)
    }

    /// The targets of the internal steps of a state inside its block.
    pub(crate) fn inert<'b>(
        &'b self,
        state: State,
        block: &'b [Block],
    ) -> impl Iterator<Item = State> + 'b {
        let b = block[state];
        let rows = self.graph.rows(state);
        rows.filter(move |&(a, t)| a == self.tau && block[t] == b).map(|row| row.1)
    }
}

/// Put what a state can do itself into `own`, sorted, and return whether it has internal steps inside
/// its block.
fn can_do(graph: &Forward, tau: Label, state: State, block: &[Block], own: &mut Vec<u64>) -> bool {
    let b = block[state];
    let mut inert = false;
    own.clear();
    for (label, target) in graph.rows(state) {
        let to = block[target];
        if label == tau && to == b {
            inert = true;
        } else {
            own.push(pair(label, to));
        }
    }
    if own.len() > 1 {
        own.sort_unstable();
        own.dedup();
    }
    inert
}
