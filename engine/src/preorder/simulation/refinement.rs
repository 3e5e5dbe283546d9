//! Refinement of a partition and an order of its blocks, up to a simulation.

use crate::base::bitset::Bits;
use crate::base::cancel::{Cancel, Limited, NoResult, Result};
use crate::base::csr::graph::Graph;
use crate::base::csr::incoming::Incoming;
use crate::base::ids::{Block, Id, Label, State};
use crate::base::interner::Interner;
use crate::base::partition::{Partition, Refinable};
use crate::preorder::formula_of_removal::Log;
use crate::preorder::subset::is_subset;

/// States that lost their last step with a label to above a block.
enum Lost {
    /// All states with such steps but none to above the block; not computed yet.
    Initially,
    These(Vec<State>),
}

pub(crate) struct Refinement<'a> {
    graph: &'a Graph,
    incoming: Incoming,
    /// For every label the states that have a step with it.
    sources: Vec<Vec<State>>,
    pub(crate) blocks: Refinable<State>,
    pub(crate) above: Vec<Bits<Block>>,
    /// For every block a sorted superset of the labels of steps into it.
    enters: Vec<Vec<Label>>,
    /// For every block the pending updates, by label.
    pending: Vec<Vec<(Label, Lost)>>,
    waiting: Vec<Block>,
    max_blocks: usize,
    cancel: &'a Cancel,
    /// The log of removals, if requested.
    pub(crate) log: Option<Log>,
}

impl<'a> Refinement<'a> {
    /// The initial order: blocks by offered labels; a block is below those that offer more labels
    /// or, if `ready`, only below itself.
    pub(crate) fn new(
        graph: &'a Graph,
        ready: bool,
        max_blocks: usize,
        cancel: &'a Cancel,
    ) -> Limited<Self> {
        let mut offers = Interner::default();
        let mut sources = vec![Vec::new(); graph.labels];
        let mut offered = Vec::new();
        let block: Vec<Block> = graph
            .each_state()
            .map(|state| {
                offered.clear();
                offered.extend(graph.steps(state).map(|(label, _)| label));
                offered.dedup();
                for &label in &offered {
                    sources[label].push(state);
                }
                Block(offers.intern(&offered).0)
            })
            .collect();
        let count = offers.len();
        if count > max_blocks {
            return Err(NoResult::Limit);
        }
        let mut above = vec![Bits::new(count); count];
        for b in 0..u32::at(count) {
            cancel.check()?;
            for c in 0..u32::at(count) {
                if b == c || (!ready && is_subset(offers.get(b), offers.get(c))) {
                    above[b as usize].add(Block(c));
                }
            }
        }
        let incoming = Incoming::transitions(graph);
        let blocks = Refinable::new(Partition { block, blocks: count });
        let enters: Vec<Vec<Label>> =
            (0..u32::at(count)).map(|b| incoming.labels_into(blocks.members(Block(b)))).collect();
        let all = |labels: &Vec<Label>| labels.iter().map(|&a| (a, Lost::Initially)).collect();
        let pending = enters.iter().map(all).collect();
        let waiting = (0..u32::at(count)).map(Block).collect();
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
            cancel,
            log: None,
        })
    }

    /// Processes one pending update; returns false if there is none.
    pub(crate) fn process_next(&mut self) -> Limited<bool> {
        let Some((block, label, removed)) = self.next_removed() else { return Ok(false) };
        let reached = self.blocks.members(block).to_vec();
        if let Some(log) = &mut self.log {
            log.begin(label, block, reached[0]);
        }
        let inside = self.split(&removed)?;
        self.forget(&reached, label, &inside)?;
        Ok(true)
    }

    /// A pending update: a block, a label, and states that have steps with the label but none left
    /// to a state above the block.
    fn next_removed(&mut self) -> Option<(Block, Label, Vec<State>)> {
        loop {
            let &block = self.waiting.last()?;
            let Some((label, removed)) = self.pending[block].pop() else {
                self.waiting.pop();
                continue;
            };
            let states = match removed {
                Lost::These(states) => states,
                Lost::Initially => {
                    let sources = self.sources[label].iter().copied();
                    sources.filter(|&state| !self.leads_above(state, label, block)).collect()
                }
            };
            return Some((block, label, states));
        }
    }

    /// Whether a state has a step with this label to a state above a block.
    fn leads_above(&self, state: State, label: Label, block: Block) -> bool {
        let above = &self.above[block];
        self.graph.targets(state, label).iter().any(|&t| above.has(self.blocks.of(t)))
    }

    /// Splits every block that `states` intersects; returns the blocks that then make up `states`.
    fn split(&mut self, states: &[State]) -> Limited<Vec<Block>> {
        let blocks = &mut self.blocks;
        // A state of each block.
        let marked: Vec<State> = states.iter().copied().filter(|&s| blocks.mark(s)).collect();
        let mut inside = Vec::new();
        for state in marked {
            let parent = self.blocks.of(state);
            let new = self.blocks.split_marked(parent);
            inside.push(self.blocks.of(state));
            let Some(new) = new else { continue };
            if new.index() >= self.max_blocks {
                return Err(NoResult::Limit);
            }
            self.cancel.check()?;
            for row in &mut self.above {
                if row.has(parent) {
                    row.add(new);
                }
            }
            if let Some(log) = &mut self.log {
                log.split(parent);
            }
            let row = self.above[parent].clone();
            self.above.push(row);
            self.enters.push(self.incoming.labels_into(self.blocks.members(new)));
            let copied = self.pending[parent].iter().map(|(label, removed)| {
                let same = match removed {
                    Lost::Initially => Lost::Initially,
                    Lost::These(states) => Lost::These(states.clone()),
                };
                (*label, same)
            });
            let copied: Vec<(Label, Lost)> = copied.collect();
            if !copied.is_empty() {
                self.waiting.push(new);
            }
            self.pending.push(copied);
        }
        Ok(inside)
    }

    /// Removes `inside` from above the sources of `label`-steps into `reached`, and adds the
    /// resulting updates to the pending ones.
    fn forget(&mut self, reached: &[State], label: Label, inside: &[Block]) -> Result<()> {
        if inside.is_empty() {
            return Ok(());
        }
        let mut sources: Vec<Block> = Vec::new();
        for &state in reached {
            let steps = self.incoming.with_label(state, label).iter();
            sources.extend(steps.map(|&(_, source)| self.blocks.of(source)));
        }
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            self.cancel.check()?;
            let mut lost = inside.to_vec();
            lost.retain(|&block| self.above[source].has(block));
            for &block in &lost {
                self.above[source].remove(block);
                if let Some(log) = &mut self.log {
                    log.remove(source, self.blocks.range(block));
                }
            }
            let mut removed: Vec<(Label, State)> = Vec::new();
            for &block in &lost {
                for &state in self.blocks.members(block) {
                    for &(a, predecessor) in self.incoming.of(state) {
                        if self.enters[source].binary_search(&a).is_ok()
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
            let pending = &mut self.pending[source];
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
        Ok(())
    }
}
