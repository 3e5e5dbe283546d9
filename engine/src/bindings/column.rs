//! Columns of 32-bit integers that Python reads through the buffer protocol, without copying.

#![allow(unsafe_code)] // the buffer protocol is a C interface

use crate::base::ids::Id;
use crate::bindings::emergency::no_memory;
use bytemuck::{Pod, cast_slice};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// A vector of states, labels or other numbers.
pub trait Numbers: Send + Sync {
    fn numbers(&self) -> &[u32];
}

impl<I: Id + Pod + Send + Sync> Numbers for Vec<I> {
    fn numbers(&self) -> &[u32] {
        cast_slice(self)
    }
}

/// The read-only bytes of a shared vector, which is kept alive by every view of it.
#[pyclass(frozen, module = "lts._engine")]
pub struct Column(pub Arc<dyn Numbers>);

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.0.numbers().len()
    }

    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("a column is read-only"));
        }
        let data = slf.get().0.numbers();
        let bytes = std::mem::size_of_val(data) as ffi::Py_ssize_t;
        let start = data.as_ptr() as *mut c_void;
        // SAFETY: `view` comes from the interpreter. The memory is kept alive by `slf`, to which
        // the view holds a reference, and does not move: the vector in the Arc is never changed.
        let failed = unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, bytes, 1, flags) };
        if failed == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }
}

/// Reads the 32-bit integers of any object that exports a contiguous buffer of them (numpy uint32,
/// `array("I")`, another column).
pub fn read_column(object: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    if let Ok(column) = object.cast::<Column>() {
        let numbers = column.get().0.numbers();
        let mut copy = room(numbers.len())?;
        copy.extend_from_slice(numbers);
        return Ok(copy);
    }
    if object.len().is_ok_and(|length| length == 0) {
        return Ok(Vec::new()); // the pointer of an empty buffer may be unaligned or dangling
    }
    let buffer = pyo3::buffer::PyBuffer::<u32>::get(object)
        .map_err(|_| PyTypeError::new_err("expected a buffer of 32-bit unsigned integers"))?;
    let mut copy = room(buffer.item_count())?;
    copy.resize(buffer.item_count(), 0);
    buffer.copy_to_slice(object.py(), &mut copy)?;
    Ok(copy)
}

fn room(count: usize) -> PyResult<Vec<u32>> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).map_err(|_| no_memory())?;
    Ok(room)
}

/// A bytes object; fails if Python has no memory for it.
pub fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |copy| {
        copy.copy_from_slice(bytes);
        Ok(())
    })
}
