//! One state of each orbit, explored breadth first.
//!
//! States are explored in batches. Threads look for the orbits that the steps of one batch lead to; they
//! count steps, and look up those of the next batch. Then what was in no table is found. While others
//! find the canonical images of the next batch, one thread numbers the orbits of this one, in order. So
//! the result is the same for any number of threads.

use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::lpe::explore::Incomplete;
use crate::lpe::explore::statistics::Cap;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::lpe::store::Block;
use crate::orbit_exploration::batch::{Ahead, BATCH, Batch, expand, reach};
use crate::orbit_exploration::canonical_state::{Canonical, Missing, Scratch};
use crate::orbit_exploration::group_on_process::Action;
use crate::orbit_exploration::group_on_process::no_group;
use crate::orbit_exploration::images::Images;
use crate::orbit_exploration::lifting::Lifting;
use crate::orbit_exploration::lifting::carrier::Carrier;
use crate::orbit_exploration::lifting::symmetry::Generator;
use crate::orbit_exploration::numbering::{Expanded, Found, Numbering};
use crate::orbit_exploration::orbit_goals::OrbitSearch;
use crate::orbit_exploration::orbit_table::Orbits;
use crate::orbit_exploration::statistics::{Callbacks, Options, Reduced};
use crate::orbit_exploration::summand_tests::SummandTests;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Mutex;
use std::time::Instant;

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
    /// Images that were numbered.
    pub(crate) spare: Images,
    pub(crate) orbits: Orbits,
    /// The orbits that may be found.
    pub(crate) most: usize,
    /// Source, label key, shift and target of the quotient's transitions.
    pub(crate) rows: [Vec<u32>; 4],
    /// For every stabiliser the orbits that have it, and their steps.
    pub(crate) uses: Vec<(u64, u64)>,
    /// Those with approximate images that were explored; `joined` of them were others after all, if that
    /// was decided.
    pub(crate) expanded: Vec<Expanded>,
    pub(crate) joined: Option<usize>,
    pub(crate) stabilising: FxHashMap<u32, Lifting>,
    pub(crate) search: OrbitSearch,
    pub(crate) deadlocks: BigUint,
    pub(crate) host: &'a mut dyn Callbacks,
    pub(crate) begun: Instant,
    pub(crate) incomplete: Option<Incomplete>,
}

impl<'g> Explorer<'_, 'g> {
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
        let mut cap = Cap::new(self.most.saturating_add(1), self.options.limits.values);
        let mut batch = self.expand(0..1, cap.now)?;
        let mut images = None;
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
            let images_of = images.take().unwrap_or_else(|| self.images(&batch));
            let (found, mut next) =
                self.work(&batch, images_of, from as u32..to as u32, cap.now)?;
            let again = short && cap.may_grow();
            // Orbits are numbered while others find the images of the next batch.
            (images, self.incomplete) = self.absorb(&batch, &next, found, again)?;
            if self.incomplete.is_some() {
                return Ok(());
            }
            if again {
                cap.grow();
                next = self.expand(batch.orbits.end - 1..batch.orbits.end, cap.now)?;
                images = None;
            } else if let Some(summand) = batch.short {
                self.incomplete = Some(Incomplete::Values(summand));
                return Ok(());
            } else if next.orbits.is_empty() {
                // What this batch was the first to find.
                let to = self.orbits.count().min(from + BATCH);
                next = self.expand(from as u32..to as u32, cap.now)?;
                images = None;
            }
            batch = next;
        }
        Ok(())
    }

    /// The canonical images of what a batch leads to.
    fn images(&mut self, batch: &Batch) -> Images {
        let (count, threads) = (batch.labels.len(), self.options.threads);
        let spare = std::mem::take(&mut self.spare);
        Images::find(&self.canonical, &batch.targets, count, threads, spare, || ()).0
    }

    /// Looks for the orbits of a batch, and finds the steps of more at the same time.
    fn work(
        &mut self,
        batch: &Batch,
        mut images: Images,
        more: Range<u32>,
        cap: usize,
    ) -> Result<(Found, Batch), Stop> {
        // Steps and images need what is learned: nothing is while threads find some.
        let Options { rows, threads, .. } = self.options;
        let width = self.process.parameters;
        let first = if *rows { self.states(more.clone())? } else { Vec::new() };
        let orbits = &self.orbits;
        let read = |places: Range<usize>, states: &mut Vec<Term>| {
            if *rows {
                states.extend_from_slice(&first[places.start * width..places.end * width]);
            } else {
                let from = more.start + places.start as u32;
                orbits.images(from..from + places.len() as u32, &mut Block::default(), states);
            }
        };
        let ahead = Ahead::new(more.len(), &read);
        let pieces = if *rows { 0..0 } else { batch.pieces() };
        let distinct: Vec<Mutex<Vec<u32>>> = pieces.map(|_| Mutex::default()).collect();
        let (process, summand_tests) = (&*self.process, &self.summand_tests);
        let besides = |piece: usize| match distinct.get(piece) {
            Some(distinct) => *distinct.lock().expect("its own") = batch.distinct(piece),
            None => ahead.look_up(piece - distinct.len(), process, summand_tests),
        };
        // A row is also about the element that leads to the image.
        let met = (!rows).then_some(&self.orbits);
        let pieces = distinct.len() + ahead.pieces();
        images.look_up(met, *threads, (pieces, &besides));
        let distinct = distinct.into_iter().flat_map(|piece| piece.into_inner().expect("done"));
        let distinct = distinct.collect();
        let (process, summand_tests) = (&mut *self.process, &mut self.summand_tests);
        let next = ahead.finish(process, summand_tests, more.start, cap)?;
        images.complete(|at| self.least(&batch.targets[at * width..(at + 1) * width]))?;
        Ok((Found { images, distinct }, next))
    }

    /// Numbers the orbits that a batch leads to, while others find the images of the next one.
    fn absorb(
        &mut self,
        batch: &Batch,
        next: &Batch,
        found: Found,
        again: bool,
    ) -> Result<(Option<Images>, Option<Incomplete>), Stop> {
        let spare = std::mem::take(&mut self.spare);
        let (canonical, mut numbering) = self.parts();
        let (count, threads) = (next.labels.len(), numbering.options.threads);
        let meanwhile = || numbering.absorb(batch, &found, again);
        let (images, incomplete) =
            Images::find(canonical, &next.targets, count, threads, spare, meanwhile);
        self.spare = found.images;
        Ok((Some(images), incomplete?))
    }

    /// What images are found with, and what changes where they are numbered.
    pub(crate) fn parts(&mut self) -> (&Canonical<'g>, Numbering<'_>) {
        let numbering = Numbering {
            process: &mut *self.process,
            carrier: self.carrier,
            generators: &mut *self.generators,
            action: self.action,
            options: self.options,
            orbits: &mut self.orbits,
            most: self.most,
            rows: &mut self.rows,
            uses: &mut self.uses,
            expanded: &mut self.expanded,
            stabilising: &mut self.stabilising,
            search: &mut self.search,
            deadlocks: &mut self.deadlocks,
            host: &mut *self.host,
        };
        (&self.canonical, numbering)
    }

    fn expand(&mut self, orbits: Range<u32>, cap: usize) -> Result<Batch, Stop> {
        let states = self.states(orbits.clone())?;
        expand(self.process, &mut self.summand_tests, orbits, &states, cap)
    }

    /// What stands for some orbits.
    pub(crate) fn states(&mut self, orbits: Range<u32>) -> Result<Vec<Term>, Stop> {
        let Self { canonical, process, generators, scratch, .. } = self;
        let asked = (orbits, self.options.rows);
        canonical.representatives(process, generators, &mut self.orbits, asked, scratch)
    }

    pub(crate) fn learn(&mut self, missing: Missing) -> Result<(), Stop> {
        self.canonical.learn(self.process, self.generators, missing)
    }

    pub(crate) fn least(&mut self, state: &[Term]) -> Result<Least, Stop> {
        let Self { canonical, process, generators, scratch, .. } = self;
        canonical.learn_least(process, generators, state, scratch)
    }

    /// The orbit of the initial state, which is the first one.
    fn number(&mut self, least: &Least) -> Result<(), Stop> {
        if self.options.rows {
            self.orbits.find(least).map_err(no_group)?;
        } else {
            self.orbits.place(least).map_err(no_group)?;
        }
        Ok(())
    }

    /// Brings the numbers up to date.
    pub(crate) fn statistics(&self, reduced: &mut Reduced) {
        reduced.incomplete = self.incomplete;
        let statistics = &mut reduced.statistics;
        statistics.deadlocks = self.deadlocks.clone();
        let approximate = self.orbits.approximate.len();
        // Unless that was decided, all of them may be others.
        statistics.orbits = self.orbits.count() - self.joined.unwrap_or(approximate);
        statistics.store = self.orbits.bytes();
        for (stabiliser, &(orbits, steps)) in self.orbits.stabilisers.list.iter().zip(&self.uses) {
            let index = &reduced.order / stabiliser.order();
            statistics.steps += steps;
            statistics.states += &index * orbits;
            statistics.transitions += index * steps;
        }
    }
}
