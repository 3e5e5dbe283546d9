//! Quotients under a cyclic group.

use super::column::Column;
use super::lts::Lts;
use crate::equivalence::graph::Graph;
use crate::labels::Labels;
use crate::ops::reachable::restrict;
use crate::symmetry::automorphism::{Search, isomorphism};
use crate::symmetry::decode::decode as decode_encoding;
use crate::symmetry::encode::{Order, encode};
use crate::symmetry::expand::expand;
use crate::symmetry::orbits::quotient_of;
use crate::symmetry::quotient::{Quotient as EngineQuotient, lcm, periods_of};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::sync::Arc;

#[pyclass(frozen, module = "lts._engine")]
pub struct Quotient(pub EngineQuotient);

#[pymethods]
impl Quotient {
    #[getter]
    fn order(&self) -> u32 {
        self.0.order
    }

    #[getter]
    fn orbits(&self) -> usize {
        self.0.periods.len()
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.source.len()
    }

    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let labels = self.0.labels.iter().map(|label| PyBytes::new(py, label));
        PyList::new(py, labels.collect::<Vec<_>>())
    }

    #[getter]
    fn permutation(&self) -> Vec<u32> {
        self.0.permutation.clone()
    }

    /// For every orbit of states its size.
    #[getter]
    fn periods(&self) -> Column {
        Column(Arc::new(self.0.periods.clone()))
    }

    /// Numbers of states and transitions of the LTS it stands for.
    fn count(&self) -> (u128, u128) {
        self.0.count()
    }

    /// The rho-encoding and the prefix of its rho-labels.
    fn encode(&self, py: Python<'_>, greedy: bool) -> (Lts, String) {
        let order = if greedy { Order::Greedy } else { Order::BreadthFirst };
        let (lts, prefix) = py.detach(|| encode(&self.0, order));
        (Lts(lts), prefix)
    }

    fn expand(&self, py: Python<'_>) -> Lts {
        Lts(py.detach(|| expand(&self.0)))
    }
}

fn interrupted(py: Python<'_>) -> PyErr {
    py.check_signals().err().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
}

fn table(names: &[Vec<u8>], permutation: &[u32]) -> PyResult<Labels> {
    let table: Labels = names.iter().map(|name| &name[..]).collect();
    let mut seen = vec![false; names.len()];
    let distinct = permutation.len() == names.len()
        && permutation
            .iter()
            .all(|&p| seen.get_mut(p as usize).is_some_and(|s| !std::mem::replace(s, true)));
    if table.len() != names.len() || !distinct {
        return Err(PyValueError::new_err("the labels are not permuted"));
    }
    Ok(table)
}

/// The quotient of the reachable part of an LTS under a label permutation, with the permutation of
/// the states (numbered breadth first): ("found", quotient, sigma), ("none", ..) if no automorphism
/// belongs to it, ("undecided", ..) at the limit. `names` are the labels of the LTS and then others.
#[pyfunction]
fn quotient_of_lts(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    names: Vec<Vec<u8>>,
    permutation: Vec<u32>,
    limit: u64,
) -> PyResult<(&'static str, Option<Quotient>, Option<Column>)> {
    let labels = table(&names, &permutation)?;
    let lts = &lts.get().0;
    let found = py.detach(|| {
        let mut poll = || Python::attach(|py| py.check_signals()).is_ok();
        let lts = restrict(lts, &mut poll).ok_or(Search::Interrupted)?;
        let mut graph = Graph::new(&lts, false);
        graph.labels = labels.len();
        let periods = periods_of(&permutation);
        let used = graph.label.iter().map(|&label| u64::from(periods[label as usize]));
        let own = used.fold(1, lcm);
        let order = u32::try_from(own).unwrap_or(0);
        let search = isomorphism(&graph, &graph, &permutation, order, limit, &mut poll);
        let Search::Found(sigma) = search else { return Err(search) };
        // Labels without transitions are not moved: they say nothing about the order.
        let mut occurs = vec![false; permutation.len()];
        for &label in &graph.label {
            occurs[label as usize] = true;
        }
        let moved = (0..).zip(permutation).zip(occurs);
        let permutation =
            moved.map(|((l, image), occurs)| if occurs { image } else { l }).collect();
        let order = periods_of(&sigma).iter().fold(own, |order, &p| lcm(order, u64::from(p)));
        let Ok(order) = u32::try_from(order) else { return Err(Search::Undecided) };
        let internal = lts.internal.to_vec();
        let quotient = quotient_of(&graph, Arc::new(labels), internal, permutation, &sigma, order);
        Ok((quotient, sigma))
    });
    match found {
        Ok((quotient, sigma)) => {
            Ok(("found", Some(Quotient(quotient)), Some(Column(Arc::new(sigma)))))
        }
        Err(Search::Undecided) => Ok(("undecided", None, None)),
        Err(Search::Interrupted) => Err(interrupted(py)),
        Err(_) => Ok(("none", None, None)),
    }
}

/// Whether the reachable parts of two systems are isomorphic; None at the limit.
#[pyfunction]
fn isomorphic(
    py: Python<'_>,
    left: &Bound<'_, Lts>,
    right: &Bound<'_, Lts>,
    limit: u64,
) -> PyResult<Option<bool>> {
    let (left, right) = (&left.get().0, &right.get().0);
    let search = py.detach(|| {
        let mut poll = || Python::attach(|py| py.check_signals()).is_ok();
        let (Some(left), Some(right)) = (restrict(left, &mut poll), restrict(right, &mut poll))
        else {
            return Search::Interrupted;
        };
        let mut labels = (*right.labels).clone();
        let names: Vec<u32> = left.labels.iter().map(|label| labels.intern(label)).collect();
        let (left, right) = (Graph::new(&left, false), Graph::new(&right, false));
        isomorphism(&left, &right, &names, 0, limit, &mut poll)
    });
    match search {
        Search::Found(_) => Ok(Some(true)),
        Search::None => Ok(Some(false)),
        Search::Undecided => Ok(None),
        Search::Interrupted => Err(interrupted(py)),
    }
}

/// The quotient that an encoding stands for; ValueError says why it is none.
#[pyfunction]
fn decode(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    order: u32,
    prefix: &str,
    names: Vec<Vec<u8>>,
    permutation: Vec<u32>,
) -> PyResult<Quotient> {
    let labels = table(&names, &permutation)?;
    let lts = &lts.get().0;
    py.detach(|| decode_encoding(lts, order, prefix, labels, permutation))
        .map(Quotient)
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(quotient_of_lts, module)?)?;
    module.add_function(wrap_pyfunction!(isomorphic, module)?)?;
    module.add_function(wrap_pyfunction!(decode, module)?)?;
    module.add_class::<Quotient>()
}
