//! A linear process and the tables of its local steps.
//!
//! A summand reads few parameters, and its steps depend on their values only. So they are computed
//! once for each combination of values and looked up from then on.
//!
//! `summand` and `labels` are the parts of a process, `conjunctions` splits conditions; this file
//! has the tables; `evaluate` computes their entries, `evaluation` those of one summand, `values`
//! evaluates terms and conditions, `stop` has the errors. A network of components is a process as
//! well, whose summands come from `synchronisation`. The steps of several parallel processes at
//! once may be one summand, computed by `simultaneous`.

pub mod conjunctions;
pub mod evaluate;
pub mod evaluation;
pub mod labels;
pub mod simultaneous;
pub mod stop;
pub mod summand;
pub mod synchronisation;
pub mod values;

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::interner::Interner;
use crate::data::rewrite::Data;
use crate::data::terms::{NONE, Term};
use crate::process::linear::conjunctions::taken_apart;
use crate::process::linear::labels::LabelKeys;
use crate::process::linear::simultaneous::Simultaneous;
use crate::process::linear::stop::Stop;
use crate::process::linear::summand::Summand;
use crate::process::linear::synchronisation::Synchronisation;
use crate::process::linear::values::{too_deep, value_of};
use crate::process::type_check::Check;

/// The known local steps of one summand: under values of the parameters it reads, the label
/// key and the new values of the parameters it writes.
pub struct Table {
    pub keys: Interner,
    /// The range of the steps of each key, counted in steps.
    pub spans: Vec<(u32, u32)>,
    pub steps: Vec<u32>,
    pub width: usize,
}

impl Table {
    fn new(summand: &Summand) -> Self {
        let (keys, spans, steps) = Default::default();
        Self { keys, spans, steps, width: 1 + summand.updates.len() }
    }
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
    /// The type check of values, if requested.
    pub check: Option<Check>,
    /// The parameters that are call stacks.
    pub stacks: Vec<u32>,
    /// Parallel processes that step at the same time, as one of the summands.
    pub simultaneous: Option<Simultaneous>,
}

impl Process {
    /// Runs `work`, which `cancel` can stop.
    pub fn under<T>(&mut self, cancel: &Cancel, work: impl FnOnce(&mut Self) -> T) -> T {
        self.data.begin(cancel.clone());
        let done = work(self);
        self.data.begin(Cancel::never());
        done
    }

    /// Evaluates the initial values, splits conditions, and determines what summands read.
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
        for summand in &mut summands {
            prepare(&mut data, summand, parameters);
        }
        Ok(Self::of_parts(data, values, actions, summands))
    }

    /// Adds the steps of several parallel processes at once.
    pub fn add_simultaneous(&mut self, mut simultaneous: Simultaneous) {
        let Self { data, parameters, .. } = self;
        simultaneous.prepare(|summand| prepare(data, summand, *parameters));
        let summand = Summand::of_processes(simultaneous.summands(), self.data.truth);
        self.tables.push(Table::new(&summand));
        self.summands.push(summand);
        self.simultaneous = Some(simultaneous);
    }

    /// A network in the initial states of its components. `labels` are the labels of its steps or,
    /// if these are constants, a nameless action.
    pub fn network(
        data: Data,
        initial: Vec<Term>,
        labels: Vec<Vec<u8>>,
        together: Vec<Synchronisation>,
    ) -> Self {
        let value = data.truth;
        let summands = together.into_iter().map(|vectors| Summand::of_components(vectors, value));
        let summands = summands.collect();
        Self::of_parts(data, initial, labels, summands)
    }

    fn of_parts(
        data: Data,
        initial: Vec<Term>,
        actions: Vec<Vec<u8>>,
        summands: Vec<Summand>,
    ) -> Self {
        let tables = summands.iter().map(Table::new);
        Self {
            data,
            parameters: initial.len(),
            initial,
            actions,
            tables: tables.collect(),
            summands,
            labels: LabelKeys::default(),
            check: None,
            stacks: Vec::new(),
            simultaneous: None,
        }
    }

    /// For each summand whether it has steps; a summand that only checks a condition has none.
    pub fn steps(&self) -> Vec<bool> {
        self.summands.iter().map(|summand| !summand.decides).collect()
    }

    /// Whether a value of a parameter is a stack with too many calls.
    pub fn is_too_deep(&self, parameter: u32, value: Term) -> bool {
        self.stacks.contains(&parameter) && too_deep(&self.data, value)
    }

    /// The key of the local situation of summand `i` in a state, if it is in the table. `key` is
    /// scratch.
    pub fn known(&self, i: usize, state: &[u32], key: &mut Vec<u32>) -> Option<u32> {
        key.clear();
        key.extend(self.summands[i].reads.iter().map(|&p| state[p as usize]));
        self.tables[i].keys.find(key)
    }

    /// The local steps of summand `i` in `state`, which has the values of all parameters. They are
    /// computed first if they are not in the table.
    ///
    /// With more than `cap` values to try, the steps found are left at the end of the table without
    /// a key, and [`Local::Some`] gives their range.
    pub fn local_steps(
        &mut self,
        i: usize,
        state: &[u32],
        key: &mut Vec<u32>,
        cap: usize,
    ) -> Result<Local, Stop> {
        if let Some(known) = self.known(i, state, key) {
            return Ok(Local::All(known));
        }
        let mut given = vec![NONE; self.parameters];
        for (&parameter, &value) in self.summands[i].reads.iter().zip(&*key) {
            given[parameter as usize] = value;
        }
        let begin = self.tables[i].steps.len() / self.tables[i].width;
        let mut steps = std::mem::take(&mut self.tables[i].steps);
        let complete = self.evaluate(i, &mut given, cap, &mut steps);
        let table = &mut self.tables[i];
        table.steps = steps;
        if complete.is_err() {
            // The last step may not be whole, and those behind it begin where whole steps would.
            table.steps.truncate(begin * table.width);
        }
        let complete = complete?;
        let end = table.steps.len() / table.width;
        let span = (u32::at(begin), u32::at(end));
        if !complete {
            return Ok(Local::Some(span));
        }
        let (known, _) = table.keys.intern(key);
        table.spans.push(span);
        Ok(Local::All(known))
    }

    /// The label of local step `step` of summand `i`; appends the parameters that it changes in
    /// `state`, with their new values, by parameter.
    pub fn changes(&self, i: usize, step: u32, state: &[u32], delta: &mut Vec<(u32, u32)>) -> u32 {
        let table = &self.tables[i];
        let start = step as usize * table.width;
        let values = &table.steps[start + 1..start + table.width];
        let (updates, begin) = (&self.summands[i].updates, delta.len());
        let changed = updates.iter().zip(values).map(|(&(to, _), &value)| (to, value));
        delta.extend(changed.filter(|&(parameter, value)| state[parameter as usize] != value));
        delta[begin..].sort_unstable();
        table.steps[start]
    }

    /// The label of local step `step` of summand `i`; the state to which it leads from `state` is
    /// stored in `target`.
    pub fn successor(&self, i: usize, step: u32, state: &[u32], target: &mut Vec<u32>) -> u32 {
        let table = &self.tables[i];
        let start = step as usize * table.width;
        target.clear();
        target.extend_from_slice(state);
        for (j, &(parameter, _)) in self.summands[i].updates.iter().enumerate() {
            target[parameter as usize] = table.steps[start + 1 + j];
        }
        table.steps[start]
    }
}

/// Splits the conditions of a summand, and determines the parameters that it reads.
fn prepare(data: &mut Data, summand: &mut Summand, parameters: usize) {
    summand.conditions = taken_apart(data, &summand.conditions);
    for other in &mut summand.also {
        other.conditions = taken_apart(data, &other.conditions);
    }
    let mut read = Vec::new();
    for term in summand.terms() {
        data.terms.variables(term, &mut read);
    }
    read.retain(|&v| (v as usize) < parameters);
    read.sort_unstable();
    summand.reads = read;
}

/// The local steps in a situation.
pub enum Local {
    /// All of them, under this key.
    All(u32),
    /// Only the steps in this range: there are too many values.
    Some((u32, u32)),
}
