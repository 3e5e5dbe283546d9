//! Equitable partitions of the nodes of an incidence graph, with refinement and undo.
//!
//! A partition is equitable if any two nodes of one block are joined to equally many nodes of each
//! block by each kind of edge. Refinement does the same steps for isomorphic inputs, and records
//! them in its trace: so two refinements with the same trace lead to partitions whose blocks
//! correspond by number (McKay, Practical graph isomorphism, 1981).

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::grouped::Grouped;
use crate::base::ids::{Block, Id};
use crate::base::partition::{Partition, Refinable, Splitters};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::Range;

/// For every node of one kind its neighbours of another kind, by one kind of edge.
pub type Relation = Grouped<u32, u32>;

/// A graph whose nodes are of several kinds, with edges between kinds. An automorphism preserves
/// the kinds of nodes and edges, and the colours of nodes.
pub trait IncidenceGraph {
    fn nodes(&self) -> usize;

    /// The first node of the same kind as `node`, and the relations of that kind.
    fn edges(&self, node: u32) -> (u32, &[Relation]);

    /// Colours `0..` of the nodes that every automorphism preserves, and their kinds.
    fn colours(&self) -> Vec<u32>;
}

/// The trace of refinements: one hash for each block that was a splitter.
#[derive(Default)]
pub struct Trace(Vec<u64>);

/// Whether to record or compare a trace.
pub enum Follow<'t> {
    Record(&'t mut Trace),
    /// Stop if the refinement deviates from the recorded trace.
    Compare(&'t Trace),
}

/// The result of a refinement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Refined {
    Equitable,
    /// It deviates from the recorded trace.
    Differs,
}

/// A partition of the nodes.
///
/// Invariant: block b was split off the end of `parents[b]`, or is its own parent if it existed
/// from the beginning.
pub struct EquitablePartition {
    blocks: Refinable<u32>,
    parents: Vec<Block>,
    splitters: Splitters,
    /// For each node the number of its edges to the current splitter; 0 between splitters. Nodes
    /// with such edges are marked.
    counts: Vec<u32>,
    /// The steps since the last check of a [`Cancel`], summed over all refinements.
    unchecked: usize,
}

impl EquitablePartition {
    /// The partition by colours, which must be `0..` without gaps.
    pub fn new(colours: &[u32]) -> Self {
        let blocks = colours.iter().max().map_or(0, |&last| last as usize + 1);
        let block: Vec<Block> = colours.iter().copied().map(Block).collect();
        Self {
            parents: (0..u32::at(blocks)).map(Block).collect(),
            splitters: Splitters::default(),
            counts: vec![0; block.len()],
            unchecked: 0,
            blocks: Refinable::new(Partition { block, blocks }),
        }
    }

    pub fn blocks(&self) -> usize {
        self.blocks.blocks()
    }

    pub fn block(&self, node: u32) -> Block {
        self.blocks.of(node)
    }

    pub fn members(&self, block: Block) -> &[u32] {
        self.blocks.members(block)
    }

    /// Refines the initial partition until it is equitable.
    pub fn refine_all(&mut self, graph: &impl IncidenceGraph, cancel: &Cancel) -> Result<Refined> {
        (0..u32::at(self.blocks())).map(Block).for_each(|block| self.splitters.add(block));
        self.refine(graph, Follow::Record(&mut Trace::default()), cancel)
    }

    /// Gives a node of an equitable partition a block of its own, and refines.
    pub fn individualise(
        &mut self,
        graph: &impl IncidenceGraph,
        node: u32,
        follow: Follow,
        cancel: &Cancel,
    ) -> Result<Refined> {
        let block = self.block(node);
        if self.members(block).len() > 1 {
            self.blocks.part_off(block, &[node]);
            self.parents.push(block);
        }
        self.splitters.add(self.block(node));
        self.refine(graph, follow, cancel)
    }

    /// Undoes all splits except those that led to the first `blocks` blocks.
    pub fn undo(&mut self, blocks: usize) {
        while self.blocks() > blocks {
            let parent = self.parents.pop().expect("there is a block");
            self.unchecked += self.blocks.unite_last(parent);
        }
    }

    fn refine(
        &mut self,
        graph: &impl IncidenceGraph,
        mut follow: Follow,
        cancel: &Cancel,
    ) -> Result<Refined> {
        let mut steps = 0;
        let mut refined = Refined::Equitable;
        while let Some(splitter) = self.splitters.take(false) {
            // An interrupted step leaves the partition inconsistent: it is not used again.
            let done = self.split_by(graph, splitter, cancel)?;
            let expected = match &mut follow {
                Follow::Record(trace) => {
                    trace.0.push(done);
                    true
                }
                Follow::Compare(trace) => trace.0.get(steps) == Some(&done),
            };
            steps += 1;
            if !expected {
                refined = Refined::Differs;
                break;
            }
        }
        while self.splitters.take(false).is_some() {}
        match follow {
            Follow::Compare(trace) if refined == Refined::Equitable && steps < trace.0.len() => {
                Ok(Refined::Differs)
            }
            _ => Ok(refined),
        }
    }

    /// Splits all blocks by the numbers of edges to a block; returns a hash for the trace.
    fn split_by(
        &mut self,
        graph: &impl IncidenceGraph,
        splitter: Block,
        cancel: &Cancel,
    ) -> Result<u64> {
        let mut hash = FxHasher::default();
        hash.write_u32(splitter.0);
        let (kind, relations) = graph.edges(self.members(splitter)[0]);
        for relation in relations {
            let touched = self.mark(splitter, relation, kind, cancel)?;
            hash.write_usize(touched.len());
            for block in touched {
                self.split(block, &mut hash);
            }
        }
        Ok(hash.finish())
    }

    /// Counts the edges of nodes to a block, and moves the nodes with edges to the ends of their
    /// blocks; returns these blocks, sorted.
    fn mark(
        &mut self,
        splitter: Block,
        relation: &Relation,
        kind: u32,
        cancel: &Cancel,
    ) -> Result<Vec<Block>> {
        let mut touched = Vec::new();
        for position in self.blocks.range(splitter) {
            let neighbours = relation.of(self.blocks.at(position..position + 1)[0] - kind);
            cancel.check_every(&mut self.unchecked, 1 + neighbours.len())?;
            for &node in neighbours {
                self.counts[node as usize] += 1;
                if self.counts[node as usize] == 1 && self.blocks.mark(node) {
                    touched.push(self.blocks.of(node));
                }
            }
        }
        touched.sort_unstable();
        Ok(touched)
    }

    /// Splits a block with marked nodes by their counts. The unmarked nodes keep the number, or
    /// those with the least count if all are marked.
    fn split(&mut self, block: Block, hash: &mut FxHasher) {
        let Self { blocks, counts, .. } = self;
        let Range { start: first, end: past } = blocks.range(block);
        let marked = blocks.unmark(block);
        self.unchecked += marked.len();
        let nodes = blocks.at(marked.clone());
        let least = counts[nodes[0] as usize];
        if nodes.iter().any(|&node| counts[node as usize] != least) {
            blocks.sort_by_key(marked.clone(), |node| counts[node as usize]);
        }
        let mut parts: Vec<u32> = Vec::new();
        let mut last = 0;
        for (position, &node) in marked.clone().zip(blocks.at(marked.clone())) {
            let count = std::mem::take(&mut counts[node as usize]);
            if count != last {
                hash.write_u32(count);
                hash.write_u32(position - first);
                parts.push(0);
            }
            *parts.last_mut().expect("counts are not 0") += 1;
            last = count;
        }
        hash.write_u32(block.0);
        hash.write_u32(past);
        if marked.start == first {
            parts.remove(0);
        }
        if parts.is_empty() {
            return;
        }
        let mut made = vec![block];
        for size in parts.into_iter().rev() {
            made.push(self.blocks.split_off(block, size));
            self.parents.push(block);
        }
        self.splitters.add_parts(&made, &self.blocks);
    }
}
