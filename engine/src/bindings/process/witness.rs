//! Witnesses that a permutation is not a symmetry, for Python.

use crate::base::ids::Label;
use crate::process::linear::Process as EngineProcess;
use crate::symmetry_of_process::witness::Witness;
use pyo3::prelude::*;

type LocalSituation = Vec<(u32, Vec<u8>)>;

/// A witness: the kind of failure, the parameter or summand, the situation and its image, and what
/// was expected and found there.
#[derive(Clone, Default, IntoPyObject)]
pub(crate) struct Shown {
    kind: &'static str,
    number: u32,
    situation: LocalSituation,
    image: LocalSituation,
    expected: Vec<Vec<u8>>,
    found: Vec<Vec<u8>>,
}

/// A witness with its values as texts.
pub(crate) fn shown(process: &EngineProcess, witness: Witness) -> Shown {
    let only =
        |kind, number, expected, found| Shown { kind, number, expected, found, ..Shown::default() };
    match witness {
        Witness::Initial(parameter, value, image) => {
            only("initial", parameter, vec![image], vec![value])
        }
        Witness::Elements(value) => only("elements", 0, vec![], vec![value]),
        Witness::Value(value) => only("value", 0, vec![], vec![value]),
        Witness::Summand(summand) => only("summand", summand, vec![], vec![]),
        Witness::Label(label) => {
            let text = process.labels.labels.get(Label(label)).to_vec();
            only("label", label, vec![], vec![text])
        }
        Witness::NotInjective(sort, left, right, image) => {
            only("merged", sort, vec![left, right], vec![image])
        }
        Witness::Many(sort, value, most) => {
            only("many", sort, vec![most.to_string().into()], vec![value])
        }
        Witness::Steps(steps) => Shown {
            kind: "steps",
            number: steps.summand,
            situation: steps.situation,
            image: steps.image,
            expected: steps.expected,
            found: steps.found,
        },
    }
}
