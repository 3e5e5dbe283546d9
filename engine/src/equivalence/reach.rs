//! Weak transitions of many states to a few targets at a time.
//!
//! A column is a pair of a label and a block. For as many columns as a mask has bits it is computed
//! which states have such a weak transition, by passing masks from the targets backwards: that visits
//! the states that can, and no others, with memory that is linear in the system. So `essential`
//! decides whether a partition is a weak bisimulation, and `columns` splits one that is not.

use super::bits::Bits;
use super::forward::Forward;
use rustc_hash::FxHashMap;

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
    /// Sources and labels by target.
    starts: Vec<u32>,
    sources: Vec<(u32, u32)>,
    tau: u32,
    /// For every state: the columns whose block it reaches by internal steps ..
    silent: Vec<Mask>,
    /// .. and those it has a weak transition for.
    weak: Vec<Mask>,
    is_silent: Bits,
    is_weak: Bits,
    /// For every label its columns.
    pub labels: FxHashMap<u32, Mask>,
}

impl Reach {
    /// No columns yet.
    pub fn new(graph: &Forward, tau: u32) -> Self {
        let states = graph.states();
        let mut starts = vec![0u32; states + 1];
        for &target in graph.target.iter() {
            starts[target as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut sources = vec![(0, 0); graph.target.len()];
        for state in 0..states as u32 {
            for (label, target) in graph.rows(state) {
                let place = &mut starts[target as usize];
                *place -= 1;
                sources[*place as usize] = (state, label);
            }
        }
        Self {
            starts,
            sources,
            tau,
            silent: vec![Mask::default(); states],
            weak: vec![Mask::default(); states],
            is_silent: Bits::new(states),
            is_weak: Bits::new(states),
            labels: FxHashMap::default(),
        }
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
        self.labels.clear();
        for (column, label) in labels.enumerate() {
            let mask = self.labels.entry(label).or_default();
            *mask = mask.or(Mask::one(column));
        }
        for (state, columns) in seeds {
            let mask = &mut self.silent[state as usize];
            *mask = mask.or(columns);
            self.is_silent.add(state);
        }
        self.is_silent.visit_upwards(|state, visit| {
            let mask = self.silent[state as usize];
            let begin = self.starts[state as usize] as usize;
            let end = self.starts[state as usize + 1] as usize;
            for &(source, label) in &self.sources[begin..end] {
                if label == self.tau {
                    let sum = &mut self.silent[source as usize];
                    *sum = sum.or(mask);
                    visit.add(source);
                }
                if let Some(&columns) = self.labels.get(&label) {
                    let step = mask.and(columns);
                    if label != self.tau && !step.is_empty() {
                        let sum = &mut self.weak[source as usize];
                        *sum = sum.or(step);
                        self.is_weak.add(source);
                    }
                }
            }
            if let Some(&columns) = self.labels.get(&self.tau) {
                let own = mask.and(columns);
                if !own.is_empty() {
                    let sum = &mut self.weak[state as usize];
                    *sum = sum.or(own);
                    self.is_weak.add(state);
                }
            }
        });
        self.is_weak.visit_upwards(|state, visit| {
            let mask = self.weak[state as usize];
            let begin = self.starts[state as usize] as usize;
            let end = self.starts[state as usize + 1] as usize;
            for &(source, label) in &self.sources[begin..end] {
                if label == self.tau {
                    let sum = &mut self.weak[source as usize];
                    *sum = sum.or(mask);
                    visit.add(source);
                }
            }
        });
    }

    /// The states that have a column, with their columns, in order.
    pub fn having(&self) -> impl Iterator<Item = (u32, Mask)> {
        self.is_weak.iter().map(|state| (state, self.weak[state as usize]))
    }

    /// The columns that a transition is a weak transition for.
    pub fn step(&self, label: u32, target: u32) -> Mask {
        if label == self.tau {
            return self.weak[target as usize];
        }
        match self.labels.get(&label) {
            Some(&columns) => self.silent[target as usize].and(columns),
            None => Mask::default(),
        }
    }
}
