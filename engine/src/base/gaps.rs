//! The longest times between two checks of a [`Cancel`](crate::base::cancel::Cancel) by the same
//! work, for each pair of locations of checks in the code. They are recorded on request only, to
//! find loops that cannot be stopped; otherwise they cost each check one read of a flag.
//!
//! Times are processor times of all threads of the process, where the system reports these, so they
//! do not depend on other processes. With one thread they are the times of the work alone.
#![allow(unsafe_code)] // the processor time is a C interface

use crate::base::ids::Id;
use crate::base::lock::Locked;
use rustc_hash::FxHashMap;
use std::panic::Location;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A location in the code.
pub type CodeLocation = &'static Location<'static>;

/// The longest time between two consecutive checks at each pair of locations.
type Longest = FxHashMap<(CodeLocation, CodeLocation), Duration>;

static ARE_RECORDED: AtomicBool = AtomicBool::new(false);
static LONGEST: Mutex<Option<Longest>> = Mutex::new(None);

/// Whether times are recorded.
#[inline]
pub fn are_recorded() -> bool {
    ARE_RECORDED.load(Ordering::Relaxed)
}

/// Records times from now on.
pub fn record() {
    *LONGEST.locked() = Some(Longest::default());
    ARE_RECORDED.store(true, Ordering::Relaxed);
}

/// The longest time recorded for each pair of locations, the longest first.
pub fn longest() -> Vec<(Duration, CodeLocation, CodeLocation)> {
    let longest = LONGEST.locked();
    let times = longest.iter().flatten().map(|(&(from, to), &time)| (time, from, to));
    let mut times: Vec<_> = times.collect();
    times.sort_unstable_by_key(|&(time, from, to)| (std::cmp::Reverse(time), from, to));
    times
}

/// The time and location of the last check, while work is under way.
#[derive(Debug, Default)]
pub(crate) struct LastLook(Mutex<Option<(Duration, CodeLocation)>>);

impl LastLook {
    /// Records the beginning of work at this location.
    pub fn begin(&self, location: CodeLocation) {
        *self.0.locked() = Some((now(), location));
    }

    /// Records a check at this location, if work is under way.
    pub fn look(&self, location: CodeLocation) {
        let mut last = self.0.locked();
        if let Some((before, from)) = *last {
            note(now().saturating_sub(before), from, location);
            *last = Some((now(), location));
        }
    }

    /// Records the end of work at this location.
    pub fn end(&self, location: CodeLocation) {
        self.look(location);
        *self.0.locked() = None;
    }
}

fn note(time: Duration, from: CodeLocation, to: CodeLocation) {
    if let Some(longest) = &mut *LONGEST.locked() {
        let known = longest.entry((from, to)).or_default();
        *known = time.max(*known);
    }
}

/// The time spent on processors so far.
#[cfg(target_os = "linux")]
fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is written, and nothing else is touched.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::at(time.tv_nsec.unsigned_abs()))
}

/// The time since the first call.
#[cfg(not(target_os = "linux"))]
fn now() -> Duration {
    static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    FIRST.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use crate::base::cancel::Cancel;
    use crate::base::gaps::{longest, record};

    #[test]
    fn a_loop_without_checks_is_located_by_its_neighbours() {
        record();
        let cancel = Cancel::never();
        cancel.begin_looks();
        cancel.check().unwrap();
        let sum = (0..20_000_000_u64).fold(0, |sum, i| std::hint::black_box(sum ^ i));
        std::hint::black_box(sum);
        cancel.check().unwrap();
        cancel.end_looks();
        // Of other work nothing is recorded.
        Cancel::never().check().unwrap();
        let own: Vec<_> = (longest().into_iter())
            .filter(|(_, from, to)| from.file() == file!() && to.file() == file!())
            .collect();
        assert_eq!(own.len(), 3);
        let (time, from, to) = own[0];
        assert!(time.as_micros() > 1000, "{time:?}");
        assert_eq!(to.line(), from.line() + 3);
    }
}
