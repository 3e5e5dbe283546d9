//! Why a permutation is no symmetry, as Python is told.

use crate::base::ids::Label;
use crate::lpe::process::Process as EngineProcess;
use crate::orbit_exploration::witness::Witness;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A witness with the number of the generator.
pub(crate) fn numbered<'py>(
    py: Python<'py>,
    found: Option<&(usize, Shown)>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some((which, shown)) = found else { return Ok(None) };
    Ok(Some((*which, as_python(py, shown)?).into_pyobject(py)?.into_any()))
}

type LocalSituation = Vec<(u32, Vec<u8>)>;
pub(crate) type Shown =
    (&'static str, u32, LocalSituation, LocalSituation, Vec<Vec<u8>>, Vec<Vec<u8>>);

/// A witness as Python takes it: what failed, the parameter or summand, the situation and its image,
/// and what was expected and found there.
pub(crate) fn shown(process: &EngineProcess, witness: Witness) -> Shown {
    match witness {
        Witness::Initial(parameter, value, image) => {
            ("initial", parameter, vec![], vec![], vec![image], vec![value])
        }
        Witness::Elements(value) => ("elements", 0, vec![], vec![], vec![], vec![value]),
        Witness::Value(value) => ("value", 0, vec![], vec![], vec![], vec![value]),
        Witness::Summand(summand) => ("summand", summand, vec![], vec![], vec![], vec![]),
        Witness::Label(label) => {
            let text = process.labels.labels.get(Label(label)).to_vec();
            ("label", label, vec![], vec![], vec![], vec![text])
        }
        Witness::Merged(sort, one, other, image) => {
            ("merged", sort, vec![], vec![], vec![one, other], vec![image])
        }
        Witness::Many(sort, value, most) => {
            ("many", sort, vec![], vec![], vec![most.to_string().into()], vec![value])
        }
        Witness::Steps(d) => ("steps", d.summand, d.situation, d.image, d.expected, d.found),
    }
}

/// A witness with its texts as bytes.
pub(crate) fn as_python<'py>(py: Python<'py>, shown: &Shown) -> PyResult<Bound<'py, PyAny>> {
    let (kind, number, situation, image, expected, found) = shown;
    let bytes = |items: &Vec<Vec<u8>>| -> Vec<Bound<'py, PyBytes>> {
        items.iter().map(|item| PyBytes::new(py, item)).collect()
    };
    let pairs = |items: &LocalSituation| -> Vec<(u32, Bound<'py, PyBytes>)> {
        items.iter().map(|(p, item)| (*p, PyBytes::new(py, item))).collect()
    };
    let parts = (*kind, *number, pairs(situation), pairs(image), bytes(expected), bytes(found));
    Ok(parts.into_pyobject(py)?.into_any())
}
