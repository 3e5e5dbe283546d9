//! Memory use, advice to the system about memory, and allocations that fail in an orderly way.
#![allow(unsafe_code)] // advice about memory is a C interface

use crate::base::reserve::{LARGE as LARGEST_UNASKED, check_refusals, no_memory};
use bytemuck::{Zeroable, zeroed_vec};
use std::hint::black_box;
#[cfg(target_os = "linux")]
use std::ops::Range;

/// Bytes of anonymous memory (allocated and touched) of this process. `None` if the system does not
/// report it.
pub fn anonymous() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Bytes of resident memory of this process, now and at its peak, including mapped files. `None` if
/// the system does not report it.
pub fn resident() -> Option<(usize, usize)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let of = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()
    };
    Some((of("VmRSS:")? * 1024, of("VmHWM:")? * 1024))
}

/// From now on, returns freed memory to the system at once if the C library can do so. This costs
/// time and is meant for machines with little memory.
pub fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const SMALL: i32 = 1 << 18;
        // SAFETY: these settings affect future allocations only.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, SMALL);
            libc::mallopt(libc::M_TRIM_THRESHOLD, SMALL);
            libc::mallopt(libc::M_ARENA_MAX, 2);
        }
    }
}

/// Returns free memory to the system.
pub fn give_back() {
    // SAFETY: memory in use is not affected.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0)
    };
}

/// No large pages are requested for memory smaller than this, in bytes.
#[cfg(target_os = "linux")]
const LARGE: usize = 8 << 20;

/// Asks the system for huge pages, which make random access to large tables faster (fewer misses in
/// the translation buffer). Has no other effect.
#[cfg(target_os = "linux")]
pub fn huge_pages<T>(memory: &mut [T]) {
    // Whole pages of the usual size; the system places the huge ones.
    const PAGE: usize = 1 << 12;
    let Range { start, end } = memory.as_mut_ptr_range();
    let skipped = start.addr().wrapping_neg() % PAGE;
    let length = (end.addr() - start.addr()).saturating_sub(skipped);
    if length >= LARGE {
        // SAFETY: these pages are borrowed mutably and the advice keeps their content. It may be
        // refused, which is harmless.
        unsafe { libc::madvise(start.byte_add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
    }
}

/// Huge pages are requested on Linux only.
#[cfg(not(target_os = "linux"))]
pub fn huge_pages<T>(_: &mut [T]) {}

/// A vector of `count` copies of `value`, like `vec!` of the standard library. Ends the work if
/// there is no memory.
#[inline]
pub fn several<T: Clone>(value: T, count: usize) -> Vec<T> {
    ensure_room::<T>(count);
    std::vec![value; count]
}

/// Ends the work if there is no memory for `count` values of type `T`. To be called before a
/// library allocates them in a way that would abort the process.
#[inline]
pub fn ensure_room<T>(count: usize) {
    if count.saturating_mul(size_of::<T>()) >= LARGEST_UNASKED {
        drop(black_box(room::<T>(count)));
    }
}

/// A vector of `count` zeroes, whose pages the system may supply on first use.
#[inline]
pub fn zeroed<T: Zeroable>(count: usize) -> Vec<T> {
    ensure_room::<T>(count);
    zeroed_vec(count)
}

/// A vector of `count` zeroes, for random access (in huge pages if possible).
pub fn zeroes<T: Clone + Default>(count: usize) -> Vec<T> {
    filled(T::default(), count)
}

/// A vector of `count` copies of `value`, for random access (in huge pages if possible).
pub fn filled<T: Clone>(value: T, count: usize) -> Vec<T> {
    let mut memory = reserved(count);
    memory.resize(count, value);
    memory
}

/// An empty vector with capacity for `count` values. Ends the work if there is no memory.
pub fn room<T>(count: usize) -> Vec<T> {
    check_refusals();
    let mut memory = Vec::new();
    if memory.try_reserve_exact(count).is_err() {
        no_memory();
    }
    memory
}

/// Like [`room`], in huge pages if possible.
pub fn reserved<T>(count: usize) -> Vec<T> {
    let mut memory = room(count);
    huge_pages(memory.spare_capacity_mut());
    memory
}
