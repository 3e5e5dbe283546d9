//! Equitable partitions of the nodes of an incidence graph, with refinement and undo.
//!
//! A partition is equitable if any two nodes of one block are joined to equally many nodes of each
//! block by each kind of edge. Refinement does the same steps for isomorphic inputs, and records
//! them in its trace: so two refinements with the same trace lead to partitions whose blocks
//! correspond by number (McKay, Practical graph isomorphism, 1981).

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::symmetry::coloured_graph::{Incidence, Relation};
use rustc_hash::FxHasher;
use std::hash::Hasher;

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

/// A partition whose blocks are ranges of `elements`.
///
/// Invariant: block b was split off the end of `parents[b]`, or is its own parent if it existed
/// from the beginning.
pub struct Partition {
    elements: Vec<u32>,
    location: Vec<u32>,
    block: Vec<u32>,
    first: Vec<u32>,
    past: Vec<u32>,
    parents: Vec<u32>,
    queued: Vec<bool>,
    /// For each node the number of its edges to the current splitter, and for each block the number
    /// of such nodes, which are at its end; both are 0 between splitters.
    counts: Vec<u32>,
    marked: Vec<u32>,
    /// The steps since the last look at a [`Cancel`], in many short refinements, too.
    unchecked: usize,
}

impl Partition {
    /// The partition by colours, which must be `0..` without gaps.
    pub fn new(colours: &[u32]) -> Self {
        let n = u32::at(colours.len());
        let mut elements: Vec<u32> = (0..n).collect();
        elements.sort_by_key(|&node| colours[node as usize]);
        let mut location = vec![0; n as usize];
        let (mut first, mut past) = (Vec::new(), Vec::new());
        for (place, &node) in (0..).zip(&elements) {
            location[node as usize] = place;
            if colours[node as usize] as usize == first.len() {
                first.push(place);
                past.push(place);
            }
            *past.last_mut().expect("colours begin with 0") += 1;
        }
        let blocks = first.len();
        Self {
            elements,
            location,
            block: colours.to_vec(),
            first,
            past,
            parents: (0..u32::at(blocks)).collect(),
            queued: vec![false; blocks],
            counts: vec![0; n as usize],
            marked: vec![0; blocks],
            unchecked: 0,
        }
    }

    pub fn blocks(&self) -> u32 {
        u32::at(self.first.len())
    }

    pub fn block(&self, node: u32) -> u32 {
        self.block[node as usize]
    }

    pub fn members(&self, block: u32) -> &[u32] {
        &self.elements[self.first[block as usize] as usize..self.past[block as usize] as usize]
    }

    /// Refines the initial partition until it is equitable.
    pub fn refine_all(&mut self, graph: &Incidence, cancel: &Cancel) -> Result<Refined> {
        let splitters = (0..self.blocks()).collect();
        self.refine(graph, splitters, Follow::Record(&mut Trace::default()), cancel)
    }

    /// Gives a node of an equitable partition a block of its own, and refines.
    pub fn individualise(
        &mut self,
        graph: &Incidence,
        node: u32,
        follow: Follow,
        cancel: &Cancel,
    ) -> Result<Refined> {
        let block = self.block(node);
        if self.members(block).len() > 1 {
            self.swap(node, self.past[block as usize] - 1);
            self.split_off(block, 1);
        }
        self.refine(graph, vec![self.block(node)], follow, cancel)
    }

    /// Undoes all splits except those that led to the first `blocks` blocks.
    pub fn undo(&mut self, blocks: u32) {
        while self.blocks() > blocks {
            let parent = self.parents.pop().expect("there is a block");
            let first = self.first.pop().expect("there is a block");
            let past = self.past.pop().expect("there is a block");
            self.queued.pop();
            self.marked.pop();
            self.unchecked += (past - first) as usize;
            for place in first..past {
                self.block[self.elements[place as usize] as usize] = parent;
            }
            self.past[parent as usize] = past;
        }
    }

    fn refine(
        &mut self,
        graph: &Incidence,
        mut splitters: Vec<u32>,
        mut follow: Follow,
        cancel: &Cancel,
    ) -> Result<Refined> {
        for &splitter in &splitters {
            self.queued[splitter as usize] = true;
        }
        let mut steps = 0;
        let mut refined = Refined::Equitable;
        while let Some(splitter) = splitters.pop() {
            self.queued[splitter as usize] = false;
            // An interrupted step leaves the partition in pieces: it is not used again.
            let done = self.split_by(graph, splitter, &mut splitters, cancel)?;
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
        for splitter in splitters {
            self.queued[splitter as usize] = false;
        }
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
        graph: &Incidence,
        splitter: u32,
        splitters: &mut Vec<u32>,
        cancel: &Cancel,
    ) -> Result<u64> {
        let mut hash = FxHasher::default();
        hash.write_u32(splitter);
        let (kind, relations) = graph.edges(self.members(splitter)[0]);
        for relation in relations {
            let touched = self.mark(splitter, relation, kind, cancel)?;
            hash.write_usize(touched.len());
            for block in touched {
                self.split(block, splitters, &mut hash);
            }
        }
        Ok(hash.finish())
    }

    /// Counts the edges of nodes to a block, and moves the nodes with edges to the ends of their
    /// blocks; returns these blocks, sorted.
    fn mark(
        &mut self,
        splitter: u32,
        relation: &Relation,
        kind: u32,
        cancel: &Cancel,
    ) -> Result<Vec<u32>> {
        let mut touched = Vec::new();
        for place in self.first[splitter as usize]..self.past[splitter as usize] {
            let ends = relation.of(self.elements[place as usize] - kind);
            cancel.check_every(&mut self.unchecked, 1 + ends.len())?;
            for &node in ends {
                self.counts[node as usize] += 1;
                if self.counts[node as usize] > 1 {
                    continue;
                }
                let block = self.block[node as usize] as usize;
                if self.marked[block] == 0 {
                    touched.push(u32::at(block));
                }
                self.marked[block] += 1;
                self.swap(node, self.past[block] - self.marked[block]);
            }
        }
        touched.sort_unstable();
        Ok(touched)
    }

    /// Splits a block with marked nodes by their counts. The unmarked nodes keep the number, or
    /// those with the least count if all are marked.
    fn split(&mut self, block: u32, splitters: &mut Vec<u32>, hash: &mut FxHasher) {
        let b = block as usize;
        let past = self.past[b];
        let start = past - std::mem::take(&mut self.marked[b]);
        let zone = start as usize..past as usize;
        self.unchecked += zone.len();
        let count = |node: &u32| self.counts[*node as usize];
        let least = count(&self.elements[zone.start]);
        if self.elements[zone.clone()].iter().any(|node| count(node) != least) {
            let counts = &self.counts;
            self.elements[zone.clone()].sort_unstable_by_key(|&node| counts[node as usize]);
            for place in zone.clone() {
                self.location[self.elements[place] as usize] = u32::at(place);
            }
        }
        let mut parts: Vec<u32> = Vec::new();
        let mut last = 0;
        for place in zone {
            let count = std::mem::take(&mut self.counts[self.elements[place] as usize]);
            if count != last {
                hash.write_u32(count);
                hash.write_u32(u32::at(place) - self.first[b]);
                parts.push(0);
            }
            *parts.last_mut().expect("counts are not 0") += 1;
            last = count;
        }
        hash.write_u32(block);
        hash.write_u32(past);
        if start == self.first[b] {
            parts.remove(0);
        }
        if parts.is_empty() {
            return;
        }
        let old = self.blocks();
        for size in parts.into_iter().rev() {
            self.split_off(block, size);
        }
        // If the old block is queued already, all parts must be; otherwise all but the largest.
        let made = || std::iter::once(block).chain(old..u32::at(self.first.len()));
        let size = |&part: &u32| self.past[part as usize] - self.first[part as usize];
        let largest = if self.queued[b] { None } else { made().max_by_key(size) };
        let waiting: Vec<u32> =
            made().filter(|&part| Some(part) != largest && !self.queued[part as usize]).collect();
        for part in waiting {
            self.queued[part as usize] = true;
            splitters.push(part);
        }
    }

    /// Makes the last nodes of a block a block of their own.
    fn split_off(&mut self, block: u32, size: u32) {
        let past = self.past[block as usize];
        let first = past - size;
        let new = self.blocks();
        self.past[block as usize] = first;
        self.first.push(first);
        self.past.push(past);
        self.parents.push(block);
        self.queued.push(false);
        self.marked.push(0);
        for place in first..past {
            self.block[self.elements[place as usize] as usize] = new;
        }
    }

    fn swap(&mut self, node: u32, place: u32) {
        let from = self.location[node as usize];
        let other = self.elements[place as usize];
        self.elements[from as usize] = other;
        self.location[other as usize] = from;
        self.elements[place as usize] = node;
        self.location[node as usize] = place;
    }
}
