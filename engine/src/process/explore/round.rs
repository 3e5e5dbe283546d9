//! Rounds: steps are found and rows are made by all threads, which change nothing that they share.

use super::{Explorer, Incomplete, Output};
use crate::process::expand::{Expander, Scratch};
use crate::process::output::Rows;
use crate::process::piece::Piece;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Pieces in a round for each thread.
const PIECES: usize = 4;
/// States in a piece, at most.
const PIECE: usize = 512;
/// Steps in a piece, about at most.
const STEPS: usize = 1 << 14;
/// A round that takes longer makes the next one shorter.
const ROUND: Duration = Duration::from_millis(40);
/// Fewer states than this are not worth another thread.
const ALONE: usize = 128;

/// What a round leaves to the next: numbered pieces that have no rows yet, and rows to hand over.
#[derive(Default)]
pub(super) struct Pipeline {
    pub pieces: Vec<Piece>,
    pub rows: Vec<Rows>,
    pub spare_pieces: Vec<Piece>,
    spare_rows: Vec<Rows>,
}

impl Explorer<'_, '_> {
    /// The pieces of the next round.
    pub(super) fn ranges(&self) -> Vec<Range<u32>> {
        let (from, to) = (self.account.explored, self.store.len());
        // One thread numbers states while it still has them in its cache.
        let pieces = if self.options.threads == 1 { 1 } else { PIECES * self.options.threads };
        (0..pieces)
            .map(|piece| {
                let start = (from + piece * self.piece_states).min(to);
                start as u32..(start + self.piece_states).min(to) as u32
            })
            .filter(|range| !range.is_empty())
            .collect()
    }

    /// Finds the steps of `ranges`, makes rows of the pieces of the last round and hands over those
    /// of the round before, all at once. Returns new pieces and rows.
    pub(super) fn work(
        &mut self,
        ranges: &[Range<u32>],
        pipeline: &mut Pipeline,
    ) -> (Vec<Piece>, Vec<Rows>) {
        let numbered = std::mem::take(&mut pipeline.pieces);
        let ready = std::mem::take(&mut pipeline.rows);
        let spare = |count: usize, spare: &mut Vec<Piece>| -> Vec<Mutex<Piece>> {
            (0..count).map(|_| Mutex::new(spare.pop().unwrap_or_default())).collect()
        };
        let fresh = spare(ranges.len(), &mut pipeline.spare_pieces);
        let rows: Vec<Mutex<Rows>> = (0..numbered.len())
            .map(|_| Mutex::new(pipeline.spare_rows.pop().unwrap_or_default()))
            .collect();
        let next = AtomicUsize::new(0);
        let texts = (self.options.output == Output::Text).then_some(&self.texts);
        let (tables, store, evaluator) = (&self.tables, &self.store, &self.evaluator);
        let (paths, cap) = (&self.paths, self.cap);
        let worker = &|scratch| {
            let mut expander = Expander::new(tables, store, evaluator, paths, scratch);
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if let Some(rows) = rows.get(task) {
                    rows.lock().expect("its own").fill(&numbered[task], texts);
                } else if let Some(piece) = fresh.get(task - rows.len()) {
                    let range = ranges[task - rows.len()].clone();
                    expander.expand(range, cap, &mut piece.lock().expect("its own"));
                } else {
                    return expander.scratch;
                }
            }
        };
        let states: usize = ranges.iter().map(Range::len).sum();
        let others = if states < ALONE { 0 } else { self.options.threads - 1 };
        let (delivery, host) = (&mut self.delivery, &mut *self.host);
        // Each thread goes on counting where it, or one before it, left off.
        let mut scratch = || self.scratch.pop().unwrap_or_else(|| Scratch::new(tables));
        let own = scratch();
        let others: Vec<Scratch> = (0..others).map(|_| scratch()).collect();
        let scratch = &mut self.scratch;
        let written = std::thread::scope(|scope| {
            let spawn = |scratch| scope.spawn(move || worker(scratch));
            let handles: Vec<_> = others.into_iter().map(spawn).collect();
            let written = delivery.deliver(&ready, host);
            scratch.push(worker(own));
            let others = handles.into_iter().map(|handle| handle.join());
            scratch.extend(others.map(|scratch| scratch.expect("no panic in a thread")));
            written
        });
        if !written {
            self.incomplete.get_or_insert(Incomplete::Unwritten);
        }
        pipeline.spare_rows.extend(ready);
        pipeline.pieces = numbered;
        let rows: Vec<Rows> =
            rows.into_iter().map(|rows| rows.into_inner().expect("done")).collect();
        self.account.transitions += rows.iter().map(|rows| rows.count as u64).sum::<u64>();
        let fresh = fresh.into_iter().map(|piece| piece.into_inner().expect("done")).collect();
        (fresh, rows)
    }

    /// Makes rounds of some ten milliseconds.
    pub(super) fn adapt(&mut self, time: Duration) {
        let explored = self.account.explored.max(1);
        let degree = (self.account.transitions as usize / explored).max(1);
        let most = (STEPS / degree).clamp(1, PIECE);
        if time > ROUND {
            self.piece_states /= 2;
        } else if time < ROUND / 4 {
            self.piece_states *= 2;
        }
        self.piece_states = self.piece_states.clamp(1, most);
    }
}
