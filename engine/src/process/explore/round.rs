//! Rounds of an exploration. First all threads compute steps, without changing shared data. Then
//! one thread numbers the new states, while the others turn the chunks numbered in the previous
//! round into transitions and hand over the transitions made before that.

use crate::base::ids::Id;
use crate::base::ids::as_index;
use crate::base::lock::Locked;
use crate::base::parallel;
use crate::process::chunk::Chunk;
use crate::process::explore::delivery::Delivery;
use crate::process::explore::explorer::Explorer;
use crate::process::explore::statistics::{ExploreOptions, Output};
use crate::process::linear::stop::Stop;
use crate::process::output::{ChunkTransitions, Texts};
use crate::process::states::{done, spare};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

/// Chunks of a round for each thread.
const CHUNKS: usize = 8;
/// The largest number of states in a chunk.
const CHUNK: usize = 512;
/// The approximate largest number of steps in a chunk.
const STEPS: usize = 1 << 14;
/// A round that takes longer makes the next one shorter.
const ROUND: Duration = Duration::from_millis(40);
/// Fewer states than this are expanded by one thread.
const ALONE: usize = 128;

/// Passed from one round to the next: numbered chunks to be turned into transitions, and
/// transitions to be handed over.
pub(crate) struct Pipeline {
    pub chunks: Vec<Chunk>,
    pub transitions: Vec<ChunkTransitions>,
    pub spare_chunks: Vec<Chunk>,
    spare: Vec<ChunkTransitions>,
    pub texts: Texts,
    pub delivery: Delivery,
}

impl Pipeline {
    /// An empty pipeline.
    pub fn new(options: &ExploreOptions) -> Self {
        Self {
            chunks: Vec::new(),
            transitions: Vec::new(),
            spare_chunks: Vec::new(),
            spare: Vec::new(),
            texts: Texts::new(options.hidden.iter().cloned()),
            delivery: Delivery::new(options.output),
        }
    }
}

impl Explorer<'_, '_> {
    /// The chunks of the next round.
    pub(crate) fn ranges(&self) -> Vec<Range<u32>> {
        let (from, to) = (self.statistics.explored, self.states.store.len());
        // A single thread numbers new states while they are in its cache.
        let chunks = if self.options.threads == 1 { 1 } else { CHUNKS * self.options.threads };
        (0..chunks)
            .map(|chunk| {
                let start = (from + chunk * self.chunk_states).min(to);
                u32::at(start)..u32::at((start + self.chunk_states).min(to))
            })
            .filter(|range| !range.is_empty())
            .collect()
    }

    /// Computes the steps of `ranges`, in new chunks that reuse the memory of `old` ones.
    pub(crate) fn find(&mut self, ranges: &[Range<u32>], old: &mut Vec<Chunk>) -> Vec<Chunk> {
        let others = self.others(ranges.iter().map(Range::len).sum());
        self.states.find(ranges, self.cap.now, others, old)
    }

    /// Numbers the new states in `fresh`, turns the chunks numbered in the last round into
    /// transitions, and hands over the transitions of the round before.
    pub(crate) fn finish_round(
        &mut self,
        fresh: &mut Vec<Chunk>,
        pipeline: &mut Pipeline,
    ) -> Result<(), Stop> {
        let numbered = std::mem::take(&mut pipeline.chunks);
        let transitions = spare(numbered.len(), &mut pipeline.spare);
        let texts = (self.options.output == Output::Text).then_some(&pipeline.texts);
        let (ready, callbacks) = (std::mem::take(&mut pipeline.transitions), self.callbacks);
        let delivery = Mutex::new(Some(&mut pipeline.delivery));
        let worker = |claim: parallel::Claim| {
            // The first thread to arrive hands over; the others go on.
            let first = delivery.locked().take();
            if let Some(delivery) = first {
                let mut callbacks = callbacks.locked();
                delivery.deliver(&ready, *callbacks);
            }
            while let Some(task) = claim() {
                transitions[task].locked().fill(&numbered[task], texts);
            }
        };
        let others = self.others(numbered.iter().map(|chunk| chunk.degrees.len()).sum());
        let numbered_states =
            parallel::tasks(transitions.len(), others, worker, || self.number(fresh));
        pipeline.spare.extend(ready);
        pipeline.spare_chunks.extend(numbered);
        pipeline.transitions.extend(done(transitions));
        self.statistics.transitions +=
            pipeline.transitions.iter().map(|transitions| transitions.count as u64).sum::<u64>();
        numbered_states
    }

    /// The number of threads that help to expand this many states.
    fn others(&self, states: usize) -> usize {
        if states < ALONE { 0 } else { self.options.threads - 1 }
    }

    /// Adapts the size of chunks so that a round takes some ten milliseconds.
    pub(crate) fn adapt(&mut self, time: Duration) {
        let explored = self.statistics.explored.max(1);
        let degree = (as_index(self.statistics.transitions) / explored).max(1);
        let most = (STEPS / degree).clamp(1, CHUNK);
        if time > ROUND {
            self.chunk_states /= 2;
        } else if time < ROUND / 4 {
            self.chunk_states *= 2;
        }
        self.chunk_states = self.chunk_states.clamp(1, most);
    }
}
