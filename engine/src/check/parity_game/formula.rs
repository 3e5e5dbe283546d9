//! Formulas in positive normal form, whose parts are created on demand.

use crate::base::cancel::Result;
use crate::base::ids::Label;
use rustc_hash::FxHashMap;

/// What has to hold after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// This part.
    Part(u32),
    /// Parts that depend on the label; the step leads to each of them.
    OfLabel,
}

/// A part of a formula in positive normal form. Parts are numbered; a fixed point variable is the
/// number of its fixed point.
#[derive(Clone, Debug)]
pub enum Part {
    And(Vec<u32>),
    Or(Vec<u32>),
    /// Diamond: some step with a label of this set leads to the part.
    Can(u32, After),
    /// Box: all steps with a label of this set lead to the part.
    Must(u32, After),
    /// One of some parts holds in the same state: the labels of its steps determine which parts.
    OneOf(u32),
    /// All parts that the labels of its steps determine hold in the same state.
    EachOf(u32),
    /// A fixed point: its priority, even for a greatest fixed point, and its body.
    Fixed(u32, u32),
}

impl Part {
    /// The player who moves: 0 tries to show that the formula holds.
    pub fn owner(&self) -> u8 {
        u8::from(matches!(self, Self::And(_) | Self::Must(..) | Self::EachOf(_)))
    }

    /// The priority of positions with this part.
    pub fn priority(&self) -> u32 {
        if let Self::Fixed(priority, _) = self { *priority } else { 0 }
    }
}

/// Provides a formula; queried once for each part, and for each set and label.
pub trait Formula {
    fn part(&mut self, number: u32) -> Result<Part>;
    /// Whether a set contains every label (true) or none (false), if it is obvious.
    fn constant(&mut self, _set: u32) -> Result<Option<bool>> {
        Ok(None)
    }
    /// Whether a set contains a label.
    fn has(&mut self, set: u32, label: &[u8]) -> Result<bool>;
    /// The parts to which a step with this label of the set leads, if they depend on the label.
    fn after(&mut self, set: u32, label: &[u8]) -> Result<Vec<u32>>;
    /// The parts of which one or each holds in a state whose steps have these labels.
    fn here(&mut self, number: u32, labels: &[&[u8]]) -> Result<Vec<u32>>;
}

/// The number of a part, and the labels of a state in order.
type OfState = (u32, Box<[u32]>);

/// The results of membership queries to a set of labels.
#[derive(Clone, Debug)]
enum Set {
    /// It contains every label, or none.
    Constant(bool),
    /// For each label: 0 if unknown, 1 if the set does not contain it, 2 if it does.
    Labels(Vec<u8>),
}

/// The parts of a formula computed so far.
pub struct Parts<F: Formula> {
    pub formula: F,
    known: Vec<Option<Part>>,
    sets: Vec<Option<Set>>,
    /// The parts that depend on labels, by set and label.
    after: FxHashMap<(u32, Label), Box<[u32]>>,
    /// The parts that depend on the labels of a state, which are in order.
    here: FxHashMap<OfState, Box<[u32]>>,
}

impl<F: Formula> Parts<F> {
    pub fn new(formula: F) -> Self {
        let (after, here) = (FxHashMap::default(), FxHashMap::default());
        Self { formula, known: Vec::new(), sets: Vec::new(), after, here }
    }

    pub fn part(&mut self, number: u32) -> Result<&Part> {
        let at = number as usize;
        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        let known = &mut self.known[at];
        match known {
            Some(part) => Ok(part),
            None => Ok(known.insert(self.formula.part(number)?)),
        }
    }

    /// Appends to `to` the parts to which a step with this label leads; none if the set does not
    /// contain the label. The label is given by number and text.
    pub fn lead(
        &mut self,
        set: u32,
        after: After,
        (label, text): (Label, &[u8]),
        to: &mut Vec<u32>,
    ) -> Result<()> {
        match after {
            After::Part(part) => to.extend(self.has(set, label, text)?.then_some(part)),
            After::OfLabel => {
                if !self.after.contains_key(&(set, label)) {
                    let parts = self.formula.after(set, text)?;
                    self.after.insert((set, label), parts.into());
                }
                to.extend_from_slice(&self.after[&(set, label)]);
            }
        }
        Ok(())
    }

    /// The parts of which one or each holds in a state whose steps have these labels.
    pub fn here<'l>(
        &mut self,
        number: u32,
        labels: impl Iterator<Item = u32>,
        text: impl Fn(Label) -> &'l [u8],
    ) -> Result<&[u32]> {
        let mut labels: Vec<u32> = labels.collect();
        labels.sort_unstable();
        labels.dedup();
        let key = (number, labels.into_boxed_slice());
        if !self.here.contains_key(&key) {
            let texts: Vec<&[u8]> = key.1.iter().map(|&label| text(Label(label))).collect();
            let parts = self.formula.here(number, &texts)?;
            self.here.insert(key.clone(), parts.into());
        }
        Ok(&self.here[&key])
    }

    /// Whether a set contains a label, given by number and text.
    pub fn has(&mut self, set: u32, label: Label, text: &[u8]) -> Result<bool> {
        let (set_at, at) = (set as usize, label.index());
        if self.sets.len() <= set_at {
            self.sets.resize(set_at + 1, None);
        }
        let known = &mut self.sets[set_at];
        let transition = match known {
            Some(Set::Constant(constant)) => return Ok(*constant),
            Some(Set::Labels(transition)) => transition,
            None => match self.formula.constant(set)? {
                Some(constant) => {
                    *known = Some(Set::Constant(constant));
                    return Ok(constant);
                }
                None => match known.insert(Set::Labels(Vec::new())) {
                    Set::Labels(transition) => transition,
                    Set::Constant(_) => unreachable!("just put there"),
                },
            },
        };
        if let Some(&known) = transition.get(at).filter(|&&known| known != 0) {
            return Ok(known == 2);
        }
        let has_label = self.formula.has(set, text)?;
        if transition.len() <= at {
            transition.resize(at + 1, 0);
        }
        transition[at] = 1 + u8::from(has_label);
        Ok(has_label)
    }
}
