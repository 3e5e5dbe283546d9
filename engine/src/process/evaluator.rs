//! Rewriting: computes derived values and local steps that are in no table yet, and tests
//! conditions.

use crate::base::hash::Near;
use crate::base::ids::Id;
use crate::data::garbage::Moved;
use crate::data::terms::Term;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::process::plan::{Conjunct, Definition, Plan};
use crate::process::step_tables::{StepTable, UNDEFINED};
use crate::process::store::memo_table::Memo;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::time::{Duration, Instant};

/// The values of one position: terms, numbered in order of arrival.
#[derive(Default)]
struct Domain {
    terms: Vec<Term>,
    numbers: HashMap<Term, u32, BuildHasherDefault<Near>>,
}

impl Domain {
    fn number(&mut self, term: Term) -> u32 {
        *self.numbers.entry(term).or_insert_with(|| {
            self.terms.push(term);
            u32::at(self.terms.len()) - 1
        })
    }

    fn renumber(&mut self, moved: &Moved) {
        moved.renumber(&mut self.terms);
        self.numbers.clear();
        self.numbers.extend(self.terms.iter().copied().zip(0..));
    }
}

/// Computes values and steps by rewriting, and collects those computed in the current round.
pub struct Evaluator<'a> {
    pub process: &'a mut Process,
    domains: Vec<Domain>,
    /// The values of each derived part, numbered.
    parts: Vec<Domain>,
    pub(crate) derived: Vec<Memo>,
    pub(crate) steps: Vec<StepTable>,
    pub(crate) dirty_derived: Vec<u32>,
    pub(crate) dirty_steps: Vec<u32>,
    /// The values of all parameters in the current state.
    given: Vec<Term>,
    local_steps: Vec<u32>,
    entry: Vec<u32>,
    /// The number of terms that are permanent.
    settled: usize,
    pub spent: Duration,
    pub evaluations: u64,
}

/// Garbage is collected once there are more temporary terms than permanent ones divided by this.
const FEW: usize = 4;

impl<'a> Evaluator<'a> {
    /// An evaluator whose tables are empty.
    pub fn new(process: &'a mut Process, plan: &Plan) -> Self {
        Self {
            domains: plan.positions.iter().map(|_| Domain::default()).collect(),
            parts: plan.derived.iter().map(|_| Domain::default()).collect(),
            derived: plan.derived.iter().map(|d| Memo::new(d.inputs.len(), 1)).collect(),
            steps: (plan.steps.iter())
                .map(|steps| StepTable::new(steps.inputs.len(), 1 + steps.writes.len()))
                .collect(),
            dirty_derived: Vec::new(),
            dirty_steps: Vec::new(),
            given: process.initial.clone(),
            local_steps: Vec::new(),
            entry: Vec::new(),
            settled: usize::MAX,
            spent: Duration::ZERO,
            evaluations: 0,
            process,
        }
    }

    /// The numbers of the initial values of the positions, padded with 0 to the two positions that
    /// a store needs at least.
    pub fn initial(&mut self, plan: &Plan) -> Vec<u32> {
        let values =
            plan.positions.iter().map(|&parameter| self.process.initial[parameter as usize]);
        let values = values.zip(&mut self.domains).map(|(term, domain)| domain.number(term));
        let mut initial: Vec<u32> = values.collect();
        initial.resize(initial.len().max(2), 0);
        initial
    }

    /// Makes all current terms permanent.
    pub fn settle_terms(&mut self) {
        self.settled = self.process.data.terms.len();
    }

    /// Drops terms that are not permanent and no longer used, if there may be many. Everything
    /// outside this evaluator, such as tables of the process itself, holds permanent terms only.
    pub fn drop_garbage(&mut self) {
        let process = &mut *self.process;
        let count = process.data.terms.len();
        if count.saturating_sub(self.settled) <= self.settled / FEW {
            return;
        }
        let values = self.domains.iter().chain(&self.parts).flat_map(|domain| &domain.terms);
        let live = values.copied().chain(process.labels.terms());
        let moved = process.data.drop_garbage(u32::at(self.settled), live);
        self.domains.iter_mut().chain(&mut self.parts).for_each(|domain| domain.renumber(&moved));
        process.labels.renumber(&moved);
        if let Some(simultaneous) = &mut process.simultaneous {
            simultaneous.forget();
        }
        if let Some(check) = &mut process.check {
            check.renumber(&moved);
        }
        self.given.clone_from(&process.initial);
        self.settle_terms();
    }

    /// Bytes used by the numbering of values.
    pub fn bytes(&self) -> usize {
        let sizes = self.domains.iter().chain(&self.parts);
        sizes.map(|domain| domain.terms.len() * 4 + domain.numbers.capacity() * 9).sum()
    }

    /// The value of derived value `number` in the state of `view`, where its inputs have the values
    /// `key`; stored if `keep`.
    pub fn derived(
        &mut self,
        plan: &Plan,
        number: u32,
        key: &[u32],
        view: &[u32],
        keep: bool,
    ) -> u32 {
        let table = number as usize;
        if let Some(&[known]) = self.derived[table].get(key) {
            return known;
        }
        let start = Instant::now();
        let given = self.given(plan, view);
        let value = match plan.derived[table].definition {
            Definition::Holds(conjunct) => self.holds(conjunct, &given).map(u32::from),
            Definition::Part(term) => {
                self.normal(term, &given).map(|normal| self.parts[table].number(normal))
            }
            Definition::Update(position, term) => self
                .normal(term, &given)
                .filter(|&normal| self.process.data.terms.is_value(normal))
                .filter(|&normal| {
                    !self.process.is_too_deep(plan.positions[position as usize], normal)
                })
                .map(|value| {
                    self.process.data.note_value(value);
                    self.domains[position as usize].number(value)
                }),
        };
        let value = value.unwrap_or(UNDEFINED);
        self.given = given;
        if keep {
            if self.derived[table].is_empty() {
                self.dirty_derived.push(number);
            }
            self.derived[table].insert(key, &[value]);
        }
        self.evaluations += 1;
        self.spent += start.elapsed();
        value
    }

    /// Computes the local steps of summand `i` in the state of `view`, each as a label and the
    /// values of the positions that the plan says; they are stored under `key`, if given. Returns
    /// false if more than `cap` values would have to be tried; then steps are missing and nothing
    /// is stored.
    pub fn steps(
        &mut self,
        plan: &Plan,
        i: usize,
        key: Option<&[u32]>,
        view: &[u32],
        cap: usize,
        steps: &mut Vec<u32>,
    ) -> Result<bool, Stop> {
        steps.clear();
        if let Some(known) = key.and_then(|key| self.steps[i].get(key)) {
            steps.extend_from_slice(known);
            return Ok(true);
        }
        let start = Instant::now();
        let mut given = self.given(plan, view);
        self.local_steps.clear();
        let complete = self.process.evaluate(i, &mut given, cap, &mut self.local_steps);
        given.truncate(self.process.parameters);
        self.given = given;
        let complete = complete?;
        let updates = &self.process.summands[i].updates;
        for (at, step) in self.local_steps.chunks_exact(1 + updates.len()).enumerate() {
            self.process.data.cancel.check_at(at)?;
            steps.push(self.process.labels.texts[step[0] as usize]);
            for &(position, update) in &plan.steps[i].writes {
                let domain = &mut self.domains[position as usize];
                steps.push(domain.number(step[1 + update as usize]));
            }
        }
        if let (true, Some(key)) = (complete, key) {
            if self.steps[i].memo.is_empty() {
                self.dirty_steps.push(u32::at(i));
            }
            self.steps[i].insert(key, steps, &mut self.entry);
        }
        self.evaluations += 1;
        self.spent += start.elapsed();
        Ok(complete)
    }

    /// Takes the buffer `given`, filled with the values of all parameters in the state of `view`;
    /// the caller returns the buffer.
    fn given(&mut self, plan: &Plan, view: &[u32]) -> Vec<Term> {
        let mut given = std::mem::take(&mut self.given);
        for ((&parameter, domain), &value) in plan.positions.iter().zip(&self.domains).zip(view) {
            given[parameter as usize] = domain.terms[value as usize];
        }
        given
    }

    /// The number of positions.
    pub fn positions(&self) -> u32 {
        u32::at(self.domains.len())
    }

    /// The values that a position has had so far, by number.
    pub fn values(&self, position: u32) -> &[Term] {
        &self.domains[position as usize].terms
    }

    /// The number of a value of a position that was computed elsewhere.
    pub fn number(&mut self, position: u32, value: Term) -> u32 {
        self.process.data.note_value(value);
        self.domains[position as usize].number(value)
    }

    /// Whether a value consists of constructors and placeholders only.
    pub fn is_built(&self, value: Term) -> bool {
        self.process.data.terms.is_built(value)
    }

    /// Whether a value is a number.
    pub fn is_number(&self, value: Term) -> bool {
        self.process.data.terms.number(value).is_some()
    }

    /// The value of a closed term; `None` if it does not reduce to a value.
    pub fn value(&mut self, term: Term) -> Option<Term> {
        let data = &mut self.process.data;
        data.normalise(term).ok().filter(|&normal| data.terms.is_value(normal))
    }

    /// Whether a conjunct that reads one position holds for this value of the parameter; `None` if
    /// it is undecided.
    pub fn test(&mut self, conjunct: Conjunct, parameter: u32, value: Term) -> Option<bool> {
        let mut given = std::mem::take(&mut self.given);
        given[parameter as usize] = value;
        let holds = self.holds(conjunct, &given);
        self.given = given;
        holds
    }

    /// Whether a conjunct holds for these values of the parameters; `None` if it is undecided.
    fn holds(&mut self, conjunct: Conjunct, given: &[Term]) -> Option<bool> {
        match conjunct {
            Conjunct::Equation(left, right) => {
                let (left, right) = (self.normal(left, given)?, self.normal(right, given)?);
                let data = &self.process.data;
                let are_values = data.terms.is_value(left) && data.terms.is_value(right);
                let is_decided = left == right || data.differ(left, right);
                (are_values && is_decided).then_some(left == right)
            }
            Conjunct::Condition(term, value) => {
                let normal = self.normal(term, given)?;
                Some(self.process.data.truth_of(normal)? == value)
            }
            Conjunct::Takes(summand, k) => {
                let together = self.process.summands[summand as usize].together.as_ref()?;
                let component = together.components[k as usize] as usize;
                Some(together.takes(k as usize, given[component]))
            }
        }
    }

    fn normal(&mut self, term: Term, given: &[Term]) -> Option<Term> {
        let data = &mut self.process.data;
        data.instance(term, given).ok()
    }
}
