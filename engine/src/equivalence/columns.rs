//! Partition refinement modulo weak bisimulation, exactly: by columns.
//!
//! States of one block that differ in a column, a weak transition to a block, are not weakly
//! bisimilar. A round splits all blocks by the columns of the blocks that changed in the round before;
//! when none is left the partition is stable for all columns that were tried. This is what
//! remains to be done where the sketches of [`super::weak`] tell nothing apart any more: sets of
//! blocks that grow along a chain of internal steps have all the same sketch in the end.

use super::Poll;
use super::bits::Bits;
use super::forward::Forward;
use super::groups::Groups;
use super::members::{Change, Members};
use super::reach::{COLUMNS, Mask, Reach};
use super::refine::Partition;

/// A round with more columns than this is left to sketches.
const MANY: usize = 8 * COLUMNS;

/// A partition that is split by columns.
pub struct Rounds {
    reach: Reach,
    block: Vec<u32>,
    size: Vec<u32>,
    members: Members,
    /// The labels that occur, and the internal one.
    labels: Vec<u32>,
    settled: Bits,
    groups: Groups,
    /// Blocks with new members or fewer.
    changed: Vec<u32>,
}

impl Rounds {
    /// A partition of the states of a graph whose internal steps lead to smaller states.
    pub fn new(graph: &Forward, tau: u32, partition: Partition) -> Self {
        let Partition { block, blocks } = partition;
        let mut size = vec![0; blocks];
        for &b in &block {
            size[b as usize] += 1;
        }
        let mut occurs = Bits::default();
        occurs.add(tau);
        for &label in graph.label.iter() {
            occurs.add(label);
        }
        Self {
            reach: Reach::new(graph, tau),
            members: Members::new(&block, &size),
            settled: Bits::new(block.len()),
            block,
            size,
            labels: occurs.iter().collect(),
            groups: Groups::default(),
            changed: Vec::new(),
        }
    }

    /// Split by columns (label, block), and then by what that changes.
    pub fn run(mut self, mut columns: Vec<(u32, u32)>, poll: Poll) -> Option<Partition> {
        while !columns.is_empty() {
            for columns in columns.chunks(COLUMNS) {
                if !poll() {
                    return None;
                }
                self.split(columns);
            }
            columns.clear();
            if self.changed.len() * self.labels.len() <= MANY {
                self.changed.sort_unstable();
                self.changed.dedup();
                for &block in &self.changed {
                    columns.extend(self.labels.iter().map(|&label| (label, block)));
                }
            }
            self.changed.clear();
        }
        Some(Partition { blocks: self.size.len(), block: self.block })
    }

    /// Split all blocks by which of these columns a state has.
    fn split(&mut self, columns: &[(u32, u32)]) {
        let mut entered: Vec<(u32, Mask)> = Vec::new();
        for (i, &(_, target)) in columns.iter().enumerate() {
            match entered.last_mut() {
                Some((last, mask)) if *last == target => *mask = mask.or(Mask::one(i)),
                _ => entered.push((target, Mask::one(i))),
            }
        }
        let members = &self.members;
        let seeds = entered.iter().flat_map(|&(block, mask)| {
            members.of(block, self.size[block as usize]).iter().map(move |&state| (state, mask))
        });
        self.reach.run(columns.iter().map(|column| column.0), seeds);
        // States without any of the columns are in no group: they are what remains of their blocks.
        let (mut list, mut group) = (Vec::new(), Vec::new());
        self.groups.clear(0);
        for (state, mask) in self.reach.having() {
            let block = self.block[state as usize];
            if self.size[block as usize] > 1 {
                list.push(state);
                group.push(self.groups.add(block, mask.hash()));
            }
        }
        self.groups.sort(self.size.len(), false);
        self.groups.fill(&list, &group);
        let mut moved = Vec::new();
        let groups = &self.groups;
        for run in
            groups.order.chunk_by(|&a, &b| groups.block[a as usize] == groups.block[b as usize])
        {
            let block = groups.block[run[0] as usize];
            let total = self.size[block as usize];
            let counts = run.iter().map(|&group| groups.count[group as usize]);
            let rest = total - counts.clone().sum::<u32>();
            if rest == 0 && run.len() == 1 {
                continue;
            }
            // The largest part keeps the number.
            let largest = counts.max().unwrap_or(0).max(rest);
            let mut kept = false;
            let mut number = |count: u32, size: &mut Vec<u32>| {
                let id = if count == largest && !kept { block } else { size.len() as u32 };
                if id == block {
                    kept = true;
                    size[block as usize] = count;
                } else {
                    size.push(count);
                }
                self.changed.push(id);
                id
            };
            let change = &mut Change {
                block: &mut self.block,
                settled: &mut self.settled,
                moved: &mut moved,
            };
            let first = self.members.first(block);
            let mut tail = first + total;
            for &group in run {
                let id = number(groups.count[group as usize], &mut self.size);
                tail = self.members.part(groups.members(group), tail, id, change);
            }
            if rest > 0 {
                let id = number(rest, &mut self.size);
                self.members.rest(first, rest, id, change);
            }
        }
    }
}
