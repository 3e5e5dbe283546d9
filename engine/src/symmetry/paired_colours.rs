//! Colours of the states of two systems, by refinement.
//!
//! The states of both systems are coloured by an equitable partition: states of one colour have
//! equally many transitions of each label to, and from, each colour. An isomorphism preserves
//! colours, so every colour must have equally many states of both sides. If every colour has one
//! state of each, these correspond.

use crate::base::cancel::{CHECK_EVERY, Cancel, Result};
use crate::base::csr::graph::Graph;
use crate::base::ids::{Block, Id};
use crate::base::memory::room;
use crate::base::partition::{Partition, Refinable, Splitters};
use std::result;

/// The transitions of both systems in both directions; states of the right one come after those of
/// the left one.
pub struct Edges {
    /// For each direction and state the range of its (label, other end) in `ends`.
    starts: [Vec<usize>; 2],
    neighbours: [Vec<(u32, u32)>; 2],
}

impl Edges {
    /// The transitions of two systems with equally many states, where label a of `left` is
    /// `names[a]` in `right`.
    pub fn new(left: &Graph, right: &Graph, names: &[u32]) -> Self {
        let n = u32::at(left.states);
        let mut edges: Vec<(u32, u32, u32)> = room(2 * left.transitions());
        for state in left.each_state() {
            edges.extend(left.steps(state).map(|(a, t)| (state.0, names[a], t.0)));
            edges.extend(right.steps(state).map(|(a, t)| (state.0 + n, a.0, t.0 + n)));
        }
        Self::of_edges(2 * left.states, &edges)
    }

    /// Edges (source, label, target) among `count` states of both sides.
    pub fn of_edges(count: usize, edges: &[(u32, u32, u32)]) -> Self {
        let [forwards, backwards] = [false, true].map(|backwards| {
            let mut starts = vec![0usize; count + 1];
            let key = |edge: &(u32, u32, u32)| if backwards { edge.2 } else { edge.0 };
            for edge in edges {
                starts[key(edge) as usize + 1] += 1;
            }
            for s in 0..count {
                starts[s + 1] += starts[s];
            }
            let mut next = starts.clone();
            let mut neighbours = vec![(0, 0); edges.len()];
            for edge in edges {
                let at = &mut next[key(edge) as usize];
                neighbours[*at] = (edge.1, if backwards { edge.0 } else { edge.2 });
                *at += 1;
            }
            (starts, neighbours)
        });
        Self { starts: [forwards.0, backwards.0], neighbours: [forwards.1, backwards.1] }
    }

    /// The labels and targets of the steps of a state.
    pub fn steps(&self, state: u32) -> &[(u32, u32)] {
        let at = state as usize;
        &self.neighbours[0][self.starts[0][at]..self.starts[0][at + 1]]
    }
}

/// A partition of the states of both sides, into blocks with equally many states of each.
#[derive(Clone)]
pub struct Colours {
    /// The number of states of each side.
    pub half: u32,
    blocks: Refinable<u32>,
    counts: Vec<u32>,
    splitters: Splitters,
    /// The splits that led to the blocks, if they are recorded.
    log: Option<SplitLog>,
}

/// What is common to the states of a class: they are in the class `within`, and `by` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    pub within: u32,
    pub by: Test,
}

/// What distinguishes states of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Nothing: all states.
    Every,
    /// Whether the state is initial.
    Initial(bool),
    /// The state has `count` steps with a label to (`forwards`) or from states of a class.
    Steps { forwards: bool, label: u32, class: u32, count: u32 },
}

impl Class {
    /// The earlier classes that it refers to.
    pub fn uses(self) -> impl Iterator<Item = u32> {
        let within = (self.by != Test::Every).then_some(self.within);
        let other = if let Test::Steps { class, .. } = self.by { Some(class) } else { None };
        within.into_iter().chain(other)
    }

    /// The same class, where every class has another number.
    pub fn renumbered(self, number: &[u32]) -> Self {
        let by = match self.by {
            Test::Steps { forwards, label, class, count } => {
                Test::Steps { forwards, label, class: number[class as usize], count }
            }
            other => other,
        };
        Self { within: number[self.within as usize], by }
    }
}

/// The classes of states that refinement distinguished: the blocks, and those that were split.
#[derive(Clone, Default)]
pub struct SplitLog {
    pub classes: Vec<Class>,
    /// For every block its class.
    of_block: Vec<u32>,
    /// A class that has different numbers of states of the two sides, and these numbers.
    pub apart: Option<(u32, [u32; 2])>,
}

impl SplitLog {
    fn add(&mut self, block: Block, within: u32, by: Test) {
        let class = u32::at(self.classes.len());
        self.classes.push(Class { within, by });
        if block.index() == self.of_block.len() {
            self.of_block.push(class);
        } else {
            self.of_block[block] = class;
        }
    }
}

impl Colours {
    /// One block.
    pub fn new(half: usize) -> Self {
        Self::of_partition(Partition::trivial(2 * half))
    }

    fn of_partition(partition: Partition) -> Self {
        let n = u32::at(partition.block.len());
        let half = n / 2;
        Self {
            half,
            counts: vec![0; n as usize],
            splitters: Splitters::default(),
            // The sides alternate, so that near any state there is one of the other side.
            blocks: Refinable::in_order((0..n).map(|i| i / 2 + i % 2 * half), partition),
            log: None,
        }
    }

    /// The blocks of states with the same of these numbers; they must have equally many states of
    /// both sides.
    pub fn of_numbers(numbers: &[Block]) -> Self {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let rank = |number| Block::at(sorted.partition_point(|other| other < number));
        let block = numbers.iter().map(rank).collect();
        Self::of_partition(Partition { block, blocks: sorted.len() })
    }

    /// The coarsest equitable partition in which the initial states are alone; or, if it has a
    /// block with different numbers of states of the two sides, the `log` of how the blocks came
    /// about.
    pub fn equitable(
        half: usize,
        edges: &Edges,
        initial: [u32; 2],
        log: Option<SplitLog>,
        cancel: &Cancel,
    ) -> Result<result::Result<Self, Option<SplitLog>>> {
        let mut colours = Self::new(half);
        let alone = colours.isolate([initial[0], initial[1] + colours.half]);
        colours.log = log;
        if let Some(log) = &mut colours.log {
            log.add(Block(0), 0, Test::Every);
            if let Some(alone) = alone {
                log.add(Block(0), 0, Test::Initial(false));
                log.add(alone, 0, Test::Initial(true));
            }
        }
        let blocks: Vec<Block> = colours.blocks().collect();
        let fits = colours.refine(edges, &blocks, cancel)?;
        Ok(if fits { Ok(colours) } else { Err(colours.log) })
    }

    /// The blocks.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + use<> {
        (0..u32::at(self.blocks.blocks())).map(Block)
    }

    /// The block of a state.
    pub fn block(&self, state: u32) -> Block {
        self.blocks.of(state)
    }

    /// The states of a block.
    pub fn members(&self, block: Block) -> &[u32] {
        self.blocks.members(block)
    }

    /// The numbers of states of the two sides in a block.
    fn sides(&self, block: Block) -> [u32; 2] {
        let members = self.members(block);
        let left = members.iter().filter(|&&m| m < self.half).count();
        [u32::at(left), u32::at(members.len() - left)]
    }

    fn balanced(&self, block: Block) -> bool {
        let [left, right] = self.sides(block);
        left == right
    }

    /// Refines until equitable, beginning with the given splitters; returns false if some colour
    /// gets different numbers of states of the two sides.
    pub fn refine(&mut self, edges: &Edges, blocks: &[Block], cancel: &Cancel) -> Result<bool> {
        blocks.iter().for_each(|&block| self.splitters.add(block));
        let mut hits: Vec<(u32, u32)> = Vec::new();
        let mut work = 0;
        // Short explanations are found breadth first; otherwise recent blocks are in the cache.
        let breadth_first = self.log.is_some();
        while let Some(splitter) = self.splitters.take(breadth_first) {
            let class = self.log.as_ref().map_or(0, |log| log.of_block[splitter]);
            // The splitter may itself be split in the first direction.
            let members = self.members(splitter).to_vec();
            for direction in 0..2 {
                hits.clear();
                for &member in &members {
                    let range = edges.starts[direction][member as usize]
                        ..edges.starts[direction][member as usize + 1];
                    hits.extend_from_slice(&edges.neighbours[direction][range]);
                }
                work += 1 + hits.len();
                // Check often, as a memory access that misses the cache is slow.
                if work > CHECK_EVERY / 64 {
                    work = 0;
                    cancel.check()?;
                }
                hits.sort_unstable();
                let mut i = 0;
                while i < hits.len() {
                    let label = hits[i].0;
                    let mut touched = Vec::new();
                    while i < hits.len() && hits[i].0 == label {
                        let state = hits[i].1;
                        if self.counts[state as usize] == 0 {
                            touched.push(state);
                        }
                        self.counts[state as usize] += 1;
                        i += 1;
                    }
                    // In direction 0, the splitter's steps lead to these states.
                    let forwards = direction == 1;
                    let by = |count| Test::Steps { forwards, label, class, count };
                    let balanced = self.split(&touched, &by);
                    for &state in &touched {
                        self.counts[state as usize] = 0;
                    }
                    if !balanced {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Splits the blocks of `touched` by their counts; returns false if a part is not balanced.
    fn split(&mut self, touched: &[u32], by: &dyn Fn(u32) -> Test) -> bool {
        let mut states: Vec<(Block, u32, u32)> =
            touched.iter().map(|&s| (self.block(s), self.counts[s as usize], s)).collect();
        states.sort_unstable();
        let mut part_states: Vec<u32> = Vec::new();
        for group in states.chunk_by(|first, second| first.0 == second.0) {
            let block = group[0].0;
            let size = self.blocks.size(block) as usize;
            let uniform = group[0].1 == group[group.len() - 1].1;
            if uniform && group.len() == size {
                continue;
            }
            // Untouched states stay in front and keep the number; if there are none, the first part
            // does.
            let mut parts: Vec<&[(Block, u32, u32)]> = group.chunk_by(|a, b| a.1 == b.1).collect();
            let least = if group.len() == size { parts.remove(0)[0].1 } else { 0 };
            let within = self.log.as_ref().map_or(0, |log| log.of_block[block]);
            if let Some(log) = &mut self.log {
                log.add(block, within, by(least));
            }
            let mut made = vec![block];
            for part in parts.into_iter().rev() {
                part_states.clear();
                part_states.extend(part.iter().map(|&(_, _, state)| state));
                let new = self.blocks.part_off(block, &part_states);
                if let Some(log) = &mut self.log {
                    log.add(new, within, by(part[0].1));
                }
                made.push(new);
            }
            // If all other parts are balanced, so is the one that keeps the number, which may be
            // large.
            if let Some(&part) = made[1..].iter().find(|&&part| !self.balanced(part)) {
                let [left, right] = self.sides(part);
                if let Some(log) = &mut self.log {
                    log.apart = Some((log.of_block[part], [left, right]));
                }
                return false;
            }
            self.splitters.add_parts(&made, &self.blocks);
        }
        true
    }

    /// Gives a state of the left side and its image a colour of their own, and refines.
    pub fn individualise(
        &mut self,
        edges: &Edges,
        state: u32,
        image: u32,
        cancel: &Cancel,
    ) -> Result<bool> {
        let pair = [state, image + self.half];
        if self.block(pair[0]) != self.block(pair[1]) {
            return Ok(false);
        }
        match self.isolate(pair) {
            None => Ok(true),
            Some(new) => self.refine(edges, &[new], cancel),
        }
    }

    /// Gives two states of one block a new one of their own; `None` if they have one already.
    fn isolate(&mut self, pair: [u32; 2]) -> Option<Block> {
        let block = self.block(pair[0]);
        if self.members(block).len() == 2 {
            return None;
        }
        Some(self.blocks.part_off(block, &[pair[1], pair[0]]))
    }

    /// A state of the left side of a block, and one of the right side.
    pub fn first_pair(&self, block: Block) -> [u32; 2] {
        let members = self.members(block);
        let (first, is_left) = (members[0], members[0] < self.half);
        let second = members.iter().find(|&&m| (m < self.half) != is_left);
        let second = *second.expect("balanced");
        if is_left { [first, second - self.half] } else { [second, first - self.half] }
    }

    /// A block with several states of each side; all blocks before `scan` have only one.
    pub fn next_open(&self, scan: &mut u32) -> Option<Block> {
        let mut rest = (*scan..u32::at(self.blocks.blocks())).map(Block);
        let open = rest.find(|&block| self.blocks.size(block) > 2);
        *scan = open.map_or(u32::at(self.blocks.blocks()), Into::into);
        open
    }

    /// A state of the left side of a block, and its possible images, the best first.
    pub fn candidates(&self, block: Block, order: u32) -> (u32, Vec<u32>) {
        let members = self.members(block);
        let state = *members.iter().filter(|&&m| m < self.half).min().expect("balanced");
        let right = members.iter().filter(|&&m| m >= self.half);
        let mut images: Vec<u32> = right.map(|&m| m - self.half).collect();
        images.sort_unstable();
        if order > 0 {
            // Follow known images backwards to the start of the chain.
            let (mut start, mut length) = (state, 1);
            while length <= order
                && let [a, b] = self.members(self.block(start + self.half))
            {
                start = *a.min(b);
                length += 1;
            }
            if order.is_multiple_of(length)
                && let Some(position) = images.iter().position(|&image| image == start)
            {
                images[..=position].rotate_right(1);
            }
        }
        (state, images)
    }

    /// For every state of the left side the one of the right side, if each block has one of each.
    pub fn images(&self) -> Vec<u32> {
        let mut images = vec![0; self.half as usize];
        for block in self.blocks() {
            if let [a, b] = self.members(block) {
                images[*a.min(b) as usize] = a.max(b) - self.half;
            }
        }
        images
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Transition = (u32, u32, u32);

    fn graph(states: u32, transitions: &[Transition]) -> Graph {
        Graph::of_numbers(states as usize, 2, None, transitions)
    }

    /// The coarsest equitable partition by its definition: each state has the number of its block.
    fn naive(states: u32, both: &[Transition]) -> Vec<usize> {
        let mut block: Vec<usize> = (0..2 * states).map(|s| usize::from(s % states == 0)).collect();
        loop {
            let kind = |state: u32| {
                let mut steps: Vec<(bool, u32, usize)> = Vec::new();
                for &(s, a, t) in both {
                    if s == state {
                        steps.push((true, a, block[t as usize]));
                    }
                    if t == state {
                        steps.push((false, a, block[s as usize]));
                    }
                }
                steps.sort_unstable();
                (block[state as usize], steps)
            };
            let kinds: Vec<_> = (0..2 * states).map(kind).collect();
            let mut numbers = BTreeMap::new();
            for kind in &kinds {
                let next = numbers.len();
                numbers.entry(kind).or_insert(next);
            }
            let finer: Vec<usize> = kinds.iter().map(|kind| numbers[kind]).collect();
            if numbers.len() == block.iter().collect::<std::collections::BTreeSet<_>>().len() {
                return block;
            }
            block = finer;
        }
    }

    proptest! {
        #[test]
        fn blocks_are_the_coarsest_equitable_partition(
            states in 1u32..6,
            transitions in prop::collection::vec((0u32..6, 0u32..2, 0u32..6), 0..12),
            others in prop::option::of(prop::collection::vec((0u32..6, 0u32..2, 0u32..6), 0..12)),
        ) {
            let tidy = |transitions: &[Transition]| {
                let mut transitions: Vec<Transition> =
                    transitions.iter().map(|&(s, a, t)| (s % states, a, t % states)).collect();
                transitions.sort_unstable();
                transitions.dedup();
                transitions
            };
            let (left, right) = (tidy(&transitions), tidy(others.as_ref().unwrap_or(&transitions)));
            let behind = right.iter().map(|&(s, a, t)| (s + states, a, t + states));
            let both: Vec<Transition> = left.iter().copied().chain(behind).collect();
            let expected = naive(states, &both);
            let count = |number, side: u32| {
                (side * states..(side + 1) * states).filter(|&s| expected[s as usize] == number).count()
            };
            let fits = expected.iter().all(|&number| count(number, 0) == count(number, 1));
            let edges = Edges::new(&graph(states, &left), &graph(states, &right), &[0, 1]);
            let result =
                Colours::equitable(states as usize, &edges, [0, 0], None, &Cancel::never()).unwrap();
            prop_assert_eq!(result.is_ok(), fits);
            if let Ok(colours) = result {
                for first in 0..2 * states {
                    for second in 0..2 * states {
                        let same = expected[first as usize] == expected[second as usize];
                        prop_assert_eq!(colours.block(first) == colours.block(second), same);
                    }
                    prop_assert!(colours.members(colours.block(first)).contains(&first));
                }
            }
        }
    }

    #[test]
    fn blocks_of_numbers_group_equal_numbers() {
        let colours = Colours::of_numbers(&[5, 2, 5, 2, 5, 5].map(Block));
        assert_eq!(colours.blocks().count(), 2);
        assert_eq!([0, 1, 3].map(|state| colours.members(colours.block(state)).len()), [4, 2, 2]);
    }
}
