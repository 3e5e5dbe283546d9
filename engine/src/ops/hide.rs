//! Hiding: some labels become the internal action.

use crate::base::cancel::is_told_to_stop;
use crate::base::ids::Label;
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::base::memory::room;
use crate::ops::label_patterns::Names;
use std::sync::Arc;

/// `lts` with the labels that `names` has made internal.
///
/// They become the internal label that `lts` has, or `tau` if it has none; `None` if that is
/// needed and `tau` is a visible label. The hidden labels leave the table, the others keep their
/// order, and rows stay as they are, so that some may be duplicates afterwards.
pub fn hide(lts: &Lts, names: &Names) -> Option<Lts> {
    let renaming = hidden_labels(&lts.labels, &lts.internal, names)?;
    let Some(Renaming { labels, renamed, internal, .. }) = renaming else {
        return Some(lts.clone());
    };
    let label = lts.label.iter().map(|&label| renamed[label]).collect();
    Some(Lts {
        label: Arc::new(label),
        labels: Arc::new(labels),
        internal: Arc::new(internal),
        ..lts.clone()
    })
}

/// What hiding does to a table of labels.
pub struct Renaming {
    pub hidden: Vec<bool>,
    /// The new table, for every old label its number there, and which are internal there.
    pub labels: Labels,
    pub renamed: Vec<Label>,
    pub internal: Vec<Label>,
}

/// What hiding does to `labels`, those of them that are `internal` being so already. `None` if the
/// hidden ones would meet a visible `tau`; the inner option is empty if nothing is hidden.
#[allow(clippy::option_option)]
pub fn hidden_labels(old: &Labels, internal: &[Label], names: &Names) -> Option<Option<Renaming>> {
    let mut hidden = room(old.len());
    for (number, label) in old.iter().enumerate() {
        // Patterns may be many, too. Nobody looks at what was not done to the end.
        if number % 1024 == 0 && is_told_to_stop() {
            return Some(None);
        }
        hidden.push(names.has(label));
    }
    internal.iter().for_each(|&label| hidden[label] = false);
    if !hidden.contains(&true) {
        return Some(None);
    }
    let tau = match internal.first() {
        Some(&label) => old.get(label),
        None => b"tau",
    };
    if internal.is_empty() && old.find(tau).is_some_and(|tau| !hidden[tau]) {
        return None;
    }
    let mut labels = Labels::new();
    let renamed: Vec<Label> = (old.iter().zip(&hidden))
        .map(|(label, &hidden)| labels.intern(if hidden { tau } else { label }))
        .collect();
    let mut internal: Vec<Label> = internal.iter().map(|&label| renamed[label]).collect();
    internal.extend(labels.find(tau));
    internal.sort_unstable();
    internal.dedup();
    Some(Some(Renaming { hidden, labels, renamed, internal }))
}
