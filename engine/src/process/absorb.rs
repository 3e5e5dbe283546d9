//! Between two rounds: moves newly computed entries into the shared tables, and drops useless
//! tables.

use crate::process::evaluator::Evaluator;
use crate::process::store::memo_table::Memo;
use crate::process::successors::Scratch;
use crate::process::tables::Tables;

/// The number of entries after which a table has to have proven useful.
const TRIAL: usize = 1 << 16;

impl Tables {
    /// Moves the entries computed in a round into the shared tables. Drops tables that are rarely
    /// hit, judged by the lookups of all threads so far.
    pub fn absorb(&mut self, evaluator: &mut Evaluator<'_>, scratch: &[Scratch]) {
        for number in std::mem::take(&mut evaluator.dirty_derived) {
            let (own, new) =
                (&mut self.derived[number as usize], &mut evaluator.derived[number as usize]);
            for (key, value) in new.iter() {
                own.memo.insert(key, value);
            }
            new.clear();
            let count = || scratch.iter().map(|scratch| scratch.derived_lookups(number)).sum();
            if is_useless(&own.memo, count) {
                own.grows = false;
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
            let count = || scratch.iter().map(|scratch| scratch.step_lookups(number)).sum();
            if is_useless(&own.memo, count) {
                own.grows = false;
                own.clear();
            }
        }
        self.candidates.extend(&self.plan, evaluator);
    }
}

/// Whether a table is large but has had few hits; `lookups` returns the number of all lookups.
fn is_useless(memo: &Memo, lookups: impl FnOnce() -> u64) -> bool {
    memo.len() > TRIAL && lookups() < memo.len() as u64 * 5 / 4
}
