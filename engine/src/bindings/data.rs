//! Data specifications as Python passes them, and operations on single terms.

use crate::base::cancel::Cancel;
use crate::base::ids::as_index;
use crate::base::lock::Locked;
use crate::bindings::work::{direct, run};
use crate::data::enumerate::{NoValues, first_values};
use crate::data::missing_cases::missing_case;
use crate::data::numbers::numerals::MOST_EXPANDED;
use crate::data::numbers::{Kind as NumberKind, NumberSort, Operation};
use crate::data::rewrite::declare::{Declarations, Declared, Undeclared};
use crate::data::rewrite::unfinished::Unfinished;
use crate::data::rewrite::{Data as EngineData, MAX_STEPS};
use crate::data::solve::quantified::quantified;
use crate::data::term_codes::REPEATED;
use crate::data::terms::{Collection, Head, Kind, Symbol, Term, Terms};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::Mutex;

pyo3::create_exception!(
    _engine,
    EvaluationError,
    pyo3::exceptions::PyException,
    "A term cannot be evaluated: (message, number of the summand or None)."
);

pyo3::create_exception!(
    _engine,
    StepLimit,
    EvaluationError,
    "A term takes too many steps: (message, number of the summand or None)."
);

/// Steps of rewriting that take negligible time.
const FEW_STEPS: u64 = 10_000;

pub(crate) type Code = Vec<i64>;

/// A symbol as Python passes it; `lts/specification/codes.py` describes the fields.
#[derive(FromPyObject)]
struct RawSymbol {
    name: Vec<u8>,
    arguments: Vec<u32>,
    sort: u32,
    kind: u8,
    native: Option<String>,
}

#[derive(FromPyObject)]
struct RawRule {
    variables: Vec<u32>,
    left: Code,
    right: Code,
    condition: Option<Code>,
    name: String,
}

#[derive(FromPyObject)]
struct RawNumbers {
    kind: String,
    sort: u32,
    constructors: [u32; 2],
}

#[derive(FromPyObject)]
struct RawCollection {
    kind: String,
    empty: u32,
    insert: u32,
}

#[derive(FromPyObject)]
pub(crate) struct RawData {
    sorts: Vec<Vec<u8>>,
    symbols: Vec<RawSymbol>,
    rules: Vec<RawRule>,
    truth: u32,
    falsity: u32,
    strict: bool,
    loose: bool,
    numbers: Vec<RawNumbers>,
    collections: Vec<RawCollection>,
    fraction: Option<u32>,
}

pub(crate) fn malformed(message: String) -> PyErr {
    PyValueError::new_err(message)
}

pub(crate) fn data(py: Python<'_>, raw: RawData) -> PyResult<EngineData> {
    let RawData { sorts, symbols, rules, truth, falsity, strict, loose, .. } = raw;
    let RawData { numbers, collections, fraction, .. } = raw;
    let symbols = symbols
        .into_iter()
        .map(|RawSymbol { name, arguments, sort, kind, native }| {
            let kind = match kind {
                0 => Kind::Constructor,
                1 => Kind::Map,
                2 => Kind::Placeholder,
                _ => return Err(malformed(format!("no kind of symbol has number {kind}"))),
            };
            let native = match native {
                None => None,
                Some(name) => match Operation::of(&name) {
                    Some(known) if known.arity() == arguments.len() => Some(known),
                    _ => return Err(malformed(format!("no operation on numbers is `{name}`"))),
                },
            };
            Ok(Symbol { native, ..Symbol::new(name, &arguments, sort, kind) })
        })
        .collect::<PyResult<Vec<_>>>()?;
    let numbers = numbers
        .into_iter()
        .map(|RawNumbers { kind, sort, constructors }| {
            let kind = match &kind[..] {
                "Pos" => NumberKind::Positive,
                "Nat" => NumberKind::Natural,
                "Int" => NumberKind::Integer,
                _ => return Err(malformed(format!("no sort of numbers is `{kind}`"))),
            };
            Ok(NumberSort { kind, sort, constructors })
        })
        .collect::<PyResult<Vec<_>>>()?;
    let mut names = Vec::new();
    let mut declared = Vec::new();
    for RawRule { variables, left, right, condition, name } in rules {
        names.push(name);
        // Variables are numbered by first occurrence: those of the left side come first.
        let of_left = left
            .iter()
            .filter(|&&token| token < 0)
            .map(|token| as_index(token.unsigned_abs()))
            .max();
        let bound = variables.get(of_left.unwrap_or(0)..).unwrap_or_default().to_vec();
        declared.push(Declared { variables: variables.len(), bound, left, right, condition });
    }
    let rules = declared;
    let declarations = Declarations { sorts, symbols, rules, truth, falsity, numbers, loose };
    let declared = run(py, |cancel| EngineData::declared(declarations, cancel))?;
    let mut data = declared.map_err(|error| match error {
        Undeclared::Malformed(message) => malformed(message),
        Undeclared::Stopped(why) => why.into(),
    })?;
    data.rule_names = names;
    data.decide = Some(quantified);
    data.terms.strict = strict;
    if fraction.is_some_and(|symbol| data.terms.symbols[symbol as usize].arguments.len() != 2) {
        return Err(malformed("a fraction is made of two numbers".into()));
    }
    data.terms.fraction = fraction;
    for RawCollection { kind, empty, insert } in collections {
        let (brackets, arity): ([&[u8]; 2], _) = match &kind[..] {
            "list" => ([b"[", b"]"], 2),
            "set" => ([b"{", b"}"], 2),
            "bag" => ([b"{", b"}"], 3),
            _ => return Err(malformed(format!("no collection is a `{kind}`"))),
        };
        let symbols = &data.terms.symbols;
        if symbols.get(insert as usize).is_none_or(|s| s.arguments.len() != arity) {
            return Err(malformed(format!("the constructor of a {kind} takes {arity} arguments")));
        }
        data.terms.collections.push(Collection { empty, insert, brackets });
    }
    Ok(data)
}

/// Sorts, symbols and rules, and operations on single terms.
#[pyclass(frozen, module = "lts._engine")]
pub struct Data(Mutex<EngineData>);

impl Data {
    /// Runs work that may take long, in a thread of its own.
    fn during<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut EngineData) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        run(py, |cancel| {
            let mut data = self.0.locked();
            data.begin(cancel.clone());
            let done = work(&mut data);
            data.begin(Cancel::never());
            done
        })?
    }

    /// The normal form of a term as `show` presents it, and whether it is a value.
    fn normal<T: Send>(
        &self,
        py: Python<'_>,
        code: &[i64],
        show: impl Fn(&EngineData, Term) -> T + Send + Sync,
    ) -> PyResult<(T, bool)> {
        // Most terms take few steps, for which starting an interruptible thread is too expensive.
        let soon = self.soon(py, |data| {
            let term = data.terms.decode(code).map_err(malformed)?;
            let limit = std::mem::replace(&mut data.step_limit, FEW_STEPS);
            let normal = data.normalise(term);
            data.step_limit = limit;
            Ok(normal.ok().map(|normal| (show(data, normal), data.terms.is_value(normal))))
        })?;
        if let Some(result) = soon {
            return Ok(result);
        }
        self.during(py, |data| {
            let term = data.terms.decode(code).map_err(malformed)?;
            let normal = data.normalise(term).map_err(|error| unfinished(&error))?;
            Ok((show(data, normal), data.terms.is_value(normal)))
        })
    }

    /// The same term as one of this data in another table, which has its symbols and perhaps more.
    pub(crate) fn copied_to(&self, to: &mut Terms, term: Term) -> PyResult<Term> {
        let data = self.0.locked();
        if term as usize >= data.terms.len() {
            return Err(malformed(format!("there is no term {term}")));
        }
        to.copied(&data.terms, term).ok_or_else(foreign)
    }

    /// The same term as one of another table.
    pub(crate) fn copied_from(&self, from: &Terms, term: Term) -> PyResult<Term> {
        let mut data = self.0.locked();
        let copy = data.terms.copied(from, term).ok_or_else(foreign)?;
        data.normalise(copy).map_err(|error| unfinished(&error))
    }

    /// Runs work that takes few steps, in this thread.
    fn soon<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut EngineData) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        direct(py, || work(&mut self.0.locked()))?
    }
}

fn foreign() -> PyErr {
    malformed("a term has a symbol that is unknown in other data".into())
}

fn unfinished(error: &Unfinished) -> PyErr {
    let (message, summand) = (error.to_string(), None::<usize>);
    match error {
        Unfinished::Endless { .. } | Unfinished::Nested { .. } => {
            StepLimit::new_err((message, summand))
        }
        Unfinished::Stopped(_) => EvaluationError::new_err((message, summand)),
    }
}

#[pymethods]
impl Data {
    #[new]
    fn new(py: Python<'_>, data: RawData) -> PyResult<Self> {
        Ok(Self(Mutex::new(self::data(py, data)?)))
    }

    /// The normal form of a term as text, and whether it is a value.
    fn normal_form(&self, py: Python<'_>, code: Code) -> PyResult<(Vec<u8>, bool)> {
        self.normal(py, &code, |data, term| data.terms.show(term))
    }

    /// The number of the normal form of a term, and whether that is a value.
    fn value(&self, py: Python<'_>, code: Code) -> PyResult<(u32, bool)> {
        self.normal(py, &code, |_, term| term)
    }

    /// The text of a term, given by number; None if it is longer than about `most` bytes.
    fn shown(&self, term: u32, most: usize) -> PyResult<Option<Vec<u8>>> {
        let data = self.0.locked();
        if term as usize >= data.terms.len() {
            return Err(malformed(format!("there is no term {term}")));
        }
        let mut text = Vec::new();
        Ok(data.terms.write(term, most, &mut text).then_some(text))
    }

    /// Whether two terms are known to have different values; False if deciding takes many steps.
    fn differ(&self, py: Python<'_>, one: Code, other: Code) -> PyResult<bool> {
        self.soon(py, |data| {
            let left = data.terms.decode(&one).map_err(malformed)?;
            let right = data.terms.decode(&other).map_err(malformed)?;
            let limit = std::mem::replace(&mut data.step_limit, FEW_STEPS);
            let normal = [data.normalise(left), data.normalise(right)];
            data.step_limit = limit;
            let [Ok(left), Ok(right)] = normal else { return Ok(false) };
            let are_values = data.terms.is_value(left) && data.terms.is_value(right);
            Ok(left != right && are_values && data.differ(left, right))
        })
    }

    /// Whether a condition is decided whenever all operands combined by its Boolean operators are
    /// decided.
    fn is_decided_by_parts(&self, py: Python<'_>, condition: Code) -> PyResult<bool> {
        self.soon(py, |data| {
            let condition = data.terms.decode(&condition).map_err(malformed)?;
            Ok(data.is_decided_by_parts(condition))
        })
    }

    /// An application of a symbol to values that no rule rewrites, found among at most `tries`;
    /// None if there is none.
    fn missing_case(&self, py: Python<'_>, symbol: u32, tries: usize) -> PyResult<Option<Vec<u8>>> {
        self.during(py, |data| {
            if symbol as usize >= data.terms.symbols.len() {
                return Err(malformed(format!("there is no symbol {symbol}")));
            }
            let case = missing_case(data, symbol, tries).map_err(|error| unfinished(&error))?;
            Ok(case.map(|term| data.terms.show(term)))
        })
    }

    /// The numbers of the values of a sort, and whether these are all: an empty list if it is not
    /// known that there are at most `most`. None if the sort, or one that its values are built
    /// from, has no constructors.
    fn values(&self, py: Python<'_>, sort: u32, most: usize) -> PyResult<Option<(Vec<u32>, bool)>> {
        self.during(py, |data| {
            if sort as usize >= data.constructors.len() {
                return Err(malformed(format!("there is no sort {sort}")));
            }
            match first_values(data, sort, most.saturating_add(1)) {
                Err(NoValues::NoConstructors(_)) => Ok(None),
                Err(NoValues::Unfinished(error)) => Err(unfinished(&error)),
                Ok((mut values, all)) => {
                    let complete = all && values.len() <= most;
                    if !complete {
                        // A very large set of values may contain very deep ones, which would take
                        // too long to show.
                        values.clear();
                    }
                    Ok(Some((values, complete)))
                }
            }
        })
    }

    /// Whether a sort is known to have infinitely many values.
    fn is_infinite(&self, sort: u32) -> PyResult<bool> {
        let data = self.0.locked();
        if sort as usize >= data.constructors.len() {
            return Err(malformed(format!("there is no sort {sort}")));
        }
        Ok(data.has_infinitely_many_values(sort))
    }

    /// The arguments of a term.
    fn parts(&self, term: u32) -> PyResult<Vec<u32>> {
        let data = self.0.locked();
        if term as usize >= data.terms.len() {
            return Err(malformed(format!("there is no term {term}")));
        }
        Ok(data.terms.children(term).to_vec())
    }

    /// Whether a term consists of numerals and of symbols whose byte in `builders` is not 0.
    fn is_built_by(&self, term: u32, builders: &[u8]) -> PyResult<bool> {
        let data = self.0.locked();
        if term as usize >= data.terms.len() {
            return Err(malformed(format!("there is no term {term}")));
        }
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![term]);
        while let Some(at) = waiting.pop() {
            if !seen.insert(at) {
                continue;
            }
            if let Head::Symbol(symbol) = data.terms.head(at)
                && builders.get(symbol as usize).is_none_or(|&byte| byte == 0)
            {
                return Ok(false);
            }
            waiting.extend_from_slice(data.terms.children(at));
        }
        Ok(true)
    }

    /// The normal form of a term, in at most `max_steps` steps, with or without memoisation of
    /// calls; None if its text is longer than `most` bytes.
    fn evaluate(
        &self,
        py: Python<'_>,
        code: Code,
        max_steps: u64,
        memoise: bool,
        most: usize,
    ) -> PyResult<Option<Evaluation>> {
        self.during(py, |data| {
            let term = data.terms.decode(&code).map_err(malformed)?;
            let before = (data.step_limit, data.memo.enabled, data.steps, data.memo.hits);
            (data.step_limit, data.memo.enabled) = (max_steps, memoise);
            let normal = data.normalise(term);
            (data.step_limit, data.memo.enabled) = (before.0, before.1);
            let normal = normal.map_err(|error| unfinished(&error))?;
            let mut text = Vec::new();
            let shown = data.terms.write(normal, most, &mut text);
            Ok(shown.then(|| Evaluation {
                text,
                is_value: data.terms.is_value(normal),
                steps: data.steps - before.2,
                found: data.memo.hits - before.3,
            }))
        })
    }
}

/// The result of evaluating a term.
#[pyclass(frozen, module = "lts._engine")]
pub struct Evaluation {
    text: Vec<u8>,
    #[pyo3(get)]
    is_value: bool,
    /// The number of rule applications.
    #[pyo3(get)]
    steps: u64,
    /// The number of results that were memoised.
    #[pyo3(get)]
    found: u64,
}

#[pymethods]
impl Evaluation {
    #[getter]
    fn text(&self) -> &[u8] {
        &self.text
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("LARGEST_MATCHED", MOST_EXPANDED)?;
    module.add("REPEATED", REPEATED)?;
    module.add("EvaluationError", module.py().get_type::<EvaluationError>())?;
    module.add("StepLimit", module.py().get_type::<StepLimit>())?;
    module.add("MAX_STEPS", MAX_STEPS)?;
    module.add_class::<Data>()?;
    module.add_class::<Evaluation>()
}
