//! Hiding: some labels become the internal action.

use crate::labels::Labels;
use crate::lts::Lts;
use crate::ops::names::Names;
use std::sync::Arc;

/// `lts` with the labels that `names` has made internal.
///
/// They become the internal label that `lts` has, or `tau` if it has none; `None` if that is
/// needed and `tau` is a visible label. The hidden labels leave the table, the others keep their
/// order, and rows stay as they are, so that some may be duplicates afterwards.
pub fn hide(lts: &Lts, names: &Names) -> Option<Lts> {
    let internal = lts.internal_mask();
    let hidden: Vec<bool> = (lts.labels.iter().zip(&internal))
        .map(|(label, internal)| !internal && names.has(label))
        .collect();
    if !hidden.contains(&true) {
        return Some(lts.clone());
    }
    let tau = match lts.internal.first() {
        Some(&label) => lts.labels.get(label),
        None => b"tau",
    };
    if lts.internal.is_empty() && lts.labels.find(tau).is_some_and(|tau| !hidden[tau as usize]) {
        return None;
    }
    let mut labels = Labels::new();
    let renamed: Vec<u32> = (lts.labels.iter().zip(&hidden))
        .map(|(label, &hidden)| labels.intern(if hidden { tau } else { label }))
        .collect();
    let label = lts.label.iter().map(|&label| renamed[label as usize]).collect();
    let mut internal: Vec<u32> =
        lts.internal.iter().map(|&label| renamed[label as usize]).collect();
    internal.extend(labels.find(tau));
    internal.sort_unstable();
    internal.dedup();
    Some(Lts {
        label: Arc::new(label),
        labels: Arc::new(labels),
        internal: Arc::new(internal),
        ..lts.clone()
    })
}
