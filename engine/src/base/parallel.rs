//! Parallel work on long slices. Results do not depend on the number of threads.

use crate::base::cancel::{Cancel, Result};
use crate::base::lock::Locked;
use crate::base::reserve::has_room;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

/// The largest number of threads that a caller may request.
pub const THREADS: usize = 1024;

/// Stack size of a helper thread, in bytes.
const STACK: usize = 2 << 20;

/// Memory that a thread needs besides its stack, in bytes.
pub const BESIDE: usize = 1 << 20;

/// The number of entries in a chunk.
const CHUNK: usize = 1 << 14;

/// The number of threads that work at once, the calling one included.
pub fn threads() -> usize {
    // Cached, because asking the system takes as long as many a short task.
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT
        .get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get().min(16)))
}

/// Fills every chunk of a slice by `work`, which gets the chunk's position as well; `filled` gets
/// the size of every chunk that is done.
pub fn fill<T: Send>(
    slice: &mut [T],
    work: impl Fn(usize, &mut [T]) + Sync,
    filled: impl FnMut(usize),
    cancel: &Cancel,
) -> Result<()> {
    let chunks = slice.chunks_mut(CHUNK).enumerate();
    let work = |(i, chunk): (usize, &mut [T])| {
        work(i * CHUNK, chunk);
        chunk.len()
    };
    in_order(chunks, work, filled, cancel)
}

/// Calls `work` for all chunks, in any order.
pub fn for_each<P: Send>(
    chunks: impl Iterator<Item = P> + Send,
    work: impl Fn(P) + Sync,
    cancel: &Cancel,
) -> Result<()> {
    in_order(chunks, work, |()| {}, cancel)
}

/// Calls `work` for all chunks in parallel, and `gather` for every result in the order of the
/// chunks and in the calling thread.
pub fn in_order<P: Send, T: Send>(
    chunks: impl Iterator<Item = P> + Send,
    work: impl Fn(P) -> T + Sync,
    mut gather: impl FnMut(T),
    cancel: &Cancel,
) -> Result<()> {
    let others = threads() - 1;
    let mut chunks = chunks.enumerate().peekable();
    let Some((_, first)) = chunks.next() else { return Ok(()) };
    cancel.check()?;
    if others == 0 || chunks.peek().is_none() {
        gather(work(first));
        for (_, chunk) in chunks {
            cancel.check()?;
            gather(work(chunk));
        }
        return Ok(());
    }
    let queue = Mutex::new(Queue { chunks, done: VecDeque::new(), gathered: 1, stopped: false });
    let (more, room) = (Condvar::new(), Condvar::new());
    let lock = || queue.locked();
    let worker = || {
        loop {
            let mut guard = lock();
            while guard.done.len() >= LOOKAHEAD * (others + 1) && !guard.stopped {
                guard = room.wait(guard).expect("no panic in a thread");
            }
            let Some((i, chunk)) = guard.take() else { break };
            drop(guard);
            // A panic is passed on as a result, so that no thread waits for it in vain.
            let result = catch_unwind(AssertUnwindSafe(|| work(chunk)));
            lock().put(i, result);
            more.notify_one();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..others {
            help(scope, worker);
        }
        // However this function ends, no thread goes on waiting for room in the queue.
        let _end = OnDrop(|| {
            queue.lock().unwrap_or_else(PoisonError::into_inner).stopped = true;
            room.notify_all();
        });
        gather(work(first));
        loop {
            let mut guard = lock();
            loop {
                if let Some(Some(_)) = guard.done.front() {
                    let result = guard.done.pop_front().flatten();
                    guard.gathered += 1;
                    drop(guard);
                    room.notify_one();
                    // As often as a single thread would check.
                    cancel.check()?;
                    match result {
                        Some(Ok(result)) => gather(result),
                        Some(Err(panic)) => resume_unwind(panic),
                        None => {}
                    }
                    break;
                }
                if let Some((i, chunk)) = guard.take() {
                    drop(guard);
                    let result = work(chunk);
                    lock().put(i, Ok(result));
                    break;
                }
                if guard.done.is_empty() {
                    return Ok(());
                }
                guard = more.wait(guard).expect("no panic in a thread");
            }
        }
    })
}

/// Starts a helper thread if the system allows it; the calling thread does all remaining work
/// itself.
fn help<'scope>(
    scope: &'scope std::thread::Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) {
    // A thread without memory besides its stack would abort the process.
    if has_room(STACK + BESIDE) {
        let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
    }
}

/// Returns the next task, if one is left.
pub type Claim<'a> = &'a dyn Fn() -> Option<usize>;

/// Runs `count` tasks in this thread and `others` more; each task goes to the first thread that
/// claims it. This thread joins in after running `meanwhile`, whose result is returned. If the
/// system has fewer threads, fewer do all the work.
pub fn tasks<R>(
    count: usize,
    others: usize,
    worker: impl Fn(Claim) + Sync,
    meanwhile: impl FnOnce() -> R,
) -> R {
    let next = AtomicUsize::new(0);
    let claim = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < count);
    if others == 0 {
        let result = meanwhile();
        worker(&claim);
        return result;
    }
    std::thread::scope(|scope| {
        for _ in 0..others {
            help(scope, || worker(&claim));
        }
        let result = meanwhile();
        worker(&claim);
        result
    })
}

struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// How many results per thread may be waiting to be gathered.
const LOOKAHEAD: usize = 4;

/// The remaining chunks, and the results from the next one to be gathered on.
struct Queue<I, T> {
    chunks: I,
    /// For every chunk taken and not yet gathered, its result if it is done.
    done: VecDeque<Option<std::thread::Result<T>>>,
    gathered: usize,
    stopped: bool,
}

impl<P, T, I: Iterator<Item = (usize, P)>> Queue<I, T> {
    fn take(&mut self) -> Option<(usize, P)> {
        if self.stopped {
            return None;
        }
        let chunk = self.chunks.next();
        if chunk.is_some() {
            self.done.push_back(None);
        }
        chunk
    }

    fn put(&mut self, chunk: usize, result: std::thread::Result<T>) {
        self.done[chunk - self.gathered] = Some(result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_filled_once() {
        for length in [0, 1, CHUNK - 1, CHUNK, 5 * CHUNK + 3] {
            let mut slice = vec![0; length];
            let work = |start: usize, chunk: &mut [usize]| {
                for (i, value) in chunk.iter_mut().enumerate() {
                    *value += start + i + 1;
                }
            };
            let mut filled = 0;
            let done = fill(&mut slice, work, |count| filled += count, &Cancel::never());
            done.expect("it is never cancelled");
            assert_eq!(filled, length);
            assert!(slice.iter().enumerate().all(|(i, &value)| value == i + 1));
        }
        assert!(fill(&mut [0; 9], |_, _| {}, |_| {}, &Cancel::after(0)).is_err());
    }

    #[test]
    fn results_come_in_order_until_cancellation() {
        for allowed in [0, 1, 7, 1000] {
            let mut results = Vec::new();
            let slowly = |i: u64| {
                std::thread::sleep(std::time::Duration::from_micros(i % 7 * 50));
                i
            };
            let done = in_order(0..100, slowly, |i| results.push(i), &Cancel::after(allowed));
            assert_eq!(done.is_ok(), allowed == 1000);
            assert!(results.iter().copied().eq(0..results.len() as u64));
            assert!(done.is_err() || results.len() == 100);
        }
    }

    #[test]
    fn a_panic_of_a_thread_reaches_the_caller() {
        for bad in [0, 1, 50, 99] {
            let work = |i: i32| assert_ne!(i, bad);
            let done = || for_each(0..100, work, &Cancel::never());
            assert!(catch_unwind(done).is_err());
        }
    }
}
