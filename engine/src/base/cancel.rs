//! Cancellation of long work: interrupts, deadlines and limits on memory.
//!
//! The caller creates a [`Cancel`] for a piece of work and keeps a clone, with which it can stop
//! the work. The work passes its own clone down to the innermost loops, which check it regularly; a
//! check only reads shared atomics and costs next to nothing. A failed check returns the reason as
//! an error, which the work returns in turn. Each piece of work has its own `Cancel`, which also
//! has the [`Stages`] that are under way.

use crate::base::gaps::{self, LastLook};
use crate::base::memory::anonymous;
use crate::base::reserve::refusals;
use crate::base::stages::{Count, Measure, Stages};
use std::borrow::Cow;
use std::mem;
use std::panic::Location;
use std::result;
#[cfg(test)]
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Steps between two checks in loops whose steps are short.
pub const CHECK_EVERY: usize = 1 << 16;

/// Why work was stopped before it was done.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Stopped {
    #[error("the request was cancelled")]
    Interrupt,
    #[error("it took too long")]
    Time,
    #[error("the process took more memory than it may")]
    Memory,
    #[error("the system gave no more memory")]
    Refused,
}

/// Why work with a limit of its own has no result.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum NoResult {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error("there are more states, classes, pairs or choices than allowed")]
    Limit,
}

/// The result of work that may be stopped.
pub type Result<T, E = Stopped> = result::Result<T, E>;

/// The result of work that may be stopped, or exceed a limit of its own.
pub type Limited<T> = Result<T, NoResult>;

/// Decides whether work may go on.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    shared: Arc<Shared>,
    deadline: Option<Instant>,
    /// The most memory the process may use, in bytes.
    bytes: Option<usize>,
    /// The number of refused allocations before this work began. `None` if refusals do not stop it.
    refused: Option<usize>,
    /// The number of checks that still succeed, in tests that limit them.
    #[cfg(test)]
    left: Option<Arc<AtomicUsize>>,
}

/// What all clones of a [`Cancel`] have in common.
#[derive(Debug, Default)]
struct Shared {
    /// Why the work has to stop, if it has to.
    reason: OnceLock<Stopped>,
    stages: Stages,
    last_look: LastLook,
}

impl Cancel {
    /// For work that may take `time` from now on, in a process that may use `bytes` of memory.
    pub fn new(time: Option<Duration>, bytes: Option<usize>) -> Self {
        Self { bytes, refused: Some(refusals()), ..Self::never().within(time) }
    }

    /// For work without limits, which only [`Cancel::stop`] ends.
    pub fn never() -> Self {
        Self::default()
    }

    /// For a part of this work that may take `time` from now on. Whatever stops the whole stops the
    /// part.
    pub fn within(&self, time: Option<Duration>) -> Self {
        // Adding a very long time overflows: then there is no deadline.
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let deadline = self.deadline.into_iter().chain(deadline).min();
        Self { deadline, ..self.clone() }
    }

    /// For tests: the first `checks` checks succeed, all later ones fail.
    #[cfg(test)]
    pub fn after(checks: usize) -> Self {
        Self { left: Some(Arc::new(checks.into())), ..Self::never() }
    }

    /// For tests: the number of checks that `work` makes.
    #[cfg(test)]
    pub fn checks_of(work: impl FnOnce(&Self)) -> usize {
        let left = Arc::new(usize::MAX.into());
        work(&Self { left: Some(Arc::clone(&left)), ..Self::never() });
        usize::MAX - left.load(Ordering::Relaxed)
    }

    /// Stops the work at its next check. Only the first reason is recorded.
    pub fn stop(&self, why: Stopped) {
        self.shared.reason.get_or_init(|| why);
    }

    /// Begins a stage of the work.
    pub fn stage(&self, name: impl Into<Cow<'static, str>>, measure: Measure) -> Stage {
        let (number, count) = self.shared.stages.begin(name.into(), measure);
        Stage { cancel: self.clone(), number, count }
    }

    /// The stages of the work.
    pub fn stages(&self) -> &Stages {
        &self.shared.stages
    }

    /// Whether both are clones of the same `Cancel`, or belong to parts of its work.
    pub fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Stops the work if a limit is exceeded. Reading the memory use is slow, so this is called by
    /// the thread that waits for the work, not by the work itself.
    pub fn look(&self) {
        let enough = |bytes| anonymous().is_some_and(|own| own > bytes);
        if self.bytes.is_some_and(enough) {
            self.stop(Stopped::Memory);
        }
        if let Err(why) = self.verdict() {
            self.stop(why);
        }
    }

    /// Records that the work begins, if times between checks are recorded ([`gaps`]).
    #[track_caller]
    pub fn begin_looks(&self) {
        if gaps::are_recorded() {
            self.shared.last_look.begin(Location::caller());
        }
    }

    /// Records that the work ends; see [`Cancel::begin_looks`].
    #[track_caller]
    pub fn end_looks(&self) {
        if gaps::are_recorded() {
            self.shared.last_look.end(Location::caller());
        }
    }

    /// Returns an error with the reason if the work has to stop.
    #[inline]
    #[track_caller]
    pub fn check(&self) -> Result<()> {
        if gaps::are_recorded() {
            self.shared.last_look.look(Location::caller());
        }
        self.verdict()
    }

    /// [`Cancel::check`] for callers other than the work itself: times between checks are not
    /// recorded.
    #[inline]
    fn verdict(&self) -> Result<()> {
        #[cfg(test)]
        if let Some(left) = &self.left {
            let less = |left: usize| left.checked_sub(1);
            if left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err() {
                return Err(Stopped::Interrupt);
            }
        }
        if let Some(&why) = self.shared.reason.get() {
            return Err(why);
        }
        if self.refused.is_some_and(|before| before != refusals()) {
            return Err(Stopped::Refused);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(Stopped::Time);
        }
        Ok(())
    }

    /// Checks at every [`CHECK_EVERY`]th step of a loop that counts its steps from 0.
    #[inline]
    #[track_caller]
    pub fn check_at(&self, step: usize) -> Result<()> {
        if step.is_multiple_of(CHECK_EVERY) { self.check() } else { Ok(()) }
    }

    /// Adds `steps` to the count of `unchecked` steps; checks, and resets the count, once it
    /// reaches [`CHECK_EVERY`].
    #[inline]
    #[track_caller]
    pub fn check_every(&self, unchecked: &mut usize, steps: usize) -> Result<()> {
        *unchecked += steps;
        if *unchecked < CHECK_EVERY {
            return Ok(());
        }
        *unchecked = 0;
        self.check()
    }
}

/// A stage of work that is under way, until this is dropped.
#[derive(Debug)]
pub struct Stage {
    cancel: Cancel,
    number: u64,
    count: Count,
}

impl Stage {
    /// Raises the count to `count`.
    pub fn reach(&self, count: usize) {
        self.count.reach(count);
    }

    /// Adds to the count.
    pub fn add(&self, steps: usize) {
        self.count.add(steps);
    }

    /// Adds `steps` to the count, and checks.
    #[track_caller]
    pub fn check_after(&self, steps: usize) -> Result<()> {
        self.add(steps);
        self.cancel.check()
    }

    /// Like [`Cancel::check_at`]; such a step also raises the count.
    #[inline]
    #[track_caller]
    pub fn check_at(&self, step: usize) -> Result<()> {
        if step.is_multiple_of(CHECK_EVERY) {
            self.reach(step);
            return self.cancel.check();
        }
        Ok(())
    }

    /// Like [`Cancel::check_every`]; the steps are counted when they are checked.
    #[inline]
    #[track_caller]
    pub fn check_every(&self, unchecked: &mut usize, steps: usize) -> Result<()> {
        *unchecked += steps;
        if *unchecked < CHECK_EVERY {
            return Ok(());
        }
        self.check_after(mem::take(unchecked))
    }
}

/// The stages of a refinement: the numbers of rounds and blocks are not known before.
#[derive(Debug)]
pub struct Refining {
    rounds: Stage,
    blocks: Stage,
}

impl Refining {
    pub fn begin(cancel: &Cancel) -> Self {
        let [rounds, blocks] =
            ["rounds", "blocks"].map(|name| cancel.stage(name, Measure::Growing));
        Self { rounds, blocks }
    }

    /// Counts a round, at the end of which there are `blocks` blocks.
    pub fn round(&self, blocks: usize) {
        self.rounds.add(1);
        self.blocks.reach(blocks);
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.cancel.stages().end(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_reaches_clones_and_parts() {
        let cancel = Cancel::never();
        let part = cancel.within(Some(Duration::from_secs(1000)));
        assert_eq!(part.check(), Ok(()));
        for why in [Stopped::Interrupt, Stopped::Time, Stopped::Memory, Stopped::Refused] {
            let cancel = Cancel::never();
            cancel.clone().stop(why);
            cancel.stop(Stopped::Interrupt);
            assert_eq!(cancel.check(), Err(why));
        }
        cancel.stop(Stopped::Memory);
        assert_eq!(part.check(), Err(Stopped::Memory));
        assert_eq!(Cancel::never().check(), Ok(()));
    }

    #[test]
    fn a_deadline_of_a_part_leaves_the_whole_running() {
        let cancel = Cancel::new(Some(Duration::from_secs(1000)), None);
        let part = cancel.within(Some(Duration::ZERO));
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(part.check(), Err(Stopped::Time));
        assert_eq!(cancel.check(), Ok(()));
        assert_eq!(part.within(None).check(), Err(Stopped::Time));
        assert_eq!(Cancel::new(Some(Duration::MAX), None).check(), Ok(()));
    }

    #[test]
    fn the_waiting_thread_checks_memory() {
        let cancel = Cancel::new(None, Some(1));
        assert_eq!(cancel.check(), Ok(()));
        cancel.look();
        let known = anonymous().is_some();
        assert_eq!(cancel.check(), if known { Err(Stopped::Memory) } else { Ok(()) });
    }

    #[test]
    fn checks_come_at_multiples_of_the_interval() {
        let (cancel, mut done) = (Cancel::after(1), 0);
        assert_eq!(cancel.check_every(&mut done, CHECK_EVERY - 1), Ok(()));
        assert_eq!(cancel.check_every(&mut done, 1), Ok(()));
        assert_eq!(cancel.check_every(&mut done, CHECK_EVERY), Err(Stopped::Interrupt));
        assert_eq!(cancel.check_at(1), Ok(()));
        assert_eq!(cancel.check_at(CHECK_EVERY), Err(Stopped::Interrupt));
    }

    /// The names and counts of the stages of some work.
    fn counts(cancel: &Cancel) -> Vec<(String, u64)> {
        let stages = cancel.stages().shown();
        stages.into_iter().map(|stage| (stage.name.into_owned(), stage.count)).collect()
    }

    #[test]
    fn stages_are_shared_by_clones_until_dropped() {
        let cancel = Cancel::never();
        assert_eq!(counts(&cancel), []);
        let outer = cancel.stage("outer", Measure::Items(2));
        outer.reach(1);
        {
            let inner = cancel.clone().within(None).stage("inner", Measure::Growing);
            inner.add(7);
            assert_eq!(counts(&cancel), [("outer".into(), 1), ("inner".into(), 7)]);
        }
        assert_eq!(counts(&cancel), [("outer".into(), 1)]);
        let number = cancel.stages().shown()[0].number;
        drop(outer);
        assert_eq!(counts(&cancel), []);
        let _other = cancel.stage("outer", Measure::Items(2));
        assert_ne!(cancel.stages().shown()[0].number, number);
        assert_eq!(counts(&Cancel::never()), []);
    }

    #[test]
    fn counts_rise_to_their_total() {
        const STEPS: usize = 5 * CHECK_EVERY / 2;
        let cancel = Cancel::never();
        let count = || cancel.stages().shown()[0].count as usize;
        let stage = cancel.stage("by step", Measure::Share(STEPS as u64));
        for step in 0..STEPS {
            assert_eq!(stage.check_at(step), Ok(()));
            if step.is_multiple_of(CHECK_EVERY / 4) {
                assert_eq!(count(), step / CHECK_EVERY * CHECK_EVERY);
            }
        }
        drop(stage);
        let stage = cancel.stage("by sum", Measure::Share(STEPS as u64));
        let (mut unchecked, mut done, mut last) = (0, 0, 0);
        for steps in (0..).take_while(|steps| steps * (steps + 1) / 2 <= STEPS) {
            assert_eq!(stage.check_every(&mut unchecked, steps), Ok(()));
            done += steps;
            assert_eq!(count() + unchecked, done);
            assert!(last <= count() && unchecked < CHECK_EVERY);
            last = count();
        }
        assert_eq!(last / CHECK_EVERY, 2);
    }

    #[test]
    fn a_stage_stops_with_its_work_or_a_panic() {
        let cancel = Cancel::after(1);
        let stage = cancel.stage("stage", Measure::Share(9));
        assert_eq!(stage.check_at(0), Ok(()));
        assert_eq!(stage.check_at(1), Ok(()));
        assert_eq!(stage.check_at(CHECK_EVERY), Err(Stopped::Interrupt));
        assert_eq!(stage.check_every(&mut 0, CHECK_EVERY), Err(Stopped::Interrupt));
        drop(stage);
        let panics = std::panic::AssertUnwindSafe(|| {
            let _stage = cancel.stage("stage", Measure::Growing);
            panic!("as tested");
        });
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(counts(&cancel), []);
    }
}
