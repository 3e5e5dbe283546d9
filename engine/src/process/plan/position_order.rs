//! The order of positions: positions that change together become neighbours.
//!
//! States are stored as a tree whose inner nodes pair neighbours: the fewer pairs a step changes,
//! the fewer new nodes it creates. Each position is followed by the unplaced one that most summands
//! change together with it; otherwise parameters keep their order.

use rustc_hash::{FxHashMap, FxHashSet};

/// Summands that change more positions than this say little about pairs.
const MOST_CHANGED: usize = 8;

/// The parameters in the order of their positions; `changed` lists the parameters that each summand
/// changes.
pub fn ordered(parameters: &[u32], changed: &[Vec<u32>]) -> Vec<u32> {
    let mut together: FxHashMap<u32, FxHashMap<u32, usize>> = FxHashMap::default();
    for own in changed.iter().filter(|own| own.len() <= MOST_CHANGED) {
        for &a in own {
            for &b in own.iter().filter(|&&b| b != a) {
                *together.entry(a).or_default().entry(b).or_default() += 1;
            }
        }
    }
    let mut left: FxHashSet<u32> = parameters.iter().copied().collect();
    let mut order = Vec::with_capacity(parameters.len());
    for &parameter in parameters {
        if !left.remove(&parameter) {
            continue;
        }
        order.push(parameter);
        let others = together.get(&parameter).into_iter().flatten();
        let free = others.filter(|&(b, _)| left.contains(b));
        let best = free.max_by_key(|&(&b, &count)| (count, std::cmp::Reverse(b)));
        if let Some((&b, _)) = best {
            left.remove(&b);
            order.push(b);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parameters_changed_together_are_adjacent() {
        // Philosophers 0 to 2 and forks 3 to 5; each philosopher changes two forks, one of them
        // more often.
        let steps: [&[u32]; 6] = [&[0, 3], &[0, 3], &[0, 4], &[1, 4], &[2, 5], &[1, 5]];
        let changed: Vec<Vec<u32>> = steps.iter().map(|own| own.to_vec()).collect();
        assert_eq!(ordered(&[0, 1, 2, 3, 4, 5], &changed), [0, 3, 1, 4, 2, 5]);
        assert_eq!(ordered(&[0, 1, 2], &[]), [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn each_parameter_has_one_position(
            steps in prop::collection::vec(prop::collection::btree_set(0u32..9, 0..9), 0..12),
        ) {
            let changed: Vec<Vec<u32>> =
                steps.into_iter().map(|own| own.into_iter().collect()).collect();
            let mut order = ordered(&[0, 2, 4, 5, 8], &changed);
            order.sort_unstable();
            prop_assert_eq!(order, [0, 2, 4, 5, 8]);
        }
    }
}
