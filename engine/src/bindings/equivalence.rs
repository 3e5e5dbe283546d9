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

#[pyfunction]
fn equivalent(
    py: Python<'_>,
    left: &Bound<'_, Lts>,
    right: &Bound<'_, Lts>,
    name: &str,
) -> PyResult<bool> {
    let equivalence = equivalence(name)?;
    let (left, right) = (&left.get().0, &right.get().0);
    Ok(py.detach(|| quotient::equivalent(left, right, equivalence)))
}

#[pyfunction]
fn explain(
    py: Python<'_>,
    left: &Bound<'_, Lts>,
    right: &Bound<'_, Lts>,
    name: &str,
) -> PyResult<Option<String>> {
    let equivalence = equivalence(name)?;
    let (left, right) = (&left.get().0, &right.get().0);
    Ok(py.detach(|| quotient::explain(left, right, equivalence)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(minimise, module)?)?;
    module.add_function(wrap_pyfunction!(explain, module)?)?;
    module.add_function(wrap_pyfunction!(equivalent, module)?)
}
