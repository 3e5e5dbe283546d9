use crate::process::store::*;
use proptest::prelude::*;

fn vectors() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (2usize..12).prop_flat_map(|positions| {
        prop::collection::vec(prop::collection::vec(0u32..3, positions), 1..60)
    })
}

proptest! {
    #[test]
    fn states_are_numbered_and_read_back(vectors in vectors()) {
        let mut store = Store::new(vectors[0].len());
        let mut seen: Vec<Vec<u32>> = Vec::new();
        for vector in vectors {
            let known = seen.iter().position(|s| *s == vector);
            let (state, new) = store.intern_vector(&vector);
            prop_assert_eq!(new, known.is_none());
            prop_assert_eq!(state as usize, known.unwrap_or(seen.len()));
            if new {
                seen.push(vector);
            }
        }
        for reshape in [false, true] {
            if reshape {
                prop_assert_eq!(store.reshape(20, &Cancel::never()), seen[0].len() <= MOST_POSITIONS);
            }
            prop_assert_eq!(store.len(), seen.len());
            let mut block = Block::default();
            store.read(1..seen.len() as u32, &mut block);
            for (at, vector) in (0..).zip(&seen[1..]) {
                let mut view = vec![7];
                block.view(at, &mut view);
                prop_assert_eq!(&view[1..=vector.len()], &vector[..]);
                prop_assert_eq!(view.len(), store.nodes() + 1);
                prop_assert_eq!(view[store.nodes()], at + 1);
                for (position, &value) in (0..).zip(vector) {
                    prop_assert_eq!(block.column(position)[at as usize], value);
                }
            }
        }
    }

    #[test]
    fn cancelled_reshaping_leaves_the_tree(vectors in vectors(), checks in 0usize..20) {
        let mut store = Store::new(vectors[0].len());
        for vector in &vectors {
            store.intern_vector(vector);
        }
        let (states, before) = (store.len(), store.children.clone());
        let needed = Cancel::checks_of(|cancel| drop(store.reshaped(20, cancel)));
        let changed = store.reshape(20, &Cancel::after(checks));
        prop_assert_eq!(changed, vectors[0].len() <= MOST_POSITIONS && checks >= needed);
        prop_assert!(changed || store.children == before);
        prop_assert_eq!(store.len(), states);
    }

    #[test]
    fn changed_states_are_interned_along_the_path(
        mut vectors in vectors(), reshape: bool, changes in prop::collection::vec((0usize..12, 0u32..3), 1..4),
    ) {
        let mut store = Store::new(vectors[0].len());
        for vector in &vectors {
            store.intern_vector(vector);
        }
        if reshape {
            store.reshape(20, &Cancel::never());
        }
        let (positions, original) = (vectors[0].len(), vectors.len());
        let changed: Vec<u32> = changes.iter().map(|&(p, _)| (p % positions) as u32).collect();
        let path = store.path(&changed);
        let (mut block, mut steps) = (Block::default(), Changes::default());
        let known = store.len() as u32;
        store.read(0..known, &mut block);
        // All of them at once, last to first; then one by one.
        steps.begin(store.nodes());
        steps.from.extend((0..known).rev());
        for &(position, value) in &changes {
            let column = steps.change((position % positions) as u32);
            column.clear();
            column.resize(known as usize, value);
        }
        let mut roots = Vec::new();
        store.targets(&path, &block, &mut steps, &mut roots);
        let mut targets = Vec::new();
        store.find_many(&roots, &mut targets);
        for state in 0..known {
            let mut again = Vec::new();
            block.view(state, &mut again);
            for &(position, value) in &changes {
                again[position % positions] = value;
            }
            let vector = again[..positions].to_vec();
            let mut below = Vec::new();
            steps.siblings(&path, &block, (known - 1 - state) as usize, &mut below);
            let mut view_of_target = vec![NONE; again.len()];
            path.fill_view(&below, &mut view_of_target);
            let before = vectors[..original].contains(&vector);
            let expected = vectors.contains(&vector);
            let target = targets[(known - 1 - state) as usize];
            prop_assert_eq!(target != NONE, before);
            let later = store.find_along(&path, &mut again);
            prop_assert_eq!(later != NONE, expected);
            prop_assert!(!before || later == target);
            // Alternate between the two ways to insert.
            let (id, new) = if state % 2 == 0 {
                store.intern_along(&path, &mut view_of_target)
            } else {
                store.intern_missing(&path, &mut again.clone())
            };
            prop_assert_eq!(new, !expected);
            prop_assert_eq!(store.intern_missing(&path, &mut again), (id, false));
            prop_assert_eq!(store.intern_vector(&vector), (id, false));
            vectors.push(vector);
        }
    }
}
