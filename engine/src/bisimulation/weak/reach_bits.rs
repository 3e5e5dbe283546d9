//! Weak transitions of all states to several targets at a time.
//!
//! A column is a pair of a label and a block. For as many columns as a mask has bits, masks are
//! propagated backwards from the targets: this visits only the states with such weak transitions,
//! and memory is linear in the system. `split_by_targets` uses this to decide whether a partition
//! is a weak bisimulation and to split one that is not, and `transitive_reduction` to find implied
//! transitions, where single searches take too long.
//!
//! This is needed for exactness: where searches give up, no other method decides.

use crate::base::bitset::{Bits, States};
use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::scratch::Scratch;
use crate::base::stages::Measure;
use crate::base::{memory, parallel};

const WORDS: usize = 4;
/// The number of columns of a mask.
pub const COLUMNS: usize = if cfg!(test) { 3 } else { 64 * WORDS };

/// A set of the current columns.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mask([u64; WORDS]);

impl Mask {
    /// The set of one column.
    pub fn single(column: usize) -> Self {
        let mut mask = Self::default();
        mask.0[column / 64] = 1 << (column % 64);
        mask
    }

    /// The union.
    pub fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The intersection.
    pub fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The difference.
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Whether a column is in the set.
    pub fn has(self, column: usize) -> bool {
        self.0[column / 64] >> (column % 64) & 1 != 0
    }
}

/// The reversed transitions of a graph.
pub struct Sources {
    tau: Label,
    /// The sources of the internal steps to state t are
    /// `silent_sources[silent_starts[t]..silent_starts[t + 1]]`, sorted.
    silent_starts: Vec<u32>,
    silent_sources: Vec<State>,
    /// Likewise the labels and sources of visible steps, sorted by label and then source.
    visible_starts: Vec<u32>,
    visible_sources: Vec<(Label, State)>,
    /// An exclusive upper bound of the labels.
    labels: usize,
}

impl Sources {
    /// The reversed transitions of a graph without the transitions in `dropped`. Its internal steps
    /// must lead to smaller states, and its transitions must be sorted by label.
    pub fn new(graph: &Forward, tau: Label, dropped: &Bits) -> Self {
        let states = graph.states();
        let (mut silent_starts, mut visible_starts) =
            (vec![0u32; states + 1], vec![0u32; states + 1]);
        let mut last = tau;
        for (transition, (&label, &target)) in
            (0..).zip(graph.label.iter().zip(graph.target.iter()))
        {
            last = last.max(label);
            if !dropped.has(transition) {
                let starts = if label == tau { &mut silent_starts } else { &mut visible_starts };
                starts[target] += 1;
            }
        }
        for starts in [&mut silent_starts, &mut visible_starts] {
            let mut sum = 0;
            for start in starts {
                sum += *start;
                *start = sum;
            }
        }
        let mut silent_sources = memory::zeroed(silent_starts[states] as usize);
        let mut visible_sources = memory::zeroed(visible_starts[states] as usize);
        for state in graph.each_state().rev() {
            for (transition, (label, target)) in graph.range(state).zip(graph.steps(state)) {
                if dropped.has(u32::at(transition)) {
                    continue;
                }
                if label == tau {
                    let position = &mut silent_starts[target];
                    *position -= 1;
                    silent_sources[*position as usize] = state;
                } else {
                    let position = &mut visible_starts[target];
                    *position -= 1;
                    visible_sources[*position as usize] = (label, state);
                }
            }
        }
        for target in 0..states {
            let range = visible_starts[target] as usize..visible_starts[target + 1] as usize;
            visible_sources[range].sort_unstable();
        }
        let labels = last.index() + 1;
        Self { tau, silent_starts, silent_sources, visible_starts, visible_sources, labels }
    }

    /// The sources of the internal steps to a state.
    fn silent(&self, state: State) -> &[State] {
        let state = state.index();
        let range = self.silent_starts[state] as usize..self.silent_starts[state + 1] as usize;
        &self.silent_sources[range]
    }

    /// The labels and sources of the visible steps to a state; those with label `only`, if given.
    fn visible(&self, state: State, only: Option<Label>) -> &[(Label, State)] {
        let state = state.index();
        let range = self.visible_starts[state] as usize..self.visible_starts[state + 1] as usize;
        let all = &self.visible_sources[range];
        let Some(label) = only else { return all };
        let rest = &all[all.partition_point(|step| step.0 < label)..];
        &rest[..rest.partition_point(|step| step.0 == label)]
    }
}

/// Masks for all states of a graph.
pub struct Reach<'a> {
    sources: &'a Sources,
    /// For every state the columns whose block it reaches by internal steps ..
    silent: Vec<Mask>,
    /// .. and the columns with a visible label for which it has a weak transition.
    weak: Vec<Mask>,
    is_silent: States,
    is_weak: States,
    /// For every label the position of its columns in `masks`; 0 if it has none.
    position: Vec<u32>,
    masks: Vec<Mask>,
    /// The labels that have columns.
    used: Vec<Label>,
}

impl<'a> Reach<'a> {
    /// Masks without columns.
    pub fn new(sources: &'a Sources) -> Self {
        let states = sources.silent_starts.len() - 1;
        Self {
            sources,
            silent: memory::zeroes(states),
            weak: memory::zeroes(states),
            is_silent: States::new(states),
            is_weak: States::new(states),
            position: vec![0; sources.labels],
            masks: vec![Mask::default()],
            used: Vec::new(),
        }
    }

    /// The columns with a label.
    #[inline]
    pub fn of(&self, label: Label) -> Mask {
        self.masks[self.position[label] as usize]
    }

    /// Compute the masks for columns, given their labels and the states of their blocks.
    pub fn run(
        &mut self,
        labels: impl Iterator<Item = Label>,
        seeds: impl Iterator<Item = (State, Mask)>,
    ) {
        for state in self.is_silent.iter() {
            self.silent[state] = Mask::default();
        }
        for state in self.is_weak.iter() {
            self.weak[state] = Mask::default();
        }
        self.is_silent.clear();
        self.is_weak.clear();
        for label in self.used.drain(..) {
            self.position[label] = 0;
        }
        self.masks.truncate(1);
        for (column, label) in labels.enumerate() {
            let position = &mut self.position[label];
            if *position == 0 {
                *position = u32::at(self.masks.len());
                self.masks.push(Mask::default());
                self.used.push(label);
            }
            let mask = &mut self.masks[*position as usize];
            *mask = mask.or(Mask::single(column));
        }
        for (state, columns) in seeds {
            let mask = &mut self.silent[state];
            *mask = mask.or(columns);
            self.is_silent.add(state);
        }
        let Self { sources, silent, weak, is_silent, is_weak, position, masks, used } = self;
        let only = Some(used[0]).filter(|_| used.len() == 1);
        let tau = sources.tau;
        is_silent.visit_upwards(|state, visit| {
            let mask = silent[state];
            for &source in sources.silent(state) {
                let sum = &mut silent[source];
                *sum = sum.or(mask);
                visit.add(source);
            }
            if only == Some(tau) {
                return;
            }
            for &(label, source) in sources.visible(state, only) {
                let step = mask.and(masks[position[label] as usize]);
                if !step.is_empty() {
                    let sum = &mut weak[source];
                    *sum = sum.or(step);
                    is_weak.add(source);
                }
            }
        });
        is_weak.visit_upwards(|state, visit| {
            let mask = weak[state];
            for &source in sources.silent(state) {
                let sum = &mut weak[source];
                *sum = sum.or(mask);
                visit.add(source);
            }
        });
    }

    /// The columns for which a state has a weak transition.
    #[inline]
    pub fn weak(&self, state: State) -> Mask {
        self.weak[state].or(self.silent[state].and(self.of(self.sources.tau)))
    }

    /// The columns for which a transition begins a weak transition.
    #[inline]
    pub fn step(&self, label: Label, target: State) -> Mask {
        if label == self.sources.tau {
            return self.weak(target);
        }
        self.silent[target].and(self.of(label))
    }
}

/// The number of threads with masks of their own: masks take more memory than anything else.
const THREADS: usize = 2;

/// Batches that a thread takes at a time.
const TAKEN: usize = if cfg!(test) { 1 } else { 4 };

/// Compute the masks of each batch and call `work` with them; `gather` takes the results in order
/// and returns whether to continue.
pub fn for_batches<B: Sync, T: Send>(
    sources: &Sources,
    batches: &[B],
    work: impl Fn(&mut Reach, &B) -> T + Sync,
    mut gather: impl FnMut(T) -> bool,
    cancel: &Cancel,
) -> Result<()> {
    let scratch = Scratch::new(|| Reach::new(sources));
    let look = |taken: &[B]| {
        let mut reach = scratch.take();
        let results: Vec<T> = taken.iter().map(|batch| work(&mut reach, batch)).collect();
        scratch.give(reach);
        results
    };
    let stage = cancel.stage("following transitions", Measure::Share(batches.len() as u64));
    for some in batches.chunks(THREADS * TAKEN) {
        let mut continues = true;
        let mut gather = |results: Vec<T>| {
            stage.add(results.len());
            results.into_iter().for_each(|results| continues &= gather(results));
        };
        parallel::in_order(some.chunks(some.len().div_ceil(THREADS)), look, &mut gather, cancel)?;
        if !continues {
            break;
        }
    }
    Ok(())
}
