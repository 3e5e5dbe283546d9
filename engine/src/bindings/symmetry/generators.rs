//! Generators of a group of symmetries of an LTS, as Python passes them.

use crate::base::label_table::Labels;
use crate::group::permutation::is_permutation;
use crate::group::schreier_sims::NoGroup;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) fn no_group(error: NoGroup) -> PyErr {
    match error {
        NoGroup::Stopped(why) => why.into(),
        error => PyValueError::new_err(error.to_string()),
    }
}

pub(crate) fn table(names: &[Vec<u8>]) -> PyResult<Labels> {
    let table: Labels = names.iter().map(|name| &name[..]).collect();
    if table.len() != names.len() {
        return Err(PyValueError::new_err("a label stands twice in the table"));
    }
    Ok(table)
}

/// A permutation of points and labels, checked.
pub(crate) type RawGenerator = (Vec<u32>, Vec<u32>);

pub(crate) fn checked(generators: &[RawGenerator], points: usize, labels: usize) -> PyResult<()> {
    for (own, moved) in generators {
        if own.len() != points
            || moved.len() != labels
            || !is_permutation(own)
            || !is_permutation(moved)
        {
            return Err(PyValueError::new_err("the labels are not permuted"));
        }
    }
    Ok(())
}
