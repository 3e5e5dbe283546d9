//! The Python module `lts._engine`: conversions and nothing else. One file a room of the engine.

mod account;
mod aut;
mod callbacks;
mod column;
mod data;
mod detect;
mod emergency;
mod equivalence;
mod generators;
mod group;
mod interrupts;
mod logic;
mod lts;
mod ops;
mod parts;
mod preorders;
mod process;
mod quotient;
mod refinement;
mod simulation;
mod symmetry;

use pyo3::prelude::*;

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::bindings::lts::register(module)?;
    crate::bindings::equivalence::register(module)?;
    crate::bindings::preorders::register(module)?;
    crate::bindings::logic::register(module)?;
    crate::bindings::data::register(module)?;
    crate::bindings::account::register(module)?;
    crate::bindings::process::register(module)?;
    crate::bindings::symmetry::register(module)?;
    crate::bindings::aut::register(module)?;
    crate::bindings::ops::register(module)?;
    crate::bindings::quotient::register(module)?;
    crate::bindings::parts::register(module)?;
    crate::bindings::refinement::register(module)?;
    crate::bindings::detect::register(module)?;
    crate::bindings::emergency::register(module)?;
    crate::bindings::group::register(module)?;
    crate::bindings::simulation::register(module)?;
    Ok(())
}
