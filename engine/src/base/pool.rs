//! Things that threads use one after the other, made as they are needed.

use std::sync::{Mutex, PoisonError};

/// Things that nobody uses at the moment.
pub struct Pool<T, F: Fn() -> T> {
    idle: Mutex<Vec<T>>,
    make: F,
}

impl<T, F: Fn() -> T> Pool<T, F> {
    /// Nothing yet.
    pub fn new(make: F) -> Self {
        Self { idle: Mutex::default(), make }
    }

    /// One that nobody else has.
    pub fn take(&self) -> T {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(&self.make)
    }

    /// Give one back.
    pub fn give(&self, one: T) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(one);
    }
}
