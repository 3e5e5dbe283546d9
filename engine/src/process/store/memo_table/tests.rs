use crate::process::store::memo_table::*;
use proptest::prelude::*;
use std::collections::HashMap;

proptest! {
    #[test]
    fn a_memo_is_a_map_that_retains_first_values(
        width in 0usize..3, most in prop_oneof![1u32..30, 1u32..5000],
        most_value in prop_oneof![Just(99u32), Just(260u32)],
        entries in prop::collection::vec((0u32..5000, 0u32..9, 0u32..9999), 0..200),
    ) {
        let (mut memo, mut pairs) = (Memo::new(width, 1), Memo::new(width, 2));
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        for (a, b, value) in entries {
            let (key, value) = (&[a % most, b][..width], value % most_value);
            prop_assert_eq!(memo.get(key).map(|value| value[0]), known.get(key).copied());
            let pair = known.get(key).map(|&value| vec![value, 7]);
            prop_assert_eq!(pairs.get(key).map(<[u32]>::to_vec), pair);
            memo.insert(key, &[value]);
            pairs.insert(key, &[value, 7]);
            known.entry(key.to_vec()).or_insert(value);
        }
        prop_assert_eq!(memo.len(), known.len());
        let keys: Vec<[u32; 2]> =
            (0..70).flat_map(|a| [[a * 73, a % 9], [a, a % 5], [a % most, a % 3]]).collect();
        let columns: Vec<u32> =
            (0..width).flat_map(|j| keys.iter().map(move |key| key[j])).collect();
        let mut values = vec![1];
        memo.get_many(&columns, keys.len(), &mut values);
        prop_assert_eq!(values.len(), keys.len());
        let mut entries = Vec::new();
        pairs.find_many(&columns, keys.len(), &mut entries);
        prop_assert_eq!(entries.len(), keys.len());
        for ((key, &value), &entry) in keys.iter().zip(&values).zip(&entries) {
            let expected = known.get(&key[..width]).copied();
            prop_assert_eq!((value != FREE).then_some(value), expected);
            let pair = (entry != FREE).then(|| pairs.value(entry).to_vec());
            prop_assert_eq!(pair, expected.map(|value| vec![value, 7]));
        }
        for (key, value) in memo.iter() {
            prop_assert_eq!(known.get(key), Some(&value[0]));
        }
    }
}
