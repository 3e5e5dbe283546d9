//! Minimal systems written down in a way that depends on nothing but their behaviour.
//!
//! States are numbered breadth first, the transitions of a state in the order of label bytes. Where
//! several with one label lead to different states, these are ordered by a rank. No two states of a
//! minimal system are strongly bisimilar, so refinement tells all of them apart, and its numbers are
//! ranks, as long as they depend on nothing but the system. Mostly a few rounds of hashing do.

use super::forward::Forward;
use super::minimise::NONE;
use super::quotient::Blocks;
use super::refine::{Partition, refine};
use super::strong::{Strong, pair};
use super::{POLL_EVERY, Poll};
use crate::labels::Labels;
use crate::lts::Lts;
use std::sync::Arc;

/// The LTS of blocks, labels as in `lts`, and for every block its state, [`NONE`] for those that
/// cannot be reached and are not to be kept.
pub fn number(
    blocks: &Blocks,
    lts: &Lts,
    keep_unreachable: bool,
    poll: Poll,
) -> Option<(Lts, Vec<u32>)> {
    let mut by_text: Vec<u32> = (0..lts.labels.len() as u32).collect();
    by_text.sort_unstable_by_key(|&label| lts.labels.get(label));
    let mut place = vec![0; by_text.len()];
    for (rank, &label) in (0..).zip(&by_text) {
        place[label as usize] = rank;
    }
    let mut writer = Writer { blocks, lts, by_text: &by_text, place: &place };
    if !keep_unreachable && let Some(done) = writer.write(None, false, poll)? {
        return Some(done);
    }
    let ranks = ranks(blocks, lts, &place, keep_unreachable, poll)?;
    writer.write(Some(&ranks), keep_unreachable, poll)?
}

struct Writer<'a> {
    blocks: &'a Blocks<'a>,
    lts: &'a Lts,
    /// Labels in the order of their bytes, and the place of each there.
    by_text: &'a [u32],
    place: &'a [u32],
}

impl Writer<'_> {
    /// The system and the numbers of the blocks; the inner option is empty if ranks are needed.
    #[allow(clippy::type_complexity)]
    fn write(
        &mut self,
        ranks: Option<&[u64]>,
        keep_unreachable: bool,
        poll: Poll,
    ) -> Option<Option<(Lts, Vec<u32>)>> {
        let blocks = self.blocks;
        let root = blocks.start();
        let mut number = vec![NONE; blocks.count()];
        let mut order = vec![root];
        number[root as usize] = 0;
        let mut roots: Vec<u32> = Vec::new();
        if keep_unreachable && let Some(ranks) = ranks {
            roots.extend(0..blocks.count() as u32);
            roots.sort_unstable_by_key(|&b| ranks[b as usize]);
        }
        let mut roots = roots.into_iter();
        // Room that is not needed stays untouched.
        let room = || Vec::<u32>::with_capacity(blocks.most_rows());
        let [mut source, mut label, mut target] = [room(), room(), room()];
        let mut names = vec![NONE; self.by_text.len()];
        let mut labels = Labels::new();
        let mut internal = Vec::new();
        let mut rows = Vec::new();
        let mut at = 0;
        loop {
            if at % POLL_EVERY == 0 && !poll() {
                return None;
            }
            if at == order.len() {
                match roots.find(|&root| number[root as usize] == NONE) {
                    Some(root) => {
                        number[root as usize] = order.len() as u32;
                        order.push(root);
                    }
                    None => break,
                }
            }
            blocks.rows(order[at], &mut rows);
            for row in &mut rows {
                row.0 = self.place[row.0 as usize];
            }
            if rows.len() > 1 {
                match ranks {
                    None => {
                        rows.sort_unstable();
                        rows.dedup();
                        if rows.windows(2).any(|w| w[0].0 == w[1].0) {
                            return Some(None);
                        }
                    }
                    Some(ranks) => {
                        rows.sort_unstable_by_key(|&(a, t)| (a, ranks[t as usize], t));
                        rows.dedup();
                    }
                }
            }
            for row in &mut rows {
                let number = &mut number[row.1 as usize];
                if *number == NONE {
                    *number = order.len() as u32;
                    order.push(row.1);
                }
                row.1 = *number;
            }
            rows.sort_unstable();
            for &(place, to) in &rows {
                let old = self.by_text[place as usize];
                let name = &mut names[place as usize];
                if *name == NONE {
                    *name = labels.intern(self.lts.labels.get(old));
                    if self.lts.internal.contains(&old) {
                        internal.push(*name);
                    }
                }
                source.push(at as u32);
                label.push(*name);
                target.push(to);
            }
            at += 1;
        }
        internal.sort_unstable();
        let states = order.len() as u32;
        let columns = [source, label, target].map(shrunk);
        let least = Lts::from_valid(0, states, columns, Arc::new(labels), Arc::new(internal));
        Some(Some((least, number)))
    }
}

fn shrunk(mut column: Vec<u32>) -> Vec<u32> {
    column.shrink_to_fit();
    column
}

impl Blocks<'_> {
    /// The state of the system of blocks where it starts.
    fn start(&self) -> u32 {
        let own = self.count() > self.representative.len();
        if own { self.representative.len() as u32 } else { self.root }
    }
}

/// Rounds of hashing after which it is asked whether they were enough.
const ROUNDS: [usize; 4] = [2, 2, 4, 8];

/// A number for every block that tells it from the others, wherever the order of the transitions
/// of a state needs that; the same for corresponding blocks of isomorphic systems.
fn ranks(
    blocks: &Blocks,
    lts: &Lts,
    place: &[u32],
    keep_unreachable: bool,
    poll: Poll,
) -> Option<Vec<u64>> {
    let (old, graph) = ranked_graph(blocks, lts, place, keep_unreachable, poll)?;
    let mut ranks = vec![0u64; graph.states()];
    let mut done = false;
    if !keep_unreachable {
        for rounds in ROUNDS {
            for _ in 0..rounds {
                ranks = hash_round(&graph, &ranks, poll)?;
            }
            if !is_ambiguous(&graph, &ranks) {
                done = true;
                break;
            }
        }
    }
    let mut seed = 0;
    while !done {
        // Two different signatures of one hash would leave a block of several: try another hash.
        let signature = &mut Strong::seeded(&graph, seed);
        let partition = refine(Partition::trivial(graph.states()), signature, true, poll)?;
        seed += 1;
        done = partition.blocks == graph.states();
        ranks = partition.block.into_iter().map(u64::from).collect();
    }
    let mut all = vec![0; blocks.count()];
    for (&block, rank) in old.iter().zip(ranks) {
        all[block as usize] = rank;
    }
    Some(all)
}

/// The transitions of all blocks that can be reached (or are kept), each once, the labels numbered
/// by the order of their bytes among those that occur; and which blocks these are.
fn ranked_graph(
    blocks: &Blocks,
    lts: &Lts,
    place: &[u32],
    keep_unreachable: bool,
    poll: Poll,
) -> Option<(Vec<u32>, Forward<'static>)> {
    let mut number = vec![NONE; blocks.count()];
    let mut order = vec![blocks.start()];
    number[blocks.start() as usize] = 0;
    let mut occurs = vec![false; lts.labels.len()];
    let most = blocks.most_rows();
    let mut starts = Vec::with_capacity(blocks.count() + 1);
    let (mut label, mut target) = (Vec::with_capacity(most), Vec::with_capacity(most));
    let mut rows = Vec::new();
    let mut at = 0;
    let mut others = if keep_unreachable { 0..blocks.count() as u32 } else { 0..0 };
    loop {
        if at % POLL_EVERY == 0 && !poll() {
            return None;
        }
        if at == order.len() {
            let Some(other) = others.find(|&b| number[b as usize] == NONE) else { break };
            number[other as usize] = order.len() as u32;
            order.push(other);
        }
        blocks.rows(order[at], &mut rows);
        rows.sort_unstable();
        rows.dedup();
        starts.push(label.len() as u32);
        for &(a, to) in &rows {
            let number = &mut number[to as usize];
            if *number == NONE {
                *number = order.len() as u32;
                order.push(to);
            }
            occurs[place[a as usize] as usize] = true;
            label.push(place[a as usize]);
            target.push(*number);
        }
        at += 1;
    }
    starts.push(label.len() as u32);
    let mut names = vec![0; occurs.len()];
    for (name, place) in (0..).zip(occurs.iter().enumerate().filter(|place| *place.1)) {
        names[place.0] = name;
    }
    for label in &mut label {
        *label = names[*label as usize];
    }
    Some((order, Forward { starts, label: label.into(), target: target.into() }))
}

fn mix(a: u64, b: u64) -> u64 {
    pair((a >> 32) as u32, a as u32) ^ pair((b >> 32) as u32, b as u32).rotate_left(29)
}

fn hash_round(graph: &Forward, old: &[u64], poll: Poll) -> Option<Vec<u64>> {
    let mut new = Vec::with_capacity(old.len());
    for state in 0..old.len() as u32 {
        if (state as usize).is_multiple_of(POLL_EVERY) && !poll() {
            return None;
        }
        let members = graph.rows(state).map(|(label, target)| {
            let hash = mix(u64::from(label) + 1, old[target as usize]);
            mix(hash, hash >> 7)
        });
        new.push(mix(old[state as usize], members.fold(1, u64::wrapping_add)));
    }
    Some(new)
}

/// Whether two transitions of a state have one label and targets of one rank.
fn is_ambiguous(graph: &Forward, ranks: &[u64]) -> bool {
    let mut steps: Vec<(u32, u64)> = Vec::new();
    (0..graph.states() as u32).any(|state| {
        steps.clear();
        steps.extend(graph.rows(state).map(|(label, target)| (label, ranks[target as usize])));
        steps.sort_unstable();
        steps.windows(2).any(|w| w[0] == w[1])
    })
}
