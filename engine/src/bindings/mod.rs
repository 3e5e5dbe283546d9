//! The Python module `lts._engine`: conversions and nothing else. One file a room of the engine.

mod column;
mod lts;
mod process;

use pyo3::prelude::*;

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    lts::register(module)?;
    process::register(module)?;
    Ok(())
}
