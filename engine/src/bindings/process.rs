//! Data and linear processes as Python hands them over.

use super::lts::Lts;
use super::quotient::Quotient;
use crate::data::coverage::missing_case;
use crate::data::rewrite::Data as EngineData;
use crate::data::terms::{Kind, Symbol};
use crate::process::canonical::Strategy;
use crate::process::certificate::Witness;
use crate::process::check::Check;
use crate::process::explore::{
    Account as EngineAccount, Host, Incomplete, Limits, Options, Output, generate,
};
use crate::process::linear::{MAX_CALLS, MAX_LABELS, Process as EngineProcess, Stop, Summand};
use crate::process::quotient::{Host as QuotientHost, Options as QuotientOptions, reduce};
use crate::process::search::Wanted;
use crate::process::symmetry::{Arrays, Moves, Symmetry};
use num_bigint::BigUint;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Mutex;
use std::time::Duration;

pyo3::create_exception!(
    _engine,
    EvaluationError,
    pyo3::exceptions::PyException,
    "A term cannot be evaluated: (message, number of the summand or None)."
);
pyo3::create_exception!(
    _engine,
    LabelLimit,
    pyo3::exceptions::PyException,
    "The labels are too long: (bytes that they may take, number of the summand or None)."
);

pyo3::create_exception!(
    _engine,
    CallLimit,
    pyo3::exceptions::PyException,
    "Too many calls wait on a stack: (calls that may wait, number of the summand)."
);

pub(super) type Code = Vec<i64>;
type RawRule = (Vec<u32>, Code, Code, String);
type RawSymbol = (Vec<u8>, Vec<u32>, u32, u8);
type RawSummand = (Vec<u32>, Vec<Code>, Vec<(Code, Code)>, Vec<u8>, Vec<Code>, Vec<(u32, Code)>);

pub(super) fn malformed(message: String) -> PyErr {
    PyValueError::new_err(message)
}

fn data(
    sorts: Vec<Vec<u8>>,
    symbols: Vec<RawSymbol>,
    rules: Vec<RawRule>,
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
    let mut names = Vec::new();
    let mut coded = Vec::new();
    for (variables, left, right, name) in rules {
        names.push(name);
        coded.push((variables.len(), left, right));
    }
    let mut data = EngineData::new(sorts, symbols, &coded, truth, falsity).map_err(malformed)?;
    data.rule_names = names;
    Ok(data)
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
        rules: Vec<RawRule>,
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

    /// An application of a symbol to values, of at most `tries`, that no rule rewrites.
    fn missing_case(&self, py: Python<'_>, symbol: u32, tries: usize) -> PyResult<Option<Vec<u8>>> {
        py.detach(|| {
            let mut data = self.0.lock().expect("no panic while locked");
            if symbol as usize >= data.terms.symbols.len() {
                return Err(malformed(format!("there is no symbol {symbol}")));
            }
            let found = missing_case(&mut data, symbol, tries)
                .map_err(|error| EvaluationError::new_err((error.to_string(), None::<usize>)))?;
            Ok(found.map(|term| data.terms.show(term)))
        })
    }

    /// The normal form of a term, in at most so many steps, with or without memoised calls; None if
    /// its text is longer than `most` bytes.
    fn evaluate(
        &self,
        py: Python<'_>,
        code: Code,
        max_steps: u64,
        memoise: bool,
        most: usize,
    ) -> PyResult<Option<Evaluation>> {
        py.detach(|| {
            let mut data = self.0.lock().expect("no panic while locked");
            let term = data.terms.decode(&code).map_err(malformed)?;
            let before = (data.step_limit, data.memo.enabled, data.steps, data.memo.found);
            (data.step_limit, data.memo.enabled) = (max_steps, memoise);
            let normal = data.normalise(term);
            (data.step_limit, data.memo.enabled) = (before.0, before.1);
            let normal = normal
                .map_err(|error| EvaluationError::new_err((error.to_string(), None::<usize>)))?;
            let mut text = Vec::new();
            let shown = data.terms.write(normal, most, &mut text);
            Ok(shown.then(|| Evaluation {
                text,
                is_value: data.terms.is_value(normal),
                steps: data.steps - before.2,
                found: data.memo.found - before.3,
            }))
        })
    }
}

/// What evaluating a term gave.
#[pyclass(frozen, module = "lts._engine")]
pub struct Evaluation {
    text: Vec<u8>,
    #[pyo3(get)]
    is_value: bool,
    /// Rules that were applied.
    #[pyo3(get)]
    steps: u64,
    /// Results of calls that were known already.
    #[pyo3(get)]
    found: u64,
}

#[pymethods]
impl Evaluation {
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.text)
    }
}

/// A linear process with the local steps found so far.
#[pyclass(frozen, module = "lts._engine")]
pub struct Process(pub Mutex<EngineProcess>);

pub fn stopped(py: Python<'_>, stop: Stop) -> PyErr {
    match stop {
        Stop::Evaluation(message, summand) => EvaluationError::new_err((message, summand)),
        Stop::Labels(summand) => LabelLimit::new_err((MAX_LABELS, summand)),
        Stop::Calls(summand) => CallLimit::new_err((MAX_CALLS, summand)),
        Stop::Unfit(_) => unreachable!("it begins again, or has a witness"),
        Stop::Interrupted => {
            py.check_signals().err().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
        }
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
        rules: Vec<RawRule>,
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

    /// Says which parameters are stacks of calls, on which not too many may wait.
    fn bound_calls(&self, stacks: Vec<u32>) {
        self.0.lock().expect("no panic while locked").stacks = stacks;
    }

    /// From now on, checks that every value is built from constructors and of its declared sort;
    /// only the symbols `unset` may stand for the whole of a parameter.
    fn check_values(&self, unset: Vec<u32>) -> PyResult<()> {
        let mut process = self.0.lock().expect("no panic while locked");
        let inner = &mut *process;
        let check = Check::new(&mut inner.data, unset, &inner.initial)
            .map_err(|message| EvaluationError::new_err((message, None::<usize>)))?;
        inner.check = Some(check);
        Ok(())
    }

    /// Explores; `write`, `progress` and `is_wanted` are called back, and what they raise is raised.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (
        max_states, max_values, *, max_memory=None, timeout=None, threads=1, columns=true,
        write=None, hidden=vec![], progress=None, deadlocks=false, is_wanted=None, enough=None,
    ))]
    fn generate(
        &self,
        py: Python<'_>,
        max_states: Option<usize>,
        max_values: usize,
        max_memory: Option<usize>,
        timeout: Option<f64>,
        threads: usize,
        columns: bool,
        write: Option<Py<PyAny>>,
        hidden: Vec<Vec<u8>>,
        progress: Option<Py<PyAny>>,
        deadlocks: bool,
        is_wanted: Option<Py<PyAny>>,
        enough: Option<usize>,
    ) -> PyResult<Exploration> {
        let time = timeout.map(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let limits = Limits {
            states: max_states,
            values: max_values,
            memory: max_memory,
            time: time.flatten(),
        };
        let output = match (&write, columns) {
            (Some(_), _) => Output::Text,
            (None, true) => Output::Columns,
            (None, false) => Output::Nothing,
        };
        let wanted = Wanted { deadlocks, actions: is_wanted.is_some(), enough };
        let options = Options { limits, threads: threads.max(1), output, hidden, wanted };
        let mut callbacks = Callbacks { write, progress, is_wanted, raised: None };
        let found = py.detach(|| {
            let mut process = self.0.lock().expect("no panic while locked");
            generate(&mut process, &options, &mut callbacks)
        });
        callbacks.raise(py)?;
        let found = found.map_err(|stop| stopped(py, stop))?;
        let (incomplete, limit_summand) = told(found.incomplete);
        let bytes = |label: Vec<u8>| PyBytes::new(py, &label).unbind();
        let traces = found.traces.into_iter().map(|trace| {
            let steps = trace.steps.into_iter().map(|(label, choice)| (bytes(label), choice));
            (trace.deadlock, steps.collect())
        });
        let process = self.0.lock().expect("no panic while locked");
        Ok(Exploration {
            account: Py::new(py, Account::from(&found.account))?,
            lts: found.lts.map(|lts| Py::new(py, Lts(lts))).transpose()?,
            incomplete,
            limit_summand,
            labels: process.labels.labels.iter().map(|label| bytes(label.to_vec())).collect(),
            traces: traces.collect(),
        })
    }

    /// The quotient under the group that permutes `values`, called `names`, certified; each generator
    /// is what it does to values, parameters and summands.
    #[allow(clippy::too_many_arguments)]
    fn quotient(
        &self,
        py: Python<'_>,
        values: Vec<Code>,
        names: Vec<String>,
        generators: Vec<RawGenerator>,
        arrays: Vec<RawArrays>,
        max_states: Option<usize>,
        max_values: usize,
        strategy: Option<&str>,
        threads: usize,
        rows: bool,
        max_memory: Option<usize>,
        timeout: Option<f64>,
        deadlocks: bool,
        is_wanted: Option<Py<PyAny>>,
        enough: Option<usize>,
        proven: Vec<bool>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Reduced> {
        let time = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let limits = Limits { states: max_states, values: max_values, memory: max_memory, time };
        let wanted = Wanted { deadlocks, actions: is_wanted.is_some(), enough };
        let strategy = strategy.map(strategy_called).transpose()?;
        let options = QuotientOptions {
            limits,
            strategy,
            threads,
            rows,
            certify: proven.contains(&false),
            proven,
            wanted,
        };
        let mut process = self.0.lock().expect("no panic while locked");
        let symmetry = acting(&mut process, &values, names, generators, &arrays)?;
        let inner: &mut EngineProcess = &mut process;
        let mut callbacks = Callbacks { write: None, progress, is_wanted, raised: None };
        let reduced = py.detach(|| reduce(inner, symmetry, &options, &mut callbacks));
        callbacks.raise(py)?;
        let reduced = reduced.map_err(|stop| stopped(py, stop))?;
        let (incomplete, limit_summand) = told(reduced.incomplete);
        let bytes = |label: Vec<u8>| PyBytes::new(py, &label).unbind();
        let traces = reduced.traces.into_iter().map(|trace| {
            let steps = trace.steps.into_iter().map(|(label, choice)| (bytes(label), choice));
            (trace.deadlock, steps.collect())
        });
        let witness = reduced.witness.map(|(which, witness)| (which, shown(&process, witness)));
        let quotient = reduced.quotient.map(|quotient| Py::new(py, Quotient(quotient)));
        let account = reduced.account;
        Ok(Reduced {
            quotient: quotient.transpose()?,
            witness,
            incomplete,
            limit_summand,
            traces: traces.collect(),
            deadlocks: account.deadlocks,
            order: reduced.order,
            strategy: strategy_name(reduced.strategy),
            orbits: account.orbits,
            steps: account.steps,
            states: account.states,
            transitions: account.transitions,
            store: account.store,
            checked: account.checked,
            proving: account.proving.as_secs_f64(),
        })
    }
}

pub(super) fn strategy_called(name: &str) -> PyResult<Strategy> {
    match name {
        "enumerate" => Ok(Strategy::Enumerate),
        "refine" => Ok(Strategy::Refine),
        other => Err(PyValueError::new_err(format!("no strategy `{other}`"))),
    }
}

pub(super) fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Enumerate => "enumerate",
        Strategy::Refine => "refine",
    }
}

/// What a generator does to values, parameters and summands, and its maps: sort and symbol.
pub(super) type RawGenerator = (Vec<u32>, Vec<u32>, Vec<u32>, Vec<(u32, u32)>);

/// Sort, get and set of arrays, contains and remove if they are partial, and whether they are
/// permuted by definition.
pub(super) type RawArrays = (u32, u32, u32, Option<(u32, u32)>, bool);

/// The generators, and the values that they permute, with the arrays that these index.
pub(super) fn acting(
    process: &mut EngineProcess,
    values: &[Code],
    names: Vec<String>,
    generators: Vec<RawGenerator>,
    arrays: &[RawArrays],
) -> PyResult<Symmetry> {
    let terms = &mut process.data.terms;
    let values: PyResult<Vec<u32>> =
        values.iter().map(|code| terms.decode(code).map_err(malformed)).collect();
    let values = values?;
    let arrays = arrays
        .iter()
        .map(|&(sort, get, set, partial, free)| {
            let index = terms.symbols[get as usize].arguments[1];
            let keys = values.iter().copied().filter(|&v| terms.sort(v) == index).collect();
            Arrays { sort, get, set, partial, free, keys }
        })
        .collect();
    let moves = generators.into_iter().map(|(values, positions, summands, maps)| Moves {
        values: values.into(),
        positions: positions.into(),
        summands: summands.into(),
        maps: maps.into(),
    });
    Symmetry::new(values, names, arrays, moves.collect())
        .map_err(|message| EvaluationError::new_err((message, None::<usize>)))
}

type Situation = Vec<(u32, Vec<u8>)>;
pub(super) type Shown = (&'static str, u32, Situation, Situation, Vec<Vec<u8>>, Vec<Vec<u8>>);

/// Why an exploration is not complete, and the summand that a limit is about.
pub(super) fn told(incomplete: Option<Incomplete>) -> (Option<&'static str>, Option<usize>) {
    let Some(incomplete) = incomplete else { return (None, None) };
    match incomplete {
        Incomplete::States => (Some("states"), None),
        Incomplete::Values(summand) => (Some("values"), Some(summand)),
        Incomplete::Labels(summand) => (Some("labels"), summand),
        Incomplete::Calls(summand) => (Some("calls"), Some(summand)),
        Incomplete::Memory => (Some("memory"), None),
        Incomplete::Time => (Some("time"), None),
        Incomplete::Interrupted | Incomplete::Unwritten => (Some("interrupted"), None),
        Incomplete::Found => (Some("found"), None),
    }
}

/// A witness as Python takes it: what failed, the parameter or summand, the situation and its image,
/// and what was expected and found there.
pub(super) fn shown(process: &EngineProcess, witness: Witness) -> Shown {
    match witness {
        Witness::Initial(parameter, value, image) => {
            ("initial", parameter, vec![], vec![], vec![image], vec![value])
        }
        Witness::Value(value) => ("value", 0, vec![], vec![], vec![], vec![value]),
        Witness::Summand(summand) => ("summand", summand, vec![], vec![], vec![], vec![]),
        Witness::Label(label) => {
            let text = process.labels.labels.get(label).to_vec();
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

/// What an exploration under a symmetry found.
#[pyclass(frozen, module = "lts._engine")]
pub struct Reduced {
    #[pyo3(get)]
    quotient: Option<Py<Quotient>>,
    /// Which generator is no symmetry, and why.
    witness: Option<(usize, Shown)>,
    #[pyo3(get)]
    incomplete: Option<&'static str>,
    #[pyo3(get)]
    limit_summand: Option<usize>,
    #[pyo3(get)]
    traces: Vec<(bool, Vec<(Label, u32)>)>,
    #[pyo3(get)]
    deadlocks: BigUint,
    #[pyo3(get)]
    order: BigUint,
    #[pyo3(get)]
    strategy: &'static str,
    #[pyo3(get)]
    orbits: usize,
    #[pyo3(get)]
    steps: u64,
    #[pyo3(get)]
    states: BigUint,
    #[pyo3(get)]
    transitions: BigUint,
    #[pyo3(get)]
    store: usize,
    #[pyo3(get)]
    checked: usize,
    #[pyo3(get)]
    proving: f64,
}

#[pymethods]
impl Reduced {
    #[getter]
    fn witness<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some((which, shown)) = &self.witness else { return Ok(None) };
        Ok(Some((*which, as_python(py, shown)?).into_pyobject(py)?.into_any()))
    }
}

/// A witness with its texts as bytes.
pub(super) fn as_python<'py>(py: Python<'py>, shown: &Shown) -> PyResult<Bound<'py, PyAny>> {
    let (kind, number, situation, image, expected, found) = shown;
    let bytes = |items: &Vec<Vec<u8>>| -> Vec<Bound<'py, PyBytes>> {
        items.iter().map(|item| PyBytes::new(py, item)).collect()
    };
    let pairs = |items: &Situation| -> Vec<(u32, Bound<'py, PyBytes>)> {
        items.iter().map(|(p, item)| (*p, PyBytes::new(py, item))).collect()
    };
    let parts = (*kind, *number, pairs(situation), pairs(image), bytes(expected), bytes(found));
    Ok(parts.into_pyobject(py)?.into_any())
}

/// Python, while states are explored.
#[derive(Default)]
pub(super) struct Callbacks {
    pub write: Option<Py<PyAny>>,
    pub progress: Option<Py<PyAny>>,
    pub is_wanted: Option<Py<PyAny>>,
    pub raised: Option<PyErr>,
}

impl Callbacks {
    /// Raises the error that was kept. An interrupt that came while a callback ran is one like any
    /// other, and told by what is returned.
    pub fn raise(&mut self, py: Python<'_>) -> PyResult<()> {
        let interrupt = |error: &PyErr| error.is_instance_of::<PyKeyboardInterrupt>(py);
        self.raised.take().filter(|error| !interrupt(error)).map_or(Ok(()), Err)
    }

    /// Keeps an error for the end.
    fn keep<T>(&mut self, result: PyResult<T>) -> Option<T> {
        result.map_err(|error| self.raised.get_or_insert(error)).ok()
    }
}

impl Callbacks {
    /// Tells Python how far it is; false if it wants no more.
    fn tell<A: for<'py> PyCallArgs<'py>>(&mut self, account: impl FnOnce() -> A) -> bool {
        if self.raised.is_some() {
            return false;
        }
        let told = Python::attach(|py| {
            if py.check_signals().is_err() {
                return Ok(false); // the interrupt is told by what is returned
            }
            match &self.progress {
                Some(progress) => progress.call1(py, account()).map(|_| true),
                None => Ok(true),
            }
        });
        self.keep(told).unwrap_or(false)
    }
}

impl QuotientHost for Callbacks {
    fn poll(&mut self, orbits: usize, explored: usize) -> bool {
        self.tell(|| (orbits, explored))
    }

    fn is_wanted(&mut self, label: &[u8]) -> bool {
        Host::is_wanted(self, label)
    }
}

impl Host for Callbacks {
    fn poll(&mut self, account: &EngineAccount) -> bool {
        self.tell(|| (Account::from(account),))
    }

    fn write(&mut self, text: &[u8]) -> bool {
        let Some(write) = &self.write else { return true };
        let written = Python::attach(|py| write.call1(py, (PyBytes::new(py, text),)).map(|_| ()));
        self.keep(written).is_some()
    }

    fn is_wanted(&mut self, label: &[u8]) -> bool {
        let Some(is_wanted) = &self.is_wanted else { return false };
        let answer = Python::attach(|py| {
            is_wanted.call1(py, (PyBytes::new(py, label),))?.extract::<bool>(py)
        });
        self.keep(answer).unwrap_or(false)
    }
}

/// What a generation has seen.
#[pyclass(frozen, get_all, module = "lts._engine")]
pub struct Account {
    states: usize,
    explored: usize,
    transitions: u64,
    levels: usize,
    deadlocks: u64,
    store: usize,
    tables: usize,
    evaluations: u64,
    rewriting: f64,
    time: f64,
    memory: usize,
}

impl From<&EngineAccount> for Account {
    fn from(account: &EngineAccount) -> Self {
        Self {
            states: account.states,
            explored: account.explored,
            transitions: account.transitions,
            levels: account.levels,
            deadlocks: account.deadlocks,
            store: account.store,
            tables: account.tables,
            evaluations: account.evaluations,
            rewriting: account.rewriting.as_secs_f64(),
            time: account.time.as_secs_f64(),
            memory: account.memory,
        }
    }
}

type Label = Py<PyBytes>;

/// What a generation found.
#[pyclass(frozen, get_all, module = "lts._engine")]
pub struct Exploration {
    account: Py<Account>,
    lts: Option<Py<Lts>>,
    incomplete: Option<&'static str>,
    limit_summand: Option<usize>,
    labels: Vec<Label>,
    traces: Vec<(bool, Vec<(Label, u32)>)>,
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EvaluationError", module.py().get_type::<EvaluationError>())?;
    module.add("MAX_LABELS", MAX_LABELS)?;
    module.add("LabelLimit", module.py().get_type::<LabelLimit>())?;
    module.add("MAX_CALLS", MAX_CALLS)?;
    module.add("CallLimit", module.py().get_type::<CallLimit>())?;
    module.add_class::<Data>()?;
    module.add_class::<Evaluation>()?;
    module.add_class::<Process>()?;
    module.add_class::<Reduced>()?;
    module.add_class::<Account>()?;
    module.add_class::<Exploration>()
}
