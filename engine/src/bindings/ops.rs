//! What is asked of every LTS.

use super::lts::Lts;
use crate::ops;
use pyo3::prelude::*;

/// `lts` with labels hidden; `None` if they would meet a visible `tau`.
#[pyfunction]
fn hide(py: Python<'_>, lts: &Lts, names: Vec<Vec<u8>>) -> Option<Lts> {
    py.detach(|| ops::hide::hide(&lts.0, &names)).map(Lts)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hide, module)?)
}
