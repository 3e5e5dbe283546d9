//! Isomorphism of two systems.

use crate::base::csr::graph::Graph;
use crate::base::ids::Label;
use crate::bindings::column::Column;
use crate::bindings::lts::Lts;
use crate::bindings::work::{run, within_limit};
use crate::compare::Name;
use crate::compare::disjoint_union::over_common_labels;
use crate::symmetry::isomorphism::{Reason, Verdict, isomorphism as decide};
use crate::symmetry::paired_colours::Test;
use pyo3::prelude::*;
use std::sync::Arc;

/// What is common to the states of a class: they are in the class `within`; they are `initial`, or
/// not; and the direction, label, class and number of steps.
type Class = (u32, Option<bool>, Option<(bool, Name, u32, u32)>);

/// The image of every state; or different numbers of the two systems: of `states`, `transitions`,
/// or of transitions with the `label`; or of states in the last of the `classes`; or the number of
/// wrong choices in an exhaustive search.
#[derive(Default, IntoPyObject)]
struct Compared {
    images: Option<Column>,
    what: &'static str,
    label: Name,
    classes: Option<Vec<Class>>,
    numbers: Option<[usize; 2]>,
    wrong: u64,
}

/// Whether two systems are isomorphic, with the map or a reason; None at the limit.
#[pyfunction]
fn isomorphism(
    py: Python<'_>,
    left: &Bound<'_, Lts>,
    right: &Bound<'_, Lts>,
    limit: u64,
) -> PyResult<Option<Compared>> {
    let (left, right) = (&left.get().0, &right.get().0);
    let verdict = run(py, |cancel| {
        let [left, right] = over_common_labels(left, right, cancel)?;
        let internal = left.internal_mask();
        let name =
            |label: Label| (!internal[label.0 as usize]).then(|| left.labels.get(label).to_vec());
        let (a, b) = (Graph::new(&left, false, cancel)?, Graph::new(&right, false, cancel)?);
        let none = Compared::default();
        Ok(match decide(&a, &b, limit, cancel)? {
            Verdict::Yes(images) => Compared { images: Some(Column(Arc::new(images))), ..none },
            Verdict::No(reason) => match reason {
                Reason::States(numbers) => {
                    Compared { what: "states", numbers: Some(numbers), ..none }
                }
                Reason::Transitions(numbers) => {
                    Compared { what: "transitions", numbers: Some(numbers), ..none }
                }
                Reason::Label(label, numbers) => {
                    let label = name(label);
                    Compared { what: "label", label, numbers: Some(numbers), ..none }
                }
                Reason::Class(classes, numbers) => {
                    let classes = classes.iter().map(|class| match class.by {
                        Test::Every => (0, None, None),
                        Test::Initial(initial) => (class.within, Some(initial), None),
                        Test::Steps { forwards, label, class: other, count } => {
                            let steps = (forwards, name(Label(label)), other, count);
                            (class.within, None, Some(steps))
                        }
                    });
                    let numbers = numbers.map(|number| number as usize);
                    let classes = Some(classes.collect());
                    Compared { what: "class", classes, numbers: Some(numbers), ..none }
                }
                Reason::Search(wrong) => Compared { what: "search", wrong, ..none },
            },
        })
    })?;
    within_limit(verdict)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(isomorphism, module)?)
}
