//! Canonical images of many states, found on several cores.

use crate::base::parallel;
use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::orbit_exploration::canonical_state::{Canonical, Missing, Scratch};
use std::sync::Mutex;

/// States that a thread takes at a time.
const CHUNK: usize = 64;

/// The canonical images of so many states, which stand one behind the other, in order; and the
/// result of `meanwhile`, which is done at the same time.
pub fn images<R>(
    canonical: &Canonical,
    states: &[Term],
    count: usize,
    threads: usize,
    meanwhile: impl FnOnce() -> R,
) -> (Vec<Result<Least, Missing>>, R) {
    let width = states.len() / count.max(1);
    let chunks: Vec<Mutex<Vec<_>>> =
        (0..count.div_ceil(CHUNK)).map(|_| Mutex::new(Vec::new())).collect();
    let worker = |claim: parallel::Claim| {
        let mut scratch = Scratch::default();
        while let Some(chunk) = claim() {
            let mut found = chunks[chunk].lock().expect("its own");
            for state in chunk * CHUNK..count.min((chunk + 1) * CHUNK) {
                let state = &states[state * width..(state + 1) * width];
                found.push(canonical.find(state, &mut scratch));
            }
        }
    };
    let others = if count <= CHUNK { 0 } else { threads - 1 };
    let done = parallel::tasks(chunks.len(), others, worker, meanwhile);
    let found = chunks.into_iter().flat_map(|chunk| chunk.into_inner().expect("done"));
    (found.collect(), done)
}
