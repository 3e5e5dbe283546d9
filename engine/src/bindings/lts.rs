//! The Python class of an LTS.

use crate::base::label_table::Labels;
use crate::base::lts::Lts as EngineLts;
use crate::bindings::column::{Column, read_column};
use crate::bindings::work::direct;
use bytemuck::cast_vec;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

#[pyclass(frozen, module = "lts._engine")]
pub struct Lts(pub EngineLts);

#[pymethods]
impl Lts {
    #[new]
    fn new(
        initial: u32,
        states: u32,
        source: &Bound<'_, PyAny>,
        label: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        labels: Vec<Vec<u8>>,
    ) -> PyResult<Self> {
        let table: Labels = labels.iter().map(|label| &label[..]).collect();
        if table.len() != labels.len() {
            return Err(PyValueError::new_err("a label stands twice in the label table"));
        }
        let columns = [read_column(source)?, read_column(label)?, read_column(target)?];
        let [source, label, target] = columns;
        EngineLts::new(initial, states, source, label, target, table)
            .map(Self)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    #[getter]
    fn initial(&self) -> u32 {
        self.0.initial.0
    }

    #[getter]
    fn states(&self) -> u32 {
        self.0.states
    }

    #[getter]
    fn transitions(&self) -> usize {
        self.0.transitions()
    }

    #[getter]
    fn source(&self) -> Column {
        Column(self.0.source.clone())
    }

    #[getter]
    fn label(&self) -> Column {
        Column(self.0.label.clone())
    }

    #[getter]
    fn target(&self) -> Column {
        Column(self.0.target.clone())
    }

    #[getter]
    fn labels(&self) -> Vec<&[u8]> {
        self.0.labels.iter().collect()
    }

    /// The numbers of the labels with this prefix.
    fn beginning(&self, prefix: &[u8]) -> Vec<u32> {
        let labels = (0..).zip(self.0.labels.iter());
        labels.filter(|(_, label)| label.starts_with(prefix)).map(|(number, _)| number).collect()
    }

    #[getter]
    fn internal(&self) -> Vec<u32> {
        self.0.internal.iter().map(|label| label.0).collect()
    }

    fn with_internal(&self, internal: Vec<u32>) -> PyResult<Self> {
        if internal.iter().any(|&label| label as usize >= self.0.labels.len()) {
            return Err(PyValueError::new_err("an internal label is not in the label table"));
        }
        Ok(Self(self.0.with_internal(cast_vec(internal))))
    }

    /// The LTS in which visible labels of one normal form are one label, the first of them.
    fn with_distinct_labels(&self, py: Python<'_>) -> PyResult<Self> {
        direct(py, || Self(self.0.clone().with_distinct_labels()))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Column>()?;
    module.add_class::<Lts>()
}
