//! When rewriting gives up, and why: it is stopped, or takes too many steps.

use crate::data::logic::Logic;
use crate::data::rewrite::Data;
pub use crate::data::rewrite::endless::Endless;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Steps between two looks at whether to stop.
pub(crate) const LOOK_EVERY: u64 = 1 << 16;

/// Steps at the end that are looked at to name the rule that loops.
pub(crate) const LAST_STEPS: u64 = 10_000;

impl Data {
    /// Whether rewriting and solving give up: an error of theirs then means just that.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Lets rewriting and solving go on, without a deadline.
    pub fn go_on(&mut self) {
        if self.is_stopped() {
            // What was not found out may have been given up.
            self.logic = Logic::default();
        }
        self.stop.store(false, Ordering::Relaxed);
        self.deadline = None;
    }

    #[cold]
    pub(crate) fn stopped(&self) -> Endless {
        Endless { rule: 0, name: "nothing: it was stopped".into(), steps: self.steps }
    }

    pub(crate) fn endless(&self, looked: &FxHashMap<u32, u64>) -> Endless {
        let most = looked.iter().max_by_key(|&(&rule, &count)| (count, std::cmp::Reverse(rule)));
        let rule = most.map_or(0, |(&rule, _)| rule as usize);
        let name = match self.rule_names.get(rule) {
            Some(name) => name.clone(),
            None => format!("rule {}", rule + 1),
        };
        Endless { rule, name, steps: self.step_limit }
    }
}
