//! The shape of the tree over the positions of a state.
//!
//! A tree is given as the list of its inner nodes, each a pair of children. Positions are numbered
//! first, then inner nodes in the order of the list, so that children come before their parents and
//! the root is last.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::base::ids::as_index;

/// The balanced tree: pairs neighbours, then neighbouring pairs, and so on. At least two positions.
pub fn balanced(positions: usize) -> Vec<[u32; 2]> {
    let mut tree = Vec::with_capacity(positions - 1);
    let mut level: Vec<u32> = (0..u32::at(positions)).collect();
    while level.len() > 1 {
        let mut above = Vec::with_capacity(level.len().div_ceil(2));
        for pair in level.chunks(2) {
            match *pair {
                [left, right] => {
                    above.push(u32::at(positions + tree.len()));
                    tree.push([left, right]);
                }
                _ => above.extend(pair),
            }
        }
        level = above;
    }
    tree
}

/// A tree whose inner nodes have few values in a sample of states, given as one column per
/// position.
///
/// Repeatedly joins the two nodes that have the fewest combinations of values. So positions that
/// depend on each other are grouped, and the nodes near the root are independent. This takes the
/// square of the number of positions times the number of states, and the cube of the former.
pub fn grouped(mut columns: Vec<Vec<u32>>, cancel: &Cancel) -> Result<Vec<[u32; 2]>> {
    let positions = columns.len();
    for column in &mut columns {
        let zero = vec![0; column.len()];
        *column = joined(column, &zero);
    }
    let mut counter = Counter::default();
    // Nodes without a parent, with their height and values, and their numbers of combinations with
    // each node before them in the list.
    let mut tops: Vec<Top> = Vec::new();
    for (position, column) in columns.into_iter().enumerate() {
        cancel.check()?;
        let top = Top::new(u32::at(position), 0, column, &tops, &mut counter);
        tops.push(top);
    }
    let mut tree = Vec::with_capacity(positions - 1);
    while tops.len() > 1 {
        cancel.check()?;
        let (mut best, mut at) = ((usize::MAX, 0), (0, 0));
        for (j, right) in tops.iter().enumerate() {
            for (i, (left, &together)) in tops.iter().zip(&right.together).enumerate() {
                let value = (together, left.height.max(right.height));
                if value < best {
                    (best, at) = (value, (i, j));
                }
            }
        }
        let right = tops.remove(at.1);
        let left = tops.remove(at.0);
        for top in &mut tops[at.0..] {
            if top.together.len() > at.1 {
                top.together.remove(at.1);
            }
            top.together.remove(at.0);
        }
        let node = u32::at(positions + tree.len());
        tree.push([left.node, right.node]);
        let values = joined(&left.values, &right.values);
        let height = 1 + left.height.max(right.height);
        let top = Top::new(node, height, values, &tops, &mut counter);
        tops.push(top);
    }
    Ok(tree)
}

struct Top {
    node: u32,
    height: usize,
    /// The value of the node in each state of the sample, a number below `count`.
    values: Vec<u32>,
    count: usize,
    together: Vec<usize>,
}

impl Top {
    fn new(node: u32, height: usize, values: Vec<u32>, tops: &[Self], count: &mut Counter) -> Self {
        let own = values.iter().max().map_or(0, |&most| most as usize + 1);
        let mut top = Self { node, height, values, count: own, together: Vec::new() };
        top.together = tops.iter().map(|other| count.together(&top, other)).collect();
        top
    }
}

/// Counts distinct pairs.
#[derive(Default)]
struct Counter {
    bits: Vec<u64>,
    keys: Vec<u64>,
}

/// Pairs are counted in a bit vector if there are at most this many combinations.
const BITS: usize = 1 << 18;

impl Counter {
    fn together(&mut self, left: &Top, right: &Top) -> usize {
        let pairs = left.values.iter().zip(&right.values);
        let pairs = pairs.map(|(&l, &r)| u64::from(l) * right.count as u64 + u64::from(r));
        if left.count.saturating_mul(right.count) <= BITS {
            self.bits.clear();
            self.bits.resize((left.count * right.count).div_ceil(64), 0);
            pairs.for_each(|pair| self.bits[as_index(pair) / 64] |= 1 << (pair % 64));
            self.bits.iter().map(|word| word.count_ones() as usize).sum()
        } else {
            self.keys.clear();
            self.keys.extend(pairs);
            self.keys.sort_unstable();
            self.keys.dedup();
            self.keys.len()
        }
    }
}

/// The pairs of two columns, numbered from 0.
fn joined(left: &[u32], right: &[u32]) -> Vec<u32> {
    let pair = |i: usize| (left[i], right[i]);
    let mut order: Vec<usize> = (0..left.len()).collect();
    order.sort_unstable_by_key(|&i| pair(i));
    let mut numbers = vec![0; left.len()];
    let mut number = 0;
    for (k, &i) in order.iter().enumerate() {
        if k > 0 && pair(order[k - 1]) != pair(i) {
            number += 1;
        }
        numbers[i] = number;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_tree(positions: usize, tree: &[[u32; 2]]) -> bool {
        let mut children: Vec<u32> = tree.iter().flatten().copied().collect();
        let below = tree
            .iter()
            .enumerate()
            .all(|(i, pair)| pair.iter().all(|&child| (child as usize) < positions + i));
        children.sort_unstable();
        below && children.iter().copied().eq(0..(positions + tree.len()) as u32 - 1)
    }

    proptest! {
        #[test]
        fn every_node_has_one_parent(
            samples in (2usize..12).prop_flat_map(|positions| {
                prop::collection::vec(prop::collection::vec(0u32..4, 30), positions)
            }),
        ) {
            prop_assert!(is_tree(samples.len(), &balanced(samples.len())));
            prop_assert!(is_tree(samples.len(), &grouped(samples, &Cancel::never()).unwrap()));
        }
    }

    #[test]
    fn dependent_positions_are_grouped() {
        // Position 0 depends on position 2, and position 1 on position 3; the two pairs are
        // independent.
        let states: Vec<(u32, u32)> = (0..10).flat_map(|a| (0..10).map(move |b| (a, b))).collect();
        let column = |f: fn(&(u32, u32)) -> u32| states.iter().map(f).collect::<Vec<_>>();
        let columns =
            vec![column(|s| s.0), column(|s| s.1), column(|s| s.0 / 2), column(|s| s.1 / 2)];
        let tree = grouped(columns, &Cancel::never()).unwrap();
        assert_eq!(tree, [[0, 2], [1, 3], [4, 5]]);
    }
}
