//! What is asked of every LTS. A set of states is bytes: state s is bit s % 8 of byte s / 8.

use crate::base::ids::State;
use crate::bindings::column::bytes;
use crate::bindings::interrupts::{asking, detached, interruptible, run};
use crate::bindings::lts::Lts;
use crate::ops::label_patterns::Names;
use crate::ops::scc_summary::{self as scc, Sizes};
use crate::ops::{divergence, hide as hiding, offers, reachable as reaching, shortest_paths};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

fn state_set<'py>(py: Python<'py>, states: &[bool]) -> PyResult<Bound<'py, PyBytes>> {
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
    bytes(py, &states.chunks(8).map(byte).collect::<Vec<u8>>())
}

/// `lts` with labels hidden; `None` if they would meet a visible `tau`.
#[pyfunction]
fn hide(py: Python<'_>, lts: &Lts, names: Vec<Vec<u8>>) -> PyResult<Option<Lts>> {
    Ok(asking(py, || hiding::hide(&lts.0, &names.into_iter().collect()))?.map(Lts))
}

/// The numbers of the names that are for none of the labels.
#[pyfunction]
fn unmatched(py: Python<'_>, names: Vec<Vec<u8>>, labels: Vec<Vec<u8>>) -> PyResult<Vec<usize>> {
    interruptible(py, |poll| {
        let mut found = Vec::new();
        for (number, name) in names.into_iter().enumerate() {
            let one: Names = [name].into_iter().collect();
            if !labels.iter().any(|label| one.has(label)) {
                found.push(number);
            }
            if !poll() {
                return None;
            }
        }
        Some(found)
    })
}

/// The numbers of the labels that some name is for.
#[pyfunction]
fn matched(py: Python<'_>, names: Vec<Vec<u8>>, labels: Vec<Vec<u8>>) -> PyResult<Vec<usize>> {
    asking(py, || {
        let names: Names = names.into_iter().collect();
        (0..labels.len()).filter(|&number| names.has(&labels[number])).collect()
    })
}

/// The reachable part of `lts`, numbered breadth first.
#[pyfunction]
fn reachable(py: Python<'_>, lts: &Lts) -> PyResult<Lts> {
    run(py, lts, reaching::restrict).map(Lts)
}

#[pyfunction]
fn reachable_states<'py>(py: Python<'py>, lts: &Lts) -> PyResult<Bound<'py, PyBytes>> {
    state_set(py, &run(py, lts, reaching::reachable_states)?)
}

#[pyfunction]
fn deadlocks<'py>(py: Python<'py>, lts: &Lts) -> PyResult<Bound<'py, PyBytes>> {
    state_set(py, &run(py, lts, |lts, _| Some(offers::deadlocks(lts)))?)
}

#[pyfunction]
fn nondeterministic_states<'py>(py: Python<'py>, lts: &Lts) -> PyResult<Bound<'py, PyBytes>> {
    state_set(py, &run(py, lts, offers::nondeterministic_states)?)
}

/// How many rows say what another row says already.
#[pyfunction]
fn duplicates(py: Python<'_>, lts: &Lts) -> PyResult<usize> {
    run(py, lts, offers::duplicates)
}

/// The states on a cycle of internal steps, and those that can do internal steps forever.
#[pyfunction]
fn divergence_states<'py>(
    py: Python<'py>,
    lts: &Lts,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let found = run(py, lts, divergence::divergence)?;
    Ok((state_set(py, &found.on_cycle)?, state_set(py, &found.divergent)?))
}

/// The sizes of the components of the reachable states, or of their internal steps alone: of all, of
/// those with a cycle, and of those that no transition leaves.
#[pyfunction]
fn components(py: Python<'_>, lts: &Lts, internal: bool) -> PyResult<(Sizes, Sizes, Sizes)> {
    let found = run(py, lts, |lts, poll| scc::summary(lts, internal, poll))?;
    Ok((found.all, found.cyclic, found.terminal))
}

/// Those of a set of states that are nearest to the initial state, each with the rows of a shortest
/// path.
#[pyfunction]
fn nearest(
    py: Python<'_>,
    lts: &Lts,
    states: &[u8],
    most: usize,
) -> PyResult<Vec<(u32, Vec<u32>)>> {
    let wanted =
        |s: State| states.get(s.index() / 8).is_some_and(|byte| byte >> (s.index() % 8) & 1 == 1);
    let found = run(py, lts, |lts, poll| shortest_paths::nearest(lts, wanted, most, poll))?;
    Ok(found.into_iter().map(|(state, rows)| (state.0, rows)).collect())
}

/// How many rows every label has.
#[pyfunction]
fn label_counts(py: Python<'_>, lts: &Lts) -> PyResult<Vec<usize>> {
    detached(py, || {
        let mut counts = vec![0; lts.0.labels.len()];
        for &label in lts.0.label.iter() {
            counts[label] += 1;
        }
        counts
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hide, module)?)?;
    module.add_function(wrap_pyfunction!(unmatched, module)?)?;
    module.add_function(wrap_pyfunction!(matched, module)?)?;
    module.add_function(wrap_pyfunction!(reachable, module)?)?;
    module.add_function(wrap_pyfunction!(reachable_states, module)?)?;
    module.add_function(wrap_pyfunction!(deadlocks, module)?)?;
    module.add_function(wrap_pyfunction!(nondeterministic_states, module)?)?;
    module.add_function(wrap_pyfunction!(duplicates, module)?)?;
    module.add_function(wrap_pyfunction!(divergence_states, module)?)?;
    module.add_function(wrap_pyfunction!(components, module)?)?;
    module.add_function(wrap_pyfunction!(nearest, module)?)?;
    module.add_function(wrap_pyfunction!(label_counts, module)?)
}
