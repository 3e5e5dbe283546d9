//! The Python module `lts._engine`: conversions and nothing else. One file a room of the engine.

mod account;
mod aut;
mod callbacks;
mod column;
mod data;
mod detect;
mod emergency;
mod equivalence;
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
    lts::register(module)?;
    equivalence::register(module)?;
    preorders::register(module)?;
    logic::register(module)?;
    data::register(module)?;
    account::register(module)?;
    process::register(module)?;
    symmetry::register(module)?;
    aut::register(module)?;
    ops::register(module)?;
    quotient::register(module)?;
    parts::register(module)?;
    refinement::register(module)?;
    detect::register(module)?;
    emergency::register(module)?;
    group::register(module)?;
    simulation::register(module)?;
    Ok(())
}
