//! Hiding: actions are removed from labels; a label without any is the internal action.

use crate::base::cancel::{Cancel, Stopped};
use crate::base::ids::Label;
use crate::base::label_table::Labels;
use crate::base::lts::{Lts, is_spelling};
use crate::base::memory::room;
use crate::ops::label_patterns::{Names, Rest};
use std::sync::Arc;
use thiserror::Error;

/// Why labels cannot be hidden.
#[derive(Debug, Clone, Copy, Error, PartialEq, Eq)]
pub enum NotHidden {
    /// A visible label already has the name that the hidden ones would get.
    #[error("hidden actions are called `tau`, which is a visible label here")]
    VisibleTau,
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// `lts` without the actions that `names` matches.
///
/// Labels of which nothing is left become the internal label of `lts`, or `tau` if it has none; of
/// a multi-action the other actions are left. Labels that become equal are one, and the others keep
/// their order. The transitions stay as they are, so there may be duplicates afterwards.
pub fn hide(lts: &Lts, names: &Names, cancel: &Cancel) -> Result<Lts, NotHidden> {
    let renaming = hidden_labels(&lts.labels, &lts.internal, names, cancel)?;
    let Some(Renaming { labels, renamed, internal, .. }) = renaming else {
        return Ok(lts.clone());
    };
    let label = lts.label.iter().map(|&label| renamed[label]).collect();
    Ok(Lts {
        label: Arc::new(label),
        labels: Arc::new(labels),
        internal: Arc::new(internal),
        ..lts.clone()
    })
}

/// The effect of hiding on a label table.
pub struct Renaming {
    /// The new table; for every old label its number there; and the internal labels of the new
    /// table.
    pub labels: Labels,
    pub renamed: Vec<Label>,
    pub internal: Vec<Label>,
}

/// The effect of hiding on a label table; the labels in `internal` are internal already. `None` if
/// no action is hidden.
pub fn hidden_labels(
    old: &Labels,
    internal: &[Label],
    names: &Names,
    cancel: &Cancel,
) -> Result<Option<Renaming>, NotHidden> {
    let mut rests = room(old.len());
    for (number, label) in old.iter().enumerate() {
        // Checked every 1,024 labels, as there may be many patterns for each.
        if number % 1024 == 0 {
            cancel.check()?;
        }
        rests.push(names.rest(label));
    }
    internal.iter().for_each(|&label| rests[label] = Rest::Unchanged);
    if rests.iter().all(|rest| *rest == Rest::Unchanged) {
        return Ok(None);
    }
    let tau = match internal.first() {
        Some(&label) => old.get(label),
        None => b"tau",
    };
    let hides = rests.contains(&Rest::Internal);
    let mut every = old.iter().zip(&rests);
    let visible =
        |(label, rest): (&[u8], &Rest)| *rest != Rest::Internal && is_spelling(label, b"tau");
    if hides && internal.is_empty() && every.any(visible) {
        return Err(NotHidden::VisibleTau);
    }
    let mut labels = Labels::new();
    let renamed: Vec<Label> = (old.iter().zip(&rests))
        .map(|(label, rest)| {
            labels.intern(match rest {
                Rest::Unchanged => label,
                Rest::Actions(text) => text,
                Rest::Internal => tau,
            })
        })
        .collect();
    let mut internal: Vec<Label> = internal.iter().map(|&label| renamed[label]).collect();
    if hides {
        internal.extend(labels.find(tau));
    }
    internal.sort_unstable();
    internal.dedup();
    Ok(Some(Renaming { labels, renamed, internal }))
}
