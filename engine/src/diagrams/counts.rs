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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagrams::net::Net;
    use crate::diagrams::saturation::reachable;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// How many nets had fewer tokens on a place than 2^32, and how many had more.
    static WITHIN: AtomicUsize = AtomicUsize::new(0);
    static BEYOND: AtomicUsize = AtomicUsize::new(0);

    /// The counts by visiting one marking after the other; `None` beyond `most`.
    fn one_by_one(net: &Net, most: usize) -> Option<(usize, usize, u64, u64)> {
        let initial: Vec<u64> = net.initial.iter().map(|&tokens| tokens.into()).collect();
        let mut seen = BTreeSet::from([initial.clone()]);
        let mut waiting = std::vec![initial];
        let mut steps = 0;
        while let Some(marking) = waiting.pop() {
            for event in &net.events {
                let mut next = marking.clone();
                let is_enabled = event.changes.iter().all(|change| {
                    let place = change.place as usize;
                    let (takes, puts) = (u64::from(change.takes), u64::from(change.puts));
                    let enough = marking[place] >= takes;
                    next[place] = (marking[place] + puts).wrapping_sub(takes);
                    enough
                });
                if is_enabled {
                    steps += 1;
                    if seen.insert(next.clone()) {
                        waiting.push(next);
                    }
                }
            }
            if seen.len() > most {
                return None;
            }
        }
        let sum = seen.iter().map(|marking| marking.iter().sum()).max();
        let most = seen.iter().flatten().copied().max();
        Some((seen.len(), steps, sum.unwrap_or(0), most.unwrap_or(0)))
    }

    fn nets() -> impl Strategy<Value = Net> {
        (1usize..7).prop_flat_map(|places| {
            let change = (0..places as u32, 0u32..3, 0u32..3);
            let event = prop::collection::vec(change, 0..4).prop_map(|changes| {
                let mut changes: Vec<Change> = (changes.into_iter())
                    .map(|(place, takes, puts)| Change { place, takes, puts })
                    .collect();
                changes.sort_by_key(|change| change.place);
                changes.dedup_by_key(|change| change.place);
                Event { changes }
            });
            let events = prop::collection::vec(event, 0..8);
            let initial = prop::collection::vec(0u32..4, places);
            (initial, events).prop_map(|(initial, events)| Net { initial, events })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn counts_are_those_of_all_markings(net in nets()) {
            let Some((states, steps, marking, place)) = one_by_one(&net, 3000) else {
                return Ok(());
            };
            let start: Vec<u32> = (0..net.initial.len() as u32).collect();
            let positions = net.improved(&start);
            for positions in [start, positions] {
                let cancel = Cancel::never();
                let found = reachable(net.renumbered(&positions), usize::MAX, &cancel);
                let found = found.expect("nothing stops it").counts(&cancel);
                let found = found.expect("nothing stops it");
                prop_assert_eq!(&found.states, &BigUint::from(states));
                prop_assert_eq!(&found.transitions, &BigUint::from(steps));
                prop_assert_eq!(found.marking, marking);
                prop_assert_eq!(found.place, place);
            }
        }

        #[test]
        fn numbers_of_tokens_beyond_32_bits_are_a_limit_and_never_wrap(
            mut net in nets(), unit in prop::sample::select(&[1u32 << 29, 1 << 30, u32::MAX / 3]),
        ) {
            for tokens in &mut net.initial {
                *tokens *= unit;
            }
            for change in net.events.iter_mut().flat_map(|event| &mut event.changes) {
                (change.takes, change.puts) = (change.takes * unit, change.puts * unit);
            }
            // The markings are those of the small net, so there may be infinitely many.
            let Some((states, _, marking, place)) = one_by_one(&net, 200) else { return Ok(()) };
            let cancel = Cancel::never();
            let found = reachable(net, usize::MAX, &cancel);
            prop_assert_eq!(found.is_ok(), place <= u64::from(u32::MAX));
            if let Ok(found) = found {
                let found = found.counts(&cancel).expect("nothing stops it");
                prop_assert_eq!(&found.states, &BigUint::from(states));
                prop_assert_eq!((found.marking, found.place), (marking, place));
            }
            let wraps = if place > u64::from(u32::MAX) { &BEYOND } else { &WITHIN };
            wraps.fetch_add(1, Ordering::Relaxed);
            let (within, beyond) = (WITHIN.load(Ordering::Relaxed), BEYOND.load(Ordering::Relaxed));
            prop_assert!(within + beyond < 1000 || within.min(beyond) > 10, "{within} {beyond}");
        }

        #[test]
        fn an_order_has_each_position_once(net in nets()) {
            let start: Vec<u32> = (0..net.initial.len() as u32).collect();
            let mut positions = net.improved(&start);
            positions.sort_unstable();
            prop_assert_eq!(positions, start);
        }
    }

    #[test]
    fn a_net_without_bounds_reaches_the_limit() {
        let grows = Change { place: 0, takes: 0, puts: 1 };
        let net =
            Net { initial: std::vec![0], events: std::vec![Event { changes: std::vec![grows] }] };
        assert!(reachable(net, 1_000, &Cancel::never()).is_err());
    }
}
