//! Addresses that are kept aside, so that work ends in good order where the system refuses memory.
//!
//! Rust ends the process that gets no memory, which a library must not do to whoever uses it. So some
//! addresses are kept, of which nothing is ever touched: only a limit on addresses counts them. They are
//! given up where memory is refused, which is counted: the next check of a `Cancel` fails, and what the
//! work takes until then is what was kept. The program keeps nothing: it ends there (`emergency`).
//!
//! Columns and tables grow by doubling, and what is made of a column is seldom much larger. So four times
//! the largest piece of memory is kept, and where that is not to be had, it counts as refused. Larger
//! ones are asked for by `memory`, which ends work where there is none.
#![allow(unsafe_code)] // addresses come from a C interface

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Kept in any case.
const LEAST: usize = 32 << 20;
/// Memory that is smaller is not counted.
pub const LARGE: usize = 1 << 20;

/// Whether anything is to be kept.
static ENABLED: AtomicBool = AtomicBool::new(true);
/// So many pieces of memory are there of each size from [`LARGE`] on, up to a power of two.
static PIECES: [AtomicUsize; 64] = [const { AtomicUsize::new(0) }; 64];
static RESERVE: Mutex<Reserve> = Mutex::new(Reserve { start: 0, size: 0 });
/// How many bytes are kept.
static SIZE: AtomicUsize = AtomicUsize::new(0);
/// Whether memory was refused since anything was kept last.
static SPENT: AtomicBool = AtomicBool::new(false);
/// How often memory was refused.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

/// What a panic says that is for want of memory.
pub struct NoMemory;

/// How often memory has been refused; more than before says that work is to end.
pub fn refusals() -> usize {
    REFUSED.load(Ordering::Relaxed)
}

/// From now on nothing is kept.
pub fn keep_nothing() {
    ENABLED.store(false, Ordering::Relaxed);
    lock().resize(0);
}

/// Work begins: what is to be kept for it is, as far as the system gives it.
pub fn begin() {
    let needed = enough(largest());
    if !ENABLED.load(Ordering::Relaxed)
        || (SIZE.load(Ordering::Relaxed) == needed && !SPENT.load(Ordering::Relaxed))
    {
        return;
    }
    let mut reserve = lock();
    SPENT.store(false, Ordering::Relaxed);
    let mut size = needed;
    while !reserve.resize(size) && size > LARGE {
        size /= 2;
    }
}

/// A large piece of memory was given.
pub fn given(size: usize) {
    pieces(size).fetch_add(1, Ordering::Relaxed);
    let needed = enough(size);
    if SIZE.load(Ordering::Relaxed) >= needed
        || !ENABLED.load(Ordering::Relaxed)
        || SPENT.load(Ordering::Relaxed)
    {
        return;
    }
    let mut reserve = lock();
    let before = reserve.size;
    if before < needed && !reserve.resize(needed) {
        reserve.resize(before);
        refuse();
    }
}

/// A large piece of memory was given back.
pub fn given_back(size: usize) {
    pieces(size).fetch_sub(1, Ordering::Relaxed);
}

/// Memory was refused: what comes of asking `again` while what is kept is given up.
#[cold]
pub fn refused(size: usize, mut again: impl FnMut() -> *mut u8) -> *mut u8 {
    let mut reserve = lock();
    let needed = enough(largest());
    if reserve.size > needed {
        // That was kept for a piece that is there no more.
        reserve.resize(needed);
        let memory = again();
        if !memory.is_null() {
            return memory;
        }
    }
    refuse();
    loop {
        // Another thread may have given up enough.
        let memory = again();
        if !memory.is_null() || reserve.size == 0 {
            return memory;
        }
        let rest = (reserve.size / 2).min(reserve.size.saturating_sub(size.saturating_add(LARGE)));
        reserve.resize(if rest < LARGE { 0 } else { rest });
    }
}

/// Whether the system has this much memory.
pub fn has_room(size: usize) -> bool {
    system::map(size).inspect(|&start| system::unmap(start, size)).is_some()
}

/// Whether it has where what is kept is given up, if need be.
pub fn make_room(size: usize) -> bool {
    // The address of nothing, which is only looked at.
    let room = || if has_room(size) { std::ptr::dangling_mut() } else { std::ptr::null_mut() };
    has_room(size) || !refused(size, room).is_null()
}

/// Ends work where memory was refused: for what takes much of it in small pieces before it checks whether
/// to go on.
#[inline]
pub fn heed() {
    if SPENT.load(Ordering::Relaxed) {
        no_memory();
    }
}

/// Ends work for which there is no memory.
#[cold]
pub fn no_memory() -> ! {
    refuse();
    std::panic::resume_unwind(Box::new(NoMemory))
}

fn refuse() {
    SPENT.store(true, Ordering::Relaxed);
    REFUSED.fetch_add(1, Ordering::Relaxed);
}

fn enough(size: usize) -> usize {
    size.saturating_mul(4).max(LEAST)
}

fn pieces(size: usize) -> &'static AtomicUsize {
    &PIECES[size.ilog2() as usize]
}

/// No piece of memory is larger.
fn largest() -> usize {
    let some = |&power: &usize| PIECES[power].load(Ordering::Relaxed) > 0;
    (LARGE.ilog2() as usize..63).rev().find(some).map_or(0, |power| 1 << (power + 1))
}

fn lock() -> MutexGuard<'static, Reserve> {
    RESERVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The addresses that are kept.
struct Reserve {
    start: usize,
    size: usize,
}

impl Reserve {
    /// Keeps so many instead; where the system has not so many, none.
    fn resize(&mut self, size: usize) -> bool {
        if self.size > 0 {
            system::unmap(self.start, self.size);
        }
        let start = if size > 0 { system::map(size) } else { Some(0) };
        *self = Self { start: start.unwrap_or(0), size: start.map_or(0, |_| size) };
        SIZE.store(self.size, Ordering::Relaxed);
        start.is_some()
    }
}

#[cfg(unix)]
mod system {
    /// Addresses that nothing stands behind yet.
    pub fn map(size: usize) -> Option<usize> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: nothing that is there is asked for.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), size, access, flags, -1, 0) };
        (start != libc::MAP_FAILED).then_some(start.addr())
    }

    /// Gives them back.
    pub fn unmap(start: usize, size: usize) {
        // SAFETY: they were mapped so, and nothing uses them.
        unsafe { libc::munmap(std::ptr::without_provenance_mut(start), size) };
    }
}

/// Elsewhere nothing is kept.
#[cfg(not(unix))]
mod system {
    pub fn map(_: usize) -> Option<usize> {
        Some(0)
    }

    pub fn unmap(_: usize, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_follows_the_largest_piece() {
        begin();
        let size = 64 << 20;
        let piece: Vec<u8> = Vec::with_capacity(size);
        assert!(SIZE.load(Ordering::Relaxed) >= 4 * size);
        assert!(largest() >= size);
        drop(piece);
    }
}
