//! Locks that treat poisoning as a defect.
//!
//! A panic of a thread ends all work (see `parallel`), so no thread sees what it left half done,
//! and a mutex that is poisoned is a defect. `std`'s mutex stays: unlike those of other crates it
//! never allocates, which matters where memory has run out (see `emergency`).

use std::sync::{Mutex, MutexGuard};

const PANICKED: &str = "no thread panics while it holds a lock";

/// Access to a value behind a mutex.
pub trait Locked<T> {
    /// Waits for the lock. Panics if another thread panicked while it held the lock.
    fn locked(&self) -> MutexGuard<'_, T>;

    /// The value, to which no other thread has access. Panics as [`Locked::locked`] does.
    fn exclusive(&mut self) -> &mut T;

    /// The value, once no other thread has access. Panics as [`Locked::locked`] does.
    fn unlocked(self) -> T;
}

impl<T> Locked<T> for Mutex<T> {
    fn locked(&self) -> MutexGuard<'_, T> {
        self.lock().expect(PANICKED)
    }

    fn exclusive(&mut self) -> &mut T {
        self.get_mut().expect(PANICKED)
    }

    fn unlocked(self) -> T {
        self.into_inner().expect(PANICKED)
    }
}
