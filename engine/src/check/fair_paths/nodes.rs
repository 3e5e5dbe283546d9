//! Sets of nodes: for every state, a bit vector of automaton states.

use crate::base::ids::Id;

/// A state of a graph and an automaton state.
pub type Node = (u32, u32);

/// Bits of a word.
const WORD: usize = u64::BITS as usize;

/// A set of nodes.
#[derive(Default)]
pub struct NodeSet {
    /// Words for each state.
    words: usize,
    bits: Vec<u64>,
    count: usize,
}

impl NodeSet {
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn bytes(&self) -> usize {
        8 * self.bits.capacity()
    }

    /// Adds a node, given the number of automaton states so far; returns whether it is new.
    pub fn insert(&mut self, (state, control): Node, controls: usize) -> bool {
        let words = controls.div_ceil(WORD);
        if words > self.words {
            self.widen(words);
        }
        let position = state as usize * self.words;
        if self.bits.len() < position + self.words {
            self.bits.resize(position + self.words, 0);
        }
        let word = &mut self.bits[position + control as usize / WORD];
        let bit = 1 << (control as usize % WORD);
        let is_new = *word & bit == 0;
        *word |= bit;
        self.count += usize::from(is_new);
        is_new
    }

    fn widen(&mut self, words: usize) {
        if let Some(states) = self.bits.len().checked_div(self.words) {
            let mut bits = vec![0; states * words];
            for (new, old) in bits.chunks_exact_mut(words).zip(self.bits.chunks_exact(self.words)) {
                new[..self.words].copy_from_slice(old);
            }
            self.bits = bits;
        }
        self.words = words;
    }

    pub fn contains(&self, (state, control): Node) -> bool {
        self.bits(state)
            .get(control as usize / WORD)
            .is_some_and(|word| word >> (control as usize % WORD) & 1 == 1)
    }

    /// The automaton states of a state, as a bit vector.
    pub fn bits(&self, state: u32) -> &[u64] {
        let position = state as usize * self.words;
        self.bits.get(position..position + self.words).unwrap_or_default()
    }

    /// The automaton states of a state.
    pub fn controls(&self, state: u32) -> impl Iterator<Item = u32> + '_ {
        let each = self.bits(state).iter().enumerate();
        each.flat_map(|(position, &word)| {
            let bits = (0..WORD).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| u32::at(position * WORD + bit))
        })
    }
}

/// A numbering of those nodes of a set that have a selected state and a selected automaton state.
pub struct Numbers {
    /// The selected automaton states, as a bit vector.
    mask: Vec<u64>,
    /// The number of the first node of each state.
    first: Vec<u32>,
    count: usize,
}

impl Numbers {
    /// Numbers the nodes whose state satisfies `counts` and whose automaton state satisfies
    /// `is_recurrent`; `None` if there are too many.
    pub fn new(
        nodes: &NodeSet,
        states: usize,
        counts: impl Fn(u32) -> bool,
        is_recurrent: impl Fn(u32) -> bool,
    ) -> Option<Self> {
        let mut mask = vec![0; nodes.words];
        for control in (0..u32::at(nodes.words * WORD)).filter(|&control| is_recurrent(control)) {
            mask[control as usize / WORD] |= 1 << (control as usize % WORD);
        }
        let mut first = Vec::with_capacity(states);
        let mut count = 0;
        for state in 0..u32::at(states) {
            first.push(u32::try_from(count).ok()?);
            if counts(state) {
                let own = nodes.bits(state).iter().zip(&mask);
                count += own.map(|(word, mask)| (word & mask).count_ones() as usize).sum::<usize>();
            }
        }
        // The upper half is for components, which are numbered downwards from the largest number.
        (count < u32::MAX as usize / 2).then_some(Self { mask, first, count })
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of a node, which must be a selected one.
    pub fn of(&self, nodes: &NodeSet, (state, control): Node) -> usize {
        let bits = nodes.bits(state);
        let (position, bit) = (control as usize / WORD, control as usize % WORD);
        let before = bits[..position].iter().zip(&self.mask);
        let before: u32 = before.map(|(word, mask)| (word & mask).count_ones()).sum();
        let word = bits[position] & self.mask[position] & ((1 << bit) - 1);
        (self.first[state as usize] + before + word.count_ones()) as usize
    }
}
