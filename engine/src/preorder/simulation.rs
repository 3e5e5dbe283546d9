//! Simulation and ready simulation.
//!
//! `t` simulates `s` if every step of `s` is answered by a step of `t` with the same label to a
//! state that simulates the target. Ready simulation demands that both offer the same labels, too.
//!
//! The preorder is a partition and an order of its blocks (Ranzato and Tapparo, An efficient
//! simulation algorithm based on abstract interpretation, 2010; for labels: Holík and Šimáček,
//! Optimizing an LTS-simulation algorithm, 2010). Nothing is counted: whether a state keeps a step
//! into what simulates a block is looked up among its steps, so that memory is the square of the
//! number of blocks in bits, and linear in the rest.

use crate::base::bitset::Bits;
use crate::base::cancel::{Poll, Stop, go_on};
use crate::base::csr_backward::Incoming;
use crate::base::csr_lists::Graph;
use crate::formula::{Formulas, Id};
use crate::preorder::formula_of_removal;
use crate::preorder::formula_of_removal::{Events, Log, Pair, Why};
use crate::preorder::state_sets::{Sets, is_subset};

/// A preorder of states: `s` is below `t` if the block of `t` is in `above[block of s]`.
///
/// States of one block are equivalent, and blocks are ordered partially.
pub struct Preorder {
    pub block: Vec<u32>,
    pub above: Vec<Bits>,
}

impl Preorder {
    /// Whether state `s` is below state `t`.
    pub fn below(&self, s: u32, t: u32) -> bool {
        self.above[self.block[s as usize] as usize].has(self.block[t as usize])
    }
}

/// The greatest simulation, or ready simulation, on the states of a graph.
///
/// More than `max_blocks` classes are a [`Stop::Limit`]. Time O(blocks * transitions * d), d the
/// most steps that a state has with one label.
pub fn simulation(
    graph: &Graph,
    ready: bool,
    max_blocks: usize,
    poll: Poll,
) -> Result<Preorder, Stop> {
    let mut refinement = Refinement::new(graph, ready, max_blocks)?;
    while refinement.goes_on()? {
        go_on(poll)?;
    }
    Ok(Preorder { block: refinement.blocks.block, above: refinement.above })
}

/// A formula that holds in state `low` and not in `high`, which does not simulate it: from the
/// refinement, done again until they are told apart.
pub fn unsimulated(
    graph: &Graph,
    ready: bool,
    (low, high): (u32, u32),
    poll: Poll,
) -> Result<(Formulas, Id), Stop> {
    let mut refinement = Refinement::new(graph, ready, usize::MAX)?;
    refinement.log = Some(Log::new(refinement.above.len()));
    let block = |refinement: &Refinement, state: u32| refinement.blocks.of(state);
    while refinement.above[block(&refinement, low) as usize].has(block(&refinement, high)) {
        go_on(poll)?;
        assert!(refinement.goes_on()?, "states that are not similar are told apart");
    }
    let Refinement { log, blocks, .. } = refinement;
    let mut log = log.unwrap_or_default();
    log.finish();
    let node = log.node(blocks.of(low));
    let mut removed = Removed { graph, log, place: blocks.place };
    let first = Pair { why: removed.why(node, low, high), right: high };
    formula_of_removal::explain(&mut removed, first, poll)
}

/// What the refinement removed.
struct Removed<'a> {
    graph: &'a Graph,
    log: Log,
    place: Vec<u32>,
}

impl Removed<'_> {
    /// Why a state is not above a block, of which `member` is one.
    fn why(&self, node: u32, member: u32, state: u32) -> Why {
        if let Some(event) = self.log.removed(node, self.place[state as usize]) {
            return Why::Event(event);
        }
        let lacks =
            |state| move |&(label, _): &(u32, u32)| self.graph.targets(state, label).is_empty();
        let mut missing = self.graph.steps(member);
        if let Some((label, _)) = missing.find(lacks(state)) {
            return Why::Offers { label, missing: true };
        }
        let more = self.graph.steps(state).find(lacks(member));
        let (label, _) = more.expect("states that offer the same are told apart by an event");
        Why::Offers { label, missing: false }
    }
}

impl Events for Removed<'_> {
    fn pairs(&mut self, event: u32, right: u32, found: &mut Vec<Pair>) {
        let event = self.log.event(event);
        let answers = self.graph.targets(right, event.label).iter();
        found.extend(answers.map(|&answer| Pair {
            why: self.why(event.node, event.member, answer),
            right: answer,
        }));
    }

    fn formula(&self, event: u32, inner: Id, formulas: &mut Formulas) -> Id {
        formulas.step(self.log.event(event).label, inner)
    }

    fn negates(&self, _event: u32) -> bool {
        false
    }
}

/// States that no longer simulate the sources of a label's steps into a block.
enum Lost {
    /// All that have such steps, none of which leads above the block: not looked up yet.
    Initially,
    These(Vec<u32>),
}

struct Refinement<'a> {
    graph: &'a Graph,
    incoming: Incoming,
    /// For every label the states that have a step with it.
    sources: Vec<Vec<u32>>,
    blocks: Blocks,
    above: Vec<Bits>,
    /// For every block the labels of steps into it, sorted; perhaps more after a split.
    enters: Vec<Vec<u32>>,
    /// For every block what is still to be done, by label.
    pending: Vec<Vec<(u32, Lost)>>,
    waiting: Vec<u32>,
    max_blocks: usize,
    /// What was removed and why, if that is wanted.
    log: Option<Log>,
}

impl<'a> Refinement<'a> {
    /// Blocks by offered labels; more labels simulate fewer, or with `ready` only the same.
    fn new(graph: &'a Graph, ready: bool, max_blocks: usize) -> Result<Self, Stop> {
        let mut offers = Sets::default();
        let mut sources = vec![Vec::new(); graph.labels];
        let mut offered = Vec::new();
        let block: Vec<u32> = (0..graph.states as u32)
            .map(|state| {
                offered.clear();
                offered.extend(graph.steps(state).map(|(label, _)| label));
                offered.dedup();
                for &label in &offered {
                    sources[label as usize].push(state);
                }
                offers.intern(&offered)
            })
            .collect();
        let count = offers.len();
        if count > max_blocks {
            return Err(Stop::Limit);
        }
        let mut above = vec![Bits::new(count); count];
        for b in 0..count as u32 {
            for c in 0..count as u32 {
                if b == c || (!ready && is_subset(offers.get(b), offers.get(c))) {
                    above[b as usize].add(c);
                }
            }
        }
        let incoming = Incoming::new(graph);
        let blocks = Blocks::new(block, count);
        let enters: Vec<Vec<u32>> =
            (0..count as u32).map(|b| incoming.labels_into(blocks.members(b))).collect();
        let all = |labels: &Vec<u32>| labels.iter().map(|&a| (a, Lost::Initially)).collect();
        let pending = enters.iter().map(all).collect();
        let waiting = (0..count as u32).collect();
        Ok(Self {
            graph,
            incoming,
            sources,
            blocks,
            above,
            enters,
            pending,
            waiting,
            max_blocks,
            log: None,
        })
    }

    /// Does one thing that is still to be done; false if there is none.
    fn goes_on(&mut self) -> Result<bool, Stop> {
        let Some((block, label, removed)) = self.next_removed() else { return Ok(false) };
        let reached = self.blocks.members(block).to_vec();
        if let Some(log) = &mut self.log {
            log.begin(label, block, reached[0]);
        }
        let inside = self.split(&removed)?;
        self.forget(&reached, label, &inside);
        Ok(true)
    }

    /// Something to be done: a block, a label, and the states that have steps with the label, but
    /// no longer one to a state above the block.
    fn next_removed(&mut self) -> Option<(u32, u32, Vec<u32>)> {
        loop {
            let &block = self.waiting.last()?;
            let Some((label, removed)) = self.pending[block as usize].pop() else {
                self.waiting.pop();
                continue;
            };
            let states = match removed {
                Lost::These(states) => states,
                Lost::Initially => {
                    let sources = self.sources[label as usize].iter().copied();
                    sources.filter(|&state| !self.leads_above(state, label, block)).collect()
                }
            };
            return Some((block, label, states));
        }
    }

    /// Whether a state has a step with this label to a state above a block.
    fn leads_above(&self, state: u32, label: u32, block: u32) -> bool {
        let above = &self.above[block as usize];
        self.graph.targets(state, label).iter().any(|&t| above.has(self.blocks.of(t)))
    }

    /// Splits every block that `states` cut; returns the blocks that then make up `states`.
    fn split(&mut self, states: &[u32]) -> Result<Vec<u32>, Stop> {
        let cut = self.blocks.cut(states);
        for &(_, cut) in &cut {
            let Some((new, parent)) = cut else { continue };
            if new as usize >= self.max_blocks {
                return Err(Stop::Limit);
            }
            for row in &mut self.above {
                if row.has(parent) {
                    row.add(new);
                }
            }
            if let Some(log) = &mut self.log {
                log.split(parent);
            }
            let row = self.above[parent as usize].clone();
            self.above.push(row);
            self.enters.push(self.incoming.labels_into(self.blocks.members(new)));
            let copied = self.pending[parent as usize].iter().map(|(label, removed)| {
                let same = match removed {
                    Lost::Initially => Lost::Initially,
                    Lost::These(states) => Lost::These(states.clone()),
                };
                (*label, same)
            });
            let copied: Vec<(u32, Lost)> = copied.collect();
            if !copied.is_empty() {
                self.waiting.push(new);
            }
            self.pending.push(copied);
        }
        Ok(cut.into_iter().map(|(block, _)| block).collect())
    }

    /// The sources of `label`-steps into `reached` are not below `inside`; what follows from that
    /// is put down as pending.
    fn forget(&mut self, reached: &[u32], label: u32, inside: &[u32]) {
        if inside.is_empty() {
            return;
        }
        let mut sources: Vec<u32> = Vec::new();
        for &state in reached {
            let steps = self.incoming.with_label(state, label).iter();
            sources.extend(steps.map(|&(_, source)| self.blocks.of(source)));
        }
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            let mut lost = inside.to_vec();
            lost.retain(|&block| self.above[source as usize].has(block));
            for &block in &lost {
                self.above[source as usize].remove(block);
                if let Some(log) = &mut self.log {
                    log.remove(source, self.blocks.range(block));
                }
            }
            let mut removed: Vec<(u32, u32)> = Vec::new();
            for &block in &lost {
                for &state in self.blocks.members(block) {
                    for &(a, predecessor) in self.incoming.of(state) {
                        if self.enters[source as usize].binary_search(&a).is_ok()
                            && !self.leads_above(predecessor, a, source)
                        {
                            removed.push((a, predecessor));
                        }
                    }
                }
            }
            if removed.is_empty() {
                continue;
            }
            removed.sort_unstable();
            removed.dedup();
            let pending = &mut self.pending[source as usize];
            if pending.is_empty() {
                self.waiting.push(source);
            }
            for group in removed.chunk_by(|x, y| x.0 == y.0) {
                let states = group.iter().map(|&(_, state)| state);
                match pending.iter_mut().find(|(a, _)| *a == group[0].0) {
                    Some((_, Lost::Initially)) => {}
                    Some((_, Lost::These(known))) => known.extend(states),
                    None => pending.push((group[0].0, Lost::These(states.collect()))),
                }
            }
        }
    }
}

/// A partition of the states.
///
/// Invariant: block b is `elements[first[b]..past[b]]`, the marked ones of them first.
struct Blocks {
    block: Vec<u32>,
    elements: Vec<u32>,
    place: Vec<u32>,
    first: Vec<u32>,
    past: Vec<u32>,
    marked: Vec<u32>,
}

impl Blocks {
    fn new(block: Vec<u32>, count: usize) -> Self {
        let mut elements: Vec<u32> = (0..block.len() as u32).collect();
        elements.sort_by_key(|&state| block[state as usize]);
        let mut place = vec![0; block.len()];
        let (mut first, mut past) = (vec![0; count], vec![0; count]);
        for (at, &state) in elements.iter().enumerate().rev() {
            place[state as usize] = at as u32;
            let b = block[state as usize] as usize;
            first[b] = at as u32;
            past[b] = past[b].max(at as u32 + 1);
        }
        Self { block, elements, place, first, past, marked: vec![0; count] }
    }

    fn of(&self, state: u32) -> u32 {
        self.block[state as usize]
    }

    fn range(&self, block: u32) -> std::ops::Range<u32> {
        self.first[block as usize]..self.past[block as usize]
    }

    fn members(&self, block: u32) -> &[u32] {
        let range = self.range(block);
        &self.elements[range.start as usize..range.end as usize]
    }

    /// Cuts every block into its members in `states` and the others. Returns the blocks of those in
    /// `states`, each with the new block, if it was cut, and the one that this was a part of. The
    /// smaller part is the new block.
    fn cut(&mut self, states: &[u32]) -> Vec<(u32, Option<(u32, u32)>)> {
        let mut touched = Vec::new();
        for &state in states {
            let block = self.block[state as usize] as usize;
            let (at, border) = (self.place[state as usize], self.first[block] + self.marked[block]);
            if at < border {
                continue;
            }
            let other = self.elements[border as usize];
            self.elements.swap(at as usize, border as usize);
            self.place[other as usize] = at;
            self.place[state as usize] = border;
            if self.marked[block] == 0 {
                touched.push(block as u32);
            }
            self.marked[block] += 1;
        }
        let cut = touched.into_iter().map(|block| {
            let b = block as usize;
            let border = self.first[b] + std::mem::take(&mut self.marked[b]);
            let (first, past) = (self.first[b], self.past[b]);
            if border == past {
                return (block, None);
            }
            let new = self.first.len() as u32;
            let marked_is_new = border - first <= past - border;
            let (from, to) = if marked_is_new { (first, border) } else { (border, past) };
            if marked_is_new {
                self.first[b] = border;
            } else {
                self.past[b] = border;
            }
            self.first.push(from);
            self.past.push(to);
            self.marked.push(0);
            for &state in &self.elements[from as usize..to as usize] {
                self.block[state as usize] = new;
            }
            (if marked_is_new { new } else { block }, Some((new, block)))
        });
        cut.collect()
    }
}

/// The least system that is equivalent modulo a simulation: its states are the blocks of the
/// preorder; a step is left out if a state strictly above its target is reached by the same label
/// (a little brother; Bustan and Grumberg, Simulation-based minimization, 2003). States may be
/// unreachable then.
pub fn without_little_brothers(graph: &Graph, order: &Preorder) -> Graph {
    let full = graph.quotient(&order.block, order.above.len());
    let mut kept = Vec::new();
    for state in 0..full.states as u32 {
        let steps: Vec<(u32, u32)> = full.steps(state).collect();
        for group in steps.chunk_by(|x, y| x.0 == y.0) {
            for &(label, target) in group {
                let above = &order.above[target as usize];
                if !group.iter().any(|&(_, other)| other != target && above.has(other)) {
                    kept.push((state, label, target));
                }
            }
        }
    }
    Graph::from_transitions(full.initial, full.states, full.labels, full.tau, kept)
}
