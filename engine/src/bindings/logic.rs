//! Model checking.

use crate::bindings::lts::Lts;
use crate::bindings::preorders::run;
use crate::parity_game::game::{Arena, Part};
use crate::parity_game::zielonka::{evidence, solve};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Operator, number, parts: see `lts/_engine.pyi`.
type RawPart = (String, u32, Vec<u32>);

fn part((operator, number, inner): RawPart, count: usize, sets: usize) -> PyResult<Part> {
    let wrong = || PyValueError::new_err("this is no part of a formula");
    if inner.iter().any(|&part| part as usize >= count) {
        return Err(wrong());
    }
    let one = || inner.first().copied().ok_or_else(wrong);
    let set = if (number as usize) < sets { Ok(number) } else { Err(wrong()) };
    Ok(match &operator[..] {
        "and" => Part::And(inner),
        "or" => Part::Or(inner),
        "can" => Part::Can(set?, one()?),
        "must" => Part::Must(set?, one()?),
        "fixed" => Part::Fixed(number, one()?),
        _ => return Err(wrong()),
    })
}

/// Whether a formula holds initially, and the rows that show it; none at the limit.
#[pyfunction]
fn check(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    parts: Vec<RawPart>,
    root: u32,
    labels: Vec<Vec<bool>>,
    most: usize,
) -> PyResult<Option<(bool, Vec<u32>)>> {
    let lts = &lts.get().0;
    let count = parts.len();
    let sets = labels.len();
    let parts: Vec<Part> =
        parts.into_iter().map(|raw| part(raw, count, sets)).collect::<PyResult<_>>()?;
    if root as usize >= count || labels.iter().any(|set| set.len() != lts.labels.len()) {
        return Err(PyValueError::new_err("this is no formula for the system"));
    }
    run(py, |poll| {
        let arena = Arena::new(lts, &parts, root, &labels, most, poll)?;
        let solution = solve(&arena, poll)?;
        Ok((solution.winner[0] == 0, evidence(&arena, &solution)))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check, module)?)
}
