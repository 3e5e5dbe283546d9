//! Quotients under a cyclic group.

use crate::symmetry::quotient::Quotient as EngineQuotient;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

#[pyclass(frozen, module = "lts._engine")]
pub struct Quotient(pub EngineQuotient);

#[pymethods]
impl Quotient {
    #[getter]
    fn order(&self) -> u32 {
        self.0.order
    }

    #[getter]
    fn orbits(&self) -> usize {
        self.0.periods.len()
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.source.len()
    }

    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let labels = self.0.labels.iter().map(|label| PyBytes::new(py, label));
        PyList::new(py, labels.collect::<Vec<_>>())
    }

    #[getter]
    fn permutation(&self) -> Vec<u32> {
        self.0.permutation.clone()
    }

    /// Numbers of states and transitions of the LTS it stands for.
    fn count(&self) -> (u128, u128) {
        self.0.count()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Quotient>()
}
