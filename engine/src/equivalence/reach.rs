//! Weak transitions of many states to a few targets at a time.
//!
//! A column is a pair of a label and a block. For as many columns as a mask has bits it is computed
//! which states have such a weak transition, by passing masks from the targets backwards: that visits
//! the states that can, and no others, with memory that is linear in the system. So `columns` decides
//! whether a partition is a weak bisimulation and splits one that is not, and `essential` finds the
//! transitions that are implied by others, where single searches take too long.

use super::bits::Bits;
use super::forward::Forward;

const WORDS: usize = 4;
/// How many columns there are at a time.
pub const COLUMNS: usize = if cfg!(test) { 3 } else { 64 * WORDS };

/// Which of the columns at hand.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Mask([u64; WORDS]);

impl Mask {
    /// One column.
    pub fn one(column: usize) -> Self {
        let mut mask = Self::default();
        mask.0[column / 64] = 1 << (column % 64);
        mask
    }

    /// All columns of both.
    pub fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The columns that both have.
    pub fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The columns that the other one lacks.
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Whether there is no column.
    pub fn is_empty(self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Whether a column is there.
    pub fn has(self, column: usize) -> bool {
        self.0[column / 64] >> (column % 64) & 1 != 0
    }

    /// A number that other masks hardly have.
    pub fn hash(self) -> u64 {
        self.0.iter().fold(1, |sum, &word| {
            let sum = (sum ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
            sum ^ sum >> 32
        })
    }
}

/// Masks of all states of a graph whose internal steps lead to smaller states.
pub struct Reach {
    tau: u32,
    /// The sources of the internal steps to state t are `silent_sources` at
    /// `silent_starts[t]..silent_starts[t + 1]`, in order.
    silent_starts: Vec<u32>,
    silent_sources: Vec<u32>,
    /// Likewise the labels and sources of other steps, in the order of labels and then of sources.
    visible_starts: Vec<u32>,
    visible_sources: Vec<(u32, u32)>,
    /// For every state: the columns whose block it reaches by internal steps ..
    silent: Vec<Mask>,
    /// .. and those it has a weak transition for.
    weak: Vec<Mask>,
    is_silent: Bits,
    is_weak: Bits,
    /// For every label the place of its columns in `masks`, 0 for none.
    place: Vec<u32>,
    masks: Vec<Mask>,
    /// The labels that have columns.
    used: Vec<u32>,
}

impl Reach {
    /// No columns yet.
    pub fn new(graph: &Forward, tau: u32) -> Self {
        let states = graph.states();
        let (mut silent_starts, mut visible_starts) =
            (vec![0u32; states + 1], vec![0u32; states + 1]);
        let mut last = tau;
        for (&label, &target) in graph.label.iter().zip(graph.target.iter()) {
            last = last.max(label);
            let starts = if label == tau { &mut silent_starts } else { &mut visible_starts };
            starts[target as usize] += 1;
        }
        for starts in [&mut silent_starts, &mut visible_starts] {
            let mut sum = 0;
            for start in starts {
                sum += *start;
                *start = sum;
            }
        }
        let mut silent_sources = vec![0; silent_starts[states] as usize];
        let mut visible_sources = vec![(0, 0); visible_starts[states] as usize];
        for state in (0..states as u32).rev() {
            for (label, target) in graph.rows(state) {
                if label == tau {
                    let place = &mut silent_starts[target as usize];
                    *place -= 1;
                    silent_sources[*place as usize] = state;
                } else {
                    let place = &mut visible_starts[target as usize];
                    *place -= 1;
                    visible_sources[*place as usize] = (label, state);
                }
            }
        }
        Self {
            tau,
            silent_starts,
            silent_sources,
            visible_starts,
            visible_sources,
            silent: vec![Mask::default(); states],
            weak: vec![Mask::default(); states],
            is_silent: Bits::new(states),
            is_weak: Bits::new(states),
            place: vec![0; last as usize + 1],
            masks: vec![Mask::default()],
            used: Vec::new(),
        }
    }

    /// The columns of a label.
    #[inline]
    pub fn of(&self, label: u32) -> Mask {
        self.masks[self.place[label as usize] as usize]
    }

    /// Compute the masks of columns: their labels, and the states where their blocks are entered.
    pub fn run(
        &mut self,
        labels: impl Iterator<Item = u32>,
        seeds: impl Iterator<Item = (u32, Mask)>,
    ) {
        for state in self.is_silent.iter() {
            self.silent[state as usize] = Mask::default();
        }
        for state in self.is_weak.iter() {
            self.weak[state as usize] = Mask::default();
        }
        self.is_silent.clear();
        self.is_weak.clear();
        for label in self.used.drain(..) {
            self.place[label as usize] = 0;
        }
        self.masks.truncate(1);
        for (column, label) in labels.enumerate() {
            let place = &mut self.place[label as usize];
            if *place == 0 {
                *place = self.masks.len() as u32;
                self.masks.push(Mask::default());
                self.used.push(label);
            }
            let mask = &mut self.masks[*place as usize];
            *mask = mask.or(Mask::one(column));
        }
        for (state, columns) in seeds {
            let mask = &mut self.silent[state as usize];
            *mask = mask.or(columns);
            self.is_silent.add(state);
        }
        let Self { silent, weak, is_silent, is_weak, place, masks, .. } = self;
        let (silent_starts, visible_starts) = (&self.silent_starts, &self.visible_starts);
        let (silent_sources, visible_sources) = (&self.silent_sources, &self.visible_sources);
        let tau = masks[place[self.tau as usize] as usize];
        let range = |starts: &[u32], s: usize| starts[s] as usize..starts[s + 1] as usize;
        is_silent.visit_upwards(|state, visit| {
            let s = state as usize;
            let mask = silent[s];
            for &source in &silent_sources[range(silent_starts, s)] {
                let sum = &mut silent[source as usize];
                *sum = sum.or(mask);
                visit.add(source);
            }
            for &(label, source) in &visible_sources[range(visible_starts, s)] {
                let step = mask.and(masks[place[label as usize] as usize]);
                if !step.is_empty() {
                    let sum = &mut weak[source as usize];
                    *sum = sum.or(step);
                    is_weak.add(source);
                }
            }
            let own = mask.and(tau);
            if !own.is_empty() {
                weak[s] = weak[s].or(own);
                is_weak.add(state);
            }
        });
        is_weak.visit_upwards(|state, visit| {
            let mask = weak[state as usize];
            for &source in &silent_sources[range(silent_starts, state as usize)] {
                let sum = &mut weak[source as usize];
                *sum = sum.or(mask);
                visit.add(source);
            }
        });
    }

    /// The states that have a column, with their columns, in order.
    pub fn having(&self) -> impl Iterator<Item = (u32, Mask)> {
        self.is_weak.iter().map(|state| (state, self.weak[state as usize]))
    }

    /// The columns that a state has.
    pub fn weak(&self, state: u32) -> Mask {
        self.weak[state as usize]
    }

    /// The columns that a transition is a weak transition for.
    pub fn step(&self, label: u32, target: u32) -> Mask {
        if label == self.tau {
            return self.weak[target as usize];
        }
        self.silent[target as usize].and(self.of(label))
    }
}

/// As many columns (label, state) as fit into a mask, which come by state and then by label.
#[derive(Default)]
pub struct Batch(Vec<(u32, u32)>);

impl Batch {
    /// Take other columns.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The number of a column, the last one or a new one; none if there is no room for it.
    pub fn column(&mut self, label: u32, target: u32) -> Option<u32> {
        if self.0.last() != Some(&(label, target)) {
            if self.0.len() == COLUMNS {
                return None;
            }
            self.0.push((label, target));
        }
        Some(self.0.len() as u32 - 1)
    }

    /// The columns with their numbers.
    pub fn columns(&self) -> impl Iterator<Item = (usize, (u32, u32))> {
        self.0.iter().copied().enumerate()
    }

    /// Compute their masks.
    pub fn run(&self, reach: &mut Reach) {
        let seeds = self.columns().map(|(i, (_, target))| (target, Mask::one(i)));
        reach.run(self.0.iter().map(|column| column.0), seeds);
    }
}
