//! The system of the blocks of a partition.

use super::formula::distinguish;
use super::graph::Graph;
use super::strong::strong;
use super::weak::{essential, weak, weak_transitions};
use crate::labels::Labels;
use crate::lts::Lts;
use std::sync::Arc;

/// The equivalences that systems are minimised and compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    Strong,
    Weak,
}

/// For every state of an LTS its block, and how many blocks there are.
pub fn partition(lts: &Lts, equivalence: Equivalence) -> (Vec<u32>, usize) {
    match equivalence {
        Equivalence::Strong => strong(&Graph::new(lts, false)),
        Equivalence::Weak => weak(&Graph::new(lts, true)),
    }
}

/// The least system equivalent to an LTS, and for every state of the LTS its state there, or
/// `u32::MAX` if it was dropped as unreachable.
///
/// States are numbered breadth first, the steps of a state in the order of label bytes.
pub fn minimise(lts: &Lts, equivalence: Equivalence, keep_unreachable: bool) -> (Lts, Vec<u32>) {
    let (block, blocks) = partition(lts, equivalence);
    let full = Graph::new(lts, equivalence == Equivalence::Weak);
    let mut graph = full.quotient(&block, blocks);
    if equivalence == Equivalence::Weak {
        graph = essential(&graph);
    }
    let mut by_text: Vec<u32> = (0..lts.labels.len() as u32).collect();
    by_text.sort_by(|&a, &b| lts.labels.get(a).cmp(lts.labels.get(b)));
    let mut rank = vec![0; by_text.len()];
    for (place, &label) in by_text.iter().enumerate() {
        rank[label as usize] = place as u32;
    }
    const UNSEEN: u32 = u32::MAX;
    let mut number = vec![UNSEEN; blocks];
    let mut order = vec![graph.initial];
    number[graph.initial as usize] = 0;
    let mut labels = Labels::new();
    let mut internal = Vec::new();
    let mut columns: [Vec<u32>; 3] = Default::default();
    let mut roots = if keep_unreachable { block.iter() } else { [].iter() };
    let mut at = 0;
    loop {
        if at == order.len() {
            match roots.find(|&&root| number[root as usize] == UNSEEN) {
                Some(&root) => {
                    number[root as usize] = order.len() as u32;
                    order.push(root);
                }
                None => break,
            }
        }
        let mut steps: Vec<(u32, u32)> = graph.steps(order[at]).collect();
        steps.sort_by_key(|&(label, target)| (rank[label as usize], number[target as usize]));
        for (label, target) in steps {
            if number[target as usize] == UNSEEN {
                number[target as usize] = order.len() as u32;
                order.push(target);
            }
            let name = labels.intern(lts.labels.get(label));
            if lts.internal.contains(&label) {
                internal.push(name);
            }
            for (column, value) in
                columns.iter_mut().zip([at as u32, name, number[target as usize]])
            {
                column.push(value);
            }
        }
        at += 1;
    }
    internal.sort_unstable();
    internal.dedup();
    let states = order.len() as u32;
    let result = Lts::from_valid(0, states, columns, Arc::new(labels), Arc::new(internal));
    (result, block.into_iter().map(|b| number[b as usize]).collect())
}

/// Whether the initial states of two systems are equivalent.
pub fn equivalent(left: &Lts, right: &Lts, equivalence: Equivalence) -> bool {
    // Internal steps are one action, whatever each of the systems calls them.
    let union = Graph::new(&disjoint_union(left, right), true);
    let (block, _) = match equivalence {
        Equivalence::Strong => strong(&union),
        Equivalence::Weak => weak(&union),
    };
    block[left.initial as usize] == block[(left.states + right.initial) as usize]
}

/// Both systems side by side, labels united by their bytes; the states of the second are numbered
/// after those of the first, whose initial state it has.
pub fn disjoint_union(left: &Lts, right: &Lts) -> Lts {
    let mut labels = (*left.labels).clone();
    let names: Vec<u32> = right.labels.iter().map(|label| labels.intern(label)).collect();
    let moved = |column: &[u32]| -> Vec<u32> { column.iter().map(|&s| s + left.states).collect() };
    let joined = |a: &[u32], b: Vec<u32>| -> Vec<u32> { a.iter().copied().chain(b).collect() };
    let internal = left.internal.iter().copied();
    let internal = internal.chain(right.internal.iter().map(|&label| names[label as usize]));
    let mut internal: Vec<u32> = internal.collect();
    internal.sort_unstable();
    internal.dedup();
    let renamed = right.label.iter().map(|&label| names[label as usize]).collect();
    Lts::from_valid(
        left.initial,
        left.states + right.states,
        [
            joined(&left.source, moved(&right.source)),
            joined(&left.label, renamed),
            joined(&left.target, moved(&right.target)),
        ],
        Arc::new(labels),
        Arc::new(internal),
    )
}

/// A formula that holds initially in the first system and not in the second, as text; none if they
/// are equivalent or if it would be too large to be of use.
pub fn explain(left: &Lts, right: &Lts, equivalence: Equivalence) -> Option<String> {
    // What is told apart are the minimal systems, which are small and have no internal cycles.
    let left = minimise(left, equivalence, false).0;
    let right = minimise(right, equivalence, false).0;
    let union = disjoint_union(&left, &right);
    let mut graph = Graph::new(&union, true);
    if equivalence == Equivalence::Weak {
        graph = weak_transitions(&graph)?;
    }
    let formula = distinguish(&graph, left.initial, left.states + right.initial)?;
    let text = |label: u32| String::from_utf8_lossy(union.labels.get(label)).into_owned();
    Some(formula.show(&text, equivalence == Equivalence::Weak))
}
