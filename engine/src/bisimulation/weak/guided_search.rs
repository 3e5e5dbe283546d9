//! Searches for single weak transitions, which visit few states and may give up.
//!
//! Sketches of the reachable states guide them: most searches end at their first state.
//!
//! With nine internal steps in ten and 900,000 transitions, searches for obligations save a third
//! of the time of weak bisimulation, and searches for implied transitions three fifths; on a chain
//! with few internal shortcuts the former cost half as much again. Measured in November 2026.

use crate::base::cancel::{Cancel, Result};
use crate::base::csr::Forward;
use crate::base::hash::quick;
use crate::base::ids::Id;
use crate::base::ids::as_index;
use crate::base::ids::{Label, State};
use crate::base::parallel;
use crate::bisimulation::weak::reach_bits::COLUMNS;
use std::ops::Range;

/// The most transitions that a search visits before it gives up.
const BUDGET: usize = if cfg!(test) { 6 } else { 1 << 12 };

/// The bounds of the average number of transitions per search: the largest, and the smallest for
/// which searching is worth it.
const PACE: usize = if cfg!(test) { 4 } else { 64 };
const SLOW: usize = if cfg!(test) { 1 } else { 8 };

/// The transitions that masks process in the time in which a search visits one.
const FASTER: usize = if cfg!(test) { 1 } else { 16 };

/// Up to this many transitions, linear search is faster than binary search.
const FEW: usize = if cfg!(test) { 2 } else { 16 };

/// Slots for the states visited by a search: at least twice as many as these.
const SLOTS: usize = (2 * BUDGET).next_power_of_two();

/// The average number of transitions that a search may visit, so that `questions` searches about
/// `columns` columns take no longer than propagating masks through `transitions` transitions per
/// batch of columns. `None` if searching is not worth it.
pub fn pace(questions: usize, columns: usize, transitions: usize) -> Option<usize> {
    let passed = transitions.saturating_mul(columns.div_ceil(COLUMNS));
    let pace = passed / FASTER / questions.max(1);
    (pace >= SLOW).then_some(pace.min(PACE))
}

/// One chunk in this many is searched first, to see whether searches succeed.
const SAMPLE: usize = if cfg!(test) { 2 } else { 16 };

/// Do the searches of all chunks, a sample first. If most searches of the sample fail, `work` gets
/// `true` for the other chunks: their searches are futile. `gather` takes a result of `work` and
/// returns the number of failed searches and of all.
pub fn in_samples<P: Sync, T: Send>(
    chunks: &[P],
    work: impl Fn(&P, bool) -> T + Sync,
    mut gather: impl FnMut(T) -> [usize; 2],
    cancel: &Cancel,
) -> Result<()> {
    let (mut open, mut all) = (0, 0);
    for sample in [true, false] {
        let futile = open > all / 2;
        let work = |(_, chunk): (usize, &P)| work(chunk, futile);
        let gather = |result: T| {
            let [left, searches] = gather(result);
            open += left;
            all += searches;
        };
        let chunks = chunks.iter().enumerate().filter(|(i, _)| i.is_multiple_of(SAMPLE) == sample);
        parallel::in_order(chunks, work, gather, cancel)?;
    }
    Ok(())
}

/// A guide of a search. It may overestimate what is reachable, but must not underestimate it.
pub trait Guide {
    /// Whether a state is a goal.
    fn is_goal(&self, state: State) -> bool;

    /// Whether internal steps may lead from a state to a goal.
    fn may_reach(&self, state: State) -> bool;

    /// Whether a step with the label, between internal steps, may lead from a state to a goal.
    fn may_offer(&self, state: State) -> bool;
}

/// A graph from [`crate::bisimulation::weak::topological_order::by_smallest`], and where the
/// visible transitions of each state begin.
pub struct Steps<'a> {
    graph: &'a Forward<'a>,
    tau: Label,
    visible: Vec<u32>,
}

impl<'a> Steps<'a> {
    /// The steps of a graph.
    pub fn new(graph: &'a Forward<'a>, tau: Label) -> Self {
        let first = |state: State| {
            let transitions = graph.range(state);
            let internal =
                graph.label[transitions.clone()].iter().take_while(|&&a| a == tau).count();
            u32::at(transitions.start + internal)
        };
        Self { graph, tau, visible: graph.each_state().map(first).collect() }
    }

    /// The internal transitions of a state.
    fn internal(&self, state: State) -> Range<usize> {
        self.graph.starts[state] as usize..self.visible[state] as usize
    }

    /// The transitions of a state with a visible label.
    fn labelled(&self, state: State, label: Label) -> Range<usize> {
        let start = self.visible[state] as usize;
        let labels = &self.graph.label[start..self.graph.starts[state.index() + 1] as usize];
        let key = |a: Label| a.0.wrapping_sub(self.tau.0);
        let (first, end);
        if labels.len() <= FEW {
            first = labels.iter().take_while(|&&a| key(a) < key(label)).count();
            end = first + labels[first..].iter().take_while(|&&a| a == label).count();
        } else {
            first = labels.partition_point(|&a| key(a) < key(label));
            end = labels.partition_point(|&a| key(a) <= key(label));
        }
        start + first..start + end
    }
}

/// A sequence of searches in one graph.
pub struct GuidedSearch<'a> {
    steps: &'a Steps<'a>,
    /// The stack: twice the state, plus one if the label occurred before it.
    waiting: Vec<u32>,
    /// The visited entries (open addressing); the upper half is the number of the search.
    visited: Vec<u64>,
    searches: u32,
    /// The average number of transitions per search, and the number that previous searches left
    /// unused.
    pace: usize,
    spare: usize,
}

impl<'a> GuidedSearch<'a> {
    /// Scratch memory for searches.
    pub fn new(steps: &'a Steps<'a>) -> Self {
        Self { steps, waiting: Vec::new(), visited: vec![0; SLOTS], searches: 0, pace: 0, spare: 0 }
    }

    /// Begin a chunk of work, whose results do not depend on previous searches. Its searches visit
    /// `pace` transitions on average, plus once the maximum of a single search.
    pub fn begin(&mut self, pace: usize) {
        (self.pace, self.spare) = (pace, BUDGET);
    }

    /// Whether a state has a weak transition with a label to a goal that does not begin with
    /// the transition `without`; `None` if the search gave up.
    pub fn find(
        &mut self,
        state: State,
        label: Label,
        without: Option<usize>,
        guide: &impl Guide,
    ) -> Option<bool> {
        self.searches = self.searches.checked_add(1).unwrap_or_else(|| {
            self.visited.fill(0);
            1
        });
        self.waiting.clear();
        self.waiting.push(state.0 << 1 | u32::from(label == self.steps.tau));
        let allowed = BUDGET.min(self.spare + self.pace);
        let mut left = allowed;
        let outcome = self.look(&mut left, label, without, guide);
        // A search that gave up has used its whole allowance.
        let used = if outcome.is_none() { allowed } else { allowed - left };
        self.spare = self.spare + self.pace - used;
        outcome
    }

    /// Continue from the stack, through at most `left` transitions.
    fn look(
        &mut self,
        left: &mut usize,
        label: Label,
        without: Option<usize>,
        guide: &impl Guide,
    ) -> Option<bool> {
        while let Some(next) = self.waiting.pop() {
            let (state, behind) = (State(next >> 1), next & 1 == 1);
            let internal = self.steps.internal(state);
            let labelled = if behind { 0..0 } else { self.steps.labelled(state, label) };
            *left = left.checked_sub(internal.len() + labelled.len())?;
            let steps = internal
                .map(|transition| (transition, behind))
                .chain(labelled.map(|transition| (transition, true)));
            for (transition, after) in steps {
                let target = self.steps.graph.target[transition];
                if Some(transition) == without {
                    continue;
                }
                if after && guide.is_goal(target) {
                    return Some(true);
                }
                let may = if after { guide.may_reach(target) } else { guide.may_offer(target) };
                if may && self.visit(target.0 << 1 | u32::from(after)) {
                    self.waiting.push(target.0 << 1 | u32::from(after));
                }
            }
        }
        Some(false)
    }

    /// Mark an entry as visited by the current search; false if it was already.
    fn visit(&mut self, key: u32) -> bool {
        let entry = u64::from(self.searches) << 32 | u64::from(key);
        let mut slot = as_index(quick(key.into(), 0)) & (SLOTS - 1);
        loop {
            if self.visited[slot] == entry {
                return false;
            }
            if (self.visited[slot] >> 32) as u32 != self.searches {
                self.visited[slot] = entry;
                return true;
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
    }
}
