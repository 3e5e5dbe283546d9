//! Stages of long work: how far each of them is, to show progress.
//!
//! Work says what it is doing by a stage, which may have further stages inside. A stage counts its
//! steps where the work checks whether it has to stop (see `cancel`), so that this costs nothing in
//! innermost loops. A count never falls, and never exceeds a known total.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// The number of stages that were begun, which numbers the next one.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// What a stage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Steps of a known total, each of which takes about the same time. If it is 0, there is
    /// nothing to count.
    Share(u64),
    /// Items of a known total, which may take very different times; the count is the number of the
    /// current one, from 1.
    Items(u64),
    /// Items found so far, whose total is not known; the stage is named by their noun in the
    /// plural.
    Growing,
}

/// A stage as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Different for all stages of a process.
    pub number: u64,
    pub name: Cow<'static, str>,
    pub measure: Measure,
    pub count: u64,
}

/// The stages that are under way in a piece of work, the innermost last.
#[derive(Debug, Default)]
pub struct Stages {
    entries: Mutex<Vec<Entry>>,
    /// The stages that have ended, with their last counts.
    #[cfg(test)]
    pub ended: Mutex<Vec<Shown>>,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    name: Cow<'static, str>,
    measure: Measure,
    count: Count,
}

/// The count of a stage. Only one thread changes it, so plain reading and writing suffices.
#[derive(Clone, Debug, Default)]
pub struct Count(Arc<AtomicU64>);

impl Count {
    /// Raises the count to `count`, unless it is greater.
    #[inline]
    pub fn reach(&self, count: usize) {
        if count as u64 > self.0.load(Ordering::Relaxed) {
            self.0.store(count as u64, Ordering::Relaxed);
        }
    }

    /// Adds to the count.
    #[inline]
    pub fn add(&self, steps: usize) {
        let count = self.0.load(Ordering::Relaxed);
        self.0.store(count + steps as u64, Ordering::Relaxed);
    }
}

impl Stages {
    /// The stages under way, the innermost last; none if one begins or ends right now.
    pub fn shown(&self) -> Vec<Shown> {
        // Without waiting: in a forked process, the thread that held the lock does not exist.
        let stages = match self.entries.try_lock() {
            Ok(stages) => stages,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Vec::new(),
        };
        let shown = |entry: &Entry| {
            let count = entry.count.0.load(Ordering::Relaxed);
            let count = match entry.measure {
                Measure::Share(total) | Measure::Items(total) => count.min(total),
                Measure::Growing => count,
            };
            Shown { number: entry.number, name: entry.name.clone(), measure: entry.measure, count }
        };
        stages.iter().map(shown).collect()
    }

    /// Begins a stage inside the others; returns its number and its count.
    pub fn begin(&self, name: Cow<'static, str>, measure: Measure) -> (u64, Count) {
        let number = BEGUN.fetch_add(1, Ordering::Relaxed);
        let count = Count::default();
        self.entries().push(Entry { number, name, measure, count: count.clone() });
        (number, count)
    }

    /// Ends the stage with this number.
    pub fn end(&self, number: u64) {
        #[cfg(test)]
        self.ended.lock().unwrap().extend(
            (self.entries().iter().filter(|entry| entry.number == number)).map(|entry| Shown {
                number,
                name: entry.name.clone(),
                measure: entry.measure,
                count: entry.count.0.load(Ordering::Relaxed),
            }),
        );
        self.entries().retain(|entry| entry.number != number);
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        // Also called when a panic ends the stages.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_stages_never_blocks() {
        let stages = Stages::default();
        stages.begin("stage".into(), Measure::Growing);
        assert_eq!(stages.shown().len(), 1);
        let _entries = stages.entries();
        assert_eq!(stages.shown(), []);
    }

    #[test]
    fn no_count_exceeds_its_total() {
        let stages = Stages::default();
        for (measure, shown) in
            [(Measure::Share(9), 9), (Measure::Items(9), 9), (Measure::Growing, 12)]
        {
            let (number, count) = stages.begin("stage".into(), measure);
            count.reach(7);
            count.reach(3);
            count.add(5);
            assert_eq!(stages.shown()[0].count, shown);
            stages.end(number);
        }
    }
}
