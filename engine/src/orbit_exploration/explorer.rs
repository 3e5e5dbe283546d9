//! One state of each orbit, explored breadth first.
//!
//! States are explored in batches. Threads find the canonical images of the steps of one batch, and
//! the orbits that were met before; they count steps, and look up those of the next batch. Then what
//! was in no table is found, and orbits are numbered, in order. So the result is the same for any
//! number of threads.

use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::group::permutation::Permutation;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::batch::{Ahead, BATCH, Batch, expand, reach};
use crate::orbit_exploration::canonical_state::{Canonical, Missing, Scratch};
use crate::orbit_exploration::group_on_process::Action;
use crate::orbit_exploration::group_on_process::no_group;
use crate::orbit_exploration::images::{Elements, Image, images};
use crate::orbit_exploration::lifting::Lifting;
use crate::orbit_exploration::lifting::carrier::Carrier;
use crate::orbit_exploration::lifting::symmetry::Generator;
use crate::orbit_exploration::orbit_goals::OrbitSearch;
use crate::orbit_exploration::orbit_table::Orbits;
use crate::orbit_exploration::statistics::{Callbacks, Options, Reduced};
use crate::orbit_exploration::summand_tests::SummandTests;
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Instant;

/// What is known of the steps of a batch: where they lead, and, where no rows are made, how many
/// each orbit has.
struct Found {
    images: Vec<Image>,
    distinct: Vec<u32>,
}

/// An exploration under way.
pub(crate) struct Explorer<'a, 'g> {
    pub(crate) process: &'a mut Process,
    pub(crate) carrier: &'a Carrier,
    pub(crate) generators: &'a mut [Generator],
    pub(crate) action: &'g Action,
    pub(crate) options: &'a Options,
    pub(crate) summand_tests: SummandTests,
    pub(crate) canonical: Canonical<'g>,
    pub(crate) scratch: Scratch,
    pub(crate) orbits: Orbits,
    /// The orbits that may be found.
    pub(crate) most: usize,
    /// Source, label key, shift and target of the quotient's transitions.
    pub(crate) rows: [Vec<u32>; 4],
    /// For every stabiliser the orbits that have it, and their steps.
    pub(crate) uses: Vec<(u64, u64)>,
    pub(crate) stabilising: FxHashMap<u32, Lifting>,
    pub(crate) search: OrbitSearch,
    pub(crate) deadlocks: BigUint,
    pub(crate) host: &'a mut dyn Callbacks,
    pub(crate) begun: Instant,
    pub(crate) incomplete: Option<Incomplete>,
}

impl Explorer<'_, '_> {
    /// Explores until no orbit is new, or something stops it.
    pub(crate) fn run(&mut self) -> Result<(), Stop> {
        let initial = self.process.initial.clone();
        let least = self.least(&initial)?;
        self.number(&least)?;
        if self.most == 0 {
            self.incomplete = Some(Incomplete::States);
            return Ok(());
        }
        // No more values are tried than may give orbits, until that turns out too few.
        let limit = self.options.limits.values;
        let mut cap = limit.min(self.most.saturating_add(1));
        let mut batch = self.expand(0..1, cap)?;
        while !batch.orbits.is_empty() {
            if !self.host.poll(self.orbits.count(), batch.orbits.start as usize) {
                return Err(Stop::Interrupted);
            }
            self.incomplete = self.options.limits.passed(self.begun, || self.orbits.bytes());
            if self.incomplete.is_some() {
                return Ok(());
            }
            let short = batch.short.is_some();
            let from = batch.orbits.end as usize;
            let to = if short {
                from
            } else {
                self.orbits.count().min(from + reach(batch.degrees.len(), batch.labels.len()))
            };
            let (found, mut next) = self.work(&batch, from as u32..to as u32, cap)?;
            let again = short && cap < limit;
            self.incomplete = self.absorb(&batch, found, again)?;
            if self.incomplete.is_some() {
                return Ok(());
            }
            if again {
                cap = cap.saturating_mul(4).min(limit);
                next = self.expand(batch.orbits.end - 1..batch.orbits.end, cap)?;
            } else if let Some(summand) = batch.short {
                self.incomplete = Some(Incomplete::Values(summand));
                return Ok(());
            } else if next.orbits.is_empty() {
                // What this batch was the first to find.
                let to = self.orbits.count().min(from + BATCH);
                next = self.expand(from as u32..to as u32, cap)?;
            }
            batch = next;
        }
        Ok(())
    }

    /// Finds what there is to know of a batch, and the steps of more orbits at the same time.
    fn work(
        &mut self,
        batch: &Batch,
        more: Range<u32>,
        cap: usize,
    ) -> Result<(Found, Batch), Stop> {
        // Steps and images need what is learned: nothing is while threads find some.
        let ahead = Ahead::new(self.states(more.clone())?, more.len());
        let Options { rows, threads, limits, .. } = self.options;
        let pieces = if *rows { 0..0 } else { batch.pieces() };
        let distinct: Vec<Mutex<Vec<u32>>> = pieces.map(|_| Mutex::default()).collect();
        let (process, summand_tests) = (&*self.process, &self.summand_tests);
        let besides = |piece: usize| match distinct.get(piece) {
            Some(distinct) => *distinct.lock().expect("its own") = batch.distinct(piece),
            None => ahead.look_up(piece - distinct.len(), process, summand_tests),
        };
        // A row is also about the element that leads to the image.
        let met = (!rows).then_some((&self.orbits, Elements::Unwanted));
        let images = images(
            &self.canonical,
            met,
            &batch.targets,
            batch.labels.len(),
            *threads,
            (distinct.len() + ahead.pieces(), &besides),
        );
        let distinct = distinct.into_iter().flat_map(|piece| piece.into_inner().expect("done"));
        let found = Found { images, distinct: distinct.collect() };
        let (process, summand_tests) = (&mut *self.process, &mut self.summand_tests);
        let next = ahead.finish(process, summand_tests, more.start, (cap, limits.values))?;
        Ok((found, next))
    }

    fn expand(&mut self, orbits: Range<u32>, cap: usize) -> Result<Batch, Stop> {
        let states = self.states(orbits.clone())?;
        let limit = self.options.limits.values;
        expand(self.process, &mut self.summand_tests, orbits, &states, cap, limit)
    }

    /// The representatives of some orbits, one behind the other: where rows are wanted the members
    /// that were met first, else the canonical images.
    fn states(&mut self, orbits: Range<u32>) -> Result<Vec<Term>, Stop> {
        let mut states = Vec::with_capacity(orbits.len() * self.process.parameters);
        let (mut image, mut first) = (Vec::new(), Vec::new());
        for orbit in orbits {
            self.orbits.image(orbit, &mut image);
            if !self.options.rows {
                states.extend_from_slice(&image);
                continue;
            }
            let element: Permutation = self.orbits.offset(orbit).into();
            loop {
                let scratch = &mut self.scratch;
                match self.canonical.image(&image, &element, scratch, &mut first) {
                    Ok(()) => break,
                    Err(missing) => self.learn(missing)?,
                }
            }
            states.extend_from_slice(&first);
        }
        Ok(states)
    }

    pub(crate) fn learn(&mut self, missing: Missing) -> Result<(), Stop> {
        self.canonical.learn(self.process, self.generators, missing)
    }

    pub(crate) fn least(&mut self, state: &[Term]) -> Result<Least, Stop> {
        loop {
            match self.canonical.find(state, &mut self.scratch) {
                Ok(least) => return Ok(least),
                Err(missing) => self.learn(missing)?,
            }
        }
    }

    /// The orbit that a step of a batch leads to, and the shift of the transition.
    fn target(&mut self, image: Image, target: &[Term]) -> Result<(u32, u32), Stop> {
        match image {
            Image::Met(orbit, _) => Ok((orbit, 0)),
            Image::Least(least, _) if self.options.rows => self.number(&least),
            Image::Least(least, mut view) => {
                Ok((self.orbits.place_looked_up(&least, &mut view).map_err(no_group)?, 0))
            }
            Image::Missing => {
                let least = self.least(target)?;
                self.number(&least)
            }
        }
    }

    /// The orbit of a state, and the shift of a transition to it.
    fn number(&mut self, least: &Least) -> Result<(u32, u32), Stop> {
        if self.options.rows {
            self.orbits.find(least).map_err(no_group)
        } else {
            Ok((self.orbits.place(least).map_err(no_group)?, 0))
        }
    }

    /// Numbers the orbits that a batch leads to, and keeps its transitions, but those of the last
    /// state if that is looked at `again`. Says why nothing more is to be explored, if so.
    fn absorb(
        &mut self,
        batch: &Batch,
        found: Found,
        again: bool,
    ) -> Result<Option<Incomplete>, Stop> {
        let width = self.process.parameters;
        let Found { images, distinct } = found;
        let mut images = images.into_iter().enumerate();
        let mut seen = FxHashSet::default();
        for (place, (orbit, &degree)) in batch.orbits.clone().zip(&batch.degrees).enumerate() {
            seen.clear();
            for (at, image) in images.by_ref().take(degree as usize) {
                let target = &batch.targets[at * width..(at + 1) * width];
                let (target, shift) = self.target(image, target)?;
                if self.orbits.count() > self.most {
                    return Ok(Some(Incomplete::States));
                }
                self.search.met(target, orbit);
                let Self { search, process, generators, host, .. } = self;
                let is_wanted = &mut |label: &[u8]| host.is_wanted(label);
                if search.step(process, generators, orbit, batch.labels[at], is_wanted)? {
                    return Ok(Some(Incomplete::Found));
                }
                if self.options.rows && !(again && orbit + 1 == batch.orbits.end) {
                    self.keep(orbit, batch.labels[at], shift, target, &mut seen)?;
                }
            }
            if again && orbit + 1 == batch.orbits.end {
                continue;
            }
            let distinct = distinct.get(place).map_or(seen.len() as u64, |&count| count.into());
            let stabiliser = self.orbits.stabiliser[orbit as usize] as usize;
            if degree == 0 {
                let own = self.orbits.stabilisers.list[stabiliser].order();
                self.deadlocks += self.action.group.order() / own;
                if self.search.deadlock(orbit) {
                    return Ok(Some(Incomplete::Found));
                }
            }
            if self.uses.len() <= stabiliser {
                self.uses.resize(stabiliser + 1, (0, 0));
            }
            self.uses[stabiliser].0 += 1;
            self.uses[stabiliser].1 += distinct;
        }
        Ok(None)
    }

    /// Keeps a transition, if it is the first of its orbit under the stabiliser of its source.
    fn keep(
        &mut self,
        source: u32,
        step: u32,
        shift: u32,
        target: u32,
        seen: &mut FxHashSet<(u32, u32, u32)>,
    ) -> Result<(), Stop> {
        let text = self.process.labels.texts[step as usize];
        if !seen.insert((text, shift, target)) {
            return Ok(());
        }
        for (column, value) in self.rows.iter_mut().zip([source, step, shift, target]) {
            column.push(value);
        }
        let fixing = self.orbits.fixing(source);
        if fixing.is_empty() {
            return Ok(());
        }
        let mut waiting = vec![(step, shift)];
        while let Some((step, shift)) = waiting.pop() {
            for &fixing in &fixing {
                let lifting = self.stabilising.entry(fixing).or_insert_with(|| {
                    self.action.lifting(self.carrier, self.orbits.elements.get(fixing))
                });
                let image = lifting.label(self.process, step)?;
                let moved = self.orbits.moved(fixing, shift, target);
                if seen.insert((self.process.labels.texts[image as usize], moved, target)) {
                    waiting.push((image, moved));
                }
            }
        }
        Ok(())
    }

    /// Brings the numbers up to date.
    pub(crate) fn statistics(&self, reduced: &mut Reduced) {
        reduced.incomplete = self.incomplete;
        let statistics = &mut reduced.statistics;
        statistics.deadlocks = self.deadlocks.clone();
        statistics.orbits = self.orbits.count();
        statistics.store = self.orbits.bytes();
        for (stabiliser, &(orbits, steps)) in self.orbits.stabilisers.list.iter().zip(&self.uses) {
            let index = &reduced.order / stabiliser.order();
            statistics.steps += steps;
            statistics.states += &index * orbits;
            statistics.transitions += index * steps;
        }
    }
}
