//! Partition refinement modulo weak bisimulation, exactly: by columns.
//!
//! States of one block that differ in a column, a weak transition to a block, are not weakly
//! bisimilar. A round splits all blocks by the columns of the blocks that changed in the round before;
//! when none is left the partition is stable for all columns that were tried. This is what
//! remains to be done where the sketches of [`super::saturated`] tell nothing apart any more, and a
//! search for a single weak transition takes too long.

use super::Poll;
use super::bits::Bits;
use super::forward::Forward;
use super::groups::Groups;
use super::members::{Change, Members};
use super::reach::{COLUMNS, Mask, Reach};
use super::refine::Partition;
use super::stable::Wanted;

/// A round with more columns than this is left to sketches.
const MANY: usize = 8 * COLUMNS;

/// A partition that is split by columns.
pub struct Rounds<'a> {
    reach: &'a mut Reach,
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

impl<'a> Rounds<'a> {
    /// A partition of the states of a graph whose internal steps lead to smaller states, for which
    /// there may be masks.
    pub fn new(
        graph: &Forward,
        tau: u32,
        partition: Partition,
        reach: &'a mut Option<Reach>,
    ) -> Self {
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
            reach: reach.get_or_insert_with(|| Reach::new(graph, tau)),
            members: Members::new(&block, &size),
            settled: Bits::new(block.len()),
            block,
            size,
            labels: occurs.iter().collect(),
            groups: Groups::default(),
            changed: Vec::new(),
        }
    }

    /// The partition as it is.
    pub fn partition(self) -> Partition {
        Partition { blocks: self.size.len(), block: self.block }
    }

    /// Find the columns that one of the states lacks that want them, which come by column, and add
    /// them to `failed` while these are fewer than `many`; whether none was left out.
    pub fn lacking(
        &mut self,
        wanted: &[Wanted],
        many: usize,
        failed: &mut Vec<(u32, u32)>,
        poll: Poll,
    ) -> Option<bool> {
        let groups: Vec<&[Wanted]> = wanted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).collect();
        for groups in groups.chunks(COLUMNS) {
            if failed.len() >= many {
                return Some(false);
            }
            if !poll() {
                return None;
            }
            let columns: Vec<(u32, u32)> =
                groups.iter().map(|group| (group[0].1, group[0].0)).collect();
            self.reach(&columns);
            for (i, group) in groups.iter().enumerate() {
                if group.iter().any(|want| !self.reach.weak(want.2).has(i)) {
                    failed.push(columns[i]);
                }
            }
        }
        Some(true)
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
        Some(self.partition())
    }

    /// Split all blocks by which of these columns a state has.
    fn split(&mut self, columns: &[(u32, u32)]) {
        self.reach(columns);
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
        self.part(&list, &group);
    }

    /// Compute the masks of columns.
    fn reach(&mut self, columns: &[(u32, u32)]) {
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
    }

    /// Split the blocks of the states in `list` by their groups and what is in none.
    fn part(&mut self, list: &[u32], group: &[u32]) {
        self.groups.sort(self.size.len(), false);
        self.groups.fill(list, group);
        let mut moved = Vec::new();
        let groups = &self.groups;
        for run in groups
            .order
            .chunk_by(|&a, &b| groups.list[a as usize].block == groups.list[b as usize].block)
        {
            let block = groups.list[run[0] as usize].block;
            let total = self.size[block as usize];
            let counts = run.iter().map(|&group| groups.list[group as usize].count);
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
                let id = number(groups.list[group as usize].count, &mut self.size);
                tail = self.members.part(groups.members(group), tail, id, change);
            }
            if rest > 0 {
                let id = number(rest, &mut self.size);
                self.members.rest(first, rest, id, change);
            }
        }
    }
}
