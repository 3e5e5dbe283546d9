//! The graph of a process, with steps computed on request by a path search or a game, without a
//! group.
//!
//! Chunks of states are computed as in `process::explore`, by the same `find`, `complete`, `absorb`
//! and `reshape` of `process::states::States`. The loops around these differ. Here states are
//! requested in any order, steps are stored, and an obstacle other than too many values of a sum is
//! returned as an error. There states are expanded in the order of their numbers, transitions are
//! handed over to the caller, and exceeded limits on labels and calls end the exploration with a
//! partial result.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::label_table::Labels;
use crate::check::data_formula::{Coded, DataFormula};
use crate::check::fair_paths::FairPathSearch;
use crate::check::fair_paths::automaton_states::AutomatonFormula;
use crate::check::fair_paths::graph::{Graph, Step};
use crate::check::fair_paths::lassos::Lasso;
use crate::check::fair_paths::no_path::NoPath;
use crate::check::on_the_fly::evidence::Evidence;
use crate::check::on_the_fly::known_steps::KnownSteps;
use crate::check::on_the_fly::question::Question;
use crate::check::on_the_fly::replay::{Path, PathNode};
use crate::orbits::statistics::{Callbacks, OrbitOptions};
use crate::orbits::traces::not_replayed;
use crate::process::chunk::{Chunk, Obstacle};
use crate::process::explore::Incomplete;
use crate::process::explore::statistics::Cap;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::process::states::States;
use crate::process::store::Store;
use std::ops::Range;

/// The number of consecutive states expanded together for each thread; if there are several, they
/// take them in ranges, `CHUNKS` for each.
const TOGETHER: u32 = 512;
const CHUNKS: u32 = 4;

/// The states found, and the steps of those requested.
pub(crate) struct StateGraph<'a> {
    states: States<'a>,
    options: &'a OrbitOptions,
    question: &'a Question,
    pub callbacks: &'a mut dyn Callbacks,
    known: KnownSteps,
    /// The labels of the process, which are here while no steps are computed: a search reads them
    /// without the lock of the evaluator.
    labels: Labels,
    /// Chunks to be reused.
    spare: Vec<Chunk>,
    cap: Cap,
    pub incomplete: Option<Incomplete>,
    /// The state whose steps were cut off by a limit, if any.
    cut: Option<u32>,
}

impl<'a> StateGraph<'a> {
    pub fn new(
        process: &'a mut Process,
        options: &'a OrbitOptions,
        question: &'a Question,
        callbacks: &'a mut dyn Callbacks,
    ) -> Self {
        let (mut states, initial) = States::new(process);
        states.store.intern_vector(&initial);
        let mut graph = Self {
            states,
            options,
            question,
            callbacks,
            known: KnownSteps::new(),
            labels: Labels::default(),
            spare: Vec::new(),
            cap: options.limits.cap(),
            incomplete: None,
            cut: None,
        };
        graph.exchange_labels();
        graph
    }

    /// Moves the labels from the process to this graph, or back.
    fn exchange_labels(&mut self) {
        std::mem::swap(&mut self.labels, &mut self.states.process().labels.labels);
    }

    /// The number of states with known steps.
    pub fn explored(&self) -> usize {
        self.known.explored()
    }

    /// Bytes used by the states and their steps.
    pub fn bytes(&self) -> usize {
        let (states, tables) = self.states.bytes();
        states + tables + self.known.bytes()
    }

    /// The number of threads that compute steps. With several, the numbering of labels depends on
    /// timing; this is visible in evidence only, for which one thread is used.
    fn threads(&self) -> usize {
        if self.question.evidence.is_some() { 1 } else { self.options.threads }
    }

    /// Reports progress and checks the limits; returns whether to go on.
    fn is_within_limits(&mut self) -> Result<bool, Stop> {
        self.callbacks.progress(self.states.store.len(), self.explored());
        let bytes = self.bytes();
        self.look(bytes)?;
        Ok(self.incomplete.is_none())
    }

    /// Checks the limits, given the bytes used.
    pub fn look(&mut self, bytes: usize) -> Result<(), Stop> {
        self.cancel().check()?;
        let passed = self.options.limits.passed(self.options.begun, || bytes);
        self.incomplete = self.incomplete.or(passed);
        Ok(())
    }

    pub fn cancel(&mut self) -> &Cancel {
        &self.states.process().data.cancel
    }

    /// Stores the steps of the first `count` states of a chunk.
    fn keep(&mut self, chunk: &Chunk, count: usize) -> Result<(), Stop> {
        let cancel = self.cancel().clone();
        let mut step = 0;
        for (state, &degree) in chunk.states.clone().zip(&chunk.degrees[..count]) {
            for at in step..step + degree as usize {
                cancel.check_at(at)?;
                let target = match chunk.targets[at] {
                    NONE => self.states.store.intern(chunk.roots[at]).0,
                    known => known,
                };
                self.known.push(chunk.labels[at], target);
            }
            step += degree as usize;
            self.known.close(state)?;
        }
        Ok(())
    }

    /// Like `expand_some`, which needs the labels in the process.
    fn expand_run(&mut self, states: Range<u32>) -> Result<(usize, Option<Obstacle>), Stop> {
        self.exchange_labels();
        let result = self.expand_some(states);
        self.exchange_labels();
        result
    }

    /// Computes the steps of consecutive states up to the first obstacle; returns how many are
    /// complete, and the obstacle.
    fn expand_some(&mut self, states: Range<u32>) -> Result<(usize, Option<Obstacle>), Stop> {
        let threads = self.threads();
        let length = if threads == 1 { TOGETHER } else { TOGETHER / CHUNKS };
        let ranges = states.clone().step_by(length as usize);
        let ranges: Vec<_> = ranges.map(|at| at..states.end.min(at + length)).collect();
        let others = if ranges.len() == 1 { 0 } else { threads - 1 };
        let chunks = self.states.find(&ranges, self.cap.now, others, &mut self.spare);
        let (mut whole, mut obstacle) = (0, None);
        for mut chunk in chunks {
            if obstacle.is_none() {
                self.states.complete(&mut chunk);
                self.states.store.fetch(&chunk.roots, &chunk.targets);
                obstacle = chunk.obstacle.take();
                let mut count = chunk.degrees.len() - usize::from(obstacle.is_some());
                whole += count;
                if matches!(obstacle, Some(Obstacle::Values(_))) && !self.cap.may_grow() {
                    self.cut = Some(states.start + u32::at(whole));
                    count += 1;
                }
                self.keep(&chunk, count)?;
            }
            self.spare.push(chunk);
        }
        self.states.absorb();
        // No root from before this point is used again.
        self.states.reshape();
        Ok((whole, obstacle))
    }
}

impl Drop for StateGraph<'_> {
    fn drop(&mut self) {
        // If computing steps panicked, as with too many terms, the labels are in the process, and
        // the lock may be poisoned.
        if let Ok(evaluator) = self.states.evaluator.get_mut() {
            let labels = &mut evaluator.process.labels.labels;
            if labels.is_empty() {
                std::mem::swap(&mut self.labels, labels);
            }
        }
    }
}

impl Graph for StateGraph<'_> {
    fn initial(&self) -> (u32, u32) {
        (0, 0)
    }

    fn states(&self) -> usize {
        self.known.states()
    }

    fn is_known(&self, state: u32) -> bool {
        self.known.has(state)
    }

    fn is_whole(&self, state: u32) -> bool {
        self.cut != Some(state)
    }

    fn expand(&mut self, states: &[u32]) -> Result<(), Stop> {
        let most = self.options.limits.states.unwrap_or(usize::MAX);
        let states = &states[..states.len().min(most.saturating_sub(self.explored()))];
        if states.is_empty() {
            self.incomplete = Some(Incomplete::States);
            return Ok(());
        }
        let mut at = 0;
        while at < states.len() {
            if !self.is_within_limits()? {
                return Ok(());
            }
            // Consecutive states are handled together.
            let first = states[at];
            let most = TOGETHER * u32::at(self.threads());
            let run = states[at..].iter().zip(first..first.saturating_add(most));
            let run = u32::at(run.take_while(|&(&state, next)| state == next).count());
            let (whole, obstacle) = self.expand_run(first..first + run)?;
            self.cancel().check()?;
            at += whole;
            match obstacle {
                None => {}
                Some(Obstacle::Failed(stop)) => return Err(stop),
                Some(Obstacle::Values(_)) if self.cap.may_grow() => self.cap.grow(),
                Some(Obstacle::Values(summand)) => {
                    self.incomplete = Some(Incomplete::Values(summand));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn steps(&self, state: u32) -> Range<usize> {
        self.known.of(state)
    }

    fn step(&self, at: usize) -> Step {
        Step { label: self.known.labels[at], target: self.known.targets[at], element: 0 }
    }

    fn labels(&self) -> &Labels {
        &self.labels
    }

    fn has_group(&self) -> bool {
        false
    }

    fn moved<F: DataFormula>(&mut self, _: &mut Coded<F>, part: u32, _: u32) -> Result<u32, Stop> {
        Ok(part)
    }

    fn may_continue(&mut self, nodes: usize) -> Result<bool, Stop> {
        self.is_within_limits()?;
        if nodes > self.question.most {
            self.incomplete.get_or_insert(Incomplete::Enough);
        }
        Ok(self.incomplete.is_none())
    }

    fn close(&mut self) {
        self.states.store = Store::new(self.states.store.positions());
    }
}

impl<F: AutomatonFormula> FairPathSearch<'_, F, StateGraph<'_>> {
    /// The path that `lasso` represents, checked again; `None` if it has more than `most` steps.
    pub(crate) fn walked(
        &mut self,
        lasso: &Lasso,
        root: u32,
        most: usize,
    ) -> Result<Option<Evidence>, NoPath> {
        let mut path = Path::default();
        let (mut state, mut control) = (0, self.automaton.state_of(root)?);
        for next in 0..=lasso.steps.len() {
            let is_last = next == lasso.steps.len();
            if let (true, Some(_)) = (is_last, lasso.again) {
                break;
            }
            let labels = self.automaton.labels_of(state, self.graph);
            path.nodes.push(PathNode { state: path.states.intern(&[state]).0, labels, control });
            if path.nodes.len() > most {
                return Ok(None);
            }
            if !is_last {
                let edge = lasso.steps[next];
                let step = self.graph.step(edge.at as usize);
                path.labels.push(step.label);
                (state, control) = (step.target, edge.to);
            }
        }
        path.again = lasso.again;
        let back = lasso.again.map(|again| (&path.nodes[again], path.states.find(&[state])));
        if back.is_some_and(|(node, end)| end != Some(node.state) || control != node.control)
            || !path.is_fair(&mut self.automaton, self.graph)?
        {
            return Err(not_replayed().into());
        }
        Ok(Some(path.evidence()))
    }
}
