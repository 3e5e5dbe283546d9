//! Rounds of refinement with a cost proportional to the changes, for signatures that do not depend
//! on each other.

use crate::base::bitset::States;
use crate::base::cancel::{Cancel, Result};
use crate::base::ids::State;
use crate::bisimulation::refine::refiner::{Refiner, report_part};
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
        let mut partition = self.take_partition();
        let mut marked = States::new(partition.map().len());
        let (mut list, mut group, mut items) = (Vec::new(), Vec::new(), Vec::new());
        let mut work = 0;
        loop {
            list.clear();
            signature.affected(&moved, partition.map(), &self.settled, &mut marked, &mut list);
            if list.is_empty() {
                break;
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
                let item = |&s: &State| (partition.of(s), signature.hash(s, partition.map()));
                items.extend(batch.iter().map(item));
                group.extend_from_slice(&self.groups.add_all(&items)[..batch.len()]);
            }
            self.decide();
            if self.is_given_up() {
                break;
            }
            moved.clear();
            if !self.splits.is_empty() {
                self.groups.fill(&list, &group);
                let Self { settled, groups, splits, .. } = self;
                let mut report = |part: &[State], is_new| {
                    report_part(part, is_new, settled, &mut moved);
                };
                for split in splits.iter() {
                    let mut cut = partition.cut(split.block);
                    for &group in &groups.order[split.groups.clone()] {
                        let (id, part) = (groups.id[group as usize], groups.members(group));
                        if split.front == 0 || id != split.front_id {
                            cut.part(part, id);
                            report(part, id != split.block);
                        }
                    }
                    report(cut.rest(split.front_id), split.front_id != split.block);
                }
            }
        }
        self.block = partition.into_map();
        Ok(())
    }
}
