//! Sharing of a store's nodes between partitions: each node is sent to a partner once, after its
//! children, and is then referred to by its number. (After Blom, Lisser, van de Pol, Weber: A
//! database approach to distributed state-space generation, 2011.)
//!
//! Every partition numbers its own nodes. All partitions have trees of the same shape.

use crate::base::bitset::Bits;
use crate::base::hash;
use crate::base::ids::Id;
use crate::base::spill::Transfer;
use crate::partition::wire::{Incoming, Unreadable, put_bytes, put_words};
use crate::process::evaluator::Evaluator;
use crate::process::store::{NONE, Store};
use std::io;

/// The own nodes that a partner knows, and vice versa.
#[derive(Default)]
pub struct Partner {
    /// For every tree node but the root, the own numbers that the partner knows.
    sent: Vec<Bits>,
    /// For every tree node but the root, the own number for each number of the partner.
    known: Vec<Vec<u32>>,
    /// The nodes to send with the next batch.
    news: Vec<u8>,
    /// The nodes and numbers that were sent since the last checkpoint, and those received, with the
    /// own numbers.
    newly_sent: Vec<[u32; 2]>,
    newly_known: Vec<[u32; 3]>,
    /// Whether `sent` and `known` changed since they were last spilled.
    changed: [bool; 2],
}

impl Partner {
    /// A partner that knows no nodes yet.
    pub fn new(store: &Store) -> Self {
        let nodes = store.nodes() - 1;
        Self {
            sent: vec![Bits::default(); nodes],
            known: vec![Vec::new(); nodes],
            ..Self::default()
        }
    }

    /// Adds a number of a node, with its children, to the next batch, unless the partner knows it.
    pub fn send(&mut self, store: &Store, evaluator: &Evaluator<'_>, node: u32, number: u32) {
        if !self.sent[node as usize].add(number) {
            return;
        }
        self.changed[0] = true;
        self.newly_sent.push([node, number]);
        let Some(children) = store.children_of(node) else {
            let mut bytes = Vec::new();
            value_bytes(evaluator, node, number, &mut bytes);
            self.entry(node, number);
            put_bytes(&mut self.news, &bytes);
            return;
        };
        let pair = store.pairs(node)[number as usize];
        for (child, below) in children.into_iter().zip(pair) {
            self.send(store, evaluator, child, below);
        }
        self.entry(node, number);
        self.news.extend(pair.into_iter().flat_map(u32::to_le_bytes));
    }

    fn entry(&mut self, node: u32, number: u32) {
        self.news.extend([node, number].into_iter().flat_map(u32::to_le_bytes));
    }

    /// Takes the nodes for the next batch.
    pub fn news(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.news)
    }

    /// Adds the nodes that a partner has sent.
    pub fn learn(
        &mut self,
        store: &mut Store,
        evaluator: &mut Evaluator<'_>,
        news: &[u8],
    ) -> Result<(), Unreadable> {
        let mut news = Incoming::new(news);
        while !news.is_empty() {
            let (node, number) = (news.word()?, news.word()?);
            let own = if (node as usize) < store.positions() {
                value_number(evaluator, node, news.bytes()?)?
            } else {
                let children = store.children_of(node).ok_or(Unreadable)?;
                let below = [news.word()?, news.word()?];
                let [left, right] = [0, 1].map(|side| self.own(children[side], below[side]));
                store.intern_node(node, [left?, right?])
            };
            self.newly_known.push([node, number, own]);
            self.know(node, number, own)?;
        }
        Ok(())
    }

    fn know(&mut self, node: u32, number: u32, own: u32) -> Result<(), Unreadable> {
        let known = self.known.get_mut(node as usize).ok_or(Unreadable)?;
        if known.len() <= number as usize {
            known.resize(number as usize + 1, NONE);
        }
        known[number as usize] = own;
        self.changed[1] = true;
        Ok(())
    }

    /// Visits all arrays, to spill them or read them back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> io::Result<()> {
        let [sends, knows] = std::mem::take(&mut self.changed);
        self.sent.iter_mut().try_for_each(|sent| transfer.changing(sends, sent.words_mut()))?;
        self.known.iter_mut().try_for_each(|known| transfer.changing(knows, known))?;
        transfer.any(&mut self.newly_sent)?;
        transfer.any(&mut self.newly_known)?;
        Ok(())
    }

    /// Appends what was sent and received since the last checkpoint.
    pub fn save(&mut self, checkpoint: &mut Vec<u8>) {
        put_words(checkpoint, std::mem::take(&mut self.newly_sent).as_flattened().iter().copied());
        put_words(checkpoint, std::mem::take(&mut self.newly_known).as_flattened().iter().copied());
    }

    /// Reads this from a checkpoint.
    pub fn load(&mut self, checkpoint: &mut Incoming<'_>) -> Result<(), Unreadable> {
        let sent: Vec<u32> = checkpoint.words()?.collect();
        for &[node, number] in sent.as_chunks().0 {
            self.sent.get_mut(node as usize).ok_or(Unreadable)?.add(number);
            self.changed[0] = true;
        }
        let known: Vec<u32> = checkpoint.words()?.collect();
        for &[node, number, own] in known.as_chunks().0 {
            self.know(node, number, own)?;
        }
        Ok(())
    }

    /// The own number for one of the partner's.
    pub fn own(&self, node: u32, number: u32) -> Result<u32, Unreadable> {
        let known = self.known.get(node as usize).and_then(|known| known.get(number as usize));
        known.copied().filter(|&own| own != NONE).ok_or(Unreadable)
    }
}

/// Hashes of nodes that do not depend on their numbers: sums over the positions, of hashes of
/// values as bytes.
#[derive(Default)]
pub struct Hashes {
    /// The hashes of every tree node but the root.
    of: Vec<Vec<u32>>,
}

impl Hashes {
    /// Adds hashes for new numbers.
    pub fn extend(&mut self, store: &Store, evaluator: &Evaluator<'_>) {
        self.of.resize_with(store.nodes() - 1, Vec::new);
        let mut bytes = Vec::new();
        for position in 0..u32::at(store.positions()) {
            let own = &mut self.of[position as usize];
            for number in own.len()..value_count(evaluator, position) {
                bytes.clear();
                value_bytes(evaluator, position, u32::at(number), &mut bytes);
                own.push((hash::mix(u64::from(position), hash::bytes(&bytes)) >> u32::BITS) as u32);
            }
        }
        for node in u32::at(store.positions())..u32::at(store.nodes()) - 1 {
            let [left, right] = store.children_of(node).expect("it is an inner node");
            let mut own = std::mem::take(&mut self.of[node as usize]);
            own.extend(store.pairs(node)[own.len()..].iter().map(|pair| {
                let below = [(left, pair[0]), (right, pair[1])];
                let below = below.map(|(child, number)| self.of[child as usize][number as usize]);
                below[0].wrapping_add(below[1])
            }));
            self.of[node as usize] = own;
        }
    }

    /// Visits all arrays, to spill them or read them back.
    pub fn transfer(&mut self, transfer: &mut Transfer<'_>) -> io::Result<()> {
        self.of.iter_mut().try_for_each(|own| transfer.grows(own))
    }

    /// The partition that owns a state, given by its root pair.
    #[expect(clippy::cast_possible_truncation, reason = "less than the number of partitions")]
    pub fn owner(&self, store: &Store, root: [u32; 2], partitions: usize) -> usize {
        let [left, right] = store.root_children();
        let sum = self.of[left as usize][root[0] as usize]
            .wrapping_add(self.of[right as usize][root[1] as usize]);
        // The upper half of the product is evenly distributed over the partitions.
        ((u128::from(hash::mix(sum.into(), 0)) * partitions as u128) >> u64::BITS) as usize
    }
}

// A store has at least two positions even if a process has fewer parameters; these have only the
// number 0.

pub(crate) fn value_count(evaluator: &Evaluator<'_>, position: u32) -> usize {
    if position < evaluator.positions() { evaluator.values(position).len() } else { 1 }
}

pub(crate) fn value_bytes(
    evaluator: &Evaluator<'_>,
    position: u32,
    number: u32,
    bytes: &mut Vec<u8>,
) {
    if position < evaluator.positions() {
        let value = evaluator.values(position)[number as usize];
        evaluator.process.data.terms.to_bytes(value, bytes);
    }
}

pub(crate) fn value_number(
    evaluator: &mut Evaluator<'_>,
    position: u32,
    bytes: &[u8],
) -> Result<u32, Unreadable> {
    if position >= evaluator.positions() {
        return if bytes.is_empty() { Ok(0) } else { Err(Unreadable) };
    }
    let value = evaluator.process.data.terms.from_bytes(bytes).ok_or(Unreadable)?;
    Ok(evaluator.number(position, value))
}
