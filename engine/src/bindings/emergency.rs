//! What the program asks for where nothing else helps, and what a library is told.

use crate::base::emergency;
use crate::base::memory;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::time::Duration;

/// What is raised where the system refuses memory.
pub(crate) fn no_memory() -> PyErr {
    PyMemoryError::new_err("the system gives no more memory")
}

/// From now on, ends the program where the system gives no more memory.
#[pyfunction]
fn is_program() {
    emergency::is_program();
}

/// Ends the program after so many seconds, and where it takes much more memory than allowed.
#[pyfunction]
fn watch(seconds: Option<f64>, memory: Option<usize>) {
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
    emergency::watch(time, memory);
}

/// Notes a file that is to be taken away if the program ends so.
#[pyfunction]
fn note_file(name: Vec<u8>) -> PyResult<()> {
    emergency::note(c_name(name)?);
    Ok(())
}

/// Forgets a file.
#[pyfunction]
fn forget_file(name: Vec<u8>) -> PyResult<()> {
    emergency::forget(&c_name(name)?);
    Ok(())
}

fn c_name(name: Vec<u8>) -> PyResult<CString> {
    CString::new(name).map_err(|_| PyValueError::new_err("a name holds a null character"))
}

/// Bytes of memory that this process has allocated and touched, as far as the system tells.
#[pyfunction]
fn anonymous_memory() -> Option<usize> {
    memory::anonymous()
}

/// Bytes of memory of this process that are there now, and the most there were, as far as the system
/// tells; with files that are mapped.
#[pyfunction]
fn resident_memory() -> Option<(usize, usize)> {
    memory::resident()
}

/// From now on memory that is free is given back to the system at once.
#[pyfunction]
fn keep_little_memory() {
    memory::keep_little();
}

/// Gives memory that is free back to the system.
#[pyfunction]
fn give_back_memory() {
    memory::give_back();
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(is_program, module)?)?;
    module.add_function(wrap_pyfunction!(watch, module)?)?;
    module.add_function(wrap_pyfunction!(note_file, module)?)?;
    module.add_function(wrap_pyfunction!(forget_file, module)?)?;
    module.add_function(wrap_pyfunction!(resident_memory, module)?)?;
    module.add_function(wrap_pyfunction!(keep_little_memory, module)?)?;
    module.add_function(wrap_pyfunction!(give_back_memory, module)?)?;
    module.add_function(wrap_pyfunction!(anonymous_memory, module)?)
}
