//! Model checking.

use crate::base::cancel::{Cancel, Result, Stopped};
use crate::base::lock::Locked;
use crate::bindings::data::{Code, Data, malformed};
use crate::bindings::lts::Lts;
use crate::bindings::process::group_statistics::GroupStatistics;
use crate::bindings::process::orbits::Symmetry;
use crate::bindings::process::settings::{Goals, Settings};
use crate::bindings::process::{Process, ShownPreimage, preimage_shown};
use crate::bindings::work::{run, within_limit};
use crate::check::data_formula::{Coded, DataFormula};
use crate::check::fair_paths::automaton_states::{
    AutomatonFormula, AutomatonState, Kind, Move, Requirement,
};
use crate::check::fair_paths::lts_graph::LtsGraph;
use crate::check::fair_paths::no_path::NoPath;
use crate::check::fair_paths::{FairPathSearch, Outcome};
use crate::check::on_the_fly::check as engine_check;
use crate::check::on_the_fly::paths::find_path as find_path_of;
use crate::check::on_the_fly::question::Question;
use crate::check::parity_game::formula::{After, Formula, Part, Parts};
use crate::check::parity_game::game::Arena;
use crate::check::parity_game::play::{Play, own_play, play};
use crate::check::parity_game::zielonka::{evidence, solve};
use crate::data::rewrite::Data as EngineData;
use crate::data::terms::Term;
use crate::process::linear::stop::Stop;
use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A formula implemented in Python: see `Instances` in `lts/_engine.pyi`.
struct PythonFormula {
    object: Py<PyAny>,
    /// The cancellation of the work that uses the formula.
    cancel: Cancel,
    /// The first exception, which ends the work.
    raised: Option<PyErr>,
}

impl PythonFormula {
    fn new(object: Py<PyAny>) -> Self {
        Self { object, cancel: Cancel::never(), raised: None }
    }

    /// Calls the object. One step of the work may call it millions of times, for instance once for
    /// each label of a state, so each call checks whether the work has to stop.
    fn call<T>(&mut self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T> {
        self.cancel.check()?;
        match Python::attach(|py| call(self.object.bind(py))) {
            Ok(answer) => Ok(answer),
            Err(error) => {
                self.raised.get_or_insert(error);
                Err(Stopped::Interrupt)
            }
        }
    }
}

fn part((operator, number, inner): (String, u32, Vec<u32>)) -> PyResult<Part> {
    let wrong = || PyValueError::new_err("this is not a part of a formula");
    let first = || inner.first().copied().ok_or_else(wrong);
    let after = || inner.first().map_or(After::OfLabel, |&part| After::Part(part));
    Ok(match &operator[..] {
        "and" => Part::And(inner),
        "or" => Part::Or(inner),
        "can" => Part::Can(number, after()),
        "must" => Part::Must(number, after()),
        "one of" => Part::OneOf(number),
        "each of" => Part::EachOf(number),
        "fixed" => Part::Fixed(number, first()?),
        _ => return Err(wrong()),
    })
}

impl Formula for PythonFormula {
    fn part(&mut self, number: u32) -> Result<Part> {
        self.call(|formula| part(formula.call_method1("part", (number,))?.extract()?))
    }

    fn constant(&mut self, set: u32) -> Result<Option<bool>> {
        self.call(|formula| formula.call_method1("constant", (set,))?.extract())
    }

    fn has(&mut self, set: u32, label: &[u8]) -> Result<bool> {
        self.call(|formula| formula.call_method1("has", (set, label))?.is_truthy())
    }

    fn after(&mut self, set: u32, label: &[u8]) -> Result<Vec<u32>> {
        self.call(|formula| formula.call_method1("after", (set, label))?.extract())
    }

    fn here(&mut self, number: u32, labels: &[&[u8]]) -> Result<Vec<u32>> {
        self.call(|formula| formula.call_method1("here", (number, labels.to_vec()))?.extract())
    }
}

impl DataFormula for PythonFormula {
    fn taken_apart(&mut self, part: u32, data: &mut EngineData) -> Result<(u32, Vec<Term>)> {
        self.call(|formula| {
            let (shape, values) = formula.call_method1("taken_apart", (part,))?.extract()?;
            let values: Vec<Value> = values;
            let own = own_data(formula)?;
            let terms = values.into_iter().map(|value| match (value, &own) {
                (Value::Term(term), Some(own)) => own.get().copied_to(&mut data.terms, term),
                (Value::Term(_), None) => Err(malformed("there are no terms here".into())),
                (Value::Code(code), _) => data.terms.decode(&code).map_err(malformed),
            });
            Ok((shape, terms.collect::<PyResult<_>>()?))
        })
    }

    fn put_together(&mut self, shape: u32, values: &[Term], data: &EngineData) -> Result<u32> {
        self.call(|formula| {
            let part = match own_data(formula)? {
                Some(own) => {
                    let each =
                        values.iter().map(|&value| own.get().copied_from(&data.terms, value));
                    let terms = each.collect::<PyResult<Vec<u32>>>()?;
                    formula.call_method1("put_together", (shape, terms))?
                }
                None => {
                    let texts: Vec<_> =
                        values.iter().map(|&value| data.terms.show(value)).collect();
                    formula.call_method1("put_together", (shape, texts))?
                }
            };
            part.extract()
        })
    }

    fn is_internal(&mut self, label: &[u8]) -> Result<bool> {
        self.call(|formula| formula.call_method1("is_internal", (label,))?.is_truthy())
    }
}

/// The data whose terms are the values of a formula, if its symbols have the same numbers as those
/// of the process.
fn own_data<'py>(formula: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, Data>>> {
    let terms = formula.getattr("terms")?;
    if terms.is_none() { Ok(None) } else { Ok(Some(terms.cast_into::<Data>()?)) }
}

/// A value of a formula: a term of its own data, or a code in the process.
#[derive(FromPyObject)]
enum Value {
    Term(u32),
    Code(Code),
}

/// A move and an automaton state as Python represents them (`lts/logic/paths/instances.py`).
#[derive(FromPyObject)]
struct RawMove {
    held: Vec<u32>,
    labels: u32,
    after: Option<u32>,
    promises: u64,
}

#[derive(FromPyObject)]
struct RawState {
    kind: String,
    moves: Vec<RawMove>,
    tasks: Vec<u32>,
    at_deadlock: Vec<u32>,
    here: Vec<u32>,
}

impl AutomatonFormula for PythonFormula {
    fn control(&mut self, number: u32) -> Result<AutomatonState> {
        self.call(|formula| {
            let state = formula.call_method1("walk", (number,))?;
            let RawState { kind, moves, tasks, at_deadlock, here } = state.extract()?;
            let kind = match &kind[..] {
                "pass" => Kind::Transient,
                "walk" => Kind::Recurrent,
                "any" => Kind::Accepting,
                _ => return Err(PyValueError::new_err("this is not a path")),
            };
            let after = |after: Option<u32>| after.map_or(After::OfLabel, After::Part);
            let moves = moves.into_iter().map(|own| Move {
                held: own.held,
                set: own.labels,
                after: after(own.after),
                open: own.promises,
            });
            Ok(AutomatonState {
                kind,
                moves: moves.collect(),
                at_deadlock,
                here,
                requirements: tasks,
            })
        })
    }

    fn requirement(&mut self, number: u32) -> Result<Requirement> {
        self.call(|formula| {
            let (steps, instead) = formula.call_method1("task", (number,))?.extract()?;
            Ok(Requirement { steps, instead })
        })
    }
}

/// The most moves of a play that is shown.
const MOST_MOVES: usize = 1 << 22;

/// Transition numbers, and the position from which they repeat.
type Path = (Vec<u32>, Option<usize>);

/// Whether a formula holds, the transitions that show it, and a path.
type Shown = (bool, Vec<u32>, Option<Path>);

/// Whether part `root` of a formula holds initially, the numbers of the transitions that show it,
/// and, if the answer is `path`, the path of a play. None at the limit.
#[pyfunction]
fn check(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    formula: Py<PyAny>,
    root: u32,
    most: usize,
    path: Option<bool>,
) -> PyResult<Option<Shown>> {
    let lts = &lts.get().0;
    let mut parts = Parts::new(PythonFormula::new(formula));
    let checked = run(py, |cancel| {
        parts.formula.cancel = cancel.clone();
        let arena = Arena::new(lts, &mut parts, root, [lts.initial].into_iter(), most, cancel)?;
        let solution = solve(&arena, cancel)?;
        let holds = solution.winner[0] == 0;
        let is_shown = path == Some(holds);
        let played = is_shown.then(|| play(&arena, &solution, false, MOST_MOVES)).flatten();
        let played = if path.is_some() { played } else { own_play(&arena, &solution) };
        let shown = played.map(|Play { edges, again }| {
            (edges.into_iter().map(|edge| arena.transition(edge)).collect(), again)
        });
        Ok((holds, evidence(&arena, &solution), shown))
    });
    match parts.formula.raised {
        Some(error) => Err(error),
        None => within_limit(checked?),
    }
}

/// The result of a search for a path, transition numbers, and the position from which they repeat.
type Walked = (&'static str, Vec<u32>, Option<usize>);

/// Searches for a path of the automaton state `root`. The result is `found` with the transitions of
/// an accepted path, `nothing` with all transitions that were followed, or `limit` or `many` (too
/// many automaton states) without transitions.
#[pyfunction]
fn find_path(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    formula: Py<PyAny>,
    root: u32,
    most: usize,
) -> PyResult<Walked> {
    let lts = &lts.get().0;
    let mut formula = Coded::new(PythonFormula::new(formula), None);
    let outcome = run(py, |cancel| {
        formula.formula().cancel = cancel.clone();
        let mut graph = LtsGraph::new(lts, most, cancel);
        path_of(&mut graph, &mut formula, root)
    });
    match formula.formula().raised.take() {
        Some(error) => Err(error),
        None => match outcome? {
            Ok(outcome) => Ok(outcome),
            Err(NoPath::Stop(Stop::Stopped(why))) => Err(why.into()),
            Err(NoPath::States) => Ok(("many", Vec::new(), None)),
            // There are more nodes than allowed, or than have numbers.
            Err(_) => Ok(("limit", Vec::new(), None)),
        },
    }
}

fn path_of(
    graph: &mut LtsGraph,
    formula: &mut Coded<PythonFormula>,
    root: u32,
) -> Result<Walked, NoPath> {
    let mut search = FairPathSearch::new(graph, formula, root)?;
    match search.run()? {
        Outcome::Stopped => Err(NoPath::Nodes),
        Outcome::Nothing => {
            let steps = search.followed()?;
            let mut transitions: Vec<u32> =
                steps.into_iter().map(|at| search.graph.transition(at)).collect();
            transitions.sort_unstable();
            Ok(("nothing", transitions, None))
        }
        Outcome::Accepted(shown) => {
            let lasso = search.lasso(&shown)?;
            let transitions =
                lasso.steps.iter().map(|edge| search.graph.transition(edge.at as usize));
            Ok(("found", transitions.collect(), lasso.again))
        }
    }
}

/// The states in which part `root` of a formula holds, as bits. None at the limit.
#[pyfunction]
fn satisfying_states(
    py: Python<'_>,
    lts: &Bound<'_, Lts>,
    formula: Py<PyAny>,
    root: u32,
    most: usize,
) -> PyResult<Option<Vec<u8>>> {
    let lts = &lts.get().0;
    let mut parts = Parts::new(PythonFormula::new(formula));
    let states = run(py, |cancel| {
        parts.formula.cancel = cancel.clone();
        let arena = Arena::new(lts, &mut parts, root, lts.each_state(), most, cancel)?;
        let mut bits = vec![0_u8; (lts.states as usize).div_ceil(8)];
        for (state, winner) in
            solve(&arena, cancel)?.winner[..lts.states as usize].iter().enumerate()
        {
            bits[state / 8] |= u8::from(*winner == 0) << (state % 8);
        }
        Ok(bits)
    });
    match parts.formula.raised {
        Some(error) => Err(error),
        None => within_limit(states?),
    }
}

/// Transitions (source, number of the label, target); the labels; the number of states.
type ShownEvidence = (Vec<(u32, u32, u32)>, Vec<Vec<u8>>, usize);

/// The result of a check on a process.
#[pyclass(frozen, get_all, extends = GroupStatistics, module = "lts._engine")]
pub struct Checked {
    holds: Option<bool>,
    evidence: Option<ShownEvidence>,
    /// The path of a play, as numbers of transitions of the evidence.
    path: Option<Path>,
    /// If orbits were explored, the representative's step that each step of the path is the image
    /// of.
    preimages: Vec<ShownPreimage>,
    explored: usize,
    pairs: BigUint,
    states: usize,
}

/// The question about a process. `shapes` are the number of shapes of parts of the formula and the
/// maximum number of values; `most` bounds the positions, `evidence` the pairs of the evidence if
/// it is requested; `path` is the answer for which a single path is shown, if any. If `walks`, the
/// root is an automaton state and the question is whether it has a path.
#[derive(FromPyObject)]
struct RawQuestion {
    root: u32,
    shapes: Option<(usize, usize)>,
    most: usize,
    evidence: Option<usize>,
    path: Option<bool>,
    walks: bool,
}

/// Whether part `root` of a formula holds in the initial state of a process, explored under a
/// group. None if there are too many automaton states.
#[pyfunction]
fn check_process(
    py: Python<'_>,
    process: &Bound<'_, Process>,
    symmetry: &Bound<'_, Symmetry>,
    settings: Settings,
    formula: Py<PyAny>,
    question: RawQuestion,
) -> PyResult<Option<Py<Checked>>> {
    let options = settings.under(&symmetry.get().proven, false, &Goals::default())?;
    let mut process = process.get().0.locked();
    let process = &mut *process;
    let symmetry = symmetry.get().of(process)?;
    let RawQuestion { root, shapes, most, evidence, path, walks } = question;
    let (shapes, slots) = (shapes.map_or(0, |shapes| shapes.0), shapes.map(|shapes| shapes.1));
    let question = Question { root, shapes, most, evidence, path };
    let formula = PythonFormula::new(formula);
    let mut formula = Coded::new(formula, slots);
    let (cancel, callbacks) = (settings.cancel(), settings.callbacks(Goals::default()));
    formula.formula().cancel = cancel.clone();
    let result = callbacks.during(py, process, cancel, |process, callbacks| {
        let result = if walks {
            find_path_of(process, symmetry, &mut formula, &question, &options, callbacks)
        } else {
            engine_check(process, symmetry, &mut formula, &question, &options, callbacks).map(Some)
        };
        if let Some(error) = formula.formula().raised.take() {
            callbacks.raised.get_or_insert(error);
        }
        result
    });
    let Some(result) = result? else { return Ok(None) };
    let statistics = GroupStatistics::new(result.statistics, process, None);
    let (mut path, mut preimages) = (None, Vec::new());
    let evidence = result.evidence.map(|result| {
        path = result.path;
        preimages = result.preimages.into_iter().map(preimage_shown).collect();
        let labels = process.labels.labels.iter().map(<[u8]>::to_vec).collect();
        (result.transitions, labels, result.states)
    });
    let checked = Checked {
        holds: result.holds,
        evidence,
        path,
        preimages,
        explored: result.explored,
        pairs: result.pairs,
        states: result.states,
    };
    Py::new(py, PyClassInitializer::from(statistics).add_subclass(checked)).map(Some)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Checked>()?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(find_path, module)?)?;
    module.add_function(wrap_pyfunction!(satisfying_states, module)?)?;
    module.add_function(wrap_pyfunction!(check_process, module)?)
}
