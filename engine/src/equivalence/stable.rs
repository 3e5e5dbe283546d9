//! Whether a partition is a weak bisimulation.
//!
//! Let every block have the transitions of all its states. If each bottom state of a block (one without
//! internal steps inside it) has weak transitions for all of them, then so have all states of the
//! block, by internal steps inside it: it is a weak bisimulation.

use super::Poll;
use super::columns::Rounds;
use super::forward::Forward;
use super::pool::Pool;
use super::reach::{COLUMNS, Reach};
use super::refine::Partition;
use super::saturated::Weak;
use super::search::{Guide, Search, Steps};
use crate::parallel;
use std::cmp::Reverse;

/// So many columns for which a partition is not stable are enough to go on.
const MANY: usize = 16 * COLUMNS;

/// Searches between two calls of a poll, and for one block.
const SEARCHES: usize = if cfg!(test) { 8 } else { 1 << 10 };

/// What is asked about a transition on average, at most, if it is searched for.
const MOST: usize = if cfg!(test) { 1 } else { 2 };

/// The verdict on a partition.
pub enum Verdict {
    /// It is a weak bisimulation.
    Stable(Partition),
    /// It is not: at least one of its blocks was split; whether all that was wrong was looked at.
    Split(Partition, bool),
}

/// Target, label and state of a transition that others of the block of the state have.
pub type Wanted = (u32, u32, u32);

/// Whether a partition is a weak bisimulation of a graph, for which there are sketches, and may be
/// masks.
pub fn certify(
    graph: &Forward,
    tau: u32,
    mut partition: Partition,
    (sketches, steps): (&Weak, &Steps),
    reach: &mut Option<Reach>,
    poll: Poll,
) -> Option<Verdict> {
    let mixed = mixed(&partition);
    let mut wanted = wanted(graph, tau, &partition, &mixed, poll)?;
    wanted.sort_unstable();
    // Block, label and target of what one of its states lacks.
    let mut failed: Vec<(u32, u32, u32)> = Vec::new();
    let mut open: Vec<Wanted> = Vec::new();
    let pool = Pool::new(|| Search::new(steps));
    let block = &partition.block[..];
    let look = |wanted: &[Wanted]| {
        let (mut failed, mut open) = (Vec::new(), Vec::new());
        let mut search = pool.take();
        search.begin();
        for &(goal, label, state) in wanted {
            let way = Way { sketches, block, label, goal };
            match search.find(state, label, None, &way) {
                Some(true) => {}
                Some(false) => failed.push((block[state as usize], label, goal)),
                None => open.push((goal, label, state)),
            }
        }
        pool.give(search);
        (failed, open)
    };
    let gather = |found: (Vec<(u32, u32, u32)>, Vec<Wanted>)| {
        failed.extend(found.0);
        open.extend(found.1);
    };
    if wanted.len() > MOST * graph.target.len() {
        // Large blocks that sketches could not tell apart: masks ask about all their states at once.
        open = wanted;
    } else {
        parallel::in_order(wanted.chunks(SEARCHES), look, gather, poll)?;
    }
    let mut search = pool.take();
    failed.sort_unstable();
    failed.dedup();
    let mut split = false;
    for (i, columns) in failed.chunk_by(|a, b| a.0 == b.0).enumerate() {
        if i.is_multiple_of(SEARCHES) && !poll() {
            return None;
        }
        split |= apart(&mut search, sketches, &mut partition, &mixed, columns);
    }
    if split {
        return Some(Verdict::Split(partition, true));
    }
    if failed.is_empty() && open.is_empty() {
        return Some(Verdict::Stable(partition));
    }
    let mut columns: Vec<(u32, u32)> = failed.iter().map(|&(_, a, goal)| (a, goal)).collect();
    columns.truncate(MANY);
    let mut rounds = Rounds::new(graph, tau, partition, reach);
    let all = rounds.lacking(&open, MANY, &mut columns, poll)? && failed.len() < MANY;
    if columns.is_empty() {
        return Some(Verdict::Stable(rounds.partition()));
    }
    columns.sort_unstable_by_key(|&(label, block)| (block, label));
    columns.dedup();
    Some(Verdict::Split(rounds.run(columns, poll)?, all))
}

/// Split a block by columns of it, as far as searches tell which of its states have them. Whether it
/// was split.
fn apart(
    search: &mut Search,
    sketches: &Weak,
    partition: &mut Partition,
    mixed: &[(u32, u32)],
    columns: &[(u32, u32, u32)],
) -> bool {
    let own = columns[0].0;
    let first = mixed.partition_point(|&(block, _)| block < own);
    let count = mixed[first..].partition_point(|&(block, _)| block == own);
    let states = &mixed[first..first + count];
    // Parts with the same answers so far.
    let mut parts: Vec<Vec<u32>> = vec![states.iter().map(|&(_, state)| state).collect()];
    let mut left = SEARCHES;
    search.begin();
    for &(_, label, goal) in columns {
        let Some(rest) = left.checked_sub(count) else { break };
        left = rest;
        let way = Way { sketches, block: &partition.block, label, goal };
        let mut next = Vec::with_capacity(parts.len());
        let mut unknown = false;
        for part in &parts {
            let (mut with, mut without) = (Vec::new(), Vec::new());
            for &state in part {
                match search.find(state, label, None, &way) {
                    Some(true) => with.push(state),
                    Some(false) => without.push(state),
                    None => unknown = true,
                }
            }
            next.extend([with, without].into_iter().filter(|part| !part.is_empty()));
        }
        if !unknown {
            parts = next;
        }
    }
    // The largest part keeps the number.
    parts.sort_by_key(|part| Reverse(part.len()));
    for part in &parts[1..] {
        for &state in part {
            partition.block[state as usize] = partition.blocks as u32;
        }
        partition.blocks += 1;
    }
    parts.len() > 1
}

/// The states that are not alone in their blocks, with these, in order.
fn mixed(partition: &Partition) -> Vec<(u32, u32)> {
    let Partition { block, blocks } = partition;
    let mut size = vec![0u32; *blocks];
    for &block in block {
        size[block as usize] += 1;
    }
    let mut states: Vec<(u32, u32)> = Vec::new();
    for (state, &block) in (0..).zip(block) {
        if size[block as usize] > 1 {
            states.push((block, state));
        }
    }
    states.sort_unstable();
    states
}

/// What bottom states have not themselves.
fn wanted(
    graph: &Forward,
    tau: u32,
    partition: &Partition,
    mixed: &[(u32, u32)],
    poll: Poll,
) -> Option<Vec<Wanted>> {
    let block = &partition.block;
    let mut wanted = Vec::new();
    // For every state of a block where its transitions end, unless it is no bottom state.
    let mut rows: Vec<(u32, u32, u32)> = Vec::new();
    let mut bottom: Vec<u32> = Vec::new();
    for (i, group) in mixed.chunk_by(|a, b| a.0 == b.0).enumerate() {
        if i.is_multiple_of(SEARCHES) && !poll() {
            return None;
        }
        rows.clear();
        bottom.clear();
        for &(own, state) in group {
            let before = rows.len();
            let steps = graph.rows(state).map(|(a, t)| (block[t as usize], a, state));
            rows.extend(steps);
            if !rows[before..].contains(&(own, tau, state)) {
                bottom.push(state);
            }
        }
        rows.sort_unstable();
        rows.dedup();
        for step in rows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (target, label, _) = step[0];
            if (target, label) == (group[0].0, tau) {
                continue;
            }
            let mut having = step.iter().map(|row| row.2).peekable();
            for &state in &bottom {
                while having.next_if(|&other| other < state).is_some() {}
                if having.peek() != Some(&state) {
                    wanted.push((target, label, state));
                }
            }
        }
    }
    Some(wanted)
}

/// The way to a block with a label.
struct Way<'a> {
    sketches: &'a Weak<'a>,
    block: &'a [u32],
    label: u32,
    goal: u32,
}

impl Guide for Way<'_> {
    fn is_goal(&self, state: u32) -> bool {
        self.block[state as usize] == self.goal
    }

    fn may_reach(&self, state: u32) -> bool {
        self.sketches.may_reach(state, self.goal)
    }

    fn may_offer(&self, state: u32) -> bool {
        self.sketches.may_offer(state, self.label, self.goal)
    }
}
