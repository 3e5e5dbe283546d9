//! Minimisation and comparison.

use super::column::Column;
use super::lts::Lts;
use crate::equivalence::quotient::{self, Equivalence};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

fn equivalence(name: &str) -> PyResult<Equivalence> {
    match name {
        "strong" => Ok(Equivalence::Strong),
        "weak" => Ok(Equivalence::Weak),
        _ => Err(PyValueError::new_err(format!("no equivalence is called {name}"))),
    }
}

#[pyfunction]
fn minimise(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    name: &str,
    keep_unreachable: bool,
) -> PyResult<(Lts, Column)> {
    let equivalence = equivalence(name)?;
    let lts = &lts.get().0;
    let (system, classes) = py.detach(|| quotient::minimise(lts, equivalence, keep_unreachable));
    Ok((Lts(system), Column(Arc::new(classes))))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(minimise, module)?)
}
