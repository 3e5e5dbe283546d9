//! The tables of a [`Plan`](super::plan::Plan): filled by rewriting, read by everyone.
//!
//! While states are explored, [`Tables`] do not change and can be read from several threads. What is
//! missing is computed by the [`Evaluator`], one thread at a time, and kept there until
//! [`Tables::absorb`] takes it over between two rounds.

use super::linear::{Process, Stop};
use super::memo::Memo;
use super::plan::{Conjunct, Plan, What};
use crate::data::terms::{NONE, Term};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// A derived value that cannot be computed: the summand is evaluated as a whole, and says why.
pub const DOUBT: u32 = u32::MAX;

/// A table that has more entries than this must have been useful.
const TRIAL: usize = 1 << 16;

/// For each value of a place, which summands it leaves possible; a bit a summand.
struct Mask {
    place: u32,
    possible: Vec<u64>,
    /// Summands with a test that has no truth value there.
    doubtful: Vec<u64>,
}

/// The local steps of one summand: under a key how many there are and, if one, the row itself, else
/// where their rows begin in `more`. A row is a label and the values of the places written.
struct StepTable {
    memo: Memo,
    more: Vec<u32>,
    width: usize,
    /// Whether it is still filled.
    kept: bool,
    lookups: u64,
}

impl StepTable {
    fn new(key: usize, width: usize) -> Self {
        // Room for a place in `more` also where a row has nothing but its label.
        let memo = Memo::new(key, 1 + width.max(1));
        Self { memo, more: Vec::new(), width, kept: true, lookups: 0 }
    }

    fn get(&self, key: &[u32]) -> Option<&[u32]> {
        let entry = self.memo.get(key)?;
        Some(match entry[0] {
            0 => &[],
            1 => &entry[1..=self.width],
            rows => {
                let start = entry[1] as usize;
                &self.more[start..start + rows as usize * self.width]
            }
        })
    }

    fn insert(&mut self, key: &[u32], rows: &[u32], entry: &mut Vec<u32>) {
        let count = rows.len() / self.width;
        entry.clear();
        entry.resize(1 + self.width.max(1), 0);
        entry[0] = count as u32;
        if count == 1 {
            entry[1..=self.width].copy_from_slice(rows);
        } else if count > 1 {
            entry[1] = self.more.len() as u32;
            self.more.extend_from_slice(rows);
        }
        self.memo.insert(key, entry);
    }

    fn clear(&mut self) {
        self.memo.clear();
        self.more = Vec::new();
    }

    fn bytes(&self) -> usize {
        self.memo.bytes() + size_of_val(&self.more[..])
    }
}

struct DerivedTable {
    memo: Memo,
    kept: bool,
    lookups: u64,
}

/// Everything that was computed in earlier rounds.
pub struct Tables {
    pub plan: Plan,
    masks: Vec<Mask>,
    /// Words of a mask for one value.
    words: usize,
    /// All summands, as a mask.
    all: Vec<u64>,
    doubts: bool,
    derived: Vec<DerivedTable>,
    steps: Vec<StepTable>,
}

/// How often each table was looked into in one round.
pub struct Lookups {
    pub derived: Vec<u64>,
    pub steps: Vec<u64>,
}

impl Lookups {
    /// Adds those of another thread.
    pub fn add(&mut self, other: &Self) {
        let own = self.derived.iter_mut().chain(&mut self.steps);
        for (count, more) in own.zip(other.derived.iter().chain(&other.steps)) {
            *count += more;
        }
    }
}

impl Tables {
    /// No entries yet.
    pub fn new(plan: Plan) -> Self {
        let summands = plan.steps.len();
        let words = summands.div_ceil(64);
        let mut all = vec![u64::MAX; words];
        if !summands.is_multiple_of(64) {
            all[words - 1] = (1 << (summands % 64)) - 1;
        }
        let mut places: Vec<u32> = plan.tests.iter().map(|test| test.place).collect();
        places.sort_unstable();
        places.dedup();
        let mask = |place| Mask { place, possible: Vec::new(), doubtful: Vec::new() };
        let derived = plan.derived.iter().map(|derived| DerivedTable {
            memo: Memo::new(derived.inputs.len(), 1),
            kept: true,
            lookups: 0,
        });
        let steps = plan.steps.iter();
        Self {
            masks: places.into_iter().map(mask).collect(),
            words,
            all,
            doubts: false,
            derived: derived.collect(),
            steps: steps.map(|s| StepTable::new(s.inputs.len(), 1 + s.writes.len())).collect(),
            plan,
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let masks = self.masks.iter().map(|m| size_of_val(&m.possible[..]) * 2);
        let derived = self.derived.iter().map(|table| table.memo.bytes());
        masks.sum::<usize>()
            + derived.sum::<usize>()
            + self.steps.iter().map(StepTable::bytes).sum::<usize>()
    }

    /// Number of entries: of derived values, and of summands.
    pub fn entries(&self) -> (usize, usize) {
        let derived = self.derived.iter().map(|table| table.memo.len()).sum();
        (derived, self.steps.iter().map(|table| table.memo.len()).sum())
    }

    /// Lookups that are all 0.
    pub fn no_lookups(&self) -> Lookups {
        Lookups { derived: vec![0; self.derived.len()], steps: vec![0; self.steps.len()] }
    }

    /// Takes over what was computed in a round, and says goodbye to tables of no use.
    pub fn absorb(&mut self, evaluator: &mut Evaluator<'_>, lookups: &mut Lookups) {
        for (table, count) in self.derived.iter_mut().zip(&mut lookups.derived) {
            table.lookups += std::mem::take(count);
        }
        for (table, count) in self.steps.iter_mut().zip(&mut lookups.steps) {
            table.lookups += std::mem::take(count);
        }
        for number in std::mem::take(&mut evaluator.dirty_derived) {
            let (own, new) =
                (&mut self.derived[number as usize], &mut evaluator.derived[number as usize]);
            for (key, value) in new.iter() {
                own.memo.insert(key, value);
            }
            new.clear();
            if own.memo.len() > TRIAL && own.lookups < own.memo.len() as u64 * 5 / 4 {
                own.kept = false;
                own.memo.clear();
            }
        }
        let mut entry = Vec::new();
        for number in std::mem::take(&mut evaluator.dirty_steps) {
            let (own, new) =
                (&mut self.steps[number as usize], &mut evaluator.steps[number as usize]);
            for (key, _) in new.memo.iter() {
                own.insert(key, new.get(key).expect("it is there"), &mut entry);
            }
            new.clear();
            if own.memo.len() > TRIAL && own.lookups < own.memo.len() as u64 * 5 / 4 {
                own.kept = false;
                own.clear();
            }
        }
        self.extend_masks(evaluator);
    }

    /// Tries the tests of places with new values.
    fn extend_masks(&mut self, evaluator: &mut Evaluator<'_>) {
        let mut given = vec![NONE; evaluator.process.parameters];
        for mask in &mut self.masks {
            let parameter = self.plan.places[mask.place as usize] as usize;
            let known = mask.possible.len() / self.words;
            for value in known..evaluator.domains[mask.place as usize].terms.len() {
                given[parameter] = evaluator.domains[mask.place as usize].terms[value];
                let start = value * self.words;
                mask.possible.extend_from_slice(&self.all);
                mask.doubtful.resize(start + self.words, 0);
                for test in self.plan.tests.iter().filter(|test| test.place == mask.place) {
                    let (word, bit) = (start + test.summand as usize / 64, test.summand % 64);
                    match evaluator.holds(test.conjunct, &given) {
                        Some(true) => {}
                        Some(false) => mask.possible[word] &= !(1 << bit),
                        None => {
                            mask.doubtful[word] |= 1 << bit;
                            self.doubts = true;
                        }
                    }
                }
            }
            given[parameter] = NONE;
        }
    }

    /// Words of a mask: 64 summands each.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The known value of a derived value, and else whether it is to be kept.
    pub fn derived(&self, number: u32, key: &[u32]) -> Result<u32, bool> {
        let table = &self.derived[number as usize];
        match table.memo.get(key) {
            Some(value) => Ok(value[0]),
            None => Err(table.kept),
        }
    }

    /// The known rows of a summand, and else whether they are to be kept.
    pub fn steps(&self, i: usize, key: &[u32]) -> Result<&[u32], bool> {
        let table = &self.steps[i];
        table.get(key).ok_or(table.kept)
    }

    /// Of the summands of one word, those that may have steps in a state, and those in doubt.
    pub fn candidates(&self, view: &[u32], word: usize) -> (u64, u64) {
        let mut possible = self.all[word];
        for mask in &self.masks {
            possible &= mask.possible[view[mask.place as usize] as usize * self.words + word];
        }
        let mut doubtful = 0;
        if self.doubts {
            for mask in &self.masks {
                doubtful |= mask.doubtful[view[mask.place as usize] as usize * self.words + word];
            }
        }
        (possible, doubtful & possible)
    }
}

/// The values of one place: terms, numbered in order of arrival.
#[derive(Default)]
struct Domain {
    terms: Vec<Term>,
    numbers: FxHashMap<Term, u32>,
}

impl Domain {
    fn number(&mut self, term: Term) -> u32 {
        *self.numbers.entry(term).or_insert_with(|| {
            self.terms.push(term);
            self.terms.len() as u32 - 1
        })
    }
}

/// What rewrites, with what it found in the current round.
pub struct Evaluator<'a> {
    pub process: &'a mut Process,
    domains: Vec<Domain>,
    /// The numbers of the values of each derived part.
    parts: Vec<Domain>,
    derived: Vec<Memo>,
    steps: Vec<StepTable>,
    dirty_derived: Vec<u32>,
    dirty_steps: Vec<u32>,
    /// Values of all parameters in the state looked at.
    given: Vec<Term>,
    rows: Vec<u32>,
    entry: Vec<u32>,
    pub spent: Duration,
    pub evaluations: u64,
}

impl<'a> Evaluator<'a> {
    /// Nothing computed yet.
    pub fn new(process: &'a mut Process, plan: &Plan) -> Self {
        Self {
            domains: plan.places.iter().map(|_| Domain::default()).collect(),
            parts: plan.derived.iter().map(|_| Domain::default()).collect(),
            derived: plan.derived.iter().map(|d| Memo::new(d.inputs.len(), 1)).collect(),
            steps: (plan.steps.iter())
                .map(|steps| StepTable::new(steps.inputs.len(), 1 + steps.writes.len()))
                .collect(),
            dirty_derived: Vec::new(),
            dirty_steps: Vec::new(),
            given: process.initial.clone(),
            rows: Vec::new(),
            entry: Vec::new(),
            spent: Duration::ZERO,
            evaluations: 0,
            process,
        }
    }

    /// The initial values of the places.
    pub fn initial(&mut self, plan: &Plan) -> Vec<u32> {
        let values = plan.places.iter().map(|&parameter| self.process.initial[parameter as usize]);
        values.zip(&mut self.domains).map(|(term, domain)| domain.number(term)).collect()
    }

    /// Bytes of the numbers of values.
    pub fn bytes(&self) -> usize {
        let sizes = self.domains.iter().chain(&self.parts);
        sizes.map(|domain| domain.terms.len() * 4 + domain.numbers.capacity() * 9).sum()
    }

    /// The value of derived value `number`, whose inputs have the values `key` in the state of
    /// `view`; it is kept if `keep`.
    pub fn derived(
        &mut self,
        plan: &Plan,
        number: u32,
        key: &[u32],
        view: &[u32],
        keep: bool,
    ) -> u32 {
        let table = number as usize;
        if let Some(known) = self.derived[table].get(key) {
            return known[0];
        }
        let start = Instant::now();
        let given = self.given(plan, view);
        let value = match plan.derived[table].what {
            What::Holds(conjunct) => self.holds(conjunct, &given).map(u32::from),
            What::Part(term) => {
                self.normal(term, &given).map(|normal| self.parts[table].number(normal))
            }
            What::Update(place, term) => self
                .normal(term, &given)
                .filter(|&normal| self.process.data.terms.is_value(normal))
                .filter(|&normal| !self.process.is_too_deep(plan.places[place as usize], normal))
                .map(|value| self.domains[place as usize].number(value)),
        };
        let value = value.unwrap_or(DOUBT);
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

    /// The local steps of summand `i` in the state of `view`: rows of a label and the values of the
    /// places that the plan says. With a key they are kept under it. False if more than `cap` values
    /// would have to be tried; then some rows are missing, and nothing is kept.
    pub fn steps(
        &mut self,
        plan: &Plan,
        i: usize,
        key: Option<&[u32]>,
        view: &[u32],
        cap: usize,
        found: &mut Vec<u32>,
    ) -> Result<bool, Stop> {
        found.clear();
        if let Some(known) = key.and_then(|key| self.steps[i].get(key)) {
            found.extend_from_slice(known);
            return Ok(true);
        }
        let start = Instant::now();
        let mut given = self.given(plan, view);
        self.rows.clear();
        let complete = self.process.evaluate(i, &mut given, cap, &mut self.rows);
        given.truncate(self.process.parameters);
        self.given = given;
        let complete = complete?;
        let updates = &self.process.summands[i].updates;
        for row in self.rows.chunks_exact(1 + updates.len()) {
            found.push(self.process.labels.texts[row[0] as usize]);
            for &(place, update) in &plan.steps[i].writes {
                let domain = &mut self.domains[place as usize];
                found.push(domain.number(row[1 + update as usize]));
            }
        }
        if let (true, Some(key)) = (complete, key) {
            if self.steps[i].memo.is_empty() {
                self.dirty_steps.push(i as u32);
            }
            self.steps[i].insert(key, found, &mut self.entry);
        }
        self.evaluations += 1;
        self.spent += start.elapsed();
        Ok(complete)
    }

    /// The values of all parameters; to be put back.
    fn given(&mut self, plan: &Plan, view: &[u32]) -> Vec<Term> {
        let mut given = std::mem::take(&mut self.given);
        for ((&parameter, domain), &value) in plan.places.iter().zip(&self.domains).zip(view) {
            given[parameter as usize] = domain.terms[value as usize];
        }
        given
    }

    /// Whether a conjunct holds where parameters have the values `given`; `None` if it has no truth
    /// value.
    fn holds(&mut self, conjunct: Conjunct, given: &[Term]) -> Option<bool> {
        match conjunct {
            Conjunct::Equation(left, right) => {
                let (left, right) = (self.normal(left, given)?, self.normal(right, given)?);
                let terms = &self.process.data.terms;
                (terms.is_value(left) && terms.is_value(right)).then_some(left == right)
            }
            Conjunct::Condition(term) => {
                let normal = self.normal(term, given)?;
                let data = &self.process.data;
                (normal == data.truth || normal == data.falsity).then_some(normal == data.truth)
            }
        }
    }

    fn normal(&mut self, term: Term, given: &[Term]) -> Option<Term> {
        let data = &mut self.process.data;
        let term = data.terms.substitute(term, given);
        data.normalise(term).ok()
    }
}
