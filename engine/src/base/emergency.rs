//! Last resort: ends the program if the system refuses memory, or if work that cannot be stopped
//! exceeds a limit. It prints the reason in one sentence, removes unfinished output files, and
//! exits with the code for a limit. A library must never do so (see `reserve`), so the program has
//! to enable it.
#![allow(unsafe_code)] // memory comes from the system's allocator, and the end is a C interface

use crate::base::memory::anonymous;
use crate::base::reserve;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::CString;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const LIMIT: i32 = 3;

/// Whether this process is the program, which may end itself.
static PROGRAM: AtomicBool = AtomicBool::new(false);
static LEAVING: AtomicBool = AtomicBool::new(false);
/// Output files that are not complete yet.
static FILES: Mutex<Vec<CString>> = Mutex::new(Vec::new());
static WATCH: Mutex<Watch> = Mutex::new(Watch { until: None, memory: None, running: false });

/// The global allocator: the system's. If an allocation fails, the program ends; a library falls
/// back on its reserve.
pub struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: every call is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        given(layout.size(), || unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        given(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: guaranteed by the caller; a failed call leaves the memory as it was.
        let grown = given(size, || unsafe { System.realloc(memory, layout, size) });
        if !grown.is_null() {
            given_back(layout.size());
        }
        grown
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(memory, layout) }
        given_back(layout.size());
    }
}

#[inline]
fn given(size: usize, request: impl Fn() -> *mut u8) -> *mut u8 {
    let mut memory = request();
    if memory.is_null() {
        memory = refused(size, request);
    }
    if size >= reserve::LARGE && !memory.is_null() {
        reserve::given(size);
    }
    memory
}

#[inline]
fn given_back(size: usize) {
    if size >= reserve::LARGE {
        reserve::given_back(size);
    }
}

#[cold]
fn refused(size: usize, request: impl Fn() -> *mut u8) -> *mut u8 {
    if PROGRAM.load(Ordering::Relaxed) {
        leave("the system gives no more memory");
    }
    reserve::refused(size, request)
}

/// From now on, ends the program if the system refuses memory, and also if a library calls `exit`,
/// whose exit code would be taken for an answer.
pub fn is_program() {
    PROGRAM.store(true, Ordering::Relaxed);
    reserve::keep_nothing();
    system::at_exit();
    let default_hook = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        // A failed allocation of a Python object is reported elsewhere, as lack of memory.
        if panic.payload().downcast_ref() != Some(&NO_OBJECT) {
            default_hook(panic);
        }
    }));
}

/// Called by the system if the process ends by `exit`. The program itself never calls `exit`; a
/// library that does so (such as OpenBLAS) has run out of memory.
#[cfg(unix)]
extern "C" fn ended() {
    if PROGRAM.load(Ordering::Relaxed) {
        leave("the system gives no more memory");
    }
}

/// The message with which `pyo3` panics if an object cannot be allocated.
const NO_OBJECT: &str = "PyObject pointer is null";

/// Registers a file to be removed if the program ends here.
pub fn note(file: CString) {
    files().push(file);
}

/// Unregisters a file that is complete or has been removed.
pub fn forget(file: &CString) {
    files().retain(|noted| noted != file);
}

fn files() -> MutexGuard<'static, Vec<CString>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints `why`, removes unfinished files and ends the program. Allocates no memory.
fn leave(why: &str) -> ! {
    if !LEAVING.swap(true, Ordering::SeqCst) {
        if let Ok(files) = FILES.try_lock() {
            files.iter().for_each(system::remove);
        }
        for part in ["ltstool: error: ", why, "\n"] {
            system::write_error(part);
        }
    }
    system::exit()
}

/// System calls that allocate no memory.
#[cfg(unix)]
mod system {
    use super::{CString, LIMIT};

    pub fn remove(file: &CString) {
        // SAFETY: the name is a C string.
        unsafe { libc::unlink(file.as_ptr()) };
    }

    pub fn write_error(text: &str) {
        // SAFETY: the pointer and the length are those of `text`.
        unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
    }

    pub fn at_exit() {
        // SAFETY: the function takes no arguments and lives as long as the process.
        unsafe { libc::atexit(super::ended) };
    }

    pub fn exit() -> ! {
        // SAFETY: the process ends without running any more of its code.
        unsafe { libc::_exit(LIMIT) }
    }
}

#[cfg(not(unix))]
mod system {
    use super::{CString, LIMIT};
    use std::io::Write;

    pub fn remove(file: &CString) {
        let _ = file.to_str().map(std::fs::remove_file);
    }

    pub fn write_error(text: &str) {
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    pub fn at_exit() {}

    pub fn exit() -> ! {
        std::process::exit(LIMIT)
    }
}

/// The limits beyond which the watching thread ends the program.
struct Watch {
    until: Option<Instant>,
    memory: Option<usize>,
    running: bool,
}

/// Time between two checks of the limits.
const LOOK: Duration = Duration::from_millis(10);
/// How long the process may use more memory than allowed, so that the work can stop by itself.
const GRACE: Duration = Duration::from_secs(2);
/// The process ends at once if it exceeds one and a half times the allowed memory by this many
/// bytes.
const SLACK: usize = 64 << 20;

/// From now on, ends the program after `time`, or if it uses much more memory than `memory` bytes,
/// or a little more for longer than `GRACE`. `None` is no limit. Does nothing in a library.
pub fn watch(time: Option<Duration>, memory: Option<usize>) {
    if !PROGRAM.load(Ordering::Relaxed) {
        return; // the process belongs to another program
    }
    let mut watch = lock();
    watch.until = time.and_then(|time| Instant::now().checked_add(time));
    watch.memory = memory;
    let has_limit = watch.until.is_some() || memory.is_some();
    if has_limit && !watch.running {
        // Without the watching thread, work that checks its `Cancel` still stops.
        watch.running = thread::Builder::new().stack_size(1 << 16).spawn(look).is_ok();
    }
}

fn lock() -> MutexGuard<'static, Watch> {
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

fn look() {
    let mut since = None;
    loop {
        thread::sleep(LOOK);
        let (until, memory) = {
            let watch = lock();
            (watch.until, watch.memory)
        };
        if until.is_some_and(|until| Instant::now() > until) {
            leave("more time than --timeout allows");
        }
        let own = if memory.is_some() { anonymous().unwrap_or(0) } else { 0 };
        match memory.filter(|&memory| own > memory) {
            None => since = None,
            Some(memory) => {
                let begun: Instant = *since.get_or_insert_with(Instant::now);
                if begun.elapsed() > GRACE || own > memory + memory / 2 + SLACK {
                    leave("more memory than --max-memory allows");
                }
            }
        }
    }
}
