//! The search for symmetries.

use crate::base::csr::graph::Graph;
use crate::bindings::lts::Lts;
use crate::bindings::work::{run, within_limit};
use crate::symmetry::automorphism_search::automorphisms;
use crate::symmetry::coloured_graph::{Incidence, Shape};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Generators of the symmetries of an LTS, as images of labels, and numbers whose product is the
/// order of the group; None at the limit. All states must be reachable, no two strongly bisimilar,
/// and every label must occur.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn symmetries_of_lts(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    label_colours: Vec<u32>,
    arguments: Vec<Vec<Vec<u32>>>,
    data_colours: Vec<u32>,
    limit: u64,
) -> PyResult<Option<(Vec<Vec<u32>>, Vec<u32>)>> {
    let lts = &lts.get().0;
    let data = data_colours.len();
    let known = |actions: &Vec<Vec<u32>>| actions.iter().flatten().all(|&d| (d as usize) < data);
    if [label_colours.len(), arguments.len()] != [lts.labels.len(); 2]
        || !arguments.iter().all(known)
    {
        return Err(PyValueError::new_err("the labels have a different shape"));
    }
    let shape = Shape { label_colours, arguments, data_colours };
    let group = run(py, |cancel| {
        let graph = Graph::new(lts, false, cancel)?;
        automorphisms(&Incidence::new(&graph, &shape), limit, cancel)
    })?;
    Ok(within_limit(group)?.map(|group| (group.generators, group.factors)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(symmetries_of_lts, module)?)
}
