//! Comparison of the steps of pairs with what the specification allows.

use crate::base::ids::Id;
use crate::base::ids::State;
use crate::orbits::batch::Batch;
use crate::orbits::orbit_table::Orbits;
use crate::orbits::refinement::alphabet::Meaning;
use crate::orbits::refinement::product::{Pairs, Violation};

impl Pairs<'_> {
    /// Replaces the steps of a batch by the allowed ones, with target pairs, and records
    /// violations.
    pub(super) fn allow(&mut self, orbits: &mut Orbits, batch: &mut Batch) {
        let width = orbits.width() - 1;
        let normal = &self.specification.normal;
        let mut allowed = Batch { short: batch.short, ..Batch::at(batch.positions.start) };
        allowed.positions.end = batch.positions.end;
        let mut steps = batch.texts.iter().enumerate();
        let (mut offered, mut pair) = (Vec::new(), Vec::new());
        for (position, &degree) in batch.positions.clone().zip(&batch.degrees) {
            orbits.image(self.queue[position as usize], &mut pair);
            let node = State(pair[width]);
            let before = allowed.texts.len();
            let (mut is_stable, mut is_allowed) = (true, true);
            offered.clear();
            for (step, &text) in steps.by_ref().take(degree as usize) {
                let meaning = self.alphabet.meaning(text);
                let after = match meaning {
                    Meaning::Internal => Some(node),
                    Meaning::Known(label) => {
                        offered.push(label);
                        normal.after(node, label)
                    }
                    Meaning::Foreign => None,
                };
                is_stable &= meaning != Meaning::Internal;
                let Some(after) = after else {
                    is_allowed = false;
                    continue;
                };
                allowed.labels.push(batch.labels[step]);
                allowed.texts.push(text);
                allowed.targets.extend_from_slice(&batch.targets[step * width..][..width]);
                allowed.targets.push(after.0);
            }
            allowed.degrees.push(u32::at(allowed.texts.len() - before));
            offered.sort_unstable();
            offered.dedup();
            let is_whole = batch.short.is_none() || position + 1 < batch.positions.end;
            if is_stable && is_whole && !normal.allows_offer(node, &offered) {
                self.violations.push_back((position, Violation::Refusal));
            } else if !is_allowed {
                self.violations.push_back((position, Violation::Step));
            }
        }
        *batch = allowed;
    }
}
