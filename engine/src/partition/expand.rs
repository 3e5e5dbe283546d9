//! The first superstep of a level: computes the steps of its states, and batches of targets for
//! their owners.

use crate::base::ids::Id;
use crate::base::spill::Spillable;
use crate::partition::generation::{LEVEL, NUMBERS, Partition, STATES, TABLES};
use crate::partition::supersteps::{Expanded, Failure, OPEN};
use crate::partition::wire::{put_bytes, put_longs, put_words};
use crate::process::chunk::Obstacle;
use crate::process::store::NONE;

/// States that are expanded at once.
const TOGETHER: u32 = 512;
impl Partition<'_> {
    /// Expands the states of the level: those not expanded yet with numbers below `until`. Returns
    /// statistics, and for every partition a batch of the targets that it owns: new nodes, root
    /// pairs, keys.
    pub fn expand(&mut self, until: u64) -> Result<(Expanded, Vec<Vec<u8>>), Failure> {
        self.read_back(&[STATES, NUMBERS, TABLES, LEVEL])?;
        let mut expanded = Expanded::default();
        let level = &mut self.level;
        level.states.end = u32::at(self.numbers.below(until));
        let own = level.states.start as usize..level.states.end as usize;
        level.sources = own.map(|state| self.numbers.at(state)).collect();
        level.owned = vec![Vec::new(); self.options.partitions];
        let mut next = self.level.states.start;
        while next < self.level.states.end {
            let end = self.level.states.end.min(next.saturating_add(TOGETHER));
            self.steps(next..end);
            let mut obstacle = self.chunk.obstacle.take();
            if let Err(why) = self.process().data.cancel.check() {
                obstacle = Some(Obstacle::Failed(why.into()));
            }
            if let Some(Obstacle::Values(_)) = obstacle
                && self.options.cap.may_grow()
                && !self.is_enough()
            {
                // Expand the last state again, with a larger cap on values.
                self.options.cap.grow();
                self.chunk.forget_last();
                next = self.chunk.states.end;
                self.take(false, &mut expanded);
                continue;
            }
            next = self.chunk.states.end;
            self.take(obstacle.is_some(), &mut expanded);
            if let Some(obstacle) = obstacle {
                let last = self.numbers.at(next as usize - 1);
                // A term without a value ends the exploration; for other obstacles the steps found
                // before are valid.
                expanded.obstacle = Some(((last, NONE), obstacle));
                break;
            }
        }
        let batches = (0..self.options.partitions).map(|owner| self.batch(owner)).collect();
        self.level.visited_count = self.level.visited.roots.len();
        self.level.visited.clear();
        // Other states need other results, and shared ones are in the tables.
        self.process().data.memo.forget();
        self.states.evaluator().drop_garbage();
        Ok((expanded, batches))
    }

    /// Whether the last state of the chunk alone leads to too many states, so that some of them
    /// must be beyond the limit.
    fn is_enough(&self) -> bool {
        let degree = self.chunk.degrees.last().map_or(0, |&degree| degree as usize);
        let mut targets = self.chunk.roots[self.chunk.roots.len() - degree..].to_vec();
        targets.sort_unstable();
        targets.dedup();
        targets.len() > self.most.saturating_mul(2)
    }

    /// Adds the steps of the chunk to the level; `cut` if steps of the last state are missing.
    fn take(&mut self, cut: bool, expanded: &mut Expanded) {
        let Self { chunk, level, numbers, states, hashes, options, labels, distinct, .. } = self;
        let mut from = 0;
        for (k, (state, &degree)) in chunk.states.clone().zip(&chunk.degrees).enumerate() {
            let source = numbers.at(state as usize);
            let to = from + degree as usize;
            let (own, roots) = (&chunk.labels[from..to], &chunk.roots[from..to]);
            let before = level.labels.len();
            distinct.each(own, roots, |i| {
                let (label, key) = (own[i], (source, u32::at(i)));
                if labels.is_new(label) {
                    expanded.labels.push((label, key));
                }
                let target = match chunk.targets[from + i] {
                    NONE => {
                        let (position, new) = level.visited.visit(roots[i], key);
                        if new {
                            let owner = hashes.owner(&states.store, roots[i], options.partitions);
                            level.owned[owner].push(position);
                        }
                        OPEN | u64::from(position)
                    }
                    known => numbers.at(known as usize),
                };
                level.indices.push(key.1);
                level.labels.push(label);
                level.targets.push(target);
            });
            level.degrees.push(u32::at(level.labels.len() - before));
            let is_dead = degree == 0 && !(cut && k + 1 == chunk.degrees.len());
            if is_dead && expanded.deadlocks.len() < options.deadlocks {
                expanded.deadlocks.push(source);
            }
            from = to;
        }
    }

    fn batch(&mut self, owner: usize) -> Vec<u8> {
        let level = &self.level;
        let mut batch = Vec::new();
        let positions = &level.owned[owner];
        let partner = &mut self.partners[owner];
        if owner != self.options.index {
            let (store, evaluator) = self.states.split();
            let [left, right] = store.root_children();
            for &position in positions {
                let root = level.visited.roots[position as usize];
                partner.send(store, evaluator, left, root[0]);
                partner.send(store, evaluator, right, root[1]);
            }
        }
        put_bytes(&mut batch, &partner.news());
        for side in 0..2 {
            let roots =
                positions.iter().map(|&position| level.visited.roots[position as usize][side]);
            put_words(&mut batch, roots);
        }
        let keys = || positions.iter().map(|&position| level.visited.keys[position as usize]);
        put_longs(&mut batch, keys().map(|(source, _)| source));
        put_words(&mut batch, keys().map(|(_, index)| index));
        batch
    }
}
