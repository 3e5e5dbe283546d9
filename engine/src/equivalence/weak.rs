//! Weak bisimulation by signatures, without storing the closure of the internal steps.
//!
//! States on one internal cycle are equivalent, so cycles are collapsed first; then strong
//! bisimulation makes the system smaller. In what is left the internal steps have no cycle, and the
//! sets
//!
//! - `E(s) = {[s]} u U {E(t) : s -tau-> t}`, the blocks that are reached by internal steps, and
//! - `sig(s) = {(tau,c) : c in E(s)} u {(a,c) : s -a-> t, c in E(t)} u U {sig(t) : s -tau-> t}`
//!
//! are computed from the end of the internal steps backwards. Equal sets are kept once. States with
//! equal signatures stay together, until that changes nothing.

use super::graph::Graph;
use super::strong::strong;
use rustc_hash::FxHashMap;

/// Sets of numbers, equal ones with equal numbers.
#[derive(Default)]
struct Sets {
    numbers: FxHashMap<Box<[u64]>, u32>,
    members: Vec<Box<[u64]>>,
}

impl Sets {
    /// The number of a set; its members are sorted and freed of duplicates in place.
    fn intern(&mut self, members: &mut Vec<u64>) -> u32 {
        members.sort_unstable();
        members.dedup();
        if let Some(&number) = self.numbers.get(&members[..]) {
            return number;
        }
        let number = self.members.len() as u32;
        let set: Box<[u64]> = members[..].into();
        self.members.push(set.clone());
        self.numbers.insert(set, number);
        number
    }
}

/// The coarsest weak bisimulation: for every state its block, and how many blocks there are.
pub fn weak(graph: &Graph) -> (Vec<u32>, usize) {
    let Some(tau) = graph.tau else { return strong(graph) };
    let (component, components) = tau_components(graph, tau);
    let mut collapsed = graph.quotient(&component, components);
    collapsed.remove_loops(tau);
    let (bisimilar, count) = strong(&collapsed);
    let mut small = collapsed.quotient(&bisimilar, count);
    small.remove_loops(tau);
    let (block, blocks) = refine(&small, tau);
    let blocks_of = |state: usize| block[bisimilar[component[state] as usize] as usize];
    ((0..graph.states).map(blocks_of).collect(), blocks)
}

/// The essential transitions between the blocks of a weak bisimulation: no internal step to the own
/// block, and none that follows from others through another block. What remains is unique.
pub fn essential(blocks: &Graph) -> Graph {
    let Some(tau) = blocks.tau else {
        return Graph::from_transitions(
            blocks.initial,
            blocks.states,
            blocks.labels,
            None,
            blocks.transitions(),
        );
    };
    let mut graph = Graph::from_transitions(
        blocks.initial,
        blocks.states,
        blocks.labels,
        blocks.tau,
        blocks.transitions(),
    );
    graph.remove_loops(tau);
    let identity: Vec<u32> = (0..graph.states as u32).collect();
    let signatures = Signatures::of(&graph, tau, &identity);
    let holds = |set: u32, label: u32, target: u32| {
        let member = pack(label, target);
        signatures.sets.members[set as usize].binary_search(&member).is_ok()
    };
    let mut kept = Vec::new();
    for state in 0..graph.states as u32 {
        for (label, target) in graph.steps(state) {
            let internal = |&(a, _): &(u32, u32)| a == tau;
            // First an internal step to another block, which can then do the same.
            let later = graph.steps(state).filter(internal).any(|(_, through)| {
                (label != tau || through != target)
                    && holds(signatures.sig[through as usize], label, target)
            });
            // First the same action to another block, then internal steps.
            let sooner = label != tau
                && graph.steps(state).any(|(a, through)| {
                    a == label
                        && through != target
                        && holds(signatures.sig[through as usize], tau, target)
                });
            if !later && !sooner {
                kept.push((state, label, target));
            }
        }
    }
    Graph::from_transitions(graph.initial, graph.states, graph.labels, graph.tau, kept)
}

fn pack(label: u32, block: u32) -> u64 {
    u64::from(label) << 32 | u64::from(block)
}

/// The signatures of all states under one partition.
struct Signatures {
    sets: Sets,
    sig: Vec<u32>,
}

impl Signatures {
    /// Signatures in a graph whose internal steps have no cycle.
    fn of(graph: &Graph, tau: u32, block: &[u32]) -> Self {
        let order = internal_order(graph, tau);
        let mut sets = Sets::default();
        let mut reach = vec![0u32; graph.states];
        let mut sig = vec![0u32; graph.states];
        let mut members = Vec::new();
        // E(s), with the internal label so that it can be a part of the signature.
        for &state in &order {
            members.clear();
            members.push(pack(tau, block[state as usize]));
            for (label, target) in graph.steps(state) {
                if label == tau {
                    members.extend_from_slice(&sets.members[reach[target as usize] as usize]);
                }
            }
            reach[state as usize] = sets.intern(&mut members);
        }
        for &state in &order {
            members.clear();
            members.extend_from_slice(&sets.members[reach[state as usize] as usize]);
            for (label, target) in graph.steps(state) {
                if label == tau {
                    members.extend_from_slice(&sets.members[sig[target as usize] as usize]);
                } else {
                    let reached = &sets.members[reach[target as usize] as usize];
                    members.extend(reached.iter().map(|&c| pack(label, c as u32)));
                }
            }
            sig[state as usize] = sets.intern(&mut members);
        }
        Self { sets, sig }
    }
}

fn refine(graph: &Graph, tau: u32) -> (Vec<u32>, usize) {
    let mut block = vec![0u32; graph.states];
    let mut blocks = 1;
    loop {
        let signatures = Signatures::of(graph, tau, &block);
        let mut numbers = FxHashMap::default();
        let mut next = Vec::with_capacity(graph.states);
        for (state, &sig) in signatures.sig.iter().enumerate() {
            let new = numbers.len() as u32;
            next.push(*numbers.entry((block[state], sig)).or_insert(new));
        }
        if numbers.len() == blocks {
            return (next, blocks);
        }
        blocks = numbers.len();
        block = next;
    }
}

/// The states in an order in which internal steps lead backwards; their graph has no cycle.
fn internal_order(graph: &Graph, tau: u32) -> Vec<u32> {
    let (component, components) = tau_components(graph, tau);
    debug_assert_eq!(components, graph.states);
    let mut order = vec![0; graph.states];
    for (state, &place) in component.iter().enumerate() {
        order[place as usize] = state as u32;
    }
    order
}

/// The strongly connected components of the internal steps (Tarjan 1972), numbered so that internal
/// steps lead to components of the same or a smaller number.
fn tau_components(graph: &Graph, tau: u32) -> (Vec<u32>, usize) {
    const UNSEEN: u32 = u32::MAX;
    let n = graph.states;
    let mut index = vec![UNSEEN; n];
    let mut low = vec![0u32; n];
    let mut component = vec![UNSEEN; n];
    let (mut found, mut count) = (0u32, 0u32);
    let mut stack = Vec::new();
    let mut calls: Vec<(u32, usize)> = Vec::new();
    for root in 0..n as u32 {
        if index[root as usize] != UNSEEN {
            continue;
        }
        calls.push((root, graph.starts[root as usize]));
        while let Some((state, at)) = calls.pop() {
            let s = state as usize;
            if index[s] == UNSEEN {
                index[s] = found;
                low[s] = found;
                found += 1;
                stack.push(state);
            }
            let mut at = at;
            let mut descended = false;
            while at < graph.starts[s + 1] {
                let target = graph.target[at] as usize;
                at += 1;
                if graph.label[at - 1] != tau {
                    continue;
                }
                if index[target] == UNSEEN {
                    calls.push((state, at - 1)); // come back to read its low
                    calls.push((target as u32, graph.starts[target]));
                    descended = true;
                    break;
                }
                if component[target] == UNSEEN {
                    low[s] = low[s].min(low[target]);
                }
            }
            if descended || low[s] != index[s] {
                continue;
            }
            while let Some(member) = stack.pop() {
                component[member as usize] = count;
                if member == state {
                    break;
                }
            }
            count += 1;
        }
    }
    (component, count as usize)
}

impl Graph {
    fn transitions(&self) -> Vec<(u32, u32, u32)> {
        let mut transitions = Vec::with_capacity(self.label.len());
        for state in 0..self.states as u32 {
            transitions.extend(self.steps(state).map(|(label, target)| (state, label, target)));
        }
        transitions
    }

    fn remove_loops(&mut self, label: u32) {
        let mut transitions = self.transitions();
        transitions.retain(|&(s, a, t)| a != label || s != t);
        *self =
            Self::from_transitions(self.initial, self.states, self.labels, self.tau, transitions);
    }
}
