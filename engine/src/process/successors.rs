//! Computes the steps of a chunk of states. Shared tables are only read, so that several threads
//! can process a chunk each; new states are numbered later, in order.
//!
//! A summand that may have steps in a state is a *task*. The tasks of a block of states are
//! processed summand by summand: first their keys and steps are looked up, later the targets of the
//! steps. In between, steps that are in no table are computed in the order of the states, so that
//! obstacles occur in that order.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::base::lock::Locked;
use crate::process::chunk::{Chunk, Obstacle};
use crate::process::evaluator::Evaluator;
use crate::process::keys::{LookupScratch, TableKeys};
use crate::process::linear::stop::Stop;
use crate::process::plan::{Plan, Steps};
use crate::process::step_tables::UNDEFINED;
use crate::process::store::memo_table::FREE;
use crate::process::store::{Block, Changes, NONE, Path, Store};
use crate::process::tables::Tables;
use crate::process::tasks::{StepLocation, Tasks};
use std::ops::Range;
use std::sync::Mutex;

/// The largest number of states in a block.
const TOGETHER: usize = 512;
/// The approximate number of steps whose targets are looked up at a time.
const STEPS: usize = 4096;

/// The memory and counters that a thread reuses from chunk to chunk.
#[derive(Default)]
pub struct Scratch {
    block: Block,
    spare: LookupScratch,
    /// The number of lookups of the steps of each summand.
    lookups: Vec<u64>,
    tasks: Tasks,
    /// Tasks whose steps are in no table.
    missing: Vec<u32>,
    /// The current tasks, each with whether some value it needs cannot be computed; `at` has their
    /// states.
    list: Vec<(u32, bool)>,
    at: Vec<u32>,
    values: Vec<u32>,
    keys: Vec<u32>,
    /// The keys of missing steps; `steps` has the steps computed for them.
    missing_keys: Vec<u32>,
    steps: Vec<u32>,
    computed: Vec<u32>,
    view: Vec<u32>,
    updates: Vec<u32>,
    changes: Changes,
    /// The positions in the chunk of the steps in `changes`; `roots` has their root pairs.
    positions: Vec<u32>,
    roots: Vec<[u32; 2]>,
}

impl Scratch {
    /// No lookups yet.
    pub fn new(tables: &Tables) -> Self {
        let spare = LookupScratch::new(tables);
        let summands = tables.plan.steps.len();
        Self { spare, lookups: vec![0; summands], ..Self::default() }
    }

    /// The number of lookups of the steps of summand `i`.
    pub fn step_lookups(&self, i: u32) -> u64 {
        self.lookups[i as usize]
    }

    /// The number of lookups of a derived value.
    pub fn derived_lookups(&self, number: u32) -> u64 {
        self.spare.lookups[number as usize]
    }
}

/// A thread's access to the shared tables and store, with its scratch memory.
pub struct Expander<'a, 'p> {
    table_keys: TableKeys<'a, 'p>,
    store: &'a Store,
    paths: &'a [Path],
    cancel: &'a Cancel,
    pub scratch: Scratch,
}

impl<'a, 'p> Expander<'a, 'p> {
    /// `paths` has the path of the positions written by each summand.
    pub fn new(
        tables: &'a Tables,
        store: &'a Store,
        evaluator: &'a Mutex<Evaluator<'p>>,
        paths: &'a [Path],
        cancel: &'a Cancel,
        scratch: Scratch,
    ) -> Self {
        Self { table_keys: TableKeys { tables, evaluator }, store, paths, cancel, scratch }
    }

    /// Computes the steps of `states`, up to the first obstacle. At most `cap` values of a sum are
    /// tried. If the work is cancelled, the cancellation is the obstacle of the first state.
    pub fn expand(&mut self, states: Range<u32>, cap: usize, chunk: &mut Chunk) {
        if let Err(why) = self.expand_blocks(states.clone(), cap, chunk) {
            chunk.begin(states.start);
            chunk.states.end += 1;
            chunk.degrees.push(0);
            chunk.obstacle = Some(Obstacle::Failed(why.into()));
        }
    }

    fn expand_blocks(&mut self, states: Range<u32>, cap: usize, chunk: &mut Chunk) -> Result<()> {
        chunk.begin(states.start);
        for start in states.clone().step_by(TOGETHER) {
            let end = states.end.min(start.saturating_add(u32::at(TOGETHER)));
            self.block(start..end, cap, chunk)?;
            if chunk.obstacle.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn block(&mut self, states: Range<u32>, cap: usize, chunk: &mut Chunk) -> Result<()> {
        self.cancel.check()?;
        self.store.read(states.clone(), &mut self.scratch.block);
        let Scratch { block, tasks, missing, missing_keys, .. } = &mut self.scratch;
        tasks.find(&self.table_keys.tables.candidates, block, states.len());
        missing.clear();
        missing_keys.clear();
        let groups = 0..tasks.groups();
        for group in groups.clone() {
            self.cancel.check()?;
            self.look_up(group);
        }
        let mut obstacle = self.compute(cap);
        let end = obstacle.as_ref().map_or(NONE, |&(task, _)| task);
        let undefined = groups.clone().filter_map(|group| self.derive(group, end)).min();
        if let Some(task) = undefined {
            obstacle = Some((task, Obstacle::Failed(self.no_value(task, cap))));
        }
        self.lay_out(states, obstacle.as_ref(), chunk);
        chunk.obstacle = obstacle.map(|(_, obstacle)| obstacle);
        let start = chunk.targets.len();
        for group in groups {
            self.follow(group, chunk)?;
        }
        self.store.find_many(&chunk.roots[start..], &mut chunk.targets);
        Ok(())
    }

    /// Looks up the steps of the tasks of one summand.
    fn look_up(&mut self, group: usize) {
        let Scratch {
            block,
            spare,
            lookups,
            tasks,
            missing,
            list,
            at,
            values,
            keys,
            missing_keys,
            ..
        } = &mut self.scratch;
        let summand = tasks.summand(group);
        let (tasks, numbers) = tasks.group_of(group);
        let tables = self.table_keys.tables;
        let plan = &tables.plan.steps[summand];
        let table = tables.steps(summand);
        list.clear();
        at.clear();
        for &number in numbers {
            let task = &tasks[number as usize];
            list.push((number, task.is_undecided));
            at.push(task.at);
        }
        for &guard in &plan.guards {
            self.table_keys.derived(guard, block, at, spare, values);
            let mut left = 0;
            for (k, &value) in values.iter().enumerate() {
                // Entries that fail the guard are overwritten by the next.
                list[left] = (list[k].0, list[k].1 | (value == UNDEFINED));
                at[left] = at[k];
                left += usize::from(value != 0);
            }
            list.truncate(left);
            at.truncate(left);
        }
        self.table_keys.keys(&plan.inputs, block, at, spare, keys);
        for column in keys.chunks_exact(at.len().max(1)) {
            for (entry, &word) in list.iter_mut().zip(column) {
                entry.1 |= word == UNDEFINED;
            }
        }
        lookups[summand] += at.len() as u64;
        table.memo.find_many(keys, at.len(), values);
        for (k, (&entry, &(number, is_undecided))) in values.iter().zip(&*list).enumerate() {
            let task = &mut tasks[number as usize];
            if entry != FREE && !is_undecided {
                task.count = table.count(entry);
                task.location = StepLocation::Entry(entry);
                continue;
            }
            task.location = StepLocation::Missing(NONE);
            if table.grows && !is_undecided {
                task.location = StepLocation::Missing(u32::at(missing_keys.len()));
                missing_keys.extend(keys.iter().skip(k).step_by(at.len()));
            }
            missing.push(number);
        }
    }

    /// Computes the steps of tasks that are in no table, up to the first obstacle.
    fn compute(&mut self, cap: usize) -> Option<(u32, Obstacle)> {
        let Scratch { block, tasks, missing, missing_keys, steps, computed, view, .. } =
            &mut self.scratch;
        let tables = self.table_keys.tables;
        steps.clear();
        missing.sort_unstable();
        for &number in &*missing {
            let task = &mut tasks.all[number as usize];
            let StepLocation::Missing(key) = task.location else { continue };
            let summand = task.summand as usize;
            let plan = &tables.plan.steps[summand];
            let key = (key != NONE).then(|| {
                let start = key as usize;
                &missing_keys[start..start + plan.inputs.len()]
            });
            view.clear();
            block.view(task.at, view);
            let mut evaluator = self.table_keys.evaluator.locked();
            match evaluator.steps(&tables.plan, summand, key, view, cap, computed) {
                Err(stop) => return Some((number, Obstacle::Failed(stop))),
                Ok(complete) => {
                    task.location = StepLocation::Own(u32::at(steps.len()));
                    task.count = u32::at(computed.len() / (1 + plan.writes.len()));
                    steps.extend_from_slice(computed);
                    if !complete {
                        return Some((number, Obstacle::Values(summand)));
                    }
                }
            }
        }
        None
    }

    /// Computes the derived new values for the tasks of one summand that have steps, up to task
    /// `last`. Returns the first of these tasks with a value that cannot be computed.
    fn derive(&mut self, group: usize, last: u32) -> Option<u32> {
        let Scratch { block, spare, tasks, list, at, values, updates, .. } = &mut self.scratch;
        let derived = &self.table_keys.tables.plan.steps[tasks.summand(group)].derived;
        let (tasks, numbers) = tasks.group_of(group);
        if group == 0 {
            updates.clear();
        }
        if derived.is_empty() {
            return None;
        }
        list.clear();
        at.clear();
        for &number in numbers {
            let task = &mut tasks[number as usize];
            if number <= last && task.count > 0 {
                task.updates = u32::at(updates.len() + list.len() * derived.len());
                list.push((number, false));
                at.push(task.at);
            }
        }
        if list.is_empty() {
            return None;
        }
        let start = updates.len();
        updates.resize(start + list.len() * derived.len(), 0);
        let mut first = None;
        for (j, &(_, number)) in derived.iter().enumerate() {
            self.table_keys.derived(number, block, at, spare, values);
            let own = updates[start + j..].iter_mut().step_by(derived.len());
            for (update, &value) in own.zip(&*values) {
                *update = value;
            }
            // Derived values are the same for all steps of a task.
            let undefined = values.iter().position(|&value| value == UNDEFINED).map(|k| list[k].0);
            first = first.into_iter().chain(undefined).min();
        }
        first
    }

    /// The error for a task with a new value that does not reduce to a value.
    #[cold]
    fn no_value(&mut self, number: u32, cap: usize) -> Stop {
        let Scratch { block, tasks, computed, view, .. } = &mut self.scratch;
        let task = &mut tasks.all[number as usize];
        task.count = 0;
        view.clear();
        block.view(task.at, view);
        let i = task.summand as usize;
        let plan = &self.table_keys.tables.plan;
        let mut evaluator = self.table_keys.evaluator.locked();
        match evaluator.steps(plan, i, None, view, cap, computed) {
            Err(stop) => stop,
            // Rewriting ended this time, because of results left by the first attempt.
            Ok(_) => {
                let message = "evaluation was given up once, at the limit of rewrite steps".into();
                Stop::Steps(message, Some(i))
            }
        }
    }

    /// Assigns each step its position in the chunk. The steps of tasks after the obstacle get no
    /// position.
    fn lay_out(
        &mut self,
        states: Range<u32>,
        obstacle: Option<&(u32, Obstacle)>,
        chunk: &mut Chunk,
    ) {
        let tasks = &mut self.scratch.tasks.all;
        let mut known = states.len();
        if let Some(&(last, _)) = obstacle {
            known = tasks[last as usize].at as usize + 1;
            for task in &mut tasks[last as usize + 1..] {
                task.count = 0;
            }
        }
        let first = chunk.degrees.len();
        chunk.degrees.resize(first + known, 0);
        let mut next = u32::at(chunk.labels.len());
        for task in tasks {
            if task.count > 0 {
                task.first = next;
                next += task.count;
                chunk.degrees[first + task.at as usize] += task.count;
            }
        }
        chunk.states.end = states.start + u32::at(known);
        chunk.labels.resize(next as usize, 0);
        chunk.roots.resize(next as usize, [NONE; 2]);
    }

    /// Sets the labels and roots of the steps of one summand.
    fn follow(&mut self, group: usize, chunk: &mut Chunk) -> Result<()> {
        let mut start = 0;
        while let Some(end) = self.follow_some(group, start, chunk) {
            self.cancel.check()?;
            start = end;
        }
        Ok(())
    }

    /// Sets the labels and roots for some tasks of the group, from `start` on; returns the position
    /// in the group of the first task that is not done, unless all are.
    fn follow_some(&mut self, group: usize, start: usize, chunk: &mut Chunk) -> Option<usize> {
        let Scratch { block, tasks, steps, updates, changes, positions, roots, .. } =
            &mut self.scratch;
        let summand = tasks.summand(group);
        let (tasks, numbers) = tasks.group_of(group);
        let tables = self.table_keys.tables;
        let plan = &tables.plan.steps[summand];
        let table = tables.steps(summand);
        changes.begin(self.store.nodes());
        positions.clear();
        let mut end = start;
        let width = table.width;
        while end < numbers.len() && positions.len() < STEPS {
            let task = &tasks[numbers[end] as usize];
            end += 1;
            if task.count == 0 {
                continue;
            }
            let steps = match task.location {
                StepLocation::Entry(entry) => table.steps(entry),
                StepLocation::Own(start) => &steps[start as usize..][..task.count as usize * width],
                StepLocation::Nothing | StepLocation::Missing(_) => continue,
            };
            for (position, step) in (task.first..).zip(steps.chunks_exact(width)) {
                positions.push(position);
                changes.from.push(task.at);
                chunk.labels[position as usize] = step[0];
                for (&(at, _), &value) in plan.writes.iter().zip(&step[1..]) {
                    changes.change(at).push(value);
                }
                let derived = &updates[task.updates as usize..];
                for (&(at, _), &value) in plan.derived.iter().zip(derived) {
                    changes.change(at).push(value);
                }
            }
        }
        roots.clear();
        let path = &self.paths[summand];
        self.store.targets(path, block, changes, roots);
        for (k, (&position, &root)) in positions.iter().zip(&*roots).enumerate() {
            chunk.roots[position as usize] = root;
            if root.contains(&NONE) {
                chunk.roots[position as usize] = [NONE, u32::at(chunk.unknown.len())];
                chunk.unknown.push((u32::at(summand), u32::at(chunk.below.len())));
                changes.siblings(path, block, k, &mut chunk.below);
            }
        }
        (end < numbers.len()).then_some(end)
    }
}

/// For every summand the inner nodes of the store that change with the positions it writes.
pub fn paths(plan: &Plan, store: &Store) -> Vec<Path> {
    let path = |steps: &Steps| {
        let positions = steps.writes.iter().chain(&steps.derived).map(|&(at, _)| at);
        store.path(&positions.collect::<Vec<_>>())
    };
    plan.steps.iter().map(path).collect()
}
