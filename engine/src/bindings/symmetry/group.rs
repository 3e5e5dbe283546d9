//! Permutation groups on few points.

use crate::base::cancel::Cancel;
use crate::bindings::work::run;
use crate::group::action::Group;
use crate::group::compact_permutation::compact;
use crate::group::permutation::{Permutation, is_permutation};
use crate::group::schreier_sims::NoGroup;
use crate::group::subgroup::Subgroup;
use crate::group::symmetric_families::Families;
use crate::symmetry::relational_automorphisms::{Fact, automorphisms};
use num_bigint::BigUint;
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyValueError};
use pyo3::prelude::*;

fn no_group(error: NoGroup) -> PyErr {
    match error {
        NoGroup::Stopped(why) => why.into(),
        error => PyOverflowError::new_err(error.to_string()),
    }
}

/// Generators of the permutations of coloured points that preserve all facts (a relation and a
/// tuple of points), and the order of the group. OverflowError if the search takes too long or the
/// generators have too many images.
#[pyfunction]
fn relational_automorphisms(
    py: Python<'_>,
    colours: Vec<u32>,
    facts: Vec<Fact>,
) -> PyResult<(Vec<Vec<u32>>, BigUint)> {
    if facts.iter().flat_map(|fact| &fact.1).any(|&point| point as usize >= colours.len()) {
        return Err(PyValueError::new_err("a fact is about a point that does not exist"));
    }
    let group = run(py, |cancel| automorphisms(&colours, &facts, cancel))?;
    let (generators, order) = group.map_err(no_group)?;
    Ok((generators.iter().map(|generator| generator.to_vec()).collect(), order))
}

/// The order of the group that permutations of `points` points generate.
#[pyfunction]
fn group_order(py: Python<'_>, points: usize, generators: Vec<Vec<u32>>) -> PyResult<BigUint> {
    let generators = permutations(points, generators)?;
    let order = |cancel: &Cancel| match Families::of(points, &generators) {
        Some(families) => Ok(families.order()),
        None => Ok(Group::new(points, 0, generators.clone(), cancel)?.order()),
    };
    run(py, order)?.map_err(|error| match error {
        NoGroup::Stopped(why) => why.into(),
        error => PyMemoryError::new_err(error.to_string()),
    })
}

/// For each element whether it is in the group that the generators generate.
#[pyfunction]
fn in_group(
    py: Python<'_>,
    points: usize,
    generators: Vec<Vec<u32>>,
    elements: Vec<Vec<u32>>,
) -> PyResult<Vec<bool>> {
    let generators = permutations(points, generators)?;
    let elements = permutations(points, elements)?;
    let is_inside = |cancel: &Cancel| -> Result<Vec<bool>, NoGroup> {
        let group = Subgroup::new(points, &compact(&generators), cancel)?;
        let contains = |element: &Permutation| {
            cancel.check()?;
            Ok(group.contains(element))
        };
        elements.iter().map(contains).collect()
    };
    run(py, is_inside)?.map_err(no_group)
}

/// The sets of items, each a list of points, of which a group has all permutations, independently
/// of each other; `None` if it is not recognised as such a group.
#[pyfunction]
fn symmetric_families(
    py: Python<'_>,
    points: usize,
    generators: Vec<Vec<u32>>,
) -> PyResult<Option<Vec<Vec<Vec<u32>>>>> {
    let generators = permutations(points, generators)?;
    let families = run(py, |_| Families::of(points, &generators))?;
    Ok(families.map(|Families(sets)| sets))
}

/// Generators as permutations of the points.
fn permutations(points: usize, generators: Vec<Vec<u32>>) -> PyResult<Vec<Permutation>> {
    if generators.iter().any(|g| g.len() != points || !is_permutation(g)) {
        return Err(PyValueError::new_err("a generator is not a permutation of the points"));
    }
    Ok(generators.into_iter().map(Into::into).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(relational_automorphisms, module)?)?;
    module.add_function(wrap_pyfunction!(symmetric_families, module)?)?;
    module.add_function(wrap_pyfunction!(in_group, module)?)?;
    module.add_function(wrap_pyfunction!(group_order, module)?)
}
