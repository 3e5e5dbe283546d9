//! A table of the local steps of one summand.

use crate::base::ids::Id;
use crate::base::spill::Transfer;
use crate::process::store::memo_table::Memo;
use std::io::Result;

/// Stands for a derived value that cannot be computed. The whole summand is then evaluated, which
/// reports the error.
pub const UNDEFINED: u32 = u32::MAX - 1;

/// The local steps of one summand. An entry has the number of its steps and the step itself, if it
/// is the only one, or else the start of its steps in `more`. A step is a label and the values of
/// the positions written.
pub struct StepTable {
    pub memo: Memo,
    more: Vec<u32>,
    /// The length of a step.
    pub width: usize,
    /// Whether entries are still added.
    pub grows: bool,
}

impl StepTable {
    pub(crate) fn new(key: usize, width: usize) -> Self {
        // There must be room for an index into `more` even if steps consist of a label only.
        let memo = Memo::new(key, 1 + width.max(1));
        Self { memo, more: Vec::new(), width, grows: true }
    }

    pub(crate) fn get(&self, key: &[u32]) -> Option<&[u32]> {
        self.memo.get(key).map(|value| self.steps_of(value))
    }

    /// The steps of an entry of `memo`.
    pub fn steps(&self, entry: u32) -> &[u32] {
        self.steps_of(self.memo.value(entry))
    }

    /// The number of steps of an entry of `memo`.
    pub fn count(&self, entry: u32) -> u32 {
        self.memo.value(entry)[0]
    }

    fn steps_of<'a>(&'a self, value: &'a [u32]) -> &'a [u32] {
        match value[0] {
            0 => &[],
            1 => &value[1..=self.width],
            steps => {
                let start = value[1] as usize;
                &self.more[start..start + steps as usize * self.width]
            }
        }
    }

    pub(crate) fn insert(&mut self, key: &[u32], steps: &[u32], entry: &mut Vec<u32>) {
        let count = steps.len() / self.width;
        entry.clear();
        entry.resize(1 + self.width.max(1), 0);
        entry[0] = u32::at(count);
        if count == 1 {
            entry[1..=self.width].copy_from_slice(steps);
        } else if count > 1 {
            entry[1] = u32::at(self.more.len());
            self.more.extend_from_slice(steps);
        }
        self.memo.insert(key, entry);
    }

    pub(crate) fn clear(&mut self) {
        self.memo.clear();
        self.more = Vec::new();
    }

    /// Visits the arrays to be spilled or read back.
    pub(crate) fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        self.memo.transfer(transfer)?;
        transfer.grows(&mut self.more)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.memo.bytes() + size_of_val(&self.more[..])
    }
}
