//! A reserve of address space, so that work ends in good order if the system refuses memory.
//!
//! Rust aborts a process whose allocation fails, which a library must not do to its user. So some
//! addresses are reserved and never touched: they count only towards a limit on address space. When
//! an allocation fails, the reserve is released and the failure counted; the next check of a
//! `Cancel` then fails, and until there the work lives on the released addresses. The program
//! reserves nothing: it ends at once (`emergency`).
//!
//! Columns and tables grow by doubling, and what is made from a column is seldom much larger. So
//! four times the largest allocation is reserved, and if that cannot be had, it counts as a failed
//! allocation. Larger requests go through `memory`, which ends the work if they fail.
#![allow(unsafe_code)] // addresses come from a C interface

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The smallest reserve, in bytes.
const LEAST: usize = 32 << 20;
/// Smaller allocations are not counted, in bytes.
pub const LARGE: usize = 1 << 20;

/// Whether a reserve is held.
static ENABLED: AtomicBool = AtomicBool::new(true);
/// The number of live allocations of each size from [`LARGE`] on, by the logarithm of the size.
static ALLOCATIONS: [AtomicUsize; 64] = [const { AtomicUsize::new(0) }; 64];
static RESERVE: Mutex<Reserve> = Mutex::new(Reserve { start: 0, size: 0 });
/// The size of the reserve, in bytes.
static SIZE: AtomicUsize = AtomicUsize::new(0);
/// Whether an allocation failed since the reserve was last filled.
static SPENT: AtomicBool = AtomicBool::new(false);
/// The number of failed allocations so far.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

/// The payload of a panic for lack of memory.
pub struct NoMemory;

/// The number of failed allocations so far. If it grows, work has to end.
pub fn refusals() -> usize {
    REFUSED.load(Ordering::Relaxed)
}

/// Releases the reserve; from now on nothing is reserved.
pub fn keep_nothing() {
    ENABLED.store(false, Ordering::Relaxed);
    lock().resize(0);
}

/// Called when work begins: fills the reserve, as far as the system allows.
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

/// Records a successful large allocation and enlarges the reserve accordingly.
pub fn given(size: usize) {
    allocations(size).fetch_add(1, Ordering::Relaxed);
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

/// Records that a large allocation was freed.
pub fn given_back(size: usize) {
    allocations(size).fetch_sub(1, Ordering::Relaxed);
}

/// Called when an allocation fails: calls `again` while it releases the reserve step by step.
#[cold]
pub fn refused(size: usize, mut again: impl FnMut() -> *mut u8) -> *mut u8 {
    let mut reserve = lock();
    let needed = enough(largest());
    if reserve.size > needed {
        // The surplus was reserved for an allocation that has been freed.
        reserve.resize(needed);
        let memory = again();
        if !memory.is_null() {
            return memory;
        }
    }
    refuse();
    loop {
        // Another thread may have released enough.
        let memory = again();
        if !memory.is_null() || reserve.size == 0 {
            return memory;
        }
        let rest = (reserve.size / 2).min(reserve.size.saturating_sub(size.saturating_add(LARGE)));
        reserve.resize(if rest < LARGE { 0 } else { rest });
    }
}

/// Whether the system can supply this much memory.
pub fn has_room(size: usize) -> bool {
    system::map(size).inspect(|&start| system::unmap(start, size)).is_some()
}

/// Whether the system can supply this much memory, releasing the reserve if need be.
pub fn make_room(size: usize) -> bool {
    // A dangling pointer as a non-null answer; it is never dereferenced.
    let room = || if has_room(size) { std::ptr::dangling_mut() } else { std::ptr::null_mut() };
    has_room(size) || !refused(size, room).is_null()
}

/// Ends the work if an allocation failed. For code that allocates much memory in small amounts
/// between two checks of its `Cancel`.
#[inline]
pub fn check_refusals() {
    if SPENT.load(Ordering::Relaxed) {
        no_memory();
    }
}

/// Ends the work for lack of memory.
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

fn allocations(size: usize) -> &'static AtomicUsize {
    &ALLOCATIONS[size.ilog2() as usize]
}

/// An upper bound on the size of the live large allocations.
fn largest() -> usize {
    let some = |&power: &usize| ALLOCATIONS[power].load(Ordering::Relaxed) > 0;
    (LARGE.ilog2() as usize..63).rev().find(some).map_or(0, |power| 1 << (power + 1))
}

fn lock() -> MutexGuard<'static, Reserve> {
    RESERVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The reserved addresses.
struct Reserve {
    start: usize,
    size: usize,
}

impl Reserve {
    /// Replaces the reserve by one of this size, or by an empty one if the system refuses.
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
    /// Reserves addresses without memory behind them.
    pub fn map(size: usize) -> Option<usize> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping touches no existing one.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), size, access, flags, -1, 0) };
        (start != libc::MAP_FAILED).then_some(start.addr())
    }

    /// Releases reserved addresses.
    pub fn unmap(start: usize, size: usize) {
        // SAFETY: they were mapped by `map`, and nothing uses them.
        unsafe { libc::munmap(std::ptr::without_provenance_mut(start), size) };
    }
}

/// On other systems there is no reserve.
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
    fn the_reserve_follows_the_largest_allocation() {
        begin();
        let size = 64 << 20;
        let allocation: Vec<u8> = Vec::with_capacity(size);
        assert!(SIZE.load(Ordering::Relaxed) >= 4 * size);
        assert!(largest() >= size);
        drop(allocation);
    }
}
