//! Inclusion of sorted lists.

/// Whether every member of the sorted `part` is one of the sorted `whole`.
pub fn is_subset<T: PartialEq>(part: &[T], whole: &[T]) -> bool {
    let mut rest = whole.iter();
    part.len() <= whole.len() && part.iter().all(|member| rest.any(|other| other == member))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn inclusion_agrees_with_sets(
            part in prop::collection::btree_set(0u32..6, 0..6),
            whole in prop::collection::btree_set(0u32..6, 0..6),
        ) {
            let [members, all]: [Vec<u32>; 2] = [&part, &whole].map(|set| set.iter().copied().collect());
            prop_assert_eq!(is_subset(&members, &all), part.is_subset(&whole));
        }
    }
}
