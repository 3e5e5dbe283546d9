//! Numbers of a set of markings.

use crate::base::cancel::{Cancel, Result};
use crate::diagrams::net::{Change, Event};
use crate::diagrams::nodes::{END, Node};
use crate::diagrams::saturation::Reachable;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The counts of a state space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    pub states: BigUint,
    pub transitions: BigUint,
    /// The number of nodes of the diagram.
    pub nodes: usize,
    /// The most tokens of all places together.
    pub marking: u64,
    /// The most tokens of one place.
    pub place: u64,
}

impl Reachable {
    /// The counts.
    pub fn counts(&self, cancel: &Cancel) -> Result<Counts> {
        let levels = self.levels(cancel)?;
        // The number of markings below each node, bottom up.
        let mut below: FxHashMap<Node, BigUint> = FxHashMap::default();
        below.insert(END, BigUint::from(1u32));
        for &node in levels.iter().flatten() {
            cancel.check()?;
            let sum = self.nodes.edges(node).map(|(_, child)| &below[&child]).sum();
            below.insert(node, sum);
        }
        // The number of ways to each node from the root, top down.
        let mut above: FxHashMap<Node, BigUint> = FxHashMap::default();
        above.insert(self.root, BigUint::from(1u32));
        for &node in levels.iter().rev().flatten() {
            cancel.check()?;
            let own = above[&node].clone();
            for (_, child) in self.nodes.edges(node) {
                *above.entry(child).or_default() += &own;
            }
        }
        let mut transitions = BigUint::default();
        for event in &self.net.events {
            cancel.check()?;
            transitions += self.enabled(event, &levels, &below, &above);
        }
        let edges = levels.iter().flatten().flat_map(|&node| self.nodes.edges(node));
        Ok(Counts {
            states: below[&self.root].clone(),
            transitions,
            nodes: levels.iter().map(Vec::len).sum(),
            marking: self.most(&levels),
            place: edges.map(|(tokens, _)| u64::from(tokens)).max().unwrap_or(0),
        })
    }

    /// The nodes of each place that are in the diagram.
    fn levels(&self, cancel: &Cancel) -> Result<Vec<Vec<Node>>> {
        let places = self.net.initial.len();
        let mut levels = vec![Vec::new(); places];
        let mut last = std::vec![self.root];
        for level in levels.iter_mut().rev() {
            cancel.check()?;
            last.sort_unstable();
            last.dedup();
            *level = last;
            last = level.iter().flat_map(|&n| self.nodes.edges(n)).map(|edge| edge.1).collect();
        }
        Ok(levels)
    }

    /// The number of markings that enable a transition.
    fn enabled(
        &self,
        event: &Event,
        levels: &[Vec<Node>],
        below: &FxHashMap<Node, BigUint>,
        above: &FxHashMap<Node, BigUint>,
    ) -> BigUint {
        let needs: Vec<Change> = event.changes.iter().copied().filter(|c| c.takes > 0).collect();
        let (Some(first), Some(last)) = (needs.first(), needs.last()) else {
            return below[&self.root].clone();
        };
        // From the lowest of its places to the topmost one.
        let mut known: FxHashMap<Node, BigUint> = FxHashMap::default();
        let mut next = needs.iter().peekable();
        for place in first.place..=last.place {
            let takes = match next.peek() {
                Some(change) if change.place == place => next.next().map_or(0, |c| c.takes),
                _ => 0,
            };
            let lower = if place == first.place { below } else { &known };
            let count = |node: Node| {
                let enough = self.nodes.edges(node).filter(|edge| edge.0 >= takes);
                enough.map(|(_, child)| &lower[&child]).sum::<BigUint>()
            };
            known = levels[place as usize].iter().map(|&node| (node, count(node))).collect();
        }
        known.iter().map(|(node, count)| count * &above[node]).sum()
    }

    /// The most tokens of all places in one marking.
    fn most(&self, levels: &[Vec<Node>]) -> u64 {
        let mut known: FxHashMap<Node, u64> = FxHashMap::default();
        known.insert(END, 0);
        for &node in levels.iter().flatten() {
            let edges = self.nodes.edges(node);
            let most = edges.map(|(tokens, child)| known[&child] + u64::from(tokens)).max();
            known.insert(node, most.unwrap_or(0));
        }
        known[&self.root]
    }
}
