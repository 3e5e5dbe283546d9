//! A partition to begin with modulo weak bisimulation, found in one pass from where paths end.
//!
//! Every state from which every path ends, or stays in one state at last, gets sketches of two sets:
//! the blocks that internal steps lead to, its own included, and the pairs of a label and a block that
//! it has weak transitions for. A state whose sketches would be those of a state behind an internal step
//! keeps them; any other one is taken for the first of a new block, whose hash is made of all that is
//! known of it, and which is added to its sketches.
//!
//! Weakly bisimilar states get the same sketches, whatever different sets share them. For take a block,
//! and let this be so of the blocks that its states lead to. What is behind a state of it without
//! internal steps into the block is behind all of them, so that its sketches depend on the block only,
//! as long as no other step of it leads into the block but to the state itself ([`AcyclicWeak::may_be_at_home`]
//! tells where one might, and then nothing is known). And the sketches of a state with an internal step
//! into the block are those of the state behind, as it can do all that this one can.
//!
//! This saves two thirds of the time of weak bisimulation on a chain of internal steps, half of it
//! on internal diamonds; where some path never ends it is not tried. Measured in November 2026.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::hash::mix;
use crate::base::ids::{Label, State};
use crate::base::memory;
use crate::bisimulation::refine::partition::Partition;
use crate::bisimulation::start::acyclic::acyclic_partition;
use crate::bisimulation::weak::sketch::{Sketch, add, behind, has, sketch};

/// Places for the heights behind labels; labels may share one.
const PLACES: usize = if cfg!(test) { 2 } else { 8 };

const SEED: u32 = 1;

/// Blocks that internal steps lead to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Below {
    bits: Sketch,
    /// How many there are one below the other, at most.
    height: u32,
}

/// Pairs of a label and a block.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Offered {
    bits: Sketch,
    /// For the labels of every place the largest height of what is behind them.
    heights: [u32; PLACES],
}

impl Below {
    fn add(&mut self, part: &Self) {
        add(&mut self.bits, part.bits);
        self.height = self.height.max(part.height);
    }
}

impl Offered {
    fn add(&mut self, part: &Self) {
        add(&mut self.bits, part.bits);
        for (height, other) in self.heights.iter_mut().zip(part.heights) {
            *height = (*height).max(other);
        }
    }

    /// Add what is behind a label.
    fn add_behind(&mut self, label: Label, below: &Below) {
        add(&mut self.bits, behind(label, SEED, below.bits));
        let height = &mut self.heights[label.index() % PLACES];
        *height = (*height).max(below.height);
    }
}

/// A partition of a graph whose internal steps lead to smaller states, and whose rows are sorted, each
/// there once: no two states in different blocks of it are weakly bisimilar.
pub fn acyclic_weak_partition(graph: &Forward, tau: Label, cancel: &Cancel) -> Result<Partition> {
    let mut ends =
        AcyclicWeak { graph, tau, known: Vec::new(), is_uncertain: false, loops: Vec::new() };
    let (partition, _) = acyclic_partition(graph, |state, _| ends.hash_of(state), cancel)?;
    Ok(if ends.is_uncertain { Partition::trivial(graph.states()) } else { partition })
}

struct AcyclicWeak<'a> {
    graph: &'a Forward<'a>,
    tau: Label,
    /// What is known of the states that were passed.
    known: Vec<(Below, Offered)>,
    is_uncertain: bool,
    /// The labels of the steps from the state at hand to itself, in order.
    loops: Vec<Label>,
}

impl AcyclicWeak<'_> {
    /// The hash of a state; all states behind it were passed.
    fn hash_of(&mut self, state: State) -> u64 {
        if self.known.is_empty() {
            self.known = memory::zeroes(self.graph.states());
        }
        let (mut below, mut offered) = (Below::default(), Offered::default());
        self.loops.clear();
        for (label, target) in self.graph.rows(state) {
            let (below_target, offered_target) = &self.known[target];
            if target == state {
                self.loops.push(label);
            } else if label == self.tau {
                below.add(below_target);
                offered.add(offered_target);
            } else {
                offered.add_behind(label, below_target);
            }
        }
        self.is_uncertain |= self.may_be_at_home(state, &below, &offered);
        for &label in &self.loops {
            offered.add_behind(label, &below);
        }
        let internal = |row: &(Label, State)| row.0 == self.tau;
        let mut steps = self.graph.rows(state).filter(internal);
        if !steps.any(|(_, target)| self.known[target] == (below, offered)) {
            let own =
                self.loops.iter().fold(mixed(&below, &offered), |hash, &a| mix(hash, a.into()));
            add(&mut below.bits, sketch((own >> 32) as u32, SEED));
            below.height += 1;
            for &label in &self.loops {
                offered.add_behind(label, &below);
            }
        }
        self.known[state] = (below, offered);
        mixed(&below, &offered)
    }

    /// Whether a visible step may lead to a state of the same block, not to itself, where that block was
    /// added to what is below. The sketches of such a state are those of this one, with its block
    /// and what steps to itself lead to.
    fn may_be_at_home(&self, state: State, below: &Below, offered: &Offered) -> bool {
        let mut steps = self.graph.rows(state).filter(|row| row.0 != self.tau && row.1 != state);
        steps.any(|(_, target)| {
            let (below_target, offered_target) = &self.known[target];
            let is_above = below_target.height == below.height + 1;
            if !is_above || !has(below_target.bits, below.bits) {
                return false;
            }
            let mut all = *offered;
            for &label in &self.loops {
                all.add_behind(label, below_target);
            }
            all == *offered_target
        })
    }
}

fn mixed(below: &Below, offered: &Offered) -> u64 {
    let [a, b] = below.bits;
    let [c, d] = offered.bits;
    let words = [a, b, c, d, u64::from(below.height)].into_iter();
    words.chain(offered.heights.map(u64::from)).fold(1, mix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bisimulation::weak::stabilise::tests::{Row, TAU, blocks, graph};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Rows that lead to smaller states or to where they come from, and with `anywhere` visible ones
    /// that lead anywhere.
    fn systems() -> impl Strategy<Value = (u32, BTreeSet<Row>)> {
        (1u32..11, prop_oneof![4 => Just(false), 1 => Just(true)]).prop_flat_map(
            |(states, anywhere)| {
                let label = prop_oneof![3 => Just(TAU), 2 => Just(0u32), 1 => Just(2u32)];
                let row = (0..states, label, any::<u32>()).prop_map(move |(s, a, t)| match a {
                    TAU if s > 0 => (s, TAU, t % s),
                    TAU => (s, 0, s),
                    _ if anywhere => (s, a, t % states),
                    _ => (s, a, t % (s + 1)),
                });
                (Just(states), prop::collection::btree_set(row, 0..30))
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn what_is_bisimilar_stays_together((states, rows) in systems()) {
            let found = acyclic_weak_partition(&graph(states, &rows), Label(TAU), &Cancel::never()).unwrap();
            let expected = blocks(states, &rows);
            for s in 0..states as usize {
                for t in 0..s {
                    let together = found.block[s] == found.block[t];
                    prop_assert!(together || expected[s] != expected[t], "{} {}", s, t);
                }
            }
        }
    }

    #[test]
    fn a_chain_is_told_apart_at_once() {
        let mut rows: BTreeSet<Row> = (1..40).map(|s| (s, TAU, s - 1)).collect();
        rows.extend((0..40).step_by(2).map(|s| (s, if s % 4 == 0 { 0 } else { 3 }, s)));
        let found =
            acyclic_weak_partition(&graph(40, &rows), Label(TAU), &Cancel::never()).unwrap();
        let expected = blocks(40, &rows);
        assert_eq!(found.blocks, expected.iter().collect::<BTreeSet<_>>().len());
        assert_eq!(found.blocks, 20);
    }
}
