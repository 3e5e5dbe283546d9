//! Quotients under a group.

use crate::base::cancel::NoResult;
use crate::base::csr::graph::Graph;
use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::base::label_reader::normal_form;
use crate::bindings::column::Column;
use crate::bindings::lts::Lts;
use crate::bindings::symmetry::generators::{RawGenerator, checked, no_group, table};
use crate::bindings::symmetry::quotient_parts::{Orbits, Parts, parts, remade};
use crate::bindings::work::run;
use crate::bisimulation::minimise::Equivalence;
use crate::group::action::Group;
use crate::group::permutation::{Permutation, is_permutation, periods_of};
use crate::group::schreier_sims::NoGroup;
use crate::ops::hide::NotHidden as NoLabels;
use crate::ops::reachable::restrict;
use crate::symmetry::annotated_quotient::Quotient as EngineQuotient;
use crate::symmetry::automorphism::automorphism;
use crate::symmetry::hide_orbits::{NotHidden, hide};
use crate::symmetry::minimise::limits::NoMinimum;
use crate::symmetry::minimise::minimise;
use crate::symmetry::orbits_of_lts::{Symmetry, joined, quotient_of};
use crate::symmetry::original_facts::{Deadlock, Facts, facts};
use crate::symmetry::rho::decode::{NoEncoding, RhoSteps, decode as decode_encoding};
use crate::symmetry::rho::encode::{Order, encode, powers};
use crate::symmetry::rho::expand::expand;
use num_bigint::BigUint;
use num_integer::Integer;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Facts about the original of a quotient: four numbers of states; the sizes of orbits, and four
/// lists of component sizes, with how many have each; transitions by label; and orbits of
/// deadlocks.
#[derive(IntoPyObject)]
struct ShownFacts {
    states: [BigUint; 4],
    sizes: [Vec<(BigUint, BigUint)>; 5],
    transitions: Vec<BigUint>,
    deadlocks: Vec<Deadlock>,
}

/// Labels, the position from which they repeat, and for each step the label of its stored
/// transition and the number of an element; and the elements as permutations of the labels.
type ShownPath = (Vec<u32>, Option<usize>, Vec<(u32, u32)>, Vec<Vec<u32>>);

#[pyclass(frozen, module = "lts._engine")]
pub struct Quotient(pub EngineQuotient);

impl Quotient {
    fn has(&self, transition: u32) -> bool {
        (transition as usize) < self.0.source.len()
    }
}

#[pymethods]
impl Quotient {
    /// The order of the group.
    #[getter]
    fn order(&self) -> BigUint {
        self.0.group.order()
    }

    #[getter]
    fn orbits(&self) -> usize {
        self.0.orbits()
    }

    #[getter]
    fn stored(&self) -> usize {
        self.0.source.len()
    }

    #[getter]
    fn labels(&self) -> Vec<&[u8]> {
        self.0.labels.iter().collect()
    }

    /// The labels that are internal.
    #[getter]
    fn internal(&self) -> Vec<&[u8]> {
        self.0.internal.iter().map(|&label| self.0.labels.get(Label(label))).collect()
    }

    /// The names of the group's points.
    #[getter]
    fn points(&self) -> Vec<String> {
        self.0.names.clone()
    }

    /// The generators, as permutations of the points and of the labels.
    #[getter]
    pub(crate) fn generators(&self) -> Vec<RawGenerator> {
        let points = self.0.group.points;
        let split = |g: &Permutation| {
            let labels = g[points..].iter().map(|&image| image - u32::at(points));
            (g[..points].to_vec(), labels.collect())
        };
        self.0.group.generators.iter().map(split).collect()
    }

    /// The order, if rho-steps are written as powers of the only generator.
    fn powers(&self) -> Option<u32> {
        powers(&self.0)
    }

    /// The numbers of states and transitions of the original.
    fn count(&self, py: Python<'_>) -> PyResult<(BigUint, BigUint)> {
        Ok(run(py, |cancel| self.0.count(cancel).cloned())??)
    }

    /// The number of triples of a representative, a label, and the orbit of a target.
    fn representative_transitions(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(run(py, |cancel| self.0.representative_transitions(cancel))??)
    }

    /// The rho-encoding and the prefix of its rho-labels.
    fn encode(&self, py: Python<'_>, greedy: bool) -> PyResult<(Lts, String)> {
        let order = if greedy { Order::Greedy } else { Order::BreadthFirst };
        let (lts, prefix) = run(py, |cancel| encode(&self.0, order, cancel))??;
        Ok((Lts(lts), prefix))
    }

    /// The quotient with exactly these labels as internal, where labels that it lacks are ignored;
    /// ValueError if the group moves one.
    fn with_internal(&self, labels: Vec<Vec<u8>>) -> PyResult<Self> {
        let normal_forms: FxHashSet<Vec<u8>> =
            labels.iter().map(|label| normal_form(label).into_owned()).collect();
        let every = (0..).zip(self.0.labels.iter());
        let internal = every
            .filter(|&(_, label)| normal_forms.contains(&*normal_form(label)))
            .map(|(number, _)| number);
        self.0
            .with_internal(internal.collect())
            .map(Quotient)
            .map_err(|label| stays(&self.0, label))
    }

    /// The quotient with labels hidden, given by names or patterns; ValueError if the group moves a
    /// hidden label to a visible one, or if hidden labels would get the name of a visible label
    /// `tau`.
    fn hide(&self, py: Python<'_>, names: Vec<Vec<u8>>) -> PyResult<Self> {
        let hidden = run(py, |cancel| hide(&self.0, &names.into_iter().collect(), cancel))?;
        hidden.map(Quotient).map_err(|error| match error {
            NotHidden::Labels(NoLabels::Stopped(why)) => why.into(),
            NotHidden::Group(error) => no_group(error),
            error => PyValueError::new_err(error.to_string()),
        })
    }

    /// The quotient of the minimal system equivalent to the original; None if a canonical image
    /// takes more than `limit` choices.
    fn minimise(&self, py: Python<'_>, name: &str, limit: u64) -> PyResult<Option<Self>> {
        let equivalence = Equivalence::named(name)
            .ok_or_else(|| PyValueError::new_err(format!("no bisimulation is called {name}")))?;
        match run(py, |cancel| minimise(&self.0, equivalence, limit, cancel))? {
            Ok(quotient) => Ok(Some(Quotient(quotient))),
            Err(NoMinimum::Limit) => Ok(None),
            Err(NoMinimum::Stopped(why)) => Err(why.into()),
            Err(NoMinimum::Group(error)) => Err(no_group(error)),
            Err(NoMinimum::Moves(label)) => Err(stays(&self.0, label)),
        }
    }

    /// Facts about the original: numbers of deadlocks, of nondeterministic states, of states on
    /// internal cycles and of divergent ones; sizes of orbits, of components, of those with cycles,
    /// of terminal ones and of internal cycles; transitions by label; and the nearest `most` orbits
    /// of deadlocks.
    fn facts(&self, py: Python<'_>, most: usize) -> PyResult<ShownFacts> {
        let (facts, deadlocks) = match run(py, |cancel| facts(&self.0, most, cancel))? {
            Ok(known) => known,
            Err(NoMinimum::Stopped(why)) => return Err(why.into()),
            Err(NoMinimum::Group(error)) => return Err(no_group(error)),
            Err(NoMinimum::Limit | NoMinimum::Moves(_)) => {
                unreachable!("there is no search for an image, and no label to make internal")
            }
        };
        let states =
            [facts.deadlocks, facts.nondeterministic, facts.on_internal_cycles, facts.divergent];
        let Facts { orbits, components, cyclic, terminal, internal_cyclic, .. } = facts;
        let sizes = [orbits, components, cyclic, terminal, internal_cyclic];
        let sizes = sizes.map(|sizes| sizes.into_iter().rev().collect());
        Ok(ShownFacts { states, sizes, transitions: facts.transitions, deadlocks })
    }

    /// The original as an LTS; OverflowError if that has too many states or transitions.
    fn expand(&self, py: Python<'_>) -> PyResult<Lts> {
        let (states, transitions) = self.count(py)?;
        let most = BigUint::from(u32::MAX);
        if states >= most || transitions >= most {
            return Err(PyOverflowError::new_err((states, transitions)));
        }
        Ok(Lts(run(py, |cancel| expand(&self.0, cancel))??))
    }

    /// The graph of the orbits.
    fn graph(&self, py: Python<'_>) -> Lts {
        Lts(py.detach(|| self.0.graph()))
    }

    /// The quotient of the transitions that those of the graph, in ascending order, stand for, as
    /// far as they reach from the initial state.
    fn restricted(&self, transitions: Vec<u32>) -> PyResult<Self> {
        if !transitions.is_sorted_by(|a, b| a < b)
            || transitions.last().is_some_and(|&transition| !self.has(transition))
        {
            return Err(PyValueError::new_err("the rows of the graph are not in ascending order"));
        }
        Ok(Self(self.0.restricted(&transitions)))
    }

    /// The labels of a path of the LTS over a path of the graph, by its transitions, and where both
    /// repeat; for each step the label of its stored transition, and the number of the element that
    /// maps that transition to the step; and these elements. None if it takes more than `most`
    /// transitions until it repeats.
    fn lifted(
        &self,
        py: Python<'_>,
        transitions: Vec<u32>,
        again: Option<usize>,
        most: usize,
    ) -> PyResult<Option<ShownPath>> {
        if !transitions.iter().all(|&transition| self.has(transition))
            || again.is_some_and(|position| position >= transitions.len())
        {
            return Err(PyValueError::new_err("this is not a path of the graph"));
        }
        let lifted = run(py, |cancel| self.0.lifted(&transitions, again, most, cancel))??;
        Ok(lifted.map(|path| {
            let elements = path.elements.iter().map(|element| element.to_vec()).collect();
            (path.labels, path.again, path.preimages, elements)
        }))
    }

    /// The quotient with elements written by what they do to the first `count` points, if that
    /// distinguishes them; else the same.
    fn onto(&self, py: Python<'_>, count: usize) -> PyResult<Self> {
        let narrowed = run(py, |cancel| self.0.clone().onto(count, cancel))?;
        Ok(Self(narrowed.unwrap_or_else(|same| *same)))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let remade = slf.py().import("lts._engine")?.getattr("remade_quotient")?;
        let (quotient, labels) = (slf.get(), slf.getattr("labels")?);
        Ok((remade, parts(slf.py(), &quotient.0, labels, quotient.generators())))
    }

    // It is immutable.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// The outcome of a search, the number of the generator that it is about, and the quotient.
#[derive(IntoPyObject)]
struct OfLts {
    kind: &'static str,
    which: usize,
    quotient: Option<Quotient>,
    states: Vec<Column>,
}

impl OfLts {
    fn without(kind: &'static str, which: usize) -> Self {
        Self { kind, which, quotient: None, states: Vec::new() }
    }
}

/// Why there is no quotient of an LTS.
enum NoQuotient {
    /// No automorphism belongs to the generator with this number, or it is undecided whether one
    /// does.
    Search(&'static str, usize),
    Group(NoGroup),
}

impl From<NoGroup> for NoQuotient {
    fn from(error: NoGroup) -> Self {
        Self::Group(error)
    }
}

/// The quotient of the reachable part of an LTS under permutations of its labels, and the
/// permutations of the states (numbered breadth first). The outcome is `found`; `none` if no
/// automorphism belongs to generator `which`; or `undecided` at the limit. `names` are the labels
/// of the LTS, followed by others; `points` are the names of the points that the generators
/// permute.
#[pyfunction]
fn quotient_of_lts(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    names: Vec<Vec<u8>>,
    points: Vec<String>,
    generators: Vec<RawGenerator>,
    limit: u64,
) -> PyResult<OfLts> {
    let labels = table(&names)?;
    checked(&generators, points.len(), labels.len())?;
    let lts = &lts.get().0;
    let outcome = run(py, |cancel| {
        let lts = restrict(lts, cancel).map_err(NoGroup::Stopped)?;
        let mut graph = Graph::new(&lts, false, cancel).map_err(NoGroup::Stopped)?;
        graph.labels = labels.len();
        // Labels without transitions are fixed: they are irrelevant for the group.
        let mut occurs = vec![false; labels.len()];
        for &label in graph.forward.label.iter() {
            occurs[label] = true;
        }
        let mut symmetries = Vec::new();
        for (which, (named, moved)) in generators.into_iter().enumerate() {
            let periods = periods_of(&moved);
            let used = periods.iter().zip(&occurs).filter(|&(_, &occurs)| occurs);
            let order = used.fold(1u64, |order, (&p, _)| {
                if order > u64::from(u32::MAX) { order } else { order.lcm(&u64::from(p)) }
            });
            let order = u32::try_from(order).unwrap_or(0);
            match automorphism(&graph, &moved, order, limit, cancel) {
                Ok(Some(states)) => {
                    let images = (0..).zip(moved).zip(&occurs);
                    let labels = images.map(|((l, image), &occurs)| if occurs { image } else { l });
                    let (labels, states) = (labels.collect(), states.into());
                    symmetries.push(Symmetry { named: named.into(), labels, states });
                }
                Ok(None) => return Err(NoQuotient::Search("none", which)),
                Err(NoResult::Limit) => return Err(NoQuotient::Search("undecided", which)),
                Err(NoResult::Stopped(why)) => return Err(NoGroup::Stopped(why).into()),
            }
        }
        let internal = lts.internal.iter().map(|label| label.0).collect();
        let quotient =
            quotient_of(&graph, Arc::new(labels), internal, &points, &symmetries, cancel)?;
        let sigmas: Vec<Column> =
            symmetries.into_iter().map(|s| Column(Arc::new(s.states.into_vec()))).collect();
        Ok((quotient, sigmas))
    })?;
    match outcome {
        Ok((quotient, states)) => {
            Ok(OfLts { kind: "found", which: 0, quotient: Some(Quotient(quotient)), states })
        }
        Err(NoQuotient::Search(kind, which)) => Ok(OfLts::without(kind, which)),
        Err(NoQuotient::Group(error)) => Err(no_group(error)),
    }
}

/// The quotient of a rho-encoding; ValueError says why it is not an encoding. `names` are labels,
/// `points` the names of the group's points. For every label of the LTS that is a rho-label,
/// `powers` or `elements` has the power of the only generator, or the element as a permutation of
/// the points.
#[pyfunction]
fn decode(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    names: Vec<Vec<u8>>,
    points: Vec<String>,
    generators: Vec<RawGenerator>,
    powers: Option<Vec<Option<u64>>>,
    elements: Option<Vec<Option<Vec<u32>>>>,
) -> PyResult<Quotient> {
    let labels = table(&names)?;
    checked(&generators, points.len(), labels.len())?;
    let lts = &lts.get().0;
    let steps = match (powers, elements) {
        (Some(powers), None) => RhoSteps::Powers(powers),
        (None, Some(elements)) => {
            let valid = |e: &Vec<u32>| e.len() == points.len() && is_permutation(e);
            if !elements.iter().flatten().all(valid) {
                return Err(PyValueError::new_err("a rho-step is not a permutation of the points"));
            }
            RhoSteps::Elements(elements.into_iter().map(|e| e.map(Permutation::from)).collect())
        }
        _ => return Err(PyValueError::new_err("either powers or elements")),
    };
    let decoded = run(py, |cancel| {
        let generators = generators.iter().map(|(own, moved)| joined(own, moved));
        let group = Group::new(points.len(), labels.len(), generators.collect(), cancel);
        let group = Arc::new(group.map_err(no_group)?);
        decode_encoding(lts, group, points, labels, &steps, cancel).map_err(|error| match error {
            NoEncoding::Stopped(why) => why.into(),
            NoEncoding::Group(error) => no_group(error),
            error => PyValueError::new_err(error.to_string()),
        })
    })?;
    decoded.map(Quotient)
}

/// The error for an internal label that the group moves.
fn stays(quotient: &EngineQuotient, label: u32) -> PyErr {
    let label = String::from_utf8_lossy(quotient.labels.get(Label(label)));
    PyValueError::new_err(format!("the internal label `{label}` must stay where it is"))
}

/// The quotient with these parts, with all numbers unchanged; or, if `canonical`, with labels and
/// elements numbered as an exploration numbers them.
#[pyfunction]
#[pyo3(signature = (action, orbits, initial, internal, canonical=false))]
fn remade_quotient(
    py: Python<'_>,
    action: (Vec<String>, Vec<Vec<u8>>, Vec<RawGenerator>),
    orbits: Orbits<'_>,
    initial: u32,
    internal: Vec<u32>,
    canonical: bool,
) -> PyResult<Quotient> {
    let quotient = remade(py, action, orbits, initial, internal)?;
    if !canonical {
        return Ok(Quotient(quotient));
    }
    run(py, |cancel| quotient.canonical(cancel))?.map(Quotient).map_err(no_group)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(quotient_of_lts, module)?)?;
    module.add_function(wrap_pyfunction!(decode, module)?)?;
    module.add_function(wrap_pyfunction!(remade_quotient, module)?)?;
    module.add_class::<Quotient>()
}
