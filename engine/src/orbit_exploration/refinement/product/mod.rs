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
use crate::group::canonical_image::Least;
use crate::lpe::explore::Incomplete;
use crate::lpe::explore::statistics::Cap;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::batch::{Ahead, reach};
use crate::orbit_exploration::canonical_state::{Canonical, Scratch};
use crate::orbit_exploration::group_on_process::no_group;
use crate::orbit_exploration::images::Images;
use crate::orbit_exploration::lifting::symmetry::Generator;
use crate::orbit_exploration::orbit_table::Orbits;
use crate::orbit_exploration::refinement::alphabet::{Alphabet, Specification};
use crate::orbit_exploration::statistics::{Callbacks, Options};
use crate::orbit_exploration::summand_tests::SummandTests;
use crate::preorder::failures::Model;
use std::ops::Range;
use std::time::Instant;

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
    pub process: &'a mut Process,
    pub generators: &'a mut [Generator],
    pub specification: &'a Specification,
    pub options: &'a Options,
    pub summand_tests: SummandTests,
    pub canonical: Canonical<'g>,
    pub scratch: Scratch,
    /// Images that were numbered.
    pub spare: Images,
    pub orbits: Orbits,
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
    /// Values of a sum to try: not more than may give orbits, until that turns out too few.
    cap: Cap,
    /// The first step that is not allowed: what else is found at this level has a shorter trace.
    pending: Option<Goal>,
    pub goal: Option<Goal>,
    pub incomplete: Option<Incomplete>,
    begun: Instant,
}

impl<'a, 'g> Product<'a, 'g> {
    pub fn new(
        process: &'a mut Process,
        generators: &'a mut [Generator],
        specification: &'a Specification,
        options: &'a Options,
        summand_tests: SummandTests,
        canonical: Canonical<'g>,
        begun: Instant,
    ) -> Self {
        let most = options.limits.states.unwrap_or(usize::MAX);
        Self {
            cap: Cap::new(most.saturating_add(1), options.limits.values),
            orbits: Orbits::new(process.parameters + 1, canonical.points()),
            process,
            generators,
            specification,
            options,
            summand_tests,
            canonical,
            scratch: Scratch::default(),
            spare: Images::default(),
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
            incomplete: None,
            begun,
        }
    }

    /// Explores until something is found that is not allowed, or everything is seen.
    pub fn run(&mut self, host: &mut dyn Callbacks) -> Result<(), Stop> {
        let start = self.start();
        let least = self.least(&start)?;
        let orbit = self.orbits.place(&least).map_err(no_group)?;
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
                self.incomplete = Some(Incomplete::Found);
            }
            if self.incomplete.is_some() {
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
        self.process.initial.iter().copied().chain([node.0]).collect()
    }

    fn explore_level(&mut self, host: &mut dyn Callbacks) -> Result<(), Stop> {
        let mut at = 0;
        let mut pairs = Pairs::default();
        loop {
            if !host.poll(self.orbits.count(), self.explored) {
                return Err(Stop::Interrupted);
            }
            self.incomplete = self.options.limits.passed(self.begun, || self.orbits.bytes());
            if self.incomplete.is_some() {
                return Ok(());
            }
            let next = self.work(&pairs, &mut at)?;
            if let Some(summand) = pairs.short {
                self.incomplete = Some(Incomplete::Values(summand));
            }
            if self.goal.is_some() || self.incomplete.is_some() {
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
        let width = self.process.parameters;
        let normal = &self.specification.normal;
        let (mut orbits, mut places) = (Vec::new(), Vec::new());
        let (mut states, mut nodes, mut pair) = (Vec::new(), Vec::new(), Vec::new());
        let most = reach(pairs.degrees.len(), pairs.silent.len());
        for (place, &orbit) in (*at..).zip(&self.queue[*at..]) {
            if orbits.len() == most {
                break;
            }
            self.orbits.image(orbit, &mut pair);
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
        let (process, summand_tests) = (&*self.process, &self.summand_tests);
        let look_up = |piece: usize| ahead.look_up(piece, process, summand_tests);
        let (count, threads) = (pairs.silent.len(), self.options.threads);
        let spare = std::mem::take(&mut self.spare);
        let (mut found, ()) =
            Images::find(&self.canonical, &pairs.targets, count, threads, spare, || ());
        let met = Some(&self.orbits);
        found.look_up(met, threads, (ahead.pieces(), &look_up));
        let batch = ahead.finish(self.process, &mut self.summand_tests, 0, self.cap.now)?;
        // There may have been too many steps for all of them.
        *at = match places.get(batch.orbits.len()) {
            Some(&place) => place,
            None if orbits.len() == most => places[most - 1] + 1,
            None => self.queue.len(),
        };
        orbits.truncate(batch.orbits.len());
        let mut next = self.allowed(orbits, &nodes, &batch);
        if next.short.is_some() && self.cap.may_grow() {
            // What was found so far may reach another limit; if not, the last pair comes once more.
            self.cap.grow();
            next.short = None;
            *at = places[batch.orbits.len() - 1];
        }
        self.absorb(pairs, &mut found)?;
        self.spare = found;
        Ok(next)
    }

    /// Numbers the orbits that pairs lead to, given by their canonical images.
    fn absorb(&mut self, pairs: &Pairs, images: &mut Images) -> Result<(), Stop> {
        let width = self.process.parameters + 1;
        let model = self.specification.normal.model;
        let mut violations = pairs.violations.iter().peekable();
        images.complete(|at| self.least(&pairs.targets[at * width..(at + 1) * width]))?;
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
                let (target, _) = images.next(&mut self.orbits).map_err(no_group)?;
                self.meet(target, orbit, pairs.silent[at]);
                if self.incomplete.is_some() {
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
            if self.orbits.count() > self.options.limits.states.unwrap_or(u32::MAX as usize - 1) {
                self.incomplete = Some(Incomplete::States);
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

    pub fn least(&mut self, pair: &[Term]) -> Result<Least, Stop> {
        let Self { canonical, process, generators, scratch, .. } = self;
        canonical.learn_least(process, generators, pair, scratch)
    }
}
