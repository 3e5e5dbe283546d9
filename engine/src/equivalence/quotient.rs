//! The system of the blocks of a partition.

use super::graph::Graph;
use super::strong::strong;
use super::weak::{essential, weak};
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
