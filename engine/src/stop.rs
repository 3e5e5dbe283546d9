//! Why long work ends before it is done.

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
