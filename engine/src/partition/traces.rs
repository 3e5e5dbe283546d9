//! Traces back to the initial state, one step at a time: each step is known to the owner of its
//! source.

use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::base::spill::Spillable;
use crate::partition::Key;
use crate::partition::generation::{NUMBERS, Partition, STATES, TABLES};
use crate::partition::supersteps::Failure;
use crate::process::goals::choice;

impl Partition<'_> {
    /// The key with which a state was visited, if this partition owns it; the initial state has no
    /// valid source.
    pub fn parent(&mut self, number: u64) -> Result<Option<Key>, Failure> {
        self.read_back(&[NUMBERS])?;
        let state = self.numbers.find(number);
        Ok(state.and_then(|state| self.parents.get(state).copied()))
    }

    /// The label of a step, and the number of its target, counted from 1, among the states that
    /// steps with this label lead to; `None` if this partition does not own the source.
    pub fn step(&mut self, (source, index): Key) -> Result<Option<(Vec<u8>, u32)>, Failure> {
        self.read_back(&[STATES, TABLES, NUMBERS])?;
        let Some(state) = self.numbers.find(source) else { return Ok(None) };
        self.steps(u32::at(state)..u32::at(state) + 1);
        let (labels, roots) = (&self.chunk.labels, &self.chunk.roots);
        let index = index as usize;
        let Some(&label) = labels.get(index) else { return Ok(None) };
        let choice = choice(labels, roots, index);
        Ok(Some((self.label(label).0, choice)))
    }

    /// The text of a label, by its number in this partition, and that without hidden actions.
    pub fn label(&mut self, label: u32) -> (Vec<u8>, Vec<u8>) {
        let text = self.process().labels.labels.get(Label(label)).to_vec();
        let shown = self.options.hidden.shown(&text).into_owned();
        (text, shown)
    }
}
