//! The way back to the initial state, a step at a time: each step is known to the owner of its source.

use crate::base::ids::Label;
use crate::base::put_away::InGroups;
use crate::lpe::goals::choice;
use crate::partition::Key;
use crate::partition::generation::{NUMBERS, Partition, STATES, TABLES};
use crate::partition::supersteps::Failure;

impl Partition<'_> {
    /// How a state was visited, if it is ours; the source is no number for the initial one.
    pub fn parent(&mut self, number: u64) -> Result<Option<Key>, Failure> {
        self.have(&[NUMBERS])?;
        let state = self.numbers.find(number);
        Ok(state.and_then(|state| self.parents.get(state).copied()))
    }

    /// The label of a step, and which of the states that steps with this label lead to it goes to,
    /// counted from 1; if the source is ours.
    pub fn step(&mut self, (source, index): Key) -> Result<Option<(Vec<u8>, u32)>, Failure> {
        self.have(&[STATES, TABLES, NUMBERS])?;
        let Some(state) = self.numbers.find(source) else { return Ok(None) };
        self.steps(state as u32..state as u32 + 1);
        let (labels, roots) = (&self.chunk.labels, &self.chunk.roots);
        let index = index as usize;
        let Some(&label) = labels.get(index) else { return Ok(None) };
        let choice = choice(labels, roots, index);
        Ok(Some((self.label(label).0, choice)))
    }

    /// The text of a label, by our number, and whether it is hidden.
    pub fn label(&mut self, label: u32) -> (Vec<u8>, bool) {
        let text = self.process().labels.labels.get(Label(label)).to_vec();
        let hidden = self.options.hidden.has(&text);
        (text, hidden)
    }
}
