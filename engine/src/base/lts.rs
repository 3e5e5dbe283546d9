//! The labelled transition system that every algorithm of the engine reads and returns.

use crate::base::label_table::Labels;
use std::sync::Arc;
use thiserror::Error;

/// States `0..states`, transitions as three columns of equal length, in any order, duplicates
/// allowed (they mean the same set of transitions).
///
/// Invariant: `initial < states`, every source and target is below `states`, every label below
/// `labels.len()`, `internal` is sorted. The columns are shared, never changed in place: Python
/// reads them without a copy.
#[derive(Clone)]
pub struct Lts {
    pub initial: u32,
    pub states: u32,
    pub source: Arc<Vec<u32>>,
    pub label: Arc<Vec<u32>>,
    pub target: Arc<Vec<u32>>,
    pub labels: Arc<Labels>,
    /// The labels that stand for the internal action, sorted; usually the one called `tau`.
    pub internal: Arc<Vec<u32>>,
}

/// Why three columns are not an LTS.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Malformed {
    #[error("the columns have {0}, {1} and {2} entries")]
    Lengths(usize, usize, usize),
    #[error("initial state {0} is not below the number of states {1}")]
    Initial(u32, u32),
    #[error("transition {0}: state {1} is not below the number of states {2}")]
    State(usize, u32, u32),
    #[error("transition {0}: label {1} is not below the number of labels {2}")]
    Label(usize, u32, usize),
}

impl Lts {
    /// An LTS from its parts, checked; `internal` by [`internal_labels`].
    pub fn new(
        initial: u32,
        states: u32,
        source: Vec<u32>,
        label: Vec<u32>,
        target: Vec<u32>,
        labels: Labels,
    ) -> Result<Self, Malformed> {
        if source.len() != label.len() || label.len() != target.len() {
            return Err(Malformed::Lengths(source.len(), label.len(), target.len()));
        }
        if initial >= states {
            return Err(Malformed::Initial(initial, states));
        }
        for (i, &state) in source.iter().chain(target.iter()).enumerate() {
            if state >= states {
                return Err(Malformed::State(i % source.len(), state, states));
            }
        }
        if let Some(i) = label.iter().position(|&l| l as usize >= labels.len()) {
            return Err(Malformed::Label(i, label[i], labels.len()));
        }
        let internal = internal_labels(&labels);
        Ok(Self::from_valid(
            initial,
            states,
            [source, label, target],
            Arc::new(labels),
            Arc::new(internal),
        ))
    }

    /// An LTS from columns (source, label, target) that are known to keep the invariant.
    pub fn from_valid(
        initial: u32,
        states: u32,
        [source, label, target]: [Vec<u32>; 3],
        labels: Arc<Labels>,
        internal: Arc<Vec<u32>>,
    ) -> Self {
        Self {
            initial,
            states,
            source: Arc::new(source),
            label: Arc::new(label),
            target: Arc::new(target),
            labels,
            internal,
        }
    }

    /// Number of transitions, duplicates included.
    pub fn transitions(&self) -> usize {
        self.source.len()
    }

    /// The same LTS with exactly `internal` as its internal labels.
    pub fn with_internal(&self, mut internal: Vec<u32>) -> Self {
        internal.sort_unstable();
        internal.dedup();
        Self { internal: Arc::new(internal), ..self.clone() }
    }

    /// For every label, whether it stands for the internal action.
    pub fn internal_mask(&self) -> Vec<bool> {
        let mut mask = vec![false; self.labels.len()];
        for &label in self.internal.iter() {
            mask[label as usize] = true;
        }
        mask
    }
}

/// The internal label by convention: `tau`, or `i` only where no label is `tau` (CADP's files).
pub fn internal_labels(labels: &Labels) -> Vec<u32> {
    labels.find(b"tau").or_else(|| labels.find(b"i")).into_iter().collect()
}
