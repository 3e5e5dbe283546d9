//! The parts of a quotient, as Python pickles them. Columns are little-endian bytes, so they are
//! the same on every machine.

use crate::base::ids::Id;
use crate::bindings::symmetry::generators::{RawGenerator, checked, no_group, table};
use crate::bindings::work::run;
use crate::group::action::Group;
use crate::group::compact_permutation::CompactPermutation;
use crate::group::element_table::Elements;
use crate::group::permutation::{Permutation, is_permutation};
use crate::group::schreier_sims::NoGroup;
use crate::group::subgroup::Subgroups;
use crate::symmetry::annotated_quotient::Quotient;
use crate::symmetry::orbits_of_lts::joined;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, OnceLock};

/// Names of points, labels, and the generators' permutations of both.
type GroupAction<'py> = (Vec<String>, Bound<'py, PyAny>, Vec<RawGenerator>);

/// The concatenated elements; the generators of every stabiliser; for every orbit the number of its
/// stabiliser; and source, label, shift and target of the stored transitions.
pub(crate) type Orbits<'py> =
    (Bound<'py, PyBytes>, Vec<Vec<Vec<u32>>>, Bound<'py, PyBytes>, [Bound<'py, PyBytes>; 4]);

/// The arguments of [`remade`]; the last two are the initial orbit and the internal labels.
pub(crate) type Parts<'py> = (GroupAction<'py>, Orbits<'py>, u32, Vec<u32>);

/// The parts of a quotient; its labels and generators are passed as Python objects.
pub(crate) fn parts<'py>(
    py: Python<'py>,
    inner: &Quotient,
    labels: Bound<'py, PyAny>,
    action: Vec<RawGenerator>,
) -> Parts<'py> {
    let column = |numbers: &[u32]| {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        PyBytes::new(py, &bytes)
    };
    let elements = (0..u32::at(inner.elements.len())).flat_map(|number| inner.elements.get(number));
    let elements: Vec<u32> = elements.copied().collect();
    let generators = |generators: &[Permutation]| generators.iter().map(|g| g.to_vec()).collect();
    let stabilisers = inner.stabilisers.list.iter().map(|each| generators(each.images()));
    let stored = [&inner.source, &inner.label, &inner.shift, &inner.target];
    (
        (inner.names.clone(), labels, action),
        (
            column(&elements),
            stabilisers.collect(),
            column(&inner.stabiliser),
            stored.map(|values| column(values)),
        ),
        inner.initial,
        inner.internal.clone(),
    )
}

fn numbers(column: &Bound<'_, PyBytes>) -> Vec<u32> {
    let words = column.as_bytes().as_chunks().0.iter();
    words.map(|&word| u32::from_le_bytes(word)).collect()
}

/// The quotient with these parts, with all numbers unchanged.
pub(crate) fn remade(
    py: Python<'_>,
    action: (Vec<String>, Vec<Vec<u8>>, Vec<RawGenerator>),
    orbits: Orbits<'_>,
    initial: u32,
    internal: Vec<u32>,
) -> PyResult<Quotient> {
    let (names, labels, generators) = action;
    let (elements, stabilisers, stabiliser, stored) = orbits;
    let (points, labels) = (names.len(), table(&labels)?);
    checked(&generators, points, labels.len())?;
    let malformed = || PyValueError::new_err("these are not parts of a quotient");
    let whole = |column: &Bound<'_, PyBytes>| column.as_bytes().len().is_multiple_of(4);
    if !stored.iter().chain([&elements, &stabiliser]).all(whole) {
        return Err(malformed());
    }
    let (elements, stabiliser) = (numbers(&elements), numbers(&stabiliser));
    let [source, label, shift, target] = stored.map(|values| numbers(&values));
    let permutes = |images: &[u32]| images.len() == points && is_permutation(images);
    let below = |numbers: &[u32], end: usize| numbers.iter().all(|&n| (n as usize) < end);
    let mut known = Elements::new(points);
    for (number, images) in (0..).zip(elements.chunks(points.max(1))) {
        if !permutes(images) || known.intern(images) != number {
            return Err(malformed());
        }
    }
    if [&label, &shift, &target].iter().any(|column| column.len() != source.len())
        || !stabilisers.iter().flatten().all(|images| permutes(images))
        || !below(&stabiliser, stabilisers.len())
        || !below(&[initial], stabiliser.len())
        || !below(&source, stabiliser.len())
        || !below(&target, stabiliser.len())
        || !below(&label, labels.len())
        || !below(&internal, labels.len())
        || !below(&shift, known.len())
    {
        return Err(malformed());
    }
    let made = run(py, |cancel| {
        let joined = generators.iter().map(|(own, moved)| joined(own, moved));
        let group = Group::new(points, labels.len(), joined.collect(), cancel)?;
        let lists = stabilisers
            .into_iter()
            .map(|list| list.iter().map(|images| CompactPermutation::of(images)).collect());
        let subgroups = Subgroups::numbered(points, lists, cancel)?;
        Ok::<_, NoGroup>((Arc::new(group), Arc::new(subgroups)))
    })?;
    let (group, stabilisers) = made.map_err(no_group)?;
    let quotient = Quotient {
        group,
        names,
        elements: known,
        stabilisers,
        stabiliser,
        initial,
        source,
        label,
        shift,
        target,
        labels: Arc::new(labels),
        internal,
        sizes: OnceLock::new(),
    };
    if run(py, |cancel| quotient.is_sound(cancel))?? { Ok(quotient) } else { Err(malformed()) }
}
