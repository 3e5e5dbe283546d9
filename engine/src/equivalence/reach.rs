//! Weak transitions of many states to a few targets at a time.
//!
//! A column is a pair of a label and a block. For as many columns as a mask has bits it is computed
//! which states have such a weak transition, by passing masks from the targets backwards: that visits
//! the states that can, and no others. Two things are decided so, with memory that is linear in the
//! system: whether a partition is a weak bisimulation, and which transitions between its blocks are
//! implied by others.

use super::Poll;
use super::bits::Bits;
use super::components::contract;
use super::forward::Forward;
use super::quotient::blocks_graph;
use super::refine::Partition;
use rustc_hash::FxHashMap;

const WORDS: usize = 4;
const COLUMNS: usize = if cfg!(test) { 3 } else { 64 * WORDS };

/// Which of the columns at hand.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Mask([u64; WORDS]);

impl Mask {
    fn one(column: usize) -> Self {
        let mut mask = Self::default();
        mask.0[column / 64] = 1 << (column % 64);
        mask
    }

    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    fn is_empty(self) -> bool {
        self.0 == [0; WORDS]
    }

    fn has(self, column: usize) -> bool {
        self.0[column / 64] >> (column % 64) & 1 != 0
    }

    fn first(self) -> usize {
        let word = self.0.iter().position(|&word| word != 0).unwrap_or(0);
        word * 64 + self.0[word].trailing_zeros() as usize
    }
}

/// Masks of all states of a graph whose internal steps lead to smaller states.
struct Reach {
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
    labels: FxHashMap<u32, Mask>,
}

impl Reach {
    fn new(graph: &Forward, tau: u32) -> Self {
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
    fn run(
        &mut self,
        labels: impl Iterator<Item = u32>,
        seeds: impl Iterator<Item = (u32, usize)>,
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
        for (state, column) in seeds {
            let mask = &mut self.silent[state as usize];
            *mask = mask.or(Mask::one(column));
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

    /// The columns that a transition is a weak transition for.
    fn step(&self, label: u32, target: u32) -> Mask {
        if label == self.tau {
            return self.weak[target as usize];
        }
        match self.labels.get(&label) {
            Some(&columns) => self.silent[target as usize].and(columns),
            None => Mask::default(),
        }
    }
}

/// The verdict on a partition.
pub enum Verdict {
    /// It is a weak bisimulation, with the essential transitions between its blocks.
    Stable(Partition, Forward<'static>),
    /// It is not: at least one of its blocks was split.
    Split(Partition),
}

/// Whether a partition is a weak bisimulation of `graph`, whose internal steps lead to smaller
/// states.
///
/// Let every block have the transitions of all its states. If each bottom state of a block (one
/// without internal steps inside it) has weak transitions for all of them, which first of its own
/// and then of the blocks', then so have all states, and the blocks have no others: by induction
/// along the internal steps.
pub fn certify(graph: &Forward, tau: u32, partition: Partition, poll: Poll) -> Option<Verdict> {
    let Partition { mut block, blocks } = partition;
    let quotient = blocks_graph(graph, &block, blocks, tau);
    let last = graph.label.iter().copied().max().unwrap_or(0).max(tau);
    let internal: Vec<bool> = (0..=last).map(|label| label == tau).collect();
    let sorted = contract(quotient, &internal, tau, None, poll)?;
    if let Some(component) = &sorted.component {
        if sorted.graph.states() < blocks {
            // Blocks on a cycle: the internal steps between them do not exist for all their states.
            let quotient = blocks_graph(graph, &block, blocks, tau);
            let mut columns: Vec<(u32, u32)> = Vec::new();
            for b in 0..blocks as u32 {
                let inside = quotient
                    .rows(b)
                    .filter(|&(a, c)| a == tau && component[b as usize] == component[c as usize]);
                columns.extend(inside);
            }
            let partition = Partition { block, blocks };
            return split(graph, tau, partition, columns, poll).map(Verdict::Split);
        }
        for b in &mut block {
            *b = component[*b as usize];
        }
    }
    let quotient = sorted.graph;
    let members = Grouped::new(&block, blocks);
    // The transitions between blocks, those to one target together.
    let mut rows: Vec<(u32, u32, u32)> = Vec::with_capacity(quotient.target.len());
    for b in 0..blocks as u32 {
        rows.extend(quotient.rows(b).map(|(label, target)| (target, label, b)));
    }
    rows.sort_unstable();
    let mut reach = Reach::new(&quotient, tau);
    let mut essential: Vec<(u32, u32, u32)> = Vec::new();
    let mut failed: Vec<(u32, u32)> = Vec::new();
    let mut begin = 0;
    let mut columns: Vec<(u32, u32)> = Vec::new();
    let mut wanted: Vec<(u32, u32)> = Vec::new();
    while begin < rows.len() {
        if !poll() {
            return None;
        }
        columns.clear();
        wanted.clear();
        let mut end = begin;
        while end < rows.len() {
            let (target, label, source) = rows[end];
            if columns.last() != Some(&(label, target)) {
                if columns.len() == COLUMNS {
                    break;
                }
                columns.push((label, target));
            }
            wanted.push((source, columns.len() as u32 - 1));
            end += 1;
        }
        begin = end;
        let seeds = columns.iter().enumerate().map(|(i, &(_, target))| (target, i));
        reach.run(columns.iter().map(|&(label, _)| label), seeds);
        wanted.sort_unstable();
        for group in wanted.chunk_by(|a, b| a.0 == b.0) {
            let b = group[0].0;
            let all =
                group.iter().fold(Mask::default(), |sum, &(_, i)| sum.or(Mask::one(i as usize)));
            for &state in members.of(b).iter().filter(|_| members.of(b).len() > 1) {
                if graph.rows(state).any(|(a, t)| a == tau && block[t as usize] == b) {
                    continue;
                }
                let steps = graph.rows(state).map(|(a, t)| reach.step(a, block[t as usize]));
                let missed = all.without(steps.fold(Mask::default(), Mask::or));
                if !missed.is_empty() {
                    failed.push(columns[missed.first()]);
                }
            }
            // Implied: by an internal step before it, or by internal steps behind another with its
            // label.
            let (mut once, mut twice, mut later) = <(Mask, Mask, Mask)>::default();
            let silent = reach.labels.get(&tau).copied().unwrap_or_default();
            for (label, target) in quotient.rows(b) {
                let mut step = reach.step(label, target);
                if label == tau {
                    later = later.or(step.without(silent));
                    step = step.and(silent);
                }
                twice = twice.or(once.and(step));
                once = once.or(step);
            }
            let implied = twice.or(later);
            for &(source, i) in group {
                if !implied.has(i as usize) {
                    let (label, target) = columns[i as usize];
                    essential.push((source, label, target));
                }
            }
        }
        if failed.len() >= COLUMNS {
            break;
        }
    }
    let partition = Partition { block, blocks };
    if !failed.is_empty() {
        return split(graph, tau, partition, failed, poll).map(Verdict::Split);
    }
    essential.sort_unstable();
    let mut starts = vec![0u32; blocks + 1];
    for &(source, ..) in &essential {
        starts[source as usize + 1] += 1;
    }
    for b in 0..blocks {
        starts[b + 1] += starts[b];
    }
    let label = essential.iter().map(|row| row.1).collect();
    let target = essential.iter().map(|row| row.2).collect();
    Some(Verdict::Stable(partition, Forward { starts, label, target }))
}

/// The states by block.
pub struct Grouped {
    starts: Vec<u32>,
    states: Vec<u32>,
}

impl Grouped {
    /// The states of every block, in order.
    pub fn new(block: &[u32], blocks: usize) -> Self {
        let mut starts = vec![0u32; blocks + 1];
        for &b in block {
            starts[b as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut states = vec![0; block.len()];
        for state in (0..block.len()).rev() {
            let place = &mut starts[block[state] as usize];
            *place -= 1;
            states[*place as usize] = state as u32;
        }
        Self { starts, states }
    }

    /// The states of a block.
    pub fn of(&self, block: u32) -> &[u32] {
        let block = block as usize;
        &self.states[self.starts[block] as usize..self.starts[block + 1] as usize]
    }
}

/// The partition whose blocks are split by which weak transitions for the columns a state has: of
/// the first columns that split one.
fn split(
    graph: &Forward,
    tau: u32,
    partition: Partition,
    mut columns: Vec<(u32, u32)>,
    poll: Poll,
) -> Option<Partition> {
    columns.sort_unstable();
    columns.dedup();
    let Partition { mut block, blocks } = partition;
    let mut reach = Reach::new(graph, tau);
    let mut next = blocks as u32;
    for columns in columns.chunks(COLUMNS) {
        if !poll() {
            return None;
        }
        let mut entered: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (i, &(_, target)) in columns.iter().enumerate() {
            entered.entry(target).or_default().push(i);
        }
        let seeds = (0u32..).zip(&block).filter_map(|(state, b)| Some((state, entered.get(b)?)));
        let seeds = seeds.flat_map(|(state, columns)| columns.iter().map(move |&i| (state, i)));
        reach.run(columns.iter().map(|&(label, _)| label), seeds);
        let mut numbers: FxHashMap<(u32, Mask), u32> = FxHashMap::default();
        let mut parts = vec![false; blocks];
        for (block, &mask) in block.iter_mut().zip(&reach.weak) {
            let part = &mut parts[*block as usize];
            *block = *numbers.entry((*block, mask)).or_insert_with(|| {
                let first = !std::mem::replace(part, true);
                next += u32::from(!first);
                if first { *block } else { next - 1 }
            });
        }
        if next as usize > blocks {
            break;
        }
    }
    assert!(next as usize > blocks, "a partition that is no bisimulation is split");
    Some(Partition { block, blocks: next as usize })
}
