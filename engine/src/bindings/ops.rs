//! Operations on any LTS. A set of states is passed as bytes: state s is bit s % 8 of byte s / 8.

use crate::base::ids::{Label, State};
use crate::bindings::column::{Column, bytes};
use crate::bindings::lts::Lts;
use crate::bindings::work::{direct, run};
use crate::ops::hide::NotHidden;
use crate::ops::label_patterns::Names;
use crate::ops::scc_summary::{self as scc, Sizes};
use crate::ops::{
    divergence, hide as hiding, interface as restricting, offers, reachable as reaching,
    shortest_paths,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

fn state_set<'py>(py: Python<'py>, states: &[bool]) -> PyResult<Bound<'py, PyBytes>> {
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
    bytes(py, &states.chunks(8).map(byte).collect::<Vec<u8>>())
}

/// `lts` with labels hidden; `None` if they would get the name of a visible label `tau`.
#[pyfunction]
fn hide(py: Python<'_>, lts: &Lts, names: Vec<Vec<u8>>) -> PyResult<Option<Lts>> {
    match run(py, |cancel| hiding::hide(&lts.0, &names.into_iter().collect(), cancel))? {
        Ok(hidden) => Ok(Some(Lts(hidden))),
        Err(NotHidden::VisibleTau) => Ok(None),
        Err(NotHidden::Stopped(why)) => Err(why.into()),
    }
}

/// The positions of the names that match none of the labels.
#[pyfunction]
fn unmatched(py: Python<'_>, names: Vec<Vec<u8>>, labels: Vec<Vec<u8>>) -> PyResult<Vec<usize>> {
    run(py, |cancel| {
        let mut numbers = Vec::new();
        for (number, name) in names.into_iter().enumerate() {
            let pattern: Names = [name].into_iter().collect();
            if !labels.iter().any(|label| pattern.has(label)) {
                numbers.push(number);
            }
            cancel.check()?;
        }
        Ok(numbers)
    })?
}

/// The numbers of the labels that some name matches.
#[pyfunction]
fn matched(py: Python<'_>, names: Vec<Vec<u8>>, labels: Vec<Vec<u8>>) -> PyResult<Vec<usize>> {
    run(py, |cancel| {
        let names: Names = names.into_iter().collect();
        let mut numbers = Vec::new();
        for (number, label) in labels.iter().enumerate() {
            cancel.check()?;
            if names.has(label) {
                numbers.push(number);
            }
        }
        Ok(numbers)
    })?
}

/// The reachable part of `lts`, numbered breadth first.
#[pyfunction]
fn reachable(py: Python<'_>, lts: &Lts) -> PyResult<Lts> {
    Ok(Lts(run(py, |cancel| reaching::restrict(&lts.0, cancel))??))
}

#[pyfunction]
fn reachable_states<'py>(py: Python<'py>, lts: &Lts) -> PyResult<Bound<'py, PyBytes>> {
    state_set(py, &run(py, |cancel| reaching::reachable_states(&lts.0, cancel))??)
}

#[pyfunction]
fn deadlocks<'py>(py: Python<'py>, lts: &Lts) -> PyResult<Bound<'py, PyBytes>> {
    state_set(py, &direct(py, || offers::deadlocks(&lts.0))?)
}

#[pyfunction]
fn nondeterministic_states<'py>(py: Python<'py>, lts: &Lts) -> PyResult<Bound<'py, PyBytes>> {
    state_set(py, &run(py, |cancel| offers::nondeterministic_states(&lts.0, cancel))??)
}

/// The number of transitions that duplicate another one.
#[pyfunction]
fn duplicates(py: Python<'_>, lts: &Lts) -> PyResult<usize> {
    Ok(run(py, |cancel| offers::duplicates(&lts.0, cancel))??)
}

/// The states on a cycle of internal steps, and the divergent states.
#[pyfunction]
fn divergence_states<'py>(
    py: Python<'py>,
    lts: &Lts,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let states = run(py, |cancel| divergence::divergence(&lts.0, cancel))??;
    Ok((state_set(py, &states.on_cycle)?, state_set(py, &states.divergent)?))
}

/// The sizes of the components of the reachable states, or if `internal` of their internal steps
/// only: of all, of those with a cycle, and of those that no transition leaves.
#[pyfunction]
fn components(py: Python<'_>, lts: &Lts, internal: bool) -> PyResult<(Sizes, Sizes, Sizes)> {
    let sizes = run(py, |cancel| scc::summary(&lts.0, internal, cancel))??;
    Ok((sizes.all, sizes.cyclic, sizes.terminal))
}

/// The states of a set that are nearest to the initial state, each with the transitions of a
/// shortest path.
#[pyfunction]
fn nearest(
    py: Python<'_>,
    lts: &Lts,
    states: &[u8],
    most: usize,
) -> PyResult<Vec<(u32, Vec<u32>)>> {
    let is_target =
        |s: State| states.get(s.index() / 8).is_some_and(|byte| byte >> (s.index() % 8) & 1 == 1);
    let paths = run(py, |cancel| shortest_paths::nearest(&lts.0, is_target, most, cancel))??;
    Ok(paths.into_iter().map(|(state, transitions)| (state.0, transitions)).collect())
}

/// The number of transitions of every label.
#[pyfunction]
fn label_counts(py: Python<'_>, lts: &Lts) -> PyResult<Vec<usize>> {
    direct(py, || {
        let mut counts = vec![0; lts.0.labels.len()];
        for &label in lts.0.label.iter() {
            counts[label] += 1;
        }
        counts
    })
}

/// The part of `lts` that `interface` allows, and the sources and labels of the other transitions.
/// `shared` has for each label the label of the interface that it synchronises with: -1 if the
/// interface lacks that label, None if the system does the label alone. `alone` marks the labels
/// that the interface does alone.
#[pyfunction]
fn allowed(
    py: Python<'_>,
    lts: &Lts,
    interface: &Lts,
    shared: Vec<Option<i64>>,
    alone: Vec<bool>,
) -> PyResult<(Lts, Column, Column)> {
    let named = |label: i64| u32::try_from(label).map_or(Label::NONE, Label);
    let shared: Vec<Option<Label>> = shared.into_iter().map(|number| number.map(named)).collect();
    let result =
        run(py, |cancel| restricting::allowed(&lts.0, &interface.0, &shared, &alone, cancel))??;
    let [source, label] = result.left.map(|column| Column(Arc::new(column)));
    Ok((Lts(result.part), source, label))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(hide, module)?)?;
    module.add_function(wrap_pyfunction!(unmatched, module)?)?;
    module.add_function(wrap_pyfunction!(matched, module)?)?;
    module.add_function(wrap_pyfunction!(allowed, module)?)?;
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
