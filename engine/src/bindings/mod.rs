//! The Python module `lts._engine`: conversions only, one file or folder for each module of the
//! engine.
//!
//! Read `lts` first, then `work` (how Python runs and cancels work), with `emergency`, `stages` and
//! `gaps`. Then the other modules: `labels`, `aut`, `aterm`, `ops`, `equivalence`, `preorders`
//! (also comparisons), `logic`, `data`, `process`, `partition` and `part`, `symmetry`, `texts`.
//! `column` passes lists of numbers.

mod aterm;
mod aut;
mod column;
mod data;
mod diagrams;
mod emergency;
mod equivalence;
mod gaps;
mod in_thread;
mod labels;
mod logic;
mod lts;
mod members;
mod ops;
mod part;
mod partition;
mod partition_errors;
mod preorders;
mod process;
mod stages;
mod symmetry;
mod texts;
mod work;

use pyo3::prelude::*;

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::bindings::lts::register(module)?;
    crate::bindings::equivalence::register(module)?;
    crate::bindings::preorders::register(module)?;
    crate::bindings::logic::register(module)?;
    crate::bindings::data::register(module)?;
    crate::bindings::process::statistics::register(module)?;
    crate::bindings::process::register(module)?;
    crate::bindings::process::group_statistics::register(module)?;
    crate::bindings::process::orbits::register(module)?;
    crate::bindings::partition::register(module)?;
    crate::bindings::partition_errors::register(module)?;
    crate::bindings::part::register(module)?;
    crate::bindings::aterm::register(module)?;
    crate::bindings::aut::register(module)?;
    crate::bindings::texts::register(module)?;
    crate::bindings::diagrams::register(module)?;
    crate::bindings::ops::register(module)?;
    crate::bindings::labels::register(module)?;
    crate::bindings::symmetry::quotient::register(module)?;
    crate::bindings::symmetry::isomorphism::register(module)?;
    crate::bindings::process::refinement::register(module)?;
    crate::bindings::symmetry::detect::register(module)?;
    crate::bindings::emergency::register(module)?;
    crate::bindings::stages::register(module)?;
    crate::bindings::gaps::register(module)?;
    crate::bindings::symmetry::group::register(module)?;
    crate::bindings::process::simulation::register(module)?;
    Ok(())
}
