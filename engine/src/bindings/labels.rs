//! Labels: their actions and arguments, their normal form, and patterns for them.

use crate::base::label_reader::{self as reader, actions};
use crate::bindings::column::bytes;
use crate::ops::label_patterns::{Names, Rest};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rustc_hash::FxHashSet;

/// The start, the end and the end of the name of an action, and the numbers of its arguments.
type RawAction = (usize, usize, usize, Vec<u32>);

/// The start, the end and the end of the name of a part, its size, and the numbers of the parts
/// inside it.
type RawPart = (usize, usize, usize, usize, Vec<u32>);

/// The actions of a label, and all its parts, each after the parts inside it. None if the label has
/// no structure.
#[pyfunction]
fn read_label(label: &[u8]) -> Option<(Vec<RawAction>, Vec<RawPart>)> {
    let reading = reader::read(label)?;
    let actions = reading.actions.into_iter();
    let parts = reading.parts.into_iter();
    Some((
        actions
            .map(|action| (action.start, action.end, action.name_end, action.arguments))
            .collect(),
        parts.map(|part| (part.start, part.end, part.name_end, part.size, part.inner)).collect(),
    ))
}

/// The names of the actions of labels, each once.
#[pyfunction]
fn action_names<'py>(py: Python<'py>, labels: Vec<Vec<u8>>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let mut seen = FxHashSet::default();
    let names = labels.iter().flat_map(|label| actions(label)).map(|(name, _)| name);
    names.filter(|&name| seen.insert(name)).map(|name| bytes(py, name)).collect()
}

/// The form of a label that is the same for all labels that differ only in blanks between tokens,
/// or in the order of the actions of a multi-action.
#[pyfunction]
fn normal_label<'py>(py: Python<'py>, label: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    bytes(py, &reader::normal_form(label))
}

/// A datum without the blanks that separate no tokens.
#[pyfunction]
fn without_blanks<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    bytes(py, &reader::without_blanks(text, true))
}

/// Patterns for labels and actions.
#[pyclass(frozen, module = "lts._engine")]
struct LabelPatterns(Names);

#[pymethods]
impl LabelPatterns {
    #[new]
    fn new(names: Vec<Vec<u8>>) -> Self {
        Self(names.into_iter().collect())
    }

    /// Whether a pattern matches a label, or one of its actions.
    fn matches(&self, label: &[u8]) -> bool {
        self.0.has(label)
    }

    /// A label without the actions that a pattern matches; None if none is left.
    fn rest<'py>(&self, py: Python<'py>, label: &[u8]) -> PyResult<Option<Bound<'py, PyBytes>>> {
        match self.0.rest(label) {
            Rest::Unchanged => bytes(py, label).map(Some),
            Rest::Actions(text) => bytes(py, &text).map(Some),
            Rest::Internal => Ok(None),
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LabelPatterns>()?;
    module.add_function(wrap_pyfunction!(read_label, module)?)?;
    module.add_function(wrap_pyfunction!(action_names, module)?)?;
    module.add_function(wrap_pyfunction!(normal_label, module)?)?;
    module.add_function(wrap_pyfunction!(without_blanks, module)?)
}
