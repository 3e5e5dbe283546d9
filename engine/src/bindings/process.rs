//! Data and linear processes as Python hands them over.

use super::lts::Lts;
use crate::data::rewrite::Data as EngineData;
use crate::data::terms::{Kind, Symbol};
use crate::process::explore::{Limits, generate};
use crate::process::linear::{Process as EngineProcess, Stop, Summand};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;

pyo3::create_exception!(
    _engine,
    EvaluationError,
    pyo3::exceptions::PyException,
    "A term cannot be evaluated: (message, number of the summand or None)."
);

type Code = Vec<i64>;
type RawSymbol = (Vec<u8>, Vec<u32>, u32, u8);
type RawSummand = (Vec<u32>, Vec<Code>, Vec<(Code, Code)>, Vec<u8>, Vec<Code>, Vec<(u32, Code)>);

fn malformed(message: String) -> PyErr {
    PyValueError::new_err(message)
}

fn data(
    sorts: Vec<Vec<u8>>,
    symbols: Vec<RawSymbol>,
    rules: Vec<(Vec<u32>, Code, Code)>,
    truth: u32,
    falsity: u32,
) -> PyResult<EngineData> {
    let symbols = symbols
        .into_iter()
        .map(|(name, arguments, sort, kind)| {
            let kind = match kind {
                0 => Kind::Constructor,
                1 => Kind::Map,
                2 => Kind::Placeholder,
                _ => return Err(malformed(format!("no kind of symbol has number {kind}"))),
            };
            Ok(Symbol { name, arguments, sort, kind })
        })
        .collect::<PyResult<Vec<_>>>()?;
    let rules: Vec<_> = rules.into_iter().map(|(v, left, right)| (v.len(), left, right)).collect();
    EngineData::new(sorts, symbols, &rules, truth, falsity).map_err(malformed)
}

/// Sorts, symbols and rules; what Python asks about single terms.
#[pyclass(frozen, module = "lts._engine")]
pub struct Data(Mutex<EngineData>);

#[pymethods]
impl Data {
    #[new]
    fn new(
        sorts: Vec<Vec<u8>>,
        symbols: Vec<RawSymbol>,
        rules: Vec<(Vec<u32>, Code, Code)>,
        truth: u32,
        falsity: u32,
    ) -> PyResult<Self> {
        Ok(Self(Mutex::new(data(sorts, symbols, rules, truth, falsity)?)))
    }

    /// The normal form of a term as text, and whether it is a value.
    fn normal_form(&self, py: Python<'_>, code: Code) -> PyResult<(Vec<u8>, bool)> {
        py.detach(|| {
            let mut data = self.0.lock().expect("no panic while locked");
            let term = data.terms.decode(&code).map_err(malformed)?;
            let normal = data
                .normalise(term)
                .map_err(|error| EvaluationError::new_err((error.to_string(), None::<usize>)))?;
            Ok((data.terms.show(normal), data.terms.is_value(normal)))
        })
    }
}

/// A linear process with the local steps found so far.
#[pyclass(frozen, module = "lts._engine")]
pub struct Process(Mutex<EngineProcess>);

fn stopped(py: Python<'_>, stop: Stop) -> PyErr {
    match stop {
        Stop::Evaluation(message, summand) => EvaluationError::new_err((message, summand)),
        Stop::Interrupted => py
            .check_signals()
            .err()
            .unwrap_or_else(|| pyo3::exceptions::PyKeyboardInterrupt::new_err(())),
    }
}

#[pymethods]
impl Process {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        sorts: Vec<Vec<u8>>,
        symbols: Vec<RawSymbol>,
        rules: Vec<(Vec<u32>, Code, Code)>,
        truth: u32,
        falsity: u32,
        initial: Vec<Code>,
        summands: Vec<RawSummand>,
    ) -> PyResult<Self> {
        let mut data = data(sorts, symbols, rules, truth, falsity)?;
        let terms = &mut data.terms;
        let mut decode = |code: &Code| terms.decode(code).map_err(malformed);
        let initial = initial.iter().map(&mut decode).collect::<PyResult<Vec<_>>>()?;
        let mut actions: Vec<Vec<u8>> = Vec::new();
        let mut decoded = Vec::new();
        for (sorts, conditions, equations, action, arguments, updates) in &summands {
            let number = actions.iter().position(|known| known == action).unwrap_or_else(|| {
                actions.push(action.clone());
                actions.len() - 1
            });
            decoded.push(Summand {
                sorts: sorts.clone(),
                conditions: conditions.iter().map(&mut decode).collect::<PyResult<_>>()?,
                equations: equations
                    .iter()
                    .map(|(left, right)| Ok((decode(left)?, decode(right)?)))
                    .collect::<PyResult<_>>()?,
                action: number as u32,
                arguments: arguments.iter().map(&mut decode).collect::<PyResult<_>>()?,
                updates: updates
                    .iter()
                    .map(|(parameter, term)| Ok((*parameter, decode(term)?)))
                    .collect::<PyResult<_>>()?,
                reads: Vec::new(),
            });
        }
        let process = EngineProcess::new(data, initial, actions, decoded);
        Ok(Self(Mutex::new(process.map_err(|stop| stopped(py, stop))?)))
    }

    fn generate(
        &self,
        py: Python<'_>,
        max_states: Option<usize>,
        max_values: usize,
    ) -> PyResult<Exploration> {
        let limits = Limits { states: max_states, values: max_values };
        let found = py.detach(|| {
            let mut process = self.0.lock().expect("no panic while locked");
            let mut poll = || Python::attach(|py| py.check_signals()).is_ok();
            generate(&mut process, limits, &mut poll)
        });
        let found = found.map_err(|stop| stopped(py, stop))?;
        Ok(Exploration {
            lts: Py::new(py, Lts(found.lts))?,
            complete: found.complete,
            limit_summand: found.limit_summand,
        })
    }
}

/// What a generation found.
#[pyclass(frozen, get_all, module = "lts._engine")]
pub struct Exploration {
    lts: Py<Lts>,
    complete: bool,
    limit_summand: Option<usize>,
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EvaluationError", module.py().get_type::<EvaluationError>())?;
    module.add_class::<Data>()?;
    module.add_class::<Process>()?;
    module.add_class::<Exploration>()
}
