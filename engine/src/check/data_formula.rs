//! Formulas with data whose parts are coded as values, to be explored together with states.
//!
//! A part is coded as a shape, which no permutation changes, and values, on which the group acts as
//! it acts on the values of a state. So a statement about one datum is moved to the same statement
//! about another, and the formula itself need not be symmetric.

use crate::base::cancel::Result;
use crate::base::ids::Label;
use crate::base::label_table::Labels;
use crate::check::parity_game::formula::{After, Formula, Part, Parts};
use crate::data::rewrite::Data;
use crate::data::terms::Term;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::process::linear::values::value_of;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A formula whose parts can be split into shape and values.
pub trait DataFormula: Formula {
    /// The shape and the values of a part; the values are closed terms of the process.
    fn taken_apart(&mut self, part: u32, data: &mut Data) -> Result<(u32, Vec<Term>)>;
    /// The part with this shape and these values; surplus values are ignored.
    fn put_together(&mut self, shape: u32, values: &[Term], data: &Data) -> Result<u32>;
    /// Whether a label is internal.
    fn is_internal(&mut self, label: &[u8]) -> Result<bool>;
}

/// The choices of a player at a part of a formula. Fixed points are unfolded, and nested
/// conjunctions (or nested disjunctions) are merged, so that plays have few positions.
#[derive(Debug, Default)]
pub struct Choices {
    /// The player who moves.
    pub owner: u8,
    /// The largest priority of the fixed points unfolded here.
    pub priority: u32,
    /// Parts with which play may continue in the same state.
    pub stays: Vec<u32>,
    /// Numbers of parts that depend on the labels of the state's steps, with which play may
    /// continue in the same state.
    pub here: Vec<u32>,
    /// Sets of labels, each with what has to hold after a step with one of its labels.
    pub steps: Vec<(u32, After)>,
}

impl Choices {
    /// Whether the steps of the state determine where play may continue.
    pub fn need_steps(&self) -> bool {
        !(self.here.is_empty() && self.steps.is_empty())
    }
}

/// The largest number of fixed points unfolded at one part: with parameters there may be infinitely
/// many.
const FIXED: usize = 64;

/// A formula whose parts are coded as the numbers that follow the values of a state: some values
/// and a shape or, if no group acts on it, the number of the part.
pub struct Coded<F: DataFormula> {
    parts: Parts<F>,
    /// The number of values per part; `None` if parts are not split.
    slots: Option<usize>,
    /// The choices at each part visited so far.
    choices: Vec<Option<Arc<Choices>>>,
    /// The code of each part visited so far.
    tails: Vec<Option<Box<[Term]>>>,
    numbers: FxHashMap<Box<[Term]>, u32>,
}

impl<F: DataFormula> Coded<F> {
    pub fn new(formula: F, slots: Option<usize>) -> Self {
        let parts = Parts::new(formula);
        let (choices, tails) = (Vec::new(), Vec::new());
        Self { parts, slots, choices, tails, numbers: FxHashMap::default() }
    }

    /// The formula itself.
    pub fn formula(&mut self) -> &mut F {
        &mut self.parts.formula
    }

    /// The number of values in the code of a part, before its last number.
    pub fn slots(&self) -> usize {
        self.slots.unwrap_or(0)
    }

    pub fn part(&mut self, number: u32) -> Result<Part, Stop> {
        Ok(self.parts.part(number)?.clone())
    }

    /// The choices of the player who moves at a part.
    pub fn choices(&mut self, number: u32) -> Result<Arc<Choices>, Stop> {
        let at = number as usize;
        if self.choices.len() <= at {
            self.choices.resize(at + 1, None);
        }
        if self.choices[at].is_none() {
            self.choices[at] = Some(Arc::new(self.choose(number)?));
        }
        Ok(Arc::clone(self.choices[at].as_ref().expect("just made")))
    }

    fn choose(&mut self, number: u32) -> Result<Choices, Stop> {
        let mut choices = Choices::default();
        let (mut seen, mut first) = (FxHashSet::default(), number);
        // A play through nested fixed points sees the largest of their priorities.
        while let Part::Fixed(priority, inner) = self.part(first)? {
            if !seen.insert(first) || seen.len() > FIXED {
                choices.stays.push(first);
                return Ok(choices);
            }
            choices.priority = choices.priority.max(priority);
            first = inner;
        }
        choices.owner = self.part(first)?.owner();
        // Nested parts of the same player are merged; fixed points among them become positions of
        // their own.
        let (mut visited, mut waiting) = (FxHashSet::default(), vec![first]);
        while let Some(number) = waiting.pop() {
            if !visited.insert(number) {
                continue;
            }
            let part = self.part(number)?;
            let is_fixed = matches!(part, Part::Fixed(..));
            match part {
                _ if is_fixed || part.owner() != choices.owner => choices.stays.push(number),
                Part::And(inner) | Part::Or(inner) => waiting.extend(inner.into_iter().rev()),
                Part::Can(set, after) | Part::Must(set, after) => choices.steps.push((set, after)),
                Part::OneOf(number) | Part::EachOf(number) => choices.here.push(number),
                Part::Fixed(..) => unreachable!("it stays"),
            }
        }
        Ok(choices)
    }

    /// Whether a set has a label.
    pub fn has(&mut self, set: u32, label: Label, labels: &Labels) -> Result<bool, Stop> {
        Ok(self.parts.has(set, label, labels.get(label))?)
    }

    /// The parts that a step with this label leads to; empty if the set does not contain the label.
    pub fn lead(
        &mut self,
        set: u32,
        after: After,
        label: Label,
        labels: &Labels,
    ) -> Result<Vec<u32>, Stop> {
        let mut parts = Vec::new();
        let text = (label, labels.get(label));
        self.parts.lead(set, after, text, &mut parts)?;
        Ok(parts)
    }

    /// Stores into `parts` the parts that a step with this label leads to.
    pub fn after(
        &mut self,
        choices: &Choices,
        labels: &Labels,
        label: u32,
        parts: &mut Vec<u32>,
    ) -> Result<(), Stop> {
        parts.clear();
        let label = Label(label);
        for &(set, after) in &choices.steps {
            let text = (label, labels.get(label));
            self.parts.lead(set, after, text, parts)?;
        }
        Ok(())
    }

    /// The parts that play may go on with in a state whose steps have labels of these numbers.
    pub fn here(
        &mut self,
        choices: &Choices,
        labels: &Labels,
        own: &[u32],
    ) -> Result<Vec<u32>, Stop> {
        let mut result = Vec::new();
        for &number in &choices.here {
            let parts = self.parts.here(number, own.iter().copied(), |label| labels.get(label))?;
            result.extend_from_slice(parts);
        }
        Ok(result)
    }

    pub fn is_internal(&mut self, label: &[u8]) -> Result<bool, Stop> {
        Ok(self.parts.formula.is_internal(label)?)
    }

    /// Appends the code of a part to the values of a state.
    pub fn put(
        &mut self,
        process: &mut Process,
        part: u32,
        to: &mut Vec<Term>,
    ) -> Result<(), Stop> {
        let Some(slots) = self.slots else {
            to.push(part);
            return Ok(());
        };
        let at = part as usize;
        if self.tails.len() <= at {
            self.tails.resize(at + 1, None);
        }
        if self.tails[at].is_none() {
            let (shape, values) = self.parts.formula.taken_apart(part, &mut process.data)?;
            let mut tail = Vec::with_capacity(slots + 1);
            for value in values {
                tail.push(value_of(&mut process.data, value, None)?);
            }
            let filler = process.data.truth;
            tail.resize(slots, filler);
            tail.push(shape);
            let tail: Box<[Term]> = tail.into();
            self.numbers.insert(tail.clone(), part);
            self.tails[at] = Some(tail);
        }
        to.extend_from_slice(self.tails[at].as_ref().expect("just made"));
        Ok(())
    }

    /// The part with this code.
    pub fn at(&mut self, process: &Process, tail: &[Term]) -> Result<u32, Stop> {
        let [values @ .., last] = tail else { unreachable!("it has a shape") };
        if self.slots.is_none() {
            return Ok(*last);
        }
        if let Some(&known) = self.numbers.get(tail) {
            return Ok(known);
        }
        let part = self.parts.formula.put_together(*last, values, &process.data)?;
        self.numbers.insert(tail.into(), part);
        Ok(part)
    }
}
