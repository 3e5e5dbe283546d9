//! Rounds of refinement with a cost proportional to the changes, for signatures that do not depend
//! on each other.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::ids::State;
use crate::bisimulation::refine::block_members::{Change, Members};
use crate::bisimulation::refine::refiner::Refiner;
use crate::bisimulation::refine::signature::Local;
use crate::bisimulation::refine::split_groups::BATCH;

impl Refiner {
    /// Rounds with a cost proportional to the changes; `moved` are the states that moved last.
    pub fn lists(
        &mut self,
        signature: &mut impl Local,
        mut moved: Vec<State>,
        cancel: &Cancel,
    ) -> Result<()> {
        signature.begin_lists(&|state| !self.settled.has(state), cancel)?;
        let mut members = Members::new(&self.block, &self.size);
        let mut marked = States::new(self.block.len());
        let (mut list, mut group, mut items) = (Vec::new(), Vec::new(), Vec::new());
        let mut work = 0;
        loop {
            list.clear();
            signature.affected(&moved, &self.block, &self.settled, &mut marked, &mut list);
            if list.is_empty() {
                return Ok(());
            }
            self.moves += moved.len();
            cancel.check_every(&mut work, list.len() + moved.len())?;
            self.groups.clear(list.len());
            group.clear();
            for &state in &list {
                marked.remove(state);
            }
            for batch in list.chunks(BATCH) {
                items.clear();
                let item = |&s: &State| (self.block[s], signature.hash(s, &self.block));
                items.extend(batch.iter().map(item));
                group.extend_from_slice(&self.groups.add_all(&items)[..batch.len()]);
            }
            self.decide();
            if self.is_given_up() {
                return Ok(());
            }
            moved.clear();
            if !self.splits.is_empty() {
                self.groups.fill(&list, &group);
                let Self { block, settled, groups, splits, .. } = self;
                let change = &mut Change { block, settled, moved: &mut moved };
                for split in splits.iter() {
                    let first = members.first(split.block);
                    let mut tail = first + split.total;
                    for &group in &groups.order[split.groups.clone()] {
                        let id = groups.id[group as usize];
                        if split.front == 0 || id != split.front_id {
                            tail = members.part(groups.members(group), tail, id, change);
                        }
                    }
                    members.rest(first, split.front, split.front_id, change);
                }
            }
        }
    }
}
