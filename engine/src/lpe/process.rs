//! A linear process and the tables of its local steps.
//!
//! A summand reads few parameters. What it does depends on their values only, so its steps are
//! computed once for each combination of them and looked up ever after.

use crate::base::label_table::Labels;
use crate::base::row_interner::Rows;
use crate::data::rewrite::Data;
use crate::data::rewrite::limits::Endless;
use crate::data::solve::{Problem, Unsolvable, solve};
use crate::data::terms::{NONE, Term};
use crate::group::permutation::Permutation;
use crate::lpe::type_check::Check;
use rustc_hash::FxHashMap;

/// For all values of its variables that meet equations and conditions: an action and updates.
///
/// Variables of the terms: the parameters from 0, then the summand's own.
pub struct Summand {
    /// Sorts of its own variables.
    pub sorts: Vec<u32>,
    pub equations: Vec<(Term, Term)>,
    pub conditions: Vec<Term>,
    pub action: u32,
    pub arguments: Vec<Term>,
    /// Parameters and their new values.
    pub updates: Vec<(u32, Term)>,
    /// The parameters that occur in its terms, in order.
    pub reads: Vec<u32>,
    /// Others of the same action that update the same parameters: their steps are steps of this one.
    pub also: Vec<Summand>,
}

impl Summand {
    /// The terms in it, those of the others included.
    fn terms(&self) -> impl Iterator<Item = Term> {
        [self].into_iter().chain(&self.also).flat_map(|summand| {
            let equations = summand.equations.iter().flat_map(|&(l, r)| [l, r]);
            let conditions = summand.conditions.iter().copied();
            let arguments = summand.arguments.iter().copied();
            let updates = summand.updates.iter().map(|&(_, term)| term);
            equations.chain(conditions).chain(arguments).chain(updates)
        })
    }
}

/// The local steps of one summand that are known: for values of the parameters it reads, rows of a
/// label key and the new values of the parameters it writes.
pub struct Table {
    pub keys: Rows,
    /// Where the rows of each key begin and end in `rows`, counted in rows.
    pub spans: Vec<(u32, u32)>,
    pub rows: Vec<u32>,
    pub width: usize,
}

/// A label before it is text: an action and its arguments.
#[derive(Default)]
pub struct LabelKeys {
    numbers: FxHashMap<Box<[u32]>, u32>,
    pub keys: Vec<Box<[u32]>>,
    /// For every key the number of its text.
    pub texts: Vec<u32>,
    pub labels: Labels,
    /// Bytes of all texts.
    written: usize,
}

/// A linear process over its data.
pub struct Process {
    pub data: Data,
    pub parameters: usize,
    pub initial: Vec<Term>,
    pub actions: Vec<Vec<u8>>,
    pub summands: Vec<Summand>,
    pub tables: Vec<Table>,
    pub labels: LabelKeys,
    /// What is checked of every value, if anything.
    pub check: Option<Check>,
    /// The parameters that are stacks of calls.
    pub stacks: Vec<u32>,
}

/// Bytes that all labels may take: a million labels of ever deeper terms would take terabytes.
pub const MAX_LABELS: usize = 1 << 28;

/// Calls that may wait on one stack: more are taken for recursion without end.
pub const MAX_CALLS: usize = 10_000;

/// What stops an exploration, other than being finished.
#[derive(Debug)]
pub enum Stop {
    /// A term cannot be evaluated; in which summand.
    Evaluation(String, Option<usize>),
    /// The labels take more than `MAX_LABELS` bytes; in which summand.
    Labels(Option<usize>),
    /// More than `MAX_CALLS` calls wait on a stack; which summand adds one.
    Calls(usize),
    /// Values that maps move are not permuted as the points of the group are.
    Unfit(Box<Unfit>),
    Interrupted,
}

/// Why values that maps of the specification move do not fit what is known of a group.
#[derive(Debug)]
pub enum Unfit {
    /// An element moves these, and no point; what each generator does to them.
    Points { members: Vec<Term>, images: Vec<Permutation> },
    /// A generator has one image for two values.
    Merged { which: usize, one: Term, other: Term, image: Term },
    /// A value has more images than may be looked at.
    Many { which: usize, value: Term, most: usize },
}

impl Process {
    /// Checks the initial values and finds out what summands read.
    pub fn new(
        mut data: Data,
        initial: Vec<Term>,
        actions: Vec<Vec<u8>>,
        mut summands: Vec<Summand>,
    ) -> Result<Self, Stop> {
        let parameters = initial.len();
        let mut values = Vec::new();
        for term in initial {
            values.push(value_of(&mut data, term, None)?);
        }
        let mut tables = Vec::new();
        for summand in &mut summands {
            let mut read = Vec::new();
            for term in summand.terms() {
                data.terms.variables(term, &mut read);
            }
            read.retain(|&v| (v as usize) < parameters);
            read.sort_unstable();
            summand.reads = read;
            tables.push(Table {
                keys: Rows::new(summand.reads.len()),
                spans: Vec::new(),
                rows: Vec::new(),
                width: 1 + summand.updates.len(),
            });
        }
        let labels = LabelKeys::default();
        Ok(Self {
            data,
            parameters,
            initial: values,
            actions,
            summands,
            tables,
            labels,
            check: None,
            stacks: Vec::new(),
        })
    }

    /// Whether a value of a parameter is a stack with too many calls on it.
    pub fn is_too_deep(&self, parameter: u32, value: Term) -> bool {
        self.stacks.contains(&parameter) && too_deep(&self.data, value)
    }

    /// Whether the local situation of summand `i` in a state is in its table. `key` is scratch.
    pub fn knows(&self, i: usize, state: &[u32], key: &mut Vec<u32>) -> bool {
        key.clear();
        key.extend(self.summands[i].reads.iter().map(|&p| state[p as usize]));
        self.tables[i].keys.find(key).is_some()
    }

    /// The key of a local situation of summand `i` in its table, whose rows are computed first if
    /// they are not known; `state` gives every parameter a value.
    ///
    /// With more than `cap` values to try, the rows found are left at the end of the table without
    /// a key, and `None` is returned with where they begin.
    pub fn local_steps(
        &mut self,
        i: usize,
        state: &[u32],
        key: &mut Vec<u32>,
        cap: usize,
    ) -> Result<Local, Stop> {
        key.clear();
        key.extend(self.summands[i].reads.iter().map(|&p| state[p as usize]));
        if let Some(known) = self.tables[i].keys.find(key) {
            return Ok(Local::All(known));
        }
        let mut given = vec![NONE; self.parameters];
        for (&parameter, &value) in self.summands[i].reads.iter().zip(&*key) {
            given[parameter as usize] = value;
        }
        let begin = self.tables[i].rows.len() / self.tables[i].width;
        let mut rows = std::mem::take(&mut self.tables[i].rows);
        let complete = self.evaluate(i, &mut given, cap, &mut rows);
        let table = &mut self.tables[i];
        table.rows = rows;
        let complete = complete?;
        let end = table.rows.len() / table.width;
        let span = (begin as u32, end as u32);
        if !complete {
            return Ok(Local::Some(span));
        }
        let (known, _) = table.keys.intern(key);
        table.spans.push(span);
        Ok(Local::All(known))
    }

    /// Appends to `rows` the local steps of summand `i` where parameters have the values `given`, at
    /// least those that it reads: label key and new values. False if there are too many.
    pub fn evaluate(
        &mut self,
        i: usize,
        given: &mut Vec<Term>,
        cap: usize,
        rows: &mut Vec<u32>,
    ) -> Result<bool, Stop> {
        let mut complete = true;
        for which in 0..=self.summands[i].also.len() {
            complete &= self.evaluate_one(i, which, given, cap, rows)?;
        }
        Ok(complete)
    }

    /// The same for one alone: the summand itself, or one of those that go with it, from 1.
    fn evaluate_one(
        &mut self,
        i: usize,
        which: usize,
        given: &mut Vec<Term>,
        cap: usize,
        rows: &mut Vec<u32>,
    ) -> Result<bool, Stop> {
        let summand = match which {
            0 => &self.summands[i],
            _ => &self.summands[i].also[which - 1],
        };
        let data = &mut self.data;
        let problem = Problem {
            given,
            sorts: &summand.sorts,
            equations: &summand.equations,
            conditions: &summand.conditions,
        };
        let mut solutions = Vec::new();
        let count = summand.sorts.len();
        // Without variables there is one solution of no values, or none.
        let (total, complete) = if summand.sorts.is_empty() {
            let holds =
                solve_closed(data, &problem).map_err(|error| unsolvable(data, &error, i))?;
            (usize::from(holds), true)
        } else {
            let solved = solve(data, &problem, cap, &mut solutions);
            let complete = solved.map_err(|error| unsolvable(data, &error, i))?;
            (solutions.len() / count, complete)
        };
        for solution in 0..total {
            if data.is_stopped() {
                return Err(Stop::Interrupted);
            }
            given.truncate(self.parameters);
            given.extend_from_slice(&solutions[solution * count..(solution + 1) * count]);
            let mut label = vec![summand.action];
            for &argument in &summand.arguments {
                let term = data.terms.substitute(argument, given);
                label.push(value_of(data, term, Some(i))?);
            }
            // What is found so far, where a limit stops it, needs less text.
            let most = if complete { MAX_LABELS } else { MAX_LABELS / 16 };
            let label = match self.labels.intern(label, data, &self.actions, most) {
                // There are more values than may be tried: those so far will do.
                Err(Stop::Labels(_)) if !complete => return Ok(false),
                Err(Stop::Labels(_)) => return Err(Stop::Labels(Some(i))),
                label => label?,
            };
            rows.push(label);
            for &(_, update) in &summand.updates {
                let term = data.terms.substitute(update, given);
                let value = value_of(data, term, Some(i))?;
                rows.push(value);
            }
            let values = &rows[rows.len() - summand.updates.len()..];
            let mut written = summand.updates.iter().map(|&(parameter, _)| parameter).zip(values);
            if written.any(|(parameter, &value)| {
                self.stacks.contains(&parameter) && too_deep(data, value)
            }) {
                return Err(Stop::Calls(i));
            }
            if let Some(check) = &mut self.check {
                let arguments = &self.labels.keys[label as usize][1..];
                let values = &rows[rows.len() - summand.updates.len()..];
                let right = check.step(data, summand, arguments, values);
                right.map_err(|message| Stop::Evaluation(message, Some(i)))?;
            }
        }
        given.truncate(self.parameters);
        Ok(complete)
    }

    /// The state that row `row` of summand `i` leads to from `state`.
    pub fn successor(&self, i: usize, row: u32, state: &[u32], target: &mut Vec<u32>) -> u32 {
        let table = &self.tables[i];
        let start = row as usize * table.width;
        target.clear();
        target.extend_from_slice(state);
        for (j, &(parameter, _)) in self.summands[i].updates.iter().enumerate() {
            target[parameter as usize] = table.rows[start + 1 + j];
        }
        table.rows[start]
    }
}

/// Whether a stack has more than `MAX_CALLS` calls: each has the stack below as its last argument.
fn too_deep(data: &Data, stack: Term) -> bool {
    let (mut below, mut calls) = (stack, 0);
    while let Some(&last) = data.terms.children(below).last() {
        (below, calls) = (last, calls + 1);
        if calls > MAX_CALLS {
            return true;
        }
    }
    false
}

/// The local steps of a situation.
pub enum Local {
    /// All of them, under this key.
    All(u32),
    /// Only these rows: a limit was reached.
    Some((u32, u32)),
}

/// Whether constraints without unknowns hold.
fn solve_closed(data: &mut Data, problem: &Problem<'_>) -> Result<bool, Unsolvable> {
    for &(left, right) in problem.equations {
        let left = data.terms.substitute(left, problem.given);
        let left = data.normalise(left)?;
        let right = data.terms.substitute(right, problem.given);
        let right = data.normalise(right)?;
        for term in [left, right] {
            if !data.terms.is_value(term) {
                return Err(Unsolvable::Stuck(term));
            }
        }
        if left != right {
            return Ok(false);
        }
    }
    for &condition in problem.conditions {
        let term = data.terms.substitute(condition, problem.given);
        let term = data.normalise(term)?;
        if term == data.falsity {
            return Ok(false);
        }
        if term != data.truth {
            return Err(Unsolvable::Stuck(term));
        }
    }
    Ok(true)
}

/// That a normal form is no value, and the function that lacks an equation.
fn no_value(data: &Data, term: Term) -> String {
    let mut stuck = term;
    let inside = |term| data.terms.children(term).iter().find(|&&part| !data.terms.is_value(part));
    while let Some(&part) = inside(stuck) {
        stuck = part;
    }
    let shown = data.terms.show_short(term);
    let what =
        if stuck == term { "it".into() } else { format!("`{}`", data.terms.show_short(stuck)) };
    format!("`{shown}` does not reduce to a value: no equation fits {what}")
}

fn unsolvable(data: &Data, error: &Unsolvable, summand: usize) -> Stop {
    let message = match error {
        Unsolvable::Endless(error) => error.to_string(),
        Unsolvable::Stuck(term) => no_value(data, *term),
        Unsolvable::NoConstructors(sort) => {
            let name = String::from_utf8_lossy(&data.sorts[*sort as usize]);
            format!("a sum ranges over sort `{name}`, which has no constructors")
        }
    };
    Stop::Evaluation(message, Some(summand))
}

fn value_of(data: &mut Data, term: Term, summand: Option<usize>) -> Result<Term, Stop> {
    let normal = data
        .normalise(term)
        .map_err(|error: Endless| Stop::Evaluation(error.to_string(), summand))?;
    if data.terms.is_value(normal) {
        return Ok(normal);
    }
    Err(Stop::Evaluation(no_value(data, normal), summand))
}

impl LabelKeys {
    /// The number of a label given as action and arguments; an error if all texts would take more
    /// than `most` bytes.
    pub fn intern(
        &mut self,
        key: Vec<u32>,
        data: &Data,
        actions: &[Vec<u8>],
        most: usize,
    ) -> Result<u32, Stop> {
        if let Some(&number) = self.numbers.get(&key[..]) {
            return Ok(number);
        }
        let most = most.saturating_sub(self.written);
        let mut text = actions[key[0] as usize].clone();
        for (i, &argument) in key[1..].iter().enumerate() {
            text.push(if i == 0 { b'(' } else { b',' });
            if !data.terms.write(argument, most, &mut text) {
                return Err(Stop::Labels(None));
            }
        }
        self.written += text.len().min(most);
        if key.len() > 1 {
            text.push(b')');
        }
        let number = self.keys.len() as u32;
        let key: Box<[u32]> = key.into();
        self.keys.push(key.clone());
        self.numbers.insert(key, number);
        self.texts.push(self.labels.intern(&text));
        Ok(number)
    }
}
