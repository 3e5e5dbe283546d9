//! What the system is told, and tells, about memory.
#![allow(unsafe_code)] // advice about memory is a C interface

use crate::base::reserve::{LARGE as LARGEST_UNASKED, heed, no_memory};
use bytemuck::{Zeroable, zeroed_vec};
use std::hint::black_box;
#[cfg(target_os = "linux")]
use std::ops::Range;

/// Bytes of memory that this process has allocated and touched, as far as the system tells.
pub fn anonymous() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Bytes of memory of this process that are there now, and the most that there were; with files that
/// are mapped, as far as the system tells.
pub fn resident() -> Option<(usize, usize)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let of = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()
    };
    Some((of("VmRSS:")? * 1024, of("VmHWM:")? * 1024))
}

/// From now on memory that is free is given back to the system at once, where its C library can. That
/// takes some time: it is for who has little memory.
pub fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const SMALL: i32 = 1 << 18;
        // SAFETY: these numbers say how memory is shared out, and change nothing that is there.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, SMALL);
            libc::mallopt(libc::M_TRIM_THRESHOLD, SMALL);
            libc::mallopt(libc::M_ARENA_MAX, 2);
        }
    }
}

/// Gives back what is free.
pub fn give_back() {
    // SAFETY: only what is free is given back.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0)
    };
}

/// Memory that is smaller than this stays as it is.
#[cfg(target_os = "linux")]
const LARGE: usize = 8 << 20;

/// Asks the system for large pages, where it has some: what is read here and there in a large table
/// is found faster, as the processor need not look up so many pages. Changes nothing else.
#[cfg(target_os = "linux")]
pub fn huge_pages<T>(memory: &mut [T]) {
    // Whole pages of the usual size, wherever the system places the large ones.
    const PAGE: usize = 1 << 12;
    let Range { start, end } = memory.as_mut_ptr_range();
    let skipped = start.addr().wrapping_neg() % PAGE;
    let length = (end.addr() - start.addr()).saturating_sub(skipped);
    if length >= LARGE {
        // SAFETY: these pages are borrowed mutably, and this advice leaves their content as it is. It
        // may be refused, which does not matter.
        unsafe { libc::madvise(start.byte_add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
    }
}

/// Large pages are asked for on Linux only.
#[cfg(not(target_os = "linux"))]
pub fn huge_pages<T>(_: &mut [T]) {}

/// `count` times the same, as of the standard library. Where the system has no memory, the work ends.
#[inline]
pub fn several<T: Clone>(value: T, count: usize) -> Vec<T> {
    ask::<T>(count);
    std::vec![value; count]
}

/// Ends the work where there is no room for `count`, before a library asks for it in a way that ends
/// the process.
#[inline]
pub fn ask<T>(count: usize) {
    if count.saturating_mul(size_of::<T>()) >= LARGEST_UNASKED {
        drop(black_box(room::<T>(count)));
    }
}

/// `count` zeroes, of which the system may give pages as they are used.
#[inline]
pub fn zeroed<T: Zeroable>(count: usize) -> Vec<T> {
    ask::<T>(count);
    zeroed_vec(count)
}

/// `count` zeroes in a memory that is read here and there.
pub fn zeroes<T: Clone + Default>(count: usize) -> Vec<T> {
    filled(T::default(), count)
}

/// `count` times the same in a memory that is read here and there.
pub fn filled<T: Clone>(value: T, count: usize) -> Vec<T> {
    let mut memory = reserved(count);
    memory.resize(count, value);
    memory
}

/// Room for `count`. Where the system has none, the work ends.
pub fn room<T>(count: usize) -> Vec<T> {
    heed();
    let mut memory = Vec::new();
    if memory.try_reserve_exact(count).is_err() {
        no_memory();
    }
    memory
}

/// Room for `count`, in large pages. Where the system has none, the work ends.
pub fn reserved<T>(count: usize) -> Vec<T> {
    let mut memory = room(count);
    huge_pages(memory.spare_capacity_mut());
    memory
}
