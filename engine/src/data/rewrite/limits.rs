//! Limits of rewriting: cancellation and the number of steps.

use crate::base::cancel::Cancel;
use crate::data::logic::Logic;
use crate::data::rewrite::Data;
use crate::data::rewrite::unfinished::Unfinished;
use rustc_hash::FxHashMap;

/// Steps between two checks for cancellation.
pub(crate) const LOOK_EVERY: u64 = 1 << 16;

/// The number of last steps that are recorded to name the rule that loops.
pub(crate) const LAST_STEPS: u64 = 10_000;

impl Data {
    /// Begins work that `cancel` can stop.
    pub fn begin(&mut self, cancel: Cancel) {
        if self.cancel.check().is_err() {
            // Some of the cached results may be missing because the work before was stopped.
            self.logic = Logic::default();
        }
        self.cancel = cancel;
    }

    pub(crate) fn endless(&self, looked: &FxHashMap<u32, u64>) -> Unfinished {
        let most = looked.iter().max_by_key(|&(&rule, &count)| (count, std::cmp::Reverse(rule)));
        let rule = most.map_or(0, |(&rule, _)| rule as usize);
        let name = match self.rule_names.get(rule) {
            Some(name) => name.clone(),
            None => format!("rule {}", rule + 1),
        };
        Unfinished::Endless { rule, name, steps: self.step_limit }
    }
}
