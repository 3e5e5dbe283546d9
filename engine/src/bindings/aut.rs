//! Aldebaran files: a scanner that Python feeds with blocks, and blocks of text for Python to
//! write.

use crate::aut::{scan, write};
use crate::bindings::column::bytes;
use crate::bindings::lts::Lts;
use crate::bindings::work::direct;
use bytemuck::cast_slice;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

create_exception!(
    lts._engine,
    ScanError,
    PyException,
    "Not an Aldebaran file: (message, line from 1, offset in bytes from 0, text of the line)."
);

fn scan_error(py: Python<'_>, refused: scan::Refused) -> PyErr {
    let text = PyBytes::new(py, &refused.text).unbind();
    ScanError::new_err((refused.message, refused.line, refused.offset, text))
}

#[pyclass(module = "lts._engine")]
struct Scanner(Option<scan::Scanner>);

#[pymethods]
impl Scanner {
    #[new]
    fn new(salvage: bool, size: Option<u64>) -> Self {
        Self(Some(scan::Scanner::new(salvage, size)))
    }

    fn feed(&mut self, py: Python<'_>, block: &[u8]) -> PyResult<()> {
        let scanner = self.0.as_mut().ok_or_else(finished)?;
        direct(py, || scanner.feed(block))?.map_err(|refused| scan_error(py, refused))
    }

    /// Takes the sources, labels and targets read since the last call, as columns of 32 bits; the
    /// final LTS does not contain them.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<[Bound<'py, PyBytes>; 3]> {
        let scanner = self.0.as_mut().ok_or_else(finished)?;
        let (source, label, target) = scanner.take();
        let column = |column: &[u8]| bytes(py, column);
        Ok([
            column(cast_slice(&source))?,
            column(cast_slice(&label))?,
            column(cast_slice(&target))?,
        ])
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<Lts> {
        let scanner = self.0.take().ok_or_else(finished)?;
        direct(py, || scanner.finish())?.map(Lts).map_err(|refused| scan_error(py, refused))
    }
}

fn finished() -> PyErr {
    PyValueError::new_err("the scanner is finished")
}

/// The transitions `start .. stop` as text of an Aldebaran file.
#[pyfunction]
fn aut_transitions<'py>(
    py: Python<'py>,
    lts: &Lts,
    start: usize,
    stop: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    if start > stop || stop > lts.0.transitions() {
        return Err(PyIndexError::new_err("the rows are out of range"));
    }
    let chunks = direct(py, || write::chunks(&lts.0, start..stop))?;
    PyBytes::new_with(py, chunks.iter().map(Vec::len).sum(), |mut text| {
        for chunk in &chunks {
            let (here, rest) = text.split_at_mut(chunk.len());
            here.copy_from_slice(chunk);
            text = rest;
        }
        Ok(())
    })
}

/// The first transition whose label cannot be written to an Aldebaran file, and the number of that
/// label.
#[pyfunction]
fn aut_unwritable(py: Python<'_>, lts: &Lts) -> Option<(usize, u32)> {
    py.detach(|| write::unwritable(&lts.0)).map(|(transition, label)| (transition, label.0))
}

/// The largest state that occurs in a transition, 0 if there are no transitions.
#[pyfunction]
fn largest_state(py: Python<'_>, lts: &Lts) -> u32 {
    let lts = &lts.0;
    py.detach(|| lts.source.iter().chain(lts.target.iter()).max().map_or(0, |state| state.0))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("ScanError", module.py().get_type::<ScanError>())?;
    module.add_class::<Scanner>()?;
    module.add_function(wrap_pyfunction!(aut_transitions, module)?)?;
    module.add_function(wrap_pyfunction!(aut_unwritable, module)?)?;
    module.add_function(wrap_pyfunction!(largest_state, module)?)
}
