//! Partitions: as a map from states to blocks, and with the members of blocks, to refine it.
//!
//! A. Valmari, P. Lehtinen, Efficient minimization of DFAs with partial transition functions
//! (STACS 2008): the members of a block are a range of one column, and the parts of a block are
//! parts of its range. So a split costs as much as the parts that are moved.

use crate::base::bitset::Bits;
use crate::base::ids::{Block, Id, State};
use crate::base::memory;
use std::collections::VecDeque;
use std::ops::Range;

/// A partition: for every state its block, and the number of blocks.
#[derive(Clone, Default)]
pub struct Partition {
    pub block: Vec<Block>,
    pub blocks: usize,
}

impl Partition {
    /// The partition with one block of all states.
    pub fn trivial(states: usize) -> Self {
        Self { block: memory::zeroed(states), blocks: 1 }
    }

    /// Split a block into parts; the first of the largest ones keeps its number.
    pub fn split(&mut self, parts: &mut [Vec<State>]) {
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        for part in parts.iter().skip(1) {
            part.iter().for_each(|&state| self.block[state] = Block::at(self.blocks));
            self.blocks += 1;
        }
    }
}

/// A partition of the numbers below some count, with the members of every block.
///
/// Invariant: block b is `elements[first[b]..past[b]]`, and the last `marked[b]` of these are
/// marked, where a missing entry counts as 0; element e of block `block[e]` is at `position[e]`.
#[derive(Clone)]
pub struct Refinable<E> {
    elements: Vec<E>,
    position: Vec<u32>,
    block: Vec<Block>,
    first: Vec<u32>,
    past: Vec<u32>,
    marked: Vec<u32>,
}

impl<E: Id> Refinable<E> {
    /// The partition with these blocks; members of a block are in ascending order.
    pub fn new(partition: Partition) -> Self {
        let count = partition.block.len();
        Self::in_order((0..count).map(E::at), partition)
    }

    /// The partition with these blocks; members of a block are in the given order of all elements.
    pub fn in_order(
        order: impl DoubleEndedIterator<Item = E>,
        Partition { block, blocks }: Partition,
    ) -> Self {
        let mut past = vec![0; blocks];
        for &own in &block {
            past[own] += 1;
        }
        let mut sum = 0;
        for past in &mut past {
            sum += *past;
            *past = sum;
        }
        let mut first = past.clone();
        let mut elements: Vec<E> = memory::filled(E::default(), block.len());
        let mut position = memory::filled(0, block.len());
        for element in order.rev() {
            let first = &mut first[block[element.index()]];
            *first -= 1;
            elements[*first as usize] = element;
            position[element.index()] = *first;
        }
        Self { elements, position, block, first, past, marked: Vec::new() }
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.first.len()
    }

    /// The block of an element.
    #[inline]
    pub fn of(&self, element: E) -> Block {
        self.block[element.index()]
    }

    /// The block of every element.
    #[inline]
    pub fn map(&self) -> &[Block] {
        &self.block
    }

    /// The block of every element, without the members of blocks.
    pub fn into_map(self) -> Vec<Block> {
        self.block
    }

    /// The number of members of a block.
    pub fn size(&self, block: Block) -> u32 {
        self.past[block] - self.first[block]
    }

    /// The positions of the members of a block. They stay those of its parts when it is split.
    pub fn range(&self, block: Block) -> Range<u32> {
        self.first[block]..self.past[block]
    }

    /// For every element its position.
    pub fn into_positions(self) -> Vec<u32> {
        self.position
    }

    /// The elements at some positions.
    pub fn at(&self, positions: Range<u32>) -> &[E] {
        &self.elements[positions.start as usize..positions.end as usize]
    }

    /// The members of a block.
    pub fn members(&self, block: Block) -> &[E] {
        self.at(self.range(block))
    }

    /// Mark an element, which moves to the end of its block. Return whether it is the first one of
    /// its block to be marked.
    pub fn mark(&mut self, element: E) -> bool {
        let block = self.of(element);
        if self.marked.len() <= block.index() {
            self.marked.resize(self.first.len(), 0);
        }
        let end = self.past[block] - self.marked[block];
        if self.position[element.index()] >= end {
            return false;
        }
        self.marked[block] += 1;
        self.swap(element, end - 1);
        self.marked[block] == 1
    }

    /// Remove the marks of a block; return the positions of the marked members.
    pub fn unmark(&mut self, block: Block) -> Range<u32> {
        let past = self.past[block];
        past - self.marked.get_mut(block.index()).map_or(0, std::mem::take)..past
    }

    /// Remove the marks of a block, and split it into its marked and its other members if there are
    /// both. The smaller part is a new block, the marked one if they are equal; it is returned.
    pub fn split_marked(&mut self, block: Block) -> Option<Block> {
        let (first, Range { start, end }) = (self.first[block], self.unmark(block));
        if first == start || start == end {
            return None;
        }
        let new = Block::at(self.blocks());
        let marked_is_new = end - start <= start - first;
        let (marked, other) = if marked_is_new { (new, block) } else { (block, new) };
        self.put(marked, start..end);
        self.put(other, first..start);
        Some(new)
    }

    /// Sort the elements at some positions of one block.
    pub fn sort_by_key<K: Ord>(&mut self, positions: Range<u32>, key: impl Fn(E) -> K) {
        let part = &mut self.elements[positions.start as usize..positions.end as usize];
        part.sort_unstable_by_key(|&element| key(element));
        for (position, &element) in positions.zip(&*part) {
            self.position[element.index()] = position;
        }
    }

    /// Make the last members of a block a new block.
    pub fn split_off(&mut self, block: Block, count: u32) -> Block {
        let (new, Range { start, end }) = (Block::at(self.blocks()), self.range(block));
        self.put(new, end - count..end);
        self.put(block, start..end - count);
        new
    }

    /// Move some members of a block to its end, in this order, and make them a new block.
    pub fn part_off(&mut self, block: Block, part: &[E]) -> Block {
        self.move_before(self.past[block], part);
        self.split_off(block, u32::at(part.len()))
    }

    /// Begin to split a block into parts whose numbers are given.
    pub fn cut(&mut self, block: Block) -> Cut<'_, E> {
        Cut { rest: self.range(block), partition: self }
    }

    /// Undo the split that made the last block from the end of another one.
    pub fn unite_last(&mut self, with: Block) -> usize {
        let past = self.past.pop().expect("there is a block");
        let first = self.first.pop().expect("there is a block");
        self.put_elements(with, first..past);
        self.past[with] = past;
        (past - first) as usize
    }

    /// Move some elements of a block so that they end before a position, in this order.
    fn move_before(&mut self, end: u32, part: &[E]) -> u32 {
        let start = end - u32::at(part.len());
        for (position, &element) in (start..).zip(part) {
            self.swap(element, position);
        }
        start
    }

    fn swap(&mut self, element: E, position: u32) {
        let from = std::mem::replace(&mut self.position[element.index()], position);
        let other = std::mem::replace(&mut self.elements[position as usize], element);
        self.elements[from as usize] = other;
        self.position[other.index()] = from;
    }

    /// Make the elements at some positions, at least one, the block with this number.
    fn put(&mut self, id: Block, positions: Range<u32>) {
        if self.first.len() <= id.index() {
            self.first.resize(id.index() + 1, 0);
            self.past.resize(id.index() + 1, 0);
        }
        (self.first[id], self.past[id]) = (positions.start, positions.end);
        if self.of(self.elements[positions.start as usize]) != id {
            self.put_elements(id, positions);
        }
    }

    fn put_elements(&mut self, id: Block, positions: Range<u32>) {
        for &element in &self.elements[positions.start as usize..positions.end as usize] {
            self.block[element.index()] = id;
        }
    }
}

/// A block that is being split into parts.
pub struct Cut<'p, E> {
    partition: &'p mut Refinable<E>,
    rest: Range<u32>,
}

impl<'p, E: Id> Cut<'p, E> {
    /// Make some of the members that are left, at least one, the block with this number.
    pub fn part(&mut self, part: &[E], id: Block) {
        let start = self.partition.move_before(self.rest.end, part);
        self.partition.put(id, start..self.rest.end);
        self.rest.end = start;
    }

    /// Make the members that are left, if any, the block with this number; return them.
    pub fn rest(self, id: Block) -> &'p [E] {
        if !self.rest.is_empty() {
            self.partition.put(id, self.rest.clone());
        }
        self.partition.at(self.rest)
    }
}

/// The blocks that still have to split others (J. E. Hopcroft, An n log n algorithm for minimizing
/// states in a finite automaton, 1971).
#[derive(Clone, Default)]
pub struct Splitters {
    waiting: VecDeque<Block>,
    queued: Bits<Block>,
}

impl Splitters {
    /// Add a block, as the last one, unless it waits already.
    pub fn add(&mut self, block: Block) {
        if self.queued.add(block) {
            self.waiting.push_back(block);
        }
    }

    /// Add the parts of a block, the first of which has its number: all of them if the block waits
    /// already, otherwise all but the largest.
    pub fn add_parts<E: Id>(&mut self, parts: &[Block], partition: &Refinable<E>) {
        let size = |part: &&Block| partition.size(**part);
        let is_queued = self.queued.has(parts[0]);
        let largest = if is_queued { None } else { parts.iter().max_by_key(size) };
        for part in parts.iter().filter(|&part| Some(part) != largest) {
            self.add(*part);
        }
    }

    /// Take the first block, or the last one.
    pub fn take(&mut self, first: bool) -> Option<Block> {
        let taken = if first { self.waiting.pop_front() } else { self.waiting.pop_back() };
        taken.inspect(|&block| self.queued.remove(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const COUNT: u32 = 12;

    /// The blocks as sets, by number.
    type Blocks = Vec<BTreeSet<u32>>;

    fn check(partition: &Refinable<u32>, blocks: &Blocks) {
        assert_eq!(partition.blocks(), blocks.len());
        for (block, members) in (0..).map(Block).zip(blocks) {
            assert_eq!(&partition.members(block).iter().copied().collect::<BTreeSet<_>>(), members);
            assert_eq!(partition.size(block) as usize, members.len());
            assert!(members.iter().all(|&element| partition.of(element) == block));
            assert!(members.iter().all(|&element| partition.map()[element as usize] == block));
        }
        for element in 0..COUNT {
            let position = partition.position[element as usize];
            assert_eq!(partition.at(position..position + 1), [element]);
        }
    }

    fn mark(partition: &mut Refinable<u32>, some: &[u32]) -> BTreeSet<Block> {
        let mut touched = BTreeSet::new();
        for &element in some {
            assert_eq!(partition.mark(element), touched.insert(partition.of(element)));
        }
        touched
    }

    /// One of the operations, on the partition and on sets.
    fn change(partition: &mut Refinable<u32>, blocks: &mut Blocks, kind: u32, some: &[u32]) {
        let set: BTreeSet<u32> = some.iter().copied().collect();
        let block = partition.of(some[0]);
        let own = blocks[block.index()].clone();
        let (inside, outside): (BTreeSet<u32>, BTreeSet<u32>) =
            own.iter().partition(|element| set.contains(element));
        let part: Vec<u32> = inside.iter().rev().copied().collect();
        match kind {
            0 => {
                for block in mark(partition, some) {
                    let (inside, outside): (BTreeSet<u32>, BTreeSet<u32>) =
                        blocks[block.index()].iter().partition(|element| set.contains(element));
                    let new = (!outside.is_empty()).then_some(Block::at(blocks.len()));
                    assert_eq!(partition.split_marked(block), new);
                    if new.is_some() {
                        let is_new = inside.len() <= outside.len();
                        let (new, old) = if is_new { (inside, outside) } else { (outside, inside) };
                        blocks[block.index()] = old;
                        blocks.push(new);
                    }
                }
            }
            1 => {
                // The elements of two blocks are marked, and those of one are sorted.
                for block in mark(partition, some) {
                    let marked = partition.unmark(block);
                    assert_eq!(marked.end, partition.range(block).end);
                    partition.sort_by_key(marked.clone(), |element| COUNT - element);
                    let own =
                        blocks[block.index()].iter().rev().copied().filter(|e| set.contains(e));
                    assert_eq!(partition.at(marked), own.collect::<Vec<u32>>());
                    assert!(partition.unmark(block).is_empty());
                }
            }
            2 if !outside.is_empty() => {
                let new = partition.part_off(block, &part);
                assert_eq!(new.index(), blocks.len());
                assert_eq!(partition.members(new), part);
                blocks[block.index()] = outside;
                blocks.push(inside);
            }
            3 => {
                let (odd, even): (Vec<u32>, Vec<u32>) =
                    outside.iter().partition(|&element| element % 2 == 1);
                let mut parts = vec![part, odd, even];
                parts.retain(|part| !part.is_empty());
                let (last, others) = parts.split_last().unwrap();
                let mut number = |part: &[u32]| {
                    let set = part.iter().copied().collect();
                    // The first part keeps the number.
                    if part[0] == parts[0][0] {
                        blocks[block.index()] = set;
                        return block;
                    }
                    blocks.push(set);
                    Block::at(blocks.len() - 1)
                };
                let mut cut = partition.cut(block);
                for part in others {
                    cut.part(part, number(part));
                }
                if some.len().is_multiple_of(2) {
                    cut.part(last, number(last));
                    assert!(cut.rest(block).is_empty());
                } else {
                    let rest = cut.rest(number(last)).iter().collect::<BTreeSet<_>>();
                    assert_eq!(rest, last.iter().collect());
                }
            }
            4 => {
                let last = partition.range(Block::at(blocks.len() - 1));
                let before = (0..).map(Block).take(blocks.len() - 1);
                let mut before = before.filter(|&b| partition.range(b).end == last.start);
                if let Some(with) = before.next() {
                    assert_eq!(partition.unite_last(with), last.len());
                    let last = blocks.pop().unwrap();
                    blocks[with.index()].extend(last);
                }
            }
            _ => {}
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn operations_agree_with_sets(
            start in prop::collection::vec(0..3u32, COUNT as usize),
            changes in prop::collection::vec((0..5u32, prop::collection::vec(0..COUNT, 1..8)), 0..12),
        ) {
            let mut blocks: Blocks = (0..3)
                .map(|block| (0..COUNT).filter(|&e| start[e as usize] == block).collect())
                .collect();
            let block = start.into_iter().map(Block).collect();
            let mut partition = Refinable::new(Partition { block, blocks: 3 });
            for block in (0..3).map(Block) {
                prop_assert!(partition.members(block).is_sorted());
            }
            for (kind, some) in changes {
                change(&mut partition, &mut blocks, kind, &some);
                check(&partition, &blocks);
            }
        }

        #[test]
        fn the_largest_part_keeps_the_number(
            start in prop::collection::vec(0..3u32, COUNT as usize),
            key in prop::collection::vec(0..3u32, COUNT as usize),
        ) {
            let before: Vec<Block> = start.into_iter().map(Block).collect();
            let mut partition = Partition { block: before.clone(), blocks: 3 };
            let own = |key: u32, state: &State, of: &[u32]| before[*state] == Block(0) && of[state.index()] == key;
            let states = || (0..COUNT).map(State);
            let mut parts: Vec<Vec<State>> =
                (0..3).map(|part| states().filter(|state| own(part, state, &key)).collect()).collect();
            parts.retain(|part| !part.is_empty());
            let (most, count) = (parts.iter().map(Vec::len).max(), parts.len());
            partition.split(&mut parts);
            prop_assert_eq!(partition.blocks, 3 + count.saturating_sub(1));
            let unsplit = partition.block.iter().filter(|&&block| block == Block(0)).count();
            prop_assert_eq!(unsplit, most.unwrap_or(0));
            for (left, right) in states().flat_map(|left| states().map(move |right| (left, right))) {
                let same = before[left] == before[right]
                    && (before[left] != Block(0) || key[left.index()] == key[right.index()]);
                prop_assert_eq!(partition.block[left] == partition.block[right], same);
            }
        }
    }

    #[test]
    fn the_largest_part_is_queued_only_if_its_block_was() {
        let block = [0, 0, 1, 1, 1, 2].map(Block).to_vec();
        let partition: Refinable<u32> = Refinable::new(Partition { block, blocks: 3 });
        let mut splitters = Splitters::default();
        splitters.add_parts(&[0, 1, 2].map(Block), &partition);
        assert_eq!(splitters.take(true), Some(Block(0)));
        splitters.add_parts(&[2, 0, 1].map(Block), &partition);
        splitters.add(Block(0));
        assert_eq!(
            [false; 4].map(|first| splitters.take(first)),
            [1, 0, 2, 9].map(Block).map(|b| (b.0 < 9).then_some(b))
        );
    }
}
