//! Minimal systems written down in a way that depends on nothing but their behaviour.
//!
//! States are numbered breadth first, the transitions of a state in the order of label bytes. Where
//! several with one label lead to different states, these are ordered by a rank. No two states of a
//! minimal system are strongly bisimilar, so refinement tells all of them apart, and its numbers are
//! ranks, as long as they depend on nothing but the system. Mostly a few rounds of hashing do.

use super::forward::Forward;
use super::minimise::NONE;
use super::quotient::Blocks;
use super::refine::{Partition, refine};
use super::strong::{Strong, pair};
use super::{POLL_EVERY, Poll};
use crate::labels::Labels;
use crate::lts::Lts;
use std::sync::Arc;

/// The blocks as they were met breadth first, the transitions of each by label.
pub struct Walk {
    /// The number of every block, [`NONE`] for those that were not met; and how many were.
    number: Vec<u32>,
    states: u32,
    keep_unreachable: bool,
    /// Each transition once, labels numbered by the order of their bytes among those that occur.
    graph: Forward<'static>,
    /// The labels of the LTS by these numbers.
    labels: Vec<u32>,
    /// Whether the order depends on the numbers of blocks, because a state has several transitions
    /// of a label.
    ambiguous: bool,
}

impl Walk {
    /// Walk through the blocks that can be reached, and the others if these are to be kept.
    pub fn new(blocks: &Blocks, lts: &Lts, keep_unreachable: bool, poll: Poll) -> Option<Self> {
        let mut by_text: Vec<u32> = (0..lts.labels.len() as u32).collect();
        by_text.sort_unstable_by_key(|&label| lts.labels.get(label));
        let mut place = vec![0; by_text.len()];
        for (rank, &label) in (0..).zip(&by_text) {
            place[label as usize] = rank;
        }
        let mut number = vec![NONE; blocks.count()];
        let mut order = vec![blocks.start()];
        number[blocks.start() as usize] = 0;
        let mut occurs = vec![false; by_text.len()];
        // Room that is not needed stays untouched.
        let most = blocks.most_rows();
        let mut starts = Vec::with_capacity(blocks.count() + 1);
        let (mut label, mut target) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let mut ambiguous = false;
        let mut rows = Vec::new();
        let mut others = if keep_unreachable { 0..blocks.count() as u32 } else { 0..0 };
        let mut at = 0;
        loop {
            if at % POLL_EVERY == 0 && !poll() {
                return None;
            }
            if at == order.len() {
                let Some(other) = others.find(|&b| number[b as usize] == NONE) else { break };
                number[other as usize] = order.len() as u32;
                order.push(other);
            }
            blocks.rows(order[at], &mut rows);
            for row in &mut rows {
                row.0 = place[row.0 as usize];
            }
            if rows.len() > 1 {
                rows.sort_unstable();
                rows.dedup();
                ambiguous = ambiguous || rows.windows(2).any(|w| w[0].0 == w[1].0);
            }
            starts.push(label.len() as u32);
            for &(a, to) in &rows {
                let number = &mut number[to as usize];
                if *number == NONE {
                    *number = order.len() as u32;
                    order.push(to);
                }
                occurs[a as usize] = true;
                label.push(a);
                target.push(*number);
            }
            at += 1;
        }
        starts.push(label.len() as u32);
        let mut names = vec![0; occurs.len()];
        let mut labels = Vec::new();
        for (place, _) in occurs.iter().enumerate().filter(|place| *place.1) {
            names[place] = labels.len() as u32;
            labels.push(by_text[place]);
        }
        for label in &mut label {
            *label = names[*label as usize];
        }
        let graph = Forward { starts, label: shrunk(label).into(), target: shrunk(target).into() };
        let states = order.len() as u32;
        Some(Self { number, states, keep_unreachable, graph, labels, ambiguous })
    }

    /// The LTS of the blocks of `lts`, and for every block its state, [`NONE`] for those that cannot
    /// be reached and are not to be kept.
    pub fn number(mut self, lts: &Lts, poll: Poll) -> Option<(Lts, Vec<u32>)> {
        let mut number = std::mem::take(&mut self.number);
        if self.ambiguous || self.keep_unreachable {
            let ranks = ranks(&self.graph, self.keep_unreachable, poll)?;
            let (order, other) = rank_order(&self.graph, &ranks, self.keep_unreachable, poll)?;
            drop(ranks);
            for number in number.iter_mut().filter(|number| **number != NONE) {
                *number = other[*number as usize];
            }
            self.reorder(&order, other);
        }
        Some((self.lts(lts), number))
    }

    /// Number the states anew: those of `order`, whose new numbers are in `number`.
    fn reorder(&mut self, order: &[u32], number: Vec<u32>) {
        let Forward { starts, label, target } = &mut self.graph;
        let (label, target) = (label.to_mut(), target.to_mut());
        let mut rows: Vec<(u32, u32)> = Vec::new();
        for range in starts.windows(2) {
            let range = range[0] as usize..range[1] as usize;
            rows.clear();
            rows.extend(range.clone().map(|row| (label[row], number[target[row] as usize])));
            rows.sort_unstable();
            for (row, &(a, to)) in range.zip(&rows) {
                (label[row], target[row]) = (a, to);
            }
        }
        drop(number);
        // One column after the other, so that there are never two copies of both.
        for column in [label, target] {
            let mut new = Vec::with_capacity(column.len());
            for &state in order {
                let state = state as usize;
                new.extend_from_slice(&column[starts[state] as usize..starts[state + 1] as usize]);
            }
            *column = new;
        }
        let mut sum = 0;
        let length = |&state: &u32| starts[state as usize + 1] - starts[state as usize];
        let mut new: Vec<u32> = order.iter().map(length).collect();
        new.push(0);
        for start in &mut new {
            sum += std::mem::replace(start, sum);
        }
        *starts = new;
    }

    /// The system, its labels in the order in which they occur.
    fn lts(self, lts: &Lts) -> Lts {
        let Forward { starts, label, target } = self.graph;
        let (mut label, target) = (label.into_owned(), target.into_owned());
        let mut names = vec![NONE; self.labels.len()];
        let mut labels = Labels::new();
        let mut internal = Vec::new();
        for label in &mut label {
            let name = &mut names[*label as usize];
            if *name == NONE {
                let old = self.labels[*label as usize];
                *name = labels.intern(lts.labels.get(old));
                if lts.internal.contains(&old) {
                    internal.push(*name);
                }
            }
            *label = *name;
        }
        internal.sort_unstable();
        let mut source = Vec::with_capacity(target.len());
        for state in 0..self.states {
            source.resize(starts[state as usize + 1] as usize, state);
        }
        drop(starts);
        let columns = [source, label, target];
        Lts::from_valid(0, self.states, columns, Arc::new(labels), Arc::new(internal))
    }
}

fn shrunk(mut column: Vec<u32>) -> Vec<u32> {
    column.shrink_to_fit();
    column
}

impl Blocks<'_> {
    /// The state of the system of blocks where it starts.
    fn start(&self) -> u32 {
        let own = self.count() > self.representative.len();
        if own { self.representative.len() as u32 } else { self.root }
    }
}

/// The states of a graph breadth first, steps of one label in the order of ranks, and the place of
/// each there.
fn rank_order(
    graph: &Forward,
    ranks: &[u64],
    keep_unreachable: bool,
    poll: Poll,
) -> Option<(Vec<u32>, Vec<u32>)> {
    let states = graph.states();
    let mut number = vec![NONE; states];
    let mut order = Vec::with_capacity(states);
    order.push(0);
    number[0] = 0;
    let mut roots: Vec<u32> = Vec::new();
    if keep_unreachable {
        roots.extend(0..states as u32);
        roots.sort_unstable_by_key(|&state| ranks[state as usize]);
    }
    let mut roots = roots.into_iter();
    let mut rows: Vec<(u32, u64, u32)> = Vec::new();
    let mut at = 0;
    while order.len() < states || at < states {
        if at % POLL_EVERY == 0 && !poll() {
            return None;
        }
        if at == order.len()
            && let Some(root) = roots.find(|&root| number[root as usize] == NONE)
        {
            number[root as usize] = order.len() as u32;
            order.push(root);
        }
        let state = order[at];
        let mut meet = |to: u32| {
            let number = &mut number[to as usize];
            if *number == NONE {
                *number = order.len() as u32;
                order.push(to);
            }
        };
        let range = graph.range(state);
        let labels = &graph.label[range.clone()];
        if labels.windows(2).all(|w| w[0] != w[1]) {
            graph.target[range].iter().copied().for_each(meet);
        } else {
            rows.clear();
            rows.extend(graph.rows(state).map(|(a, t)| (a, ranks[t as usize], t)));
            rows.sort_unstable();
            rows.iter().for_each(|row| meet(row.2));
        }
        at += 1;
    }
    Some((order, number))
}

/// Rounds of hashing after which it is asked whether they were enough.
const ROUNDS: [usize; 4] = [2, 2, 4, 8];

/// A number for every state that tells it from the others, wherever the order of the transitions
/// of a state needs that; the same for corresponding states of isomorphic systems.
fn ranks(graph: &Forward, keep_unreachable: bool, poll: Poll) -> Option<Vec<u64>> {
    let mut ranks = vec![0u64; graph.states()];
    if !keep_unreachable {
        for rounds in ROUNDS {
            for _ in 0..rounds {
                ranks = hash_round(graph, &ranks, poll)?;
            }
            if !is_ambiguous(graph, &ranks) {
                return Some(ranks);
            }
        }
    }
    for seed in 0.. {
        // Two different signatures of one hash would leave a block of several: try another hash.
        let signature = &mut Strong::seeded(graph, seed);
        let partition = refine(Partition::trivial(graph.states()), signature, true, poll)?;
        if partition.blocks == graph.states() {
            return Some(partition.block.into_iter().map(u64::from).collect());
        }
    }
    None
}

fn mix(a: u64, b: u64) -> u64 {
    pair((a >> 32) as u32, a as u32) ^ pair((b >> 32) as u32, b as u32).rotate_left(29)
}

fn hash_round(graph: &Forward, old: &[u64], poll: Poll) -> Option<Vec<u64>> {
    let mut new = Vec::with_capacity(old.len());
    for state in 0..old.len() as u32 {
        if (state as usize).is_multiple_of(POLL_EVERY) && !poll() {
            return None;
        }
        let members = graph.rows(state).map(|(label, target)| {
            let hash = mix(u64::from(label) + 1, old[target as usize]);
            mix(hash, hash >> 7)
        });
        new.push(mix(old[state as usize], members.fold(1, u64::wrapping_add)));
    }
    Some(new)
}

/// Whether two transitions of a state have one label and targets of one rank.
fn is_ambiguous(graph: &Forward, ranks: &[u64]) -> bool {
    let mut steps: Vec<(u32, u64)> = Vec::new();
    (0..graph.states() as u32).any(|state| {
        steps.clear();
        steps.extend(graph.rows(state).map(|(label, target)| (label, ranks[target as usize])));
        steps.sort_unstable();
        steps.windows(2).any(|w| w[0] == w[1])
    })
}
