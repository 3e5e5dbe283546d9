//! The signature of branching bisimulation: the steps that a state can do, except for inert ones,
//! after inert steps.
//!
//! Internal steps lead to smaller states here. A state without an inert step, that is an internal
//! step inside its block, is a *bottom* state; its signature is that of its own transitions. The
//! signatures of other states are unions that may be large, and are never computed: a block is
//! stable if and only if its bottom states have one common signature, and this signature contains
//! all non-inert transitions of its other states (Groote and Vaandrager, An efficient algorithm for
//! branching bisimulation and stuttering equivalence, 1990).
//!
//! So bottom states with equal signatures form a *group*. Another state belongs to a group if all
//! its inert steps lead into the group and the group's signature contains all its other
//! transitions. A state that belongs to no group can do more than any group: it remains in the
//! block, which is split in a later round.
//!
//! Refinement begins with k-step hashes, which are sketches of unions.
//!
//! This file has the signatures; `sweeps` implements the interface of refinement.

pub mod sweeps;

use crate::base::bitset::States;
use crate::base::csr::Forward;
use crate::base::csr::incoming::Sources;
use crate::base::hash::pair;
use crate::base::hash_sets;
use crate::base::hash_sets::HashSets;
use crate::base::ids::{Block, Label, NONE, State};

/// Branching signatures of a graph whose internal steps lead to smaller states.
pub struct Branching<'a> {
    pub(crate) graph: &'a Forward<'a>,
    pub(crate) tau: Label,
    /// The states that are targets of internal steps.
    pub(crate) after: States,
    /// The states that have an internal step.
    pub(crate) before: States,
    /// For every state in `after` the number in `sets` of its group's signature. [`REMAINS`] if it
    /// belongs to no group; [`UNKNOWN`] for a bottom state whose signature was not requested since
    /// it last changed.
    pub(crate) set: Vec<u32>,
    pub(crate) sets: HashSets,
    pub(crate) own: Vec<u64>,
    /// Scratch memory like `own`, for another state.
    pub(crate) other: Vec<u64>,
    /// The reversed transitions, from when only few states move.
    pub(crate) backward: Option<Sources>,
    /// Hashes that replace the signatures in the first sweep; `None` from the second one on.
    pub(crate) start: Option<Vec<u32>>,
    pub(crate) first: bool,
}

/// The set of a bottom state whose signature is not interned.
const UNKNOWN: u32 = hash_sets::OTHER;

/// The set of a state that belongs to no group, and the hash that all such states share.
const REMAINS: u32 = NONE;
const REMAINS_HASH: u64 = 0x5bf0_3635_16d4_9f2b;

impl<'a> Branching<'a> {
    /// The signatures of a graph with the internal label `tau`.
    pub fn new(graph: &'a Forward<'a>, tau: Label) -> Self {
        let states = graph.states();
        let (mut after, mut before) = (States::new(states), States::new(states));
        for state in graph.each_state() {
            for (label, target) in graph.steps(state) {
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

    /// The same, starting with the hashes of
    /// [`crate::bisimulation::start::branching_k_step_hashes::hashes`], if given.
    pub fn starting(self, hashes: Option<Vec<u32>>) -> Self {
        Self { start: hashes, ..self }
    }

    /// Put the sorted non-inert transitions of a state into `own`, as pairs of label and block, and
    /// return whether it has inert ones.
    pub(crate) fn gather(&mut self, state: State, block: &[Block]) -> bool {
        can_do(self.graph, self.tau, state, block, &mut self.own)
    }

    /// The number in `sets` of the signature of a state's group, or [`REMAINS`].
    pub(crate) fn set(&mut self, state: State, block: &[Block]) -> u32 {
        let mut set = self.set[state];
        if set == UNKNOWN {
            can_do(self.graph, self.tau, state, block, &mut self.other);
            set = self.sets.intern(&self.other);
            self.set[state] = set;
        }
        set
    }

    /// The number in `sets` of the signature of the group that the targets of all inert steps of a
    /// state belong to, or [`REMAINS`].
    fn set_behind(&mut self, state: State, block: &[Block]) -> u32 {
        let graph = self.graph;
        let b = block[state];
        let mut first = None;
        for (label, target) in graph.steps(state) {
            if label == self.tau && block[target] == b {
                let set = self.set(target, block);
                if set == REMAINS || *first.get_or_insert(set) != set {
                    return REMAINS;
                }
            }
        }
        first.unwrap_or(REMAINS)
    }

    /// The targets of the inert steps of a state.
    pub(crate) fn inert<'b>(
        &'b self,
        state: State,
        block: &'b [Block],
    ) -> impl Iterator<Item = State> + 'b {
        let b = block[state];
        let transitions = self.graph.steps(state);
        transitions
            .filter(move |&(a, t)| a == self.tau && block[t] == b)
            .map(|transition| transition.1)
    }
}

/// Put the sorted non-inert transitions of a state into `own`, as pairs of label and block, and
/// return whether it has inert ones.
fn can_do(graph: &Forward, tau: Label, state: State, block: &[Block], own: &mut Vec<u64>) -> bool {
    let b = block[state];
    let mut inert = false;
    own.clear();
    for (label, target) in graph.steps(state) {
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
