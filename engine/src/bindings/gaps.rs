//! The longest times between two checks of a `Cancel`, for `tools/dev/gaps.py`.

use crate::base::gaps::{CodeLocation, longest, record};
use pyo3::prelude::*;

/// From now on, records the times between two checks of whether work has to stop.
#[pyfunction]
fn record_gaps() {
    record();
}

/// The longest time in seconds between two checks, for each pair of their locations in the code,
/// the longest first.
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
