//! The longest times between two looks of work at its `Cancel`, for `tools/dev/gaps.py`.

use crate::base::gaps::{CodeLocation, longest, record};
use pyo3::prelude::*;

/// Records, from now on, the times between two looks of work at whether it has to stop.
#[pyfunction]
fn record_gaps() {
    record();
}

/// The longest time in seconds between two looks, for each pair of locations in the code, the
/// longest first.
#[pyfunction]
fn gaps() -> Vec<(f64, String, String)> {
    let show = |location: CodeLocation| format!("{}:{}", location.file(), location.line());
    let times = longest().into_iter();
    times.map(|(time, from, to)| (time.as_secs_f64(), show(from), show(to))).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(record_gaps, module)?)?;
    module.add_function(wrap_pyfunction!(gaps, module)?)
}
