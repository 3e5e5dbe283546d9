//! Why long work ends before it is done.

use std::cell::RefCell;

/// Asked now and then by long work; when it says no the work gives up.
pub type Poll<'a> = &'a mut dyn FnMut() -> bool;

/// Steps of work between two calls of a poll.
pub const POLL_EVERY: usize = 1 << 16;

/// Counts steps of work, so that a poll is asked now and then.
#[derive(Default)]
pub struct Ticks(usize);

impl Ticks {
    /// Whether to go on after so many steps more.
    pub fn go_on(&mut self, steps: usize, poll: Poll) -> bool {
        self.0 += steps;
        self.0 < POLL_EVERY || {
            self.0 = 0;
            poll()
        }
    }
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// `poll` said no.
    Interrupted,
    /// There are more states, classes or pairs than allowed.
    Limit,
}

/// Goes on if `poll` says so.
pub fn go_on(poll: Poll) -> Result<(), Stop> {
    if poll() { Ok(()) } else { Err(Stop::Interrupted) }
}

thread_local! {
    static ASKED: RefCell<Option<Box<dyn FnMut() -> bool>>> = const { RefCell::new(None) };
}

/// Does work whose parts that no poll is handed to ask this one, by [`is_told_to_stop`].
pub fn asking<T>(poll: impl FnMut() -> bool + 'static, work: impl FnOnce() -> T) -> T {
    let before = ASKED.replace(Some(Box::new(poll)));
    let _back = OnDrop(Some(before));
    work()
}

/// Puts back what was asked before, also after a panic.
struct OnDrop(Option<Option<Box<dyn FnMut() -> bool>>>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        if let Some(before) = self.0.take() {
            ASKED.replace(before);
        }
    }
}

/// Whether the work of this thread is to end.
pub fn is_told_to_stop() -> bool {
    ASKED.with_borrow_mut(|asked| asked.as_mut().is_some_and(|poll| !poll()))
}
