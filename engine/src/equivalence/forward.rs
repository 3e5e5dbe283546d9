//! Transitions grouped by their source: the form in which partitions are refined.

use super::{POLL_EVERY, Poll};
use crate::lts::Lts;
use std::borrow::Cow;

/// Rows (label, target) grouped by source, duplicates and order as they came.
///
/// Invariant: the rows of state s are `starts[s]..starts[s + 1]`. The columns are those of an LTS
/// itself where its rows stand in the order of their sources already.
pub struct Forward<'a> {
    pub starts: Vec<u32>,
    pub label: Cow<'a, [u32]>,
    pub target: Cow<'a, [u32]>,
}

impl<'a> Forward<'a> {
    /// The rows of an LTS by source.
    pub fn new(lts: &'a Lts, poll: Poll) -> Option<Self> {
        assert!(lts.transitions() < u32::MAX as usize, "rows are numbered with 32 bits");
        let states = lts.states as usize;
        let mut starts = vec![0u32; states + 1];
        let mut sorted = true;
        let mut last = 0;
        for chunk in lts.source.chunks(POLL_EVERY) {
            if !poll() {
                return None;
            }
            for &source in chunk {
                sorted &= last <= source;
                last = source;
                starts[source as usize] += 1;
            }
        }
        if sorted {
            let mut sum = 0;
            for start in &mut starts {
                sum += std::mem::replace(start, sum);
            }
            let (label, target) = (Cow::Borrowed(&lts.label[..]), Cow::Borrowed(&lts.target[..]));
            return Some(Self { starts, label, target });
        }
        // The end of every group; filling backwards turns it into the start.
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut label = vec![0; lts.transitions()];
        let mut target = vec![0; lts.transitions()];
        for row in (0..lts.transitions()).rev() {
            if row % POLL_EVERY == 0 && !poll() {
                return None;
            }
            let place = &mut starts[lts.source[row] as usize];
            *place -= 1;
            label[*place as usize] = lts.label[row];
            target[*place as usize] = lts.target[row];
        }
        Some(Self { starts, label: Cow::Owned(label), target: Cow::Owned(target) })
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// The numbers of the rows of a state.
    #[inline]
    pub fn range(&self, state: u32) -> std::ops::Range<usize> {
        self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize
    }

    /// Labels and targets of a state.
    #[inline]
    pub fn rows(&self, state: u32) -> impl ExactSizeIterator<Item = (u32, u32)> {
        let range = self.range(state);
        self.label[range.clone()].iter().copied().zip(self.target[range].iter().copied())
    }
}

/// Sources grouped by target, those of internal steps marked.
///
/// Invariant: the sources of the transitions to t are `sources[starts[t]..starts[t + 1]]`; bit 31
/// of one is set if its step is internal.
pub struct Backward {
    starts: Vec<u32>,
    sources: Vec<u32>,
}

/// Marks an internal step.
pub const INTERNAL: u32 = 1 << 31;

impl Backward {
    /// The sources for which `keep` holds; `tau` is the internal label.
    pub fn new(graph: &Forward, tau: u32, keep: impl Fn(u32) -> bool, poll: Poll) -> Option<Self> {
        let states = graph.states() as u32;
        assert!(states < INTERNAL, "a state has 31 bits here");
        let mut starts = vec![0u32; states as usize + 1];
        for pass in 0..2 {
            let mut sources = vec![0; if pass == 0 { 0 } else { starts[states as usize] as usize }];
            for state in 0..states {
                if (state as usize).is_multiple_of(POLL_EVERY) && !poll() {
                    return None;
                }
                if !keep(state) {
                    continue;
                }
                for (label, target) in graph.rows(state) {
                    let place = &mut starts[target as usize];
                    if pass == 0 {
                        *place += 1;
                    } else {
                        *place -= 1;
                        let mark = if label == tau { INTERNAL } else { 0 };
                        sources[*place as usize] = state | mark;
                    }
                }
            }
            if pass == 1 {
                return Some(Self { starts, sources });
            }
            let mut sum = 0;
            for start in &mut starts {
                sum += *start;
                *start = sum;
            }
        }
        None
    }

    /// The sources of the transitions to a state.
    #[inline]
    pub fn sources(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.sources[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}
