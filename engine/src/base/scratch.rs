//! Scratch memory of threads: reusable objects, created on demand.

use std::sync::{Mutex, PoisonError};

/// Objects of which each is used by one thread at a time.
pub struct Scratch<T, F: Fn() -> T> {
    idle: Mutex<Vec<T>>,
    make: F,
}

impl<T, F: Fn() -> T> Scratch<T, F> {
    /// No objects yet.
    pub fn new(make: F) -> Self {
        Self { idle: Mutex::default(), make }
    }

    /// Takes an unused object, or makes one.
    pub fn take(&self) -> T {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(&self.make)
    }

    /// Returns an object for reuse.
    pub fn give(&self, object: T) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(object);
    }
}
