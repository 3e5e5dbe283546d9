//! Ranks: numbers that order the states of a minimal system, as far as needed, and depend on its
//! behaviour only.
//!
//! No two states of a minimal system are strongly bisimilar, so partition refinement separates all
//! of them, and the numbers of its blocks are ranks if they depend on the system only. Mostly
//! k-step hashes suffice. States are ordered by the first tier in which they differ: hashes of more
//! and more steps, and finally refinement. As few states agree in the early tiers, hashes of many
//! steps are first computed for single states on demand, and for all states once these are too
//! many.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::hash::pair;
use crate::base::ids::Id;
use crate::base::ids::{Label, State};
use crate::base::label_table::Labels;
use crate::base::memory::room;
use crate::base::partition::Partition;
use crate::bisimulation::block_quotient::Quotient;
use crate::bisimulation::refine::refine;
use crate::bisimulation::start::k_step_hashes;
use crate::bisimulation::strong_signature::{Distinct, Strong};
use rustc_hash::FxHashMap;

/// The number of steps of the hashes of each tier.
const TIERS: [usize; 4] = [k_step_hashes::DEPTH, 5, 8, 16];

/// The share of the blocks for which single hashes may be stored: one in this many.
const SHARE: usize = if cfg!(test) { 2 } else { 32 };

/// The ranks of blocks.
pub struct Ranks<'a> {
    blocks: &'a Quotient<'a>,
    /// The hashes of the first tier, if known, until that tier is needed.
    hashes: Option<Vec<u32>>,
    /// The position of every label in the order of their bytes.
    position: &'a [u32],
    labels: &'a Labels,
    /// Hashes of the bytes of labels; empty until they are needed.
    names: Vec<u32>,
    /// The tiers that are known for all blocks; the last one is by refinement.
    tiers: [Option<Vec<u32>>; TIERS.len() + 1],
    /// Hashes of single blocks, by number of steps and block.
    single: FxHashMap<(u32, State), u32>,
    /// Whether only the last tier is used.
    exact_only: bool,
}

impl<'a> Ranks<'a> {
    /// Ranks of which at most the hashes of the first tier are known. `position` is the position of
    /// every label in the order of their bytes; that of the divergence label is the internal one's.
    pub fn new(
        blocks: &'a Quotient<'a>,
        hashes: Option<Vec<u32>>,
        labels: &'a Labels,
        position: &'a [u32],
    ) -> Self {
        Self {
            blocks,
            hashes,
            position,
            labels,
            names: Vec::new(),
            tiers: Default::default(),
            single: FxHashMap::default(),
            exact_only: false,
        }
    }

    /// The hashes of the first tier, if it is computed.
    pub fn first(&self) -> Option<&[u32]> {
        self.tiers[0].as_deref()
    }

    /// All blocks, reachable or not, in an order that depends on all of them. Must be the first
    /// query.
    pub fn order(&mut self, cancel: &Cancel) -> Result<Vec<State>> {
        let mut order: Vec<State> = self.blocks.graph.each_state().collect();
        let rank = self.exact(&order, cancel)?;
        order.sort_unstable_by_key(|&block| rank[block]);
        self.tiers[TIERS.len()] = Some(rank);
        self.exact_only = true;
        Ok(order)
    }

    /// Sort items that stand for different blocks by the ranks of these blocks.
    pub fn sort<T>(
        &mut self,
        items: &mut [T],
        block: impl Fn(&T) -> State + Copy,
        cancel: &Cancel,
    ) -> Result<()> {
        self.sort_from(if self.exact_only { TIERS.len() } else { 0 }, items, block, cancel)
    }

    /// Sort items that do not differ in the tiers before `tier`.
    fn sort_from<T>(
        &mut self,
        tier: usize,
        items: &mut [T],
        block: impl Fn(&T) -> State + Copy,
        cancel: &Cancel,
    ) -> Result<()> {
        for item in items.iter() {
            self.know(tier, block(item), cancel)?;
        }
        items.sort_unstable_by_key(|item| self.known(tier, block(item)));
        let mut from = 0;
        while from < items.len() {
            let rank = self.known(tier, block(&items[from]));
            let like = |item: &&T| self.known(tier, block(item)) == rank;
            let to = from + items[from..].iter().take_while(like).count();
            if to - from > 1 {
                self.sort_from(tier + 1, &mut items[from..to], block, cancel)?;
            }
            from = to;
        }
        Ok(())
    }

    /// The rank of a block in a tier, which must be known.
    fn known(&self, tier: usize, block: State) -> u32 {
        match &self.tiers[tier] {
            Some(ranks) => ranks[block],
            None => self.single[&(u32::at(TIERS[tier]), block)],
        }
    }

    /// Compute the rank of a block in a tier, unless it is known.
    fn know(&mut self, tier: usize, block: State, cancel: &Cancel) -> Result<()> {
        if self.tiers[tier].is_some() {
            return Ok(());
        }
        if tier == TIERS.len() {
            let reachable = self.reachable(cancel)?;
            self.tiers[tier] = Some(self.exact(&reachable, cancel)?);
            return Ok(());
        }
        if tier > 0 && self.step_hash(TIERS[tier], block).is_some() {
            return Ok(());
        }
        let below = self.tiers[..tier].iter().rposition(Option::is_some);
        let mut ranks = below.and_then(|below| self.tiers[below].clone());
        if ranks.is_none()
            && let Some(hashes) = self.hashes.take()
        {
            self.tiers[0] = Some(hashes);
            return self.know(tier, block, cancel);
        }
        self.name_labels();
        let steps = below.map_or(0, |below| TIERS[below])..TIERS[tier];
        let stage = k_step_hashes::stage(steps.len(), &self.blocks.graph, cancel);
        for _ in steps {
            ranks = Some(k_step_hashes::deeper(
                &self.blocks.graph,
                &self.names,
                ranks.as_deref(),
                (&stage, cancel),
            )?);
        }
        self.tiers[tier] = ranks;
        Ok(())
    }

    fn name_labels(&mut self) {
        if self.names.is_empty() {
            self.names = k_step_hashes::of_labels(self.labels);
            let Quotient { tau, delta, .. } = *self.blocks;
            let internal = delta != Label::NONE && tau != Label::NONE;
            self.names.push(if internal { self.names[tau] } else { 0 });
        }
    }

    /// The hash of one block for this many steps; `None` if too many single hashes would be stored.
    fn step_hash(&mut self, steps: usize, block: State) -> Option<u32> {
        let tier = TIERS.iter().position(|&tier| tier == steps);
        if let Some(ranks) = tier.and_then(|tier| self.tiers[tier].as_ref()) {
            return Some(ranks[block]);
        }
        if let Some(&hash) = self.single.get(&(u32::at(steps), block)) {
            return Some(hash);
        }
        if self.single.len() > self.blocks.blocks() / SHARE {
            return None;
        }
        self.name_labels();
        let blocks = self.blocks;
        let mut behind: Vec<u64> = Vec::new();
        for (label, target) in blocks.graph.steps(block) {
            let to = self.step_hash(steps - 1, target)?;
            behind.push(pair(self.names[label], to));
        }
        let own = self.step_hash(steps - 1, block)?;
        let hash = k_step_hashes::next(own, Distinct::default().sum(behind.into_iter()));
        self.single.insert((u32::at(steps), block), hash);
        Some(hash)
    }

    /// The reachable blocks.
    fn reachable(&self, cancel: &Cancel) -> Result<Vec<State>> {
        let mut visited = vec![false; self.blocks.blocks()];
        let (mut list, mut transitions) = (Vec::new(), Vec::new());
        let mut visit = |list: &mut Vec<State>, block: State| {
            if !std::mem::replace(&mut visited[block], true) {
                list.push(block);
            }
        };
        self.blocks.steps(self.blocks.start(), &mut transitions);
        transitions.iter().for_each(|transition| visit(&mut list, transition.1));
        let mut at = 0;
        while let Some(&block) = list.get(at) {
            cancel.check_at(at)?;
            at += 1;
            self.blocks.steps(block, &mut transitions);
            transitions.iter().for_each(|transition| visit(&mut list, transition.1));
        }
        Ok(list)
    }

    /// Distinct numbers for the blocks of a list, which must be closed under transitions; 0 for all
    /// other blocks.
    fn exact(&self, list: &[State], cancel: &Cancel) -> Result<Vec<u32>> {
        let mut own = vec![0; self.blocks.blocks()];
        for (i, &block) in (0..).zip(list) {
            own[block] = i;
        }
        let mut starts = room(list.len() + 1);
        let (mut labels, mut targets, mut transitions) = (Vec::new(), Vec::new(), Vec::new());
        let mut occurs = vec![false; self.position.len()];
        for &block in list {
            starts.push(u32::at(labels.len()));
            self.blocks.steps(block, &mut transitions);
            transitions.sort_unstable();
            transitions.dedup();
            for &(label, to) in &transitions {
                let position = self.position[label];
                occurs[position as usize] = true;
                labels.push(Label(position));
                targets.push(State(own[to]));
            }
        }
        starts.push(u32::at(labels.len()));
        // The result must not depend on labels that do not occur.
        let mut count = 0;
        let mut next = |occurs: bool| {
            count += u32::from(occurs);
            count
        };
        let names: Vec<Label> = occurs.into_iter().map(|occurs| Label(next(occurs))).collect();
        for label in &mut labels {
            *label = names[*label];
        }
        let graph = Forward { starts, label: labels.into(), target: targets.into() };
        for seed in 0.. {
            // If two different signatures have the same hash, some block has several states: try
            // the next hash.
            let signature = &mut Strong::seeded(&graph, seed);
            let partition = refine(Partition::trivial(list.len()), signature, true, cancel)?;
            if partition.blocks == list.len() {
                for (&block, rank) in list.iter().zip(partition.block) {
                    own[block] = rank.0;
                }
                return Ok(own);
            }
        }
        unreachable!("some hash separates all signatures")
    }
}
