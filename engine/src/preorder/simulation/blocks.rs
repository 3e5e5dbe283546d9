//! A partition of the states, refined by sets of states.

use crate::base::ids::Id;
use crate::base::ids::{Block, State};

/// A partition of the states.
///
/// Invariant: block b is `elements[first[b]..past[b]]`, the marked ones of them first.
pub(crate) struct Blocks {
    pub(crate) block: Vec<Block>,
    elements: Vec<State>,
    pub(crate) place: Vec<u32>,
    first: Vec<u32>,
    past: Vec<u32>,
    marked: Vec<u32>,
}

impl Blocks {
    pub(crate) fn new(block: Vec<Block>, count: usize) -> Self {
        let mut elements: Vec<State> = (0..u32::at(block.len())).map(State).collect();
        elements.sort_by_key(|&state| block[state]);
        let mut place = vec![0; block.len()];
        let (mut first, mut past) = (vec![0; count], vec![0; count]);
        for (at, &state) in elements.iter().enumerate().rev() {
            place[state] = u32::at(at);
            let b = block[state];
            first[b] = u32::at(at);
            past[b] = past[b].max(u32::at(at) + 1);
        }
        Self { block, elements, place, first, past, marked: vec![0; count] }
    }

    pub(crate) fn of(&self, state: State) -> Block {
        self.block[state]
    }

    pub(crate) fn range(&self, block: Block) -> std::ops::Range<u32> {
        self.first[block]..self.past[block]
    }

    pub(crate) fn members(&self, block: Block) -> &[State] {
        let range = self.range(block);
        &self.elements[range.start as usize..range.end as usize]
    }

    /// Splits every block into its members in `states` and the others. Returns the blocks that make
    /// up `states`; for each that was split, also the new block and the block that it was part of.
    /// The smaller part is the new block.
    pub(crate) fn cut(&mut self, states: &[State]) -> Vec<(Block, Option<(Block, Block)>)> {
        let mut touched = Vec::new();
        for &state in states {
            let block = self.block[state];
            let (at, border) = (self.place[state], self.first[block] + self.marked[block]);
            if at < border {
                continue;
            }
            let other = self.elements[border as usize];
            self.elements.swap(at as usize, border as usize);
            self.place[other] = at;
            self.place[state] = border;
            if self.marked[block] == 0 {
                touched.push(block);
            }
            self.marked[block] += 1;
        }
        let cut = touched.into_iter().map(|block| {
            let border = self.first[block] + std::mem::take(&mut self.marked[block]);
            let (first, past) = (self.first[block], self.past[block]);
            if border == past {
                return (block, None);
            }
            let new = Block(u32::at(self.first.len()));
            let marked_is_new = border - first <= past - border;
            let (from, to) = if marked_is_new { (first, border) } else { (border, past) };
            if marked_is_new {
                self.first[block] = border;
            } else {
                self.past[block] = border;
            }
            self.first.push(from);
            self.past.push(to);
            self.marked.push(0);
            for &state in &self.elements[from as usize..to as usize] {
                self.block[state] = new;
            }
            (if marked_is_new { new } else { block }, Some((new, block)))
        });
        cut.collect()
    }
}
