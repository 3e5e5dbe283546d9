//! The tables of a [`Plan`], filled by rewriting and shared by all threads.
//!
//! While threads expand states, [`Tables`] do not change. Missing entries are computed by the
//! [`Evaluator`], by one thread at a time, and stored there until [`Tables::absorb`] moves them
//! between two rounds.

use crate::base::spill::Transfer;
use crate::process::evaluator::Evaluator;
use crate::process::plan::Plan;
use crate::process::step_tables::StepTable;
use crate::process::store::memo_table::Memo;
use crate::process::summand_index::Candidates;
use std::io::Result;

pub(crate) struct DerivedTable {
    pub(crate) memo: Memo,
    pub(crate) grows: bool,
}

/// Everything computed in earlier rounds.
pub struct Tables {
    pub plan: Plan,
    pub candidates: Candidates,
    pub(crate) derived: Vec<DerivedTable>,
    pub(crate) steps: Vec<StepTable>,
}

impl Tables {
    /// Empty tables, except for the tests of values that `evaluator` knows already.
    pub fn new(plan: Plan, evaluator: &mut Evaluator<'_>) -> Self {
        let mut candidates = Candidates::new(&plan, evaluator);
        candidates.extend(&plan, evaluator);
        let derived = plan.derived.iter();
        let derived =
            derived.map(|d| DerivedTable { memo: Memo::new(d.inputs.len(), 1), grows: true });
        let steps = plan.steps.iter();
        Self {
            candidates,
            derived: derived.collect(),
            steps: steps.map(|s| StepTable::new(s.inputs.len(), 1 + s.writes.len())).collect(),
            plan,
        }
    }

    /// Visits the large arrays to be spilled or read back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Result<()> {
        self.derived.iter_mut().try_for_each(|table| table.memo.transfer(transfer))?;
        self.steps.iter_mut().try_for_each(|table| table.transfer(transfer))
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let derived = self.derived.iter().map(|table| table.memo.bytes());
        self.candidates.bytes()
            + derived.sum::<usize>()
            + self.steps.iter().map(StepTable::bytes).sum::<usize>()
    }

    /// The number of entries: of derived values, and of steps of summands.
    pub fn entries(&self) -> (usize, usize) {
        let derived = self.derived.iter().map(|table| table.memo.len()).sum();
        (derived, self.steps.iter().map(|table| table.memo.len()).sum())
    }

    /// The table of a derived value.
    pub fn derived(&self, number: u32) -> &Memo {
        &self.derived[number as usize].memo
    }

    /// Whether values of a derived value are stored.
    pub fn keeps_derived(&self, number: u32) -> bool {
        self.derived[number as usize].grows
    }

    /// The table of the steps of a summand.
    pub fn steps(&self, i: usize) -> &StepTable {
        &self.steps[i]
    }
}
