//! The way back to the initial state, a step at a time: each step is known to the owner of its source.

use crate::lpe::store::NONE;
use crate::partition::Key;
use crate::partition::generation::Partition;

impl Partition<'_> {
    /// How a state was met, if it is ours; the source is no number for the initial one.
    pub fn parent(&self, number: u64) -> Option<Key> {
        let state = self.numbers.binary_search(&number).ok()?;
        self.parents.get(state).copied()
    }

    /// The label of a step, and which of the states that steps with this label lead to it goes to,
    /// counted from 1; if the source is ours.
    pub fn step(&mut self, (source, index): Key) -> Option<(Vec<u8>, u32)> {
        let state = u32::try_from(self.numbers.binary_search(&source).ok()?).ok()?;
        self.steps(state..state + 1);
        let (labels, roots) = (&self.chunk.labels, &self.chunk.roots);
        let index = index as usize;
        let label = *labels.get(index)?;
        let mut same: Vec<[u32; 2]> = Vec::new();
        for (&root, _) in roots.iter().zip(labels).take(index + 1).filter(|&(_, &l)| l == label) {
            if !same.contains(&root) {
                same.push(root);
            }
        }
        let choice = same.iter().position(|&root| root == roots[index])? as u32 + 1;
        Some((self.label(label), choice))
    }

    /// The text of a label, by our number.
    pub fn label(&mut self, label: u32) -> Vec<u8> {
        debug_assert!(label != NONE);
        self.process().labels.labels.get(label).to_vec()
    }
}
