//! The labelled transition system, input and output of every algorithm of the engine.

use crate::base::ids::{Label, State};
use crate::base::label_reader::normal_form;
use crate::base::label_table::Labels;
use bytemuck::cast_vec;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;
use thiserror::Error;

/// States `0..states` and transitions as three columns of equal length, in any order; duplicates
/// are allowed and have no meaning of their own.
///
/// Invariant: `initial < states`, every source and target is less than `states`, every label less
/// than `labels.len()`, `internal` is sorted. The columns are shared and never changed in place:
/// Python reads them without a copy.
#[derive(Clone)]
pub struct Lts {
    pub initial: State,
    pub states: u32,
    pub source: Arc<Vec<State>>,
    pub label: Arc<Vec<Label>>,
    pub target: Arc<Vec<State>>,
    pub labels: Arc<Labels>,
    /// The labels that stand for the internal action, sorted; usually only `tau`.
    pub internal: Arc<Vec<Label>>,
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
    /// An LTS from numbers, which are checked. The internal labels are those of
    /// [`internal_labels`].
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
        let columns = [source, label, target];
        Ok(Self::of_numbers(initial, states, columns, Arc::new(labels), Arc::new(internal)))
    }

    /// An LTS from numbers (source, label, target) that are known to satisfy the invariant.
    pub fn of_numbers(
        initial: u32,
        states: u32,
        [source, label, target]: [Vec<u32>; 3],
        labels: Arc<Labels>,
        internal: Arc<Vec<Label>>,
    ) -> Self {
        let columns = (cast_vec(source), cast_vec(label), cast_vec(target));
        Self::from_valid(State(initial), states, columns, labels, internal)
    }

    /// An LTS from columns (source, label, target) that are known to satisfy the invariant.
    pub fn from_valid(
        initial: State,
        states: u32,
        (source, label, target): (Vec<State>, Vec<Label>, Vec<State>),
        labels: Arc<Labels>,
        internal: Arc<Vec<Label>>,
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

    /// The number of transitions, duplicates included.
    pub fn transitions(&self) -> usize {
        self.source.len()
    }

    /// The same LTS with exactly `internal` as its internal labels.
    pub fn with_internal(&self, mut internal: Vec<Label>) -> Self {
        internal.sort_unstable();
        internal.dedup();
        Self { internal: Arc::new(internal), ..self.clone() }
    }

    /// The same LTS with each visible label replaced by the first one of the same normal form.
    pub fn with_distinct_labels(self) -> Self {
        let mut first = FirstSpellings::default();
        let mut labels = Labels::new();
        let renamed: Vec<Label> = (self.labels.iter().zip(self.internal_mask()))
            .map(|(label, tau)| labels.intern(if tau { label } else { first.of(label) }))
            .collect();
        if labels.len() == self.labels.len() {
            return self;
        }
        let label = self.label.iter().map(|&label| renamed[label]).collect();
        let internal = self.internal.iter().map(|&label| renamed[label]).collect();
        Self { label: Arc::new(label), labels: Arc::new(labels), ..self.clone() }
            .with_internal(internal)
    }

    /// The states in the order of their numbers.
    pub fn each_state(
        &self,
    ) -> impl DoubleEndedIterator<Item = State> + ExactSizeIterator + Clone + use<> {
        (0..self.states).map(State)
    }

    /// For every label, whether it stands for the internal action.
    pub fn internal_mask(&self) -> Vec<bool> {
        let mut mask = vec![false; self.labels.len()];
        for &label in self.internal.iter() {
            mask[label] = true;
        }
        mask
    }
}

/// For each normal form of labels, the first label that has it.
#[derive(Default)]
pub struct FirstSpellings<'a>(FxHashMap<Cow<'a, [u8]>, &'a [u8]>);

impl<'a> FirstSpellings<'a> {
    /// The first label with the normal form of `label`, perhaps itself.
    pub fn of(&mut self, label: &'a [u8]) -> &'a [u8] {
        self.0.entry(normal_form(label)).or_insert(label)
    }
}

/// The internal labels by convention: those whose normal form is `tau`; `i` (as in CADP's files)
/// only if there is none.
pub fn internal_labels(labels: &Labels) -> Vec<Label> {
    let of = |name: &[u8]| -> Vec<Label> {
        let every = (0..).map(Label).zip(labels.iter());
        every.filter(|&(_, label)| is_spelling(label, name)).map(|(number, _)| number).collect()
    };
    let internal = of(b"tau");
    if internal.is_empty() { of(b"i") } else { internal }
}

/// Whether a label differs from `name`, which is in normal form, only in blanks or in the order of
/// actions.
pub fn is_spelling(label: &[u8], name: &[u8]) -> bool {
    label == name || memchr::memmem::find(label, name).is_some() && *normal_form(label) == *name
}
