//! Numbers new states in the order in which they are visited.

use crate::base::cancel::CHECK_EVERY;
use crate::base::ids::Label;
use crate::base::lock::Locked;
use crate::process::chunk::{Chunk, Obstacle};
use crate::process::explore::explorer::Explorer;
use crate::process::explore::statistics::Incomplete;
use crate::process::linear::stop::Stop;
use crate::process::store::NONE;

impl Explorer<'_, '_> {
    /// Numbers the new states in `chunks`, in order, and removes the steps after an obstacle or a
    /// limit from the chunks.
    pub(crate) fn number(&mut self, chunks: &mut Vec<Chunk>) -> Result<(), Stop> {
        for i in 0..chunks.len() {
            if self.incomplete.is_some() {
                chunks.truncate(i);
                break;
            }
            let obstacle = chunks[i].obstacle.take();
            if matches!(obstacle, Some(Obstacle::Failed(_)))
                && let Err(why) = self.check()
            {
                // The steps of the last state may be incomplete.
                chunks[i].forget_last();
                self.number_chunk(&mut chunks[i], false);
                self.incomplete.get_or_insert(why.into());
                continue;
            }
            self.number_chunk(&mut chunks[i], obstacle.is_some());
            if self.incomplete.is_some() {
                continue;
            }
            match obstacle {
                None => {}
                Some(Obstacle::Failed(Stop::Labels(summand))) => {
                    self.incomplete = Some(Incomplete::Labels(summand));
                }
                Some(Obstacle::Failed(Stop::Calls(summand))) => {
                    self.incomplete = Some(Incomplete::Calls(summand));
                }
                Some(Obstacle::Failed(stop)) => return Err(stop),
                Some(Obstacle::Values(summand)) if !self.cap.may_grow() => {
                    self.incomplete = Some(Incomplete::Values(summand));
                }
                Some(Obstacle::Values(_)) => {
                    // The last state is expanded again with a larger cap.
                    self.cap.grow();
                    chunks[i].forget_last();
                    chunks.truncate(i + 1);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Numbers the new states of one chunk; `cut` if the steps of the last state are incomplete.
    fn number_chunk(&mut self, chunk: &mut Chunk, cut: bool) {
        let most = self.options.limits.states.unwrap_or(usize::MAX).min(NONE as usize - 1);
        let actions = self.options.query.actions;
        self.states.complete(chunk);
        self.states.store.fetch(&chunk.roots, &chunk.targets);
        let mut step = 0;
        for (k, state) in (0..).zip(chunk.states.clone()) {
            if state as usize == self.level_end {
                self.statistics.levels += 1;
                self.level_end = self.states.store.len();
            }
            let end = step + chunk.degrees[k] as usize;
            let first = step;
            while step < end {
                if step.is_multiple_of(CHECK_EVERY)
                    && let Err(why) = self.check()
                {
                    self.incomplete = Some(why.into());
                    chunk.truncate(k + 1, step);
                    return;
                }
                if chunk.targets[step] == NONE {
                    let Some(target) = self.target(chunk.roots[step], state, most) else {
                        self.incomplete = Some(Incomplete::States);
                        chunk.truncate(k + 1, step);
                        return;
                    };
                    chunk.targets[step] = target;
                }
                if actions && self.is_enough(state, chunk.labels[step], chunk.targets[step]) {
                    self.incomplete = Some(Incomplete::Enough);
                    chunk.truncate(k + 1, step + 1);
                    return;
                }
                step += 1;
            }
            if cut && k + 1 == chunk.degrees.len() {
                return;
            }
            self.statistics.explored += 1;
            if first == end {
                self.statistics.deadlocks += 1;
                if self.search.as_mut().is_some_and(|search| search.deadlock(state)) {
                    self.incomplete = Some(Incomplete::Enough);
                    chunk.truncate(k + 1, step);
                    return;
                }
            }
        }
    }

    /// The number of the state with this root, the target of a step from `state`; `None` if it
    /// would exceed the limit `most`.
    fn target(&mut self, root: [u32; 2], state: u32, most: usize) -> Option<u32> {
        if self.states.store.len() >= most {
            let known = self.states.store.find(root);
            return (known != NONE).then_some(known);
        }
        let (target, new) = self.states.store.intern(root);
        if new && let Some(search) = &mut self.search {
            search.visit(state);
        }
        Some(target)
    }

    fn is_enough(&mut self, state: u32, label: u32, target: u32) -> bool {
        let Some(search) = &mut self.search else { return false };
        let labels = &self.states.process().labels.labels;
        let callbacks = self.callbacks;
        search.step(state, label, target, || callbacks.locked().is_goal(labels.get(Label(label))))
    }
}
