//! Emergency exits of the program, and memory statistics.

use crate::base::emergency;
use crate::base::memory;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

/// The exception for refused memory.
pub(crate) fn no_memory() -> PyErr {
    PyMemoryError::new_err("the system gives no more memory")
}

/// A result for Python. PyO3 panics where Python refuses the memory for an object; here that is
/// `MemoryError`.
pub(crate) struct Returned<T>(pub T);

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for Returned<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        catch_unwind(AssertUnwindSafe(|| self.0.into_bound_py_any(py))).unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<&str>();
            if message == Some(&"PyObject pointer is null") {
                return Err(no_memory());
            }
            resume_unwind(panic)
        })
    }
}

/// Makes this process end as soon as the system refuses memory, as a program does and a library
/// must not.
#[pyfunction]
fn is_program() {
    emergency::is_program();
}

/// Ends the program after this many seconds, or if it takes much more memory than allowed.
#[pyfunction]
fn watch(seconds: Option<f64>, memory: Option<usize>) {
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
    emergency::watch(time, memory);
}

/// Registers a file that is removed if the program ends in an emergency.
#[pyfunction]
fn note_file(name: Vec<u8>) -> PyResult<()> {
    emergency::note(c_name(name)?);
    Ok(())
}

/// Unregisters a file.
#[pyfunction]
fn forget_file(name: Vec<u8>) -> PyResult<()> {
    emergency::forget(&c_name(name)?);
    Ok(())
}

fn c_name(name: Vec<u8>) -> PyResult<CString> {
    CString::new(name).map_err(|_| PyValueError::new_err("a name holds a null character"))
}

/// The bytes of memory that this process has allocated and touched, if the system reports them.
#[pyfunction]
fn anonymous_memory() -> Option<usize> {
    memory::anonymous()
}

/// The bytes of resident memory of this process, now and at the maximum, including mapped files, if
/// the system reports them.
#[pyfunction]
fn resident_memory() -> Option<(usize, usize)> {
    memory::resident()
}

/// From now on returns freed memory to the system at once.
#[pyfunction]
fn keep_little_memory() {
    memory::keep_little();
}

/// Returns freed memory to the system.
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
