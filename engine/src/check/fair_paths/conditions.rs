//! The conditions that an automaton puts on a state: on the labels of its steps.

use crate::base::ids::{Label, NONE};
use crate::base::label_table::Labels;
use crate::check::data_formula::{Coded, DataFormula};
use crate::check::fair_paths::graph::Graph;
use crate::check::parity_game::formula::{After, Part};
use crate::process::linear::stop::Stop;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Stands for the labels of unknown steps, among the labels of a state.
pub const OTHERS: u32 = NONE;

/// A condition on a state.
#[derive(Debug)]
pub(super) enum Now {
    Known(bool),
    /// Some step has a label of this set.
    Has(u32),
    /// No step has a label of this set.
    Lacks(u32),
    All(Vec<Now>),
    Any(Vec<Now>),
    /// Some step (`false`) or every step (`true`) with a label of this set satisfies a part that
    /// depends on the label.
    OfLabel(u32, bool),
}

/// The conditions evaluated so far.
pub(super) struct Conditions<'a, F: DataFormula> {
    pub formula: &'a mut Coded<F>,
    known: FxHashMap<u32, Arc<Now>>,
    /// The state queried last, and the labels of its steps.
    labels: (u32, Vec<u32>),
}

impl<'a, F: DataFormula> Conditions<'a, F> {
    pub fn new(formula: &'a mut Coded<F>) -> Self {
        Self { formula, known: FxHashMap::default(), labels: (NONE, Vec::new()) }
    }

    pub fn all_of(&mut self, parts: &[u32]) -> Result<Option<Arc<Now>>, Stop> {
        match parts {
            [] => Ok(None),
            &[part] => self.now(part).map(Some),
            parts => {
                let each: Result<_, Stop> = parts.iter().map(|&part| self.made_now(part)).collect();
                Ok(Some(Arc::new(Now::All(each?))))
            }
        }
    }

    pub fn now(&mut self, part: u32) -> Result<Arc<Now>, Stop> {
        if let Some(known) = self.known.get(&part) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(self.made_now(part)?);
        self.known.insert(part, Arc::clone(&made));
        Ok(made)
    }

    fn made_now(&mut self, part: u32) -> Result<Now, Stop> {
        Ok(match self.formula.part(part)? {
            Part::And(parts) if parts.is_empty() => Now::Known(true),
            Part::Or(parts) if parts.is_empty() => Now::Known(false),
            Part::And(parts) => {
                Now::All(parts.iter().map(|&part| self.made_now(part)).collect::<Result<_, _>>()?)
            }
            Part::Or(parts) => {
                Now::Any(parts.iter().map(|&part| self.made_now(part)).collect::<Result<_, _>>()?)
            }
            Part::Can(set, After::Part(after)) => {
                if self.is_true(after)? {
                    Now::Has(set)
                } else {
                    Now::Known(false)
                }
            }
            Part::Must(set, After::Part(after)) => {
                if self.is_true(after)? {
                    Now::Known(true)
                } else {
                    Now::Lacks(set)
                }
            }
            Part::Can(set, After::OfLabel) => Now::OfLabel(set, false),
            Part::Must(set, After::OfLabel) => Now::OfLabel(set, true),
            Part::OneOf(_) | Part::EachOf(_) => unreachable!("a game is played for these"),
            Part::Fixed(..) => unreachable!("what holds of a state is not about what follows"),
        })
    }

    /// Whether a part without modalities is true.
    fn is_true(&mut self, part: u32) -> Result<bool, Stop> {
        let now = self.now(part)?;
        self.holds(&now, &[], &Labels::default())
    }

    /// Whether a condition holds in a state whose steps have the labels `own`. If these include
    /// [`OTHERS`], whether it holds for any labels of the unknown steps.
    pub fn holds(&mut self, now: &Now, own: &[u32], labels: &Labels) -> Result<bool, Stop> {
        match now {
            Now::Known(known) => Ok(*known),
            &Now::Has(set) => self.has_any(set, own, labels),
            Now::Lacks(_) if own.contains(&OTHERS) => Ok(false),
            &Now::Lacks(set) => Ok(!self.has_any(set, own, labels)?),
            Now::All(parts) => {
                for part in parts {
                    if !self.holds(part, own, labels)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Now::Any(parts) => {
                for part in parts {
                    if self.holds(part, own, labels)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Now::OfLabel(_, true) if own.contains(&OTHERS) => Ok(false),
            &Now::OfLabel(set, all) => {
                for &label in own.iter().filter(|&&label| label != OTHERS) {
                    for part in self.formula.lead(set, After::OfLabel, Label(label), labels)? {
                        if self.is_true(part)? != all {
                            return Ok(!all);
                        }
                    }
                }
                Ok(all)
            }
        }
    }

    fn has_any(&mut self, set: u32, own: &[u32], labels: &Labels) -> Result<bool, Stop> {
        for &label in own.iter().filter(|&&label| label != OTHERS) {
            if self.formula.has(set, Label(label), labels)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the labels of the steps of a state, to be returned by [`Conditions::give_back`].
    pub fn labels_of<G: Graph>(&mut self, state: u32, graph: &G) -> Vec<u32> {
        let (of, mut own) = std::mem::take(&mut self.labels);
        if of != state || own.is_empty() {
            own.clear();
            own.extend(graph.steps(state).map(|at| graph.step(at).label));
            own.extend((!graph.is_whole(state)).then_some(OTHERS));
        }
        own
    }

    /// Returns the labels, as the next query is often about the same state.
    pub fn give_back(&mut self, state: u32, own: Vec<u32>) {
        self.labels = (state, own);
    }
}
