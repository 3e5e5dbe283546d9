//! Minimisation modulo bisimulations.

use crate::bindings::column::Column;
use crate::bindings::lts::Lts;
use crate::bindings::work::run;
use crate::bisimulation::minimise::{self as minimisation, Equivalence};
use crate::bisimulation::sharp;
use crate::bisimulation::tau_scc::eliminate_tau_cycles;
use crate::ops::label_patterns::Names;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

fn equivalence(name: &str) -> PyResult<Equivalence> {
    Equivalence::named(name)
        .ok_or_else(|| PyValueError::new_err(format!("no equivalence is called {name}")))
}

/// The minimal system, and for every state its state there (2^32 - 1 if it was dropped).
#[pyfunction]
fn minimise(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    name: &str,
    keep_unreachable: bool,
) -> PyResult<(Lts, Column)> {
    let equivalence = equivalence(name)?;
    let lts = lts.get().0.clone();
    let (system, classes) = run(py, |cancel| {
        let lts = lts.with_distinct_labels();
        minimisation::minimise(&lts, equivalence, keep_unreachable, cancel)
    })??;
    Ok((Lts(system), Column(Arc::new(classes))))
}

/// Like `minimise` for an object with an attribute `_engine`, which is removed, so that its memory
/// can be reused for the result if it is not shared.
#[pyfunction]
fn minimise_taken(
    py: Python<'_>,
    system: &Bound<'_, PyAny>,
    name: &str,
    keep_unreachable: bool,
) -> PyResult<(Lts, Column)> {
    let equivalence = equivalence(name)?;
    let lts = system.getattr("_engine")?.cast::<Lts>()?.get().0.clone();
    system.delattr("_engine")?;
    let (system, classes) = run(py, |cancel| {
        let lts = lts.with_distinct_labels();
        minimisation::minimise_taken(lts, equivalence, keep_unreachable, cancel)
    })??;
    Ok((Lts(system), Column(Arc::new(classes))))
}

/// Like `minimise`, modulo sharp bisimulation: `strong` are patterns of labels, which match no
/// internal ones.
#[pyfunction]
fn minimise_sharp(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    strong: Vec<Vec<u8>>,
    keep_unreachable: bool,
) -> PyResult<(Lts, Column)> {
    let names: Names = strong.into_iter().collect();
    let lts = lts.get().0.clone();
    let (system, classes) = run(py, |cancel| {
        let lts = lts.with_distinct_labels();
        let mut strong: Vec<bool> = lts.labels.iter().map(|label| names.has(label)).collect();
        for &label in lts.internal.iter() {
            strong[label] = false;
        }
        sharp::minimise_sharp(&lts, &strong, keep_unreachable, cancel)
    })??;
    Ok((Lts(system), Column(Arc::new(classes))))
}

/// The LTS with every cycle of internal steps collapsed to one state, and for every state its state
/// there.
#[pyfunction]
fn tau_cycles(py: Python<'_>, lts: &Bound<'_, Lts>, keep_loops: bool) -> PyResult<(Lts, Column)> {
    let lts = &lts.get().0;
    let (system, classes) = run(py, |cancel| eliminate_tau_cycles(lts, keep_loops, cancel))??;
    Ok((Lts(system), Column(Arc::new(classes))))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(minimise, module)?)?;
    module.add_function(wrap_pyfunction!(minimise_taken, module)?)?;
    module.add_function(wrap_pyfunction!(minimise_sharp, module)?)?;
    module.add_function(wrap_pyfunction!(tau_cycles, module)?)
}
