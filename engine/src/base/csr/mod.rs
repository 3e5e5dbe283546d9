//! Transitions indexed by source and by target, in compressed sparse rows (CSR).
//!
//! [`Forward`] is the form used by partition refinement: columns by source, borrowed from the LTS
//! if its transitions are already sorted by source. `graph` has the transitions as a sorted set.
//! `grouped` is the general form, items grouped by a number; `outgoing` (transitions by source) and
//! `incoming` (transitions by target) are instances of it.

pub mod graph;
pub mod grouped;
pub mod incoming;
pub mod outgoing;

use crate::base::cancel::{CHECK_EVERY, Cancel, Result, Stage};
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::lts::Lts;
use crate::base::memory;
use crate::base::stages::Measure;
use bytemuck::cast_vec;
use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

/// The number of steps sampled by [`Forward::leads_upwards`].
const SOME: usize = 1 << 10;

/// Transitions (label, target) grouped by source; order within a source and duplicates are as in
/// the LTS.
///
/// Invariant: the transitions of state s are `starts[s]..starts[s + 1]`. The columns are borrowed
/// from the LTS if its transitions are already sorted by source.
#[derive(Clone)]
pub struct Forward<'a> {
    pub starts: Vec<u32>,
    pub label: Cow<'a, [Label]>,
    pub target: Cow<'a, [State]>,
}

impl<'a> Forward<'a> {
    /// The transitions of an LTS, grouped by source.
    pub fn new(lts: &'a Lts, cancel: &Cancel) -> Result<Self> {
        let (starts, sorted) = starts(&lts.source, lts.states, cancel)?;
        let (label, target) = (Cow::Borrowed(&lts.label[..]), Cow::Borrowed(&lts.target[..]));
        if sorted {
            return Ok(Self { starts, label, target });
        }
        let stage = sorting(lts, cancel);
        let (positions, starts) = positions(lts.source.to_vec(), starts, &stage)?;
        let label = Cow::Owned(permuted(&label, &positions, &stage)?);
        let target = Cow::Owned(permuted(&target, &positions, &stage)?);
        Ok(Self { starts, label, target })
    }

    /// Like [`Forward::new`], but consumes the columns of the LTS, which has no transitions
    /// afterwards. A column is copied only if it is shared.
    pub fn taken(lts: &mut Lts, cancel: &Cancel) -> Result<Forward<'static>> {
        let (starts, sorted) = starts(&lts.source, lts.states, cancel)?;
        if sorted {
            lts.source = Arc::default();
            let (label, target) = (own(&mut lts.label), own(&mut lts.target));
            return Ok(Forward { starts, label: label.into(), target: target.into() });
        }
        // One column at a time, so that never both exist twice.
        let stage = sorting(lts, cancel);
        let (positions, starts) = positions(own(&mut lts.source), starts, &stage)?;
        let label = permuted(&own(&mut lts.label), &positions, &stage)?;
        let target = permuted(&own(&mut lts.target), &positions, &stage)?;
        Ok(Forward { starts, label: label.into(), target: target.into() })
    }

    /// Transitions given as plain numbers.
    pub fn of_numbers(starts: Vec<u32>, label: Vec<u32>, target: Vec<u32>) -> Forward<'static> {
        let (label, target): (Vec<Label>, Vec<State>) = (cast_vec(label), cast_vec(target));
        Forward { starts, label: label.into(), target: target.into() }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// The states in the order of their numbers.
    pub fn each_state(
        &self,
    ) -> impl DoubleEndedIterator<Item = State> + ExactSizeIterator + Clone + use<> {
        (0..u32::at(self.states())).map(State)
    }

    /// The range of the transitions of a state.
    #[inline]
    pub fn range(&self, state: State) -> std::ops::Range<usize> {
        self.starts[state] as usize..self.starts[state.index() + 1] as usize
    }

    /// Whether every state has a transition.
    pub fn is_endless(&self) -> bool {
        self.starts.windows(2).all(|pair| pair[0] < pair[1])
    }

    /// Whether no state has two transitions with the same label.
    pub fn is_deterministic(&self) -> bool {
        let mut labels = Vec::new();
        self.each_state().all(|state| {
            let own = &self.label[self.range(state)];
            if own.len() > 2 {
                labels.clear();
                labels.extend_from_slice(own);
                labels.sort_unstable();
                return labels.windows(2).all(|two| two[0] != two[1]);
            }
            own.windows(2).all(|two| two[0] != two[1])
        })
    }

    /// Whether steps with the selected labels lead to larger state numbers more often than to
    /// smaller ones, judged by the first `SOME` of them.
    pub fn leads_upwards(&self, is_label: impl Fn(Label) -> bool) -> bool {
        let steps = self.each_state().flat_map(|s| self.steps(s).map(move |(a, t)| (s, a, t)));
        let (mut up, mut down) = (0, 0);
        for (source, _, target) in steps.filter(|step| is_label(step.1)).take(SOME) {
            up += usize::from(target > source);
            down += usize::from(target < source);
        }
        up > down
    }

    /// The labels and targets of the transitions of a state.
    #[inline]
    pub fn steps(&self, state: State) -> impl ExactSizeIterator<Item = (Label, State)> {
        let range = self.range(state);
        self.label[range.clone()].iter().copied().zip(self.target[range].iter().copied())
    }
}

/// Takes a column out of its `Arc`; copies it only if it is shared.
fn own<T: Clone>(column: &mut Arc<Vec<T>>) -> Vec<T> {
    Arc::try_unwrap(mem::take(column)).unwrap_or_else(|shared| shared.to_vec())
}

/// The start of every state's transitions in the order of sources, and whether the transitions are
/// already in that order.
fn starts(source: &[State], states: u32, cancel: &Cancel) -> Result<(Vec<u32>, bool)> {
    assert!(source.len() < u32::MAX as usize, "rows are numbered with 32 bits");
    let mut starts = memory::zeroes(states as usize + 1);
    let mut sorted = true;
    let mut last = State(0);
    for chunk in source.chunks(CHECK_EVERY) {
        cancel.check()?;
        for &source in chunk {
            sorted &= last <= source;
            last = source;
            starts[source] += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += mem::replace(start, sum);
    }
    Ok((starts, sorted))
}

/// The stage of sorting the transitions of an LTS: each of its columns is passed once.
fn sorting(lts: &Lts, cancel: &Cancel) -> Stage {
    cancel.stage("sorting transitions", Measure::Share(3 * lts.transitions() as u64))
}

/// The position of every transition in the order of sources (reusing the memory of `source`), and
/// `starts` restored.
fn positions(
    source: Vec<State>,
    mut starts: Vec<u32>,
    stage: &Stage,
) -> Result<(Vec<u32>, Vec<u32>)> {
    let mut positions: Vec<u32> = cast_vec(source);
    for chunk in positions.chunks_mut(CHECK_EVERY) {
        let count = chunk.len();
        for source in chunk {
            let position = &mut starts[*source as usize];
            *source = *position;
            *position += 1;
        }
        stage.check_after(count)?;
    }
    // Filling has advanced every start to that of the next state.
    starts.rotate_right(1);
    starts[0] = 0;
    Ok((positions, starts))
}

/// The column with every entry moved to its position in `positions`.
fn permuted<T: Copy + Default>(column: &[T], positions: &[u32], stage: &Stage) -> Result<Vec<T>> {
    let mut new = memory::zeroes(column.len());
    for (entries, positions) in column.chunks(CHECK_EVERY).zip(positions.chunks(CHECK_EVERY)) {
        for (&entry, &position) in entries.iter().zip(positions) {
            new[position as usize] = entry;
        }
        stage.check_after(entries.len())?;
    }
    Ok(new)
}
