//! The orbits of pairs of a state of a process and the node of a specification that the same trace
//! leads to, explored breadth first.
//!
//! The group acts on both sides of a pair at once, so that it is the pair that is represented, never
//! state and node each by itself: what moves one to its representative need not be what moves the other.
//!
//! Steps that are no part of a trace lead to pairs of the same level. So pairs come in the order of
//! the lengths of the shortest traces that lead there, and the first thing that the specification does
//! not allow comes with a shortest one.
//!
//! Here is the exploration, level by level; `allowed` compares what a state does with what the node
//! allows, `endless` finds internal steps without end.

pub mod allowed;
pub mod endless;

use crate::base::ids::State;
use crate::data::terms::Term;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::batch::{Ahead, reach};
use crate::orbit_exploration::images::Images;
use crate::orbit_exploration::refinement::alphabet::{Alphabet, Specification};
use crate::orbit_exploration::statistics::Callbacks;
use crate::orbit_exploration::symmetric_process::SymmetricProcess;
use crate::preorder::failures::Model;
use std::ops::Range;

/// What is not allowed, in states of this orbit of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Goal {
    pub orbit: u32,
    pub what: Violation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Violation {
    /// A step.
    Step,
    /// A stable state offers too little.
    Refusal,
    /// Internal steps without end.
    Divergence,
}

/// How an orbit was met: from where, at which level, and whether by a step that is part of a trace.
#[derive(Clone, Copy)]
struct Meeting {
    parent: u32,
    level: u32,
    silent: bool,
}

/// What some pairs can do.
#[derive(Default)]
pub(crate) struct Pairs {
    orbits: Vec<u32>,
    /// How many steps each has that are allowed.
    degrees: Vec<u32>,
    /// For each such step whether it is no part of a trace.
    silent: Vec<bool>,
    /// The pairs that these lead to, one behind the other.
    targets: Vec<Term>,
    /// What is not allowed, by place in `orbits`, in this order.
    violations: Vec<(usize, Violation)>,
    /// A sum of this summand has too many values in the last of them.
    short: Option<usize>,
}

/// An exploration under way.
pub(crate) struct Product<'a, 'g> {
    pub system: SymmetricProcess<'a, 'g>,
    pub specification: &'a Specification,
    pub alphabet: Alphabet,
    meetings: Vec<Meeting>,
    level: u32,
    /// The orbits of this level, and those of the next; some of these may turn out to be of this one.
    queue: Vec<u32>,
    next: Vec<u32>,
    /// The internal steps between orbits of this level, if divergence counts.
    silent: Vec<(u32, u32)>,
    pub explored: usize,
    /// Whether there are pairs that were not explored since everything is allowed there.
    pub spared: bool,
    /// The first step that is not allowed: what else is found at this level has a shorter trace.
    pending: Option<Goal>,
    pub goal: Option<Goal>,
}

impl<'a, 'g> Product<'a, 'g> {
    pub fn new(system: SymmetricProcess<'a, 'g>, specification: &'a Specification) -> Self {
        Self {
            system,
            specification,
            alphabet: Alphabet::default(),
            meetings: Vec::new(),
            level: 0,
            queue: Vec::new(),
            next: Vec::new(),
            silent: Vec::new(),
            explored: 0,
            spared: false,
            pending: None,
            goal: None,
        }
    }

    /// Explores until something is found that is not allowed, or everything is seen.
    pub fn run(&mut self, host: &mut dyn Callbacks) -> Result<(), Stop> {
        let start = self.start();
        let least = self.system.least(&start)?;
        let orbit = self.system.place(&least)?;
        self.meetings.push(Meeting { parent: orbit, level: 0, silent: true });
        self.queue.push(orbit);
        while !self.queue.is_empty() {
            self.explore_level(host)?;
            if self.goal.is_none()
                && let Some(orbit) = self.endless().first()
            {
                self.goal = Some(Goal { orbit: *orbit, what: Violation::Divergence });
            }
            self.goal = self.goal.or(self.pending);
            if self.goal.is_some() {
                self.system.incomplete = Some(Incomplete::Found);
            }
            if self.system.incomplete.is_some() {
                return Ok(());
            }
            self.level += 1;
            self.silent.clear();
            self.queue.clear();
            let (meetings, level) = (&self.meetings, self.level);
            let next = self.next.drain(..);
            self.queue.extend(next.filter(|&orbit| meetings[orbit as usize].level == level));
        }
        Ok(())
    }

    /// The initial pair.
    pub fn start(&self) -> Vec<Term> {
        let node = self.specification.normal.initial();
        self.system.process.initial.iter().copied().chain([node.0]).collect()
    }

    fn explore_level(&mut self, host: &mut dyn Callbacks) -> Result<(), Stop> {
        let mut at = 0;
        let mut pairs = Pairs::default();
        loop {
            let bytes = self.system.orbits.bytes();
            if !self.system.goes_on(host, self.explored, bytes)? {
                return Ok(());
            }
            let next = self.work(&pairs, &mut at)?;
            if let Some(summand) = pairs.short {
                self.system.incomplete = Some(Incomplete::Values(summand));
            }
            if self.goal.is_some() || self.system.incomplete.is_some() {
                return Ok(());
            }
            if next.orbits.is_empty() && at >= self.queue.len() {
                return Ok(());
            }
            pairs = next;
        }
    }

    /// Numbers what `pairs` lead to, and finds at the same time what the pairs can do that stand in
    /// the queue from `at`, which is put behind them.
    fn work(&mut self, pairs: &Pairs, at: &mut usize) -> Result<Pairs, Stop> {
        let width = self.system.process.parameters;
        let normal = &self.specification.normal;
        let (mut orbits, mut places) = (Vec::new(), Vec::new());
        let (mut states, mut nodes, mut pair) = (Vec::new(), Vec::new(), Vec::new());
        let most = reach(pairs.degrees.len(), pairs.silent.len());
        for (place, &orbit) in (*at..).zip(&self.queue[*at..]) {
            if orbits.len() == most {
                break;
            }
            self.system.orbits.image(orbit, &mut pair);
            // After a divergence everything is allowed.
            if !normal.is_chaos(State(pair[width])) {
                orbits.push(orbit);
                places.push(place);
                states.extend_from_slice(&pair[..width]);
                nodes.push(pair[width]);
            } else {
                self.spared = true;
            }
        }
        let read = |places: Range<usize>, some: &mut Vec<Term>| {
            some.extend_from_slice(&states[places.start * width..places.end * width]);
        };
        let ahead = Ahead::new(orbits.len(), &read);
        let mut found = self.system.images(&pairs.targets, pairs.silent.len());
        let SymmetricProcess { process, summand_tests, orbits: met, options, cap, .. } =
            &mut self.system;
        let (known, tests) = (&**process, &*summand_tests);
        let look_up = |piece: usize| ahead.look_up(piece, known, tests);
        found.look_up(Some(met), options.threads, (ahead.pieces(), &look_up));
        let batch = ahead.finish(process, summand_tests, 0, cap.now)?;
        // There may have been too many steps for all of them.
        *at = match places.get(batch.orbits.len()) {
            Some(&place) => place,
            None if orbits.len() == most => places[most - 1] + 1,
            None => self.queue.len(),
        };
        orbits.truncate(batch.orbits.len());
        let mut next = self.allowed(orbits, &nodes, &batch);
        if next.short.is_some() && self.system.cap.may_grow() {
            // What was found so far may reach another limit; if not, the last pair comes once more.
            self.system.cap.grow();
            next.short = None;
            *at = places[batch.orbits.len() - 1];
        }
        self.absorb(pairs, &mut found)?;
        self.system.spare = found;
        Ok(next)
    }

    /// Numbers the orbits that pairs lead to, given by their canonical images.
    fn absorb(&mut self, pairs: &Pairs, images: &mut Images) -> Result<(), Stop> {
        let model = self.specification.normal.model;
        let mut violations = pairs.violations.iter().peekable();
        self.system.complete(images, &pairs.targets)?;
        let (mut images, mut steps) = (images.placing(), 0..pairs.silent.len());
        for (place, (&orbit, &degree)) in pairs.orbits.iter().zip(&pairs.degrees).enumerate() {
            self.explored += 1;
            if let Some(&(_, what)) = violations.next_if(|&&(at, _)| at == place) {
                let goal = Some(Goal { orbit, what });
                if model.is_of_traces() || what == Violation::Refusal {
                    self.goal = goal;
                    return Ok(());
                }
                self.pending = self.pending.or(goal);
            }
            for at in steps.by_ref().take(degree as usize) {
                let (target, _) =
                    images.next(&mut self.system.orbits, &self.system.process.data.cancel)?;
                self.meet(target, orbit, pairs.silent[at]);
                if self.system.incomplete.is_some() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Notes that a step leads from an orbit of this level to another.
    fn meet(&mut self, orbit: u32, parent: u32, silent: bool) {
        let level = self.level + u32::from(!silent);
        let meeting = Meeting { parent, level, silent };
        if orbit as usize == self.meetings.len() {
            self.meetings.push(meeting);
            if silent { &mut self.queue } else { &mut self.next }.push(orbit);
            if self.system.orbits.count()
                > self.system.options.limits.states.unwrap_or(u32::MAX as usize - 1)
            {
                self.system.incomplete = Some(Incomplete::States);
            }
        } else if level < self.meetings[orbit as usize].level {
            self.meetings[orbit as usize] = meeting;
            self.queue.push(orbit);
        }
        let diverges = silent && self.specification.normal.model == Model::FailuresDivergences;
        if diverges && level == self.meetings[orbit as usize].level {
            self.silent.push((parent, orbit));
        }
    }

    /// The orbits on the shortest way to one, the initial one first, each with whether the step to it
    /// is no part of the trace.
    pub fn path(&self, orbit: u32) -> Vec<(u32, bool)> {
        let mut path = Vec::new();
        let mut at = orbit;
        while at != 0 {
            let Meeting { parent, silent, .. } = self.meetings[at as usize];
            path.push((at, silent));
            at = parent;
        }
        path.push((0, true));
        path.reverse();
        path
    }
}
