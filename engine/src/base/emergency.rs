//! The end of the program where nothing else helps: the system refuses memory, or work that nobody can
//! stop has passed a limit. It says why in one sentence, takes away files that are not whole, and
//! leaves with the exit code for a limit. A library never does so (`reserve`): the program asks for it.
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

/// Whether this is the program, which may end itself.
static PROGRAM: AtomicBool = AtomicBool::new(false);
static LEAVING: AtomicBool = AtomicBool::new(false);
/// Files that are not whole yet.
static FILES: Mutex<Vec<CString>> = Mutex::new(Vec::new());
static WATCH: Mutex<Watch> = Mutex::new(Watch { until: None, memory: None, running: false });

/// Memory from the system; where it gives no more the program ends, and a library takes what it keeps.
pub struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: all is left to the system's allocator.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        given(layout.size(), || unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        given(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller says; what is refused leaves it as it was.
        let grown = given(size, || unsafe { System.realloc(memory, layout, size) });
        if !grown.is_null() {
            given_back(layout.size());
        }
        grown
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(memory, layout) }
        given_back(layout.size());
    }
}

#[inline]
fn given(size: usize, ask: impl Fn() -> *mut u8) -> *mut u8 {
    let mut memory = ask();
    if memory.is_null() {
        memory = refused(size, ask);
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
fn refused(size: usize, ask: impl Fn() -> *mut u8) -> *mut u8 {
    if PROGRAM.load(Ordering::Relaxed) {
        leave("the system gives no more memory");
    }
    reserve::refused(size, ask)
}

/// From now on, ends the program where the system gives no more memory, and where a library that it
/// uses ends it: with a code that would be an answer.
pub fn is_program() {
    PROGRAM.store(true, Ordering::Relaxed);
    reserve::keep_nothing();
    system::at_exit();
    let default_hook = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        // Where Python has no memory for an object, that is told as such.
        if panic.payload().downcast_ref() != Some(&NO_OBJECT) {
            default_hook(panic);
        }
    }));
}

/// What the system calls where a process ends by `exit`. The program never does so by itself, and a
/// library that does, as OpenBLAS, gets no memory.
#[cfg(unix)]
extern "C" fn ended() {
    if PROGRAM.load(Ordering::Relaxed) {
        leave("the system gives no more memory");
    }
}

/// What `pyo3` panics with there.
const NO_OBJECT: &str = "PyObject pointer is null";

/// Notes a file that is to be taken away if the program ends here.
pub fn note(file: CString) {
    files().push(file);
}

/// Forgets a file that is whole, or gone.
pub fn forget(file: &CString) {
    files().retain(|noted| noted != file);
}

fn files() -> MutexGuard<'static, Vec<CString>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the program. Takes no memory.
fn leave(why: &str) -> ! {
    if !LEAVING.swap(true, Ordering::SeqCst) {
        if let Ok(files) = FILES.try_lock() {
            files.iter().for_each(system::remove);
        }
        for part in ["ltstool: ", why, "\n"] {
            system::write_error(part);
        }
    }
    system::exit()
}

/// What the system does without taking memory.
#[cfg(unix)]
mod system {
    use super::{CString, LIMIT};

    pub fn remove(file: &CString) {
        // SAFETY: the name ends with a zero.
        unsafe { libc::unlink(file.as_ptr()) };
    }

    pub fn write_error(text: &str) {
        // SAFETY: so many bytes are there.
        unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
    }

    pub fn at_exit() {
        // SAFETY: the function takes nothing and stays where it is.
        unsafe { libc::atexit(super::ended) };
    }

    pub fn exit() -> ! {
        // SAFETY: nothing is used any more.
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

/// What the program may not go beyond, with a time to end by itself.
struct Watch {
    until: Option<Instant>,
    memory: Option<usize>,
    running: bool,
}

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(10);
/// How long the program may go on where more memory is taken than allowed.
const GRACE: Duration = Duration::from_secs(2);
/// Memory that may be taken for less than that, besides half of what is allowed.
const SLACK: usize = 64 << 20;

/// From now on, ends the program after a time, and where it takes much more memory than this, or for
/// long; nothing is no limit.
pub fn watch(time: Option<Duration>, memory: Option<usize>) {
    if !PROGRAM.load(Ordering::Relaxed) {
        return; // whose process it is may have other work
    }
    let mut watch = lock();
    watch.until = time.and_then(|time| Instant::now().checked_add(time));
    watch.memory = memory;
    let wanted = watch.until.is_some() || memory.is_some();
    if wanted && !watch.running {
        // Without it, what can be stopped is stopped all the same.
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
