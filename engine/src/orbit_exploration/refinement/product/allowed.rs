//! What the specification does not allow of what pairs can do.

use crate::base::ids::State;
use crate::orbit_exploration::batch::Batch;
use crate::orbit_exploration::refinement::alphabet::Meaning;
use crate::orbit_exploration::refinement::product::{Pairs, Product, Violation};

impl Product<'_, '_> {
    /// The pairs that steps of `batch` lead to, and what is not allowed; `nodes` are those of its
    /// states.
    pub(crate) fn allowed(&mut self, orbits: Vec<u32>, nodes: &[u32], batch: &Batch) -> Pairs {
        self.alphabet.extend(self.system.process, self.specification);
        let width = self.system.process.parameters;
        let normal = &self.specification.normal;
        let mut pairs = Pairs { orbits, short: batch.short, ..Pairs::default() };
        let mut steps = batch.texts.iter().enumerate();
        let mut offered = Vec::new();
        for (place, (&degree, &node)) in batch.degrees.iter().zip(nodes).enumerate() {
            let node = State(node);
            let before = pairs.silent.len();
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
                pairs.silent.push(meaning == Meaning::Internal);
                pairs.targets.extend_from_slice(&batch.targets[step * width..][..width]);
                pairs.targets.push(after.0);
            }
            pairs.degrees.push((pairs.silent.len() - before) as u32);
            offered.sort_unstable();
            offered.dedup();
            let is_whole = batch.short.is_none() || place + 1 < batch.degrees.len();
            if is_stable && is_whole && !normal.allows_offer(node, &offered) {
                pairs.violations.push((place, Violation::Refusal));
            } else if !is_allowed {
                pairs.violations.push((place, Violation::Step));
            }
        }
        pairs
    }
}
