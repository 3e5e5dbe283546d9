//! One state of each orbit, explored breadth first.
//!
//! States are explored in batches. Threads look for the orbits that the steps of one batch lead to; they
//! count steps, and look up those of the next batch. Then what was in no table is found. While others
//! find the canonical images of the next batch, one thread numbers the orbits of this one, in order. So
//! the result is the same for any number of threads.

use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::lpe::explore::Incomplete;
use crate::lpe::process::stop::Stop;
use crate::lpe::store::Block;
use crate::orbit_exploration::batch::{Ahead, BATCH, Batch, reach};
use crate::orbit_exploration::images::Images;
use crate::orbit_exploration::numbering::{Found, Numbering};
use crate::orbit_exploration::statistics::{Callbacks, Options, Reduced};
use crate::orbit_exploration::symmetric_process::SymmetricProcess;
use std::ops::Range;
use std::sync::Mutex;

/// An exploration under way.
pub(crate) struct Explorer<'a, 'g> {
    pub(crate) system: SymmetricProcess<'a, 'g>,
    pub(crate) numbering: Numbering,
    /// How many with approximate images were others after all, if that was decided.
    pub(crate) joined: Option<usize>,
    pub(crate) host: &'a mut dyn Callbacks,
}

impl<'a, 'g> Explorer<'a, 'g> {
    pub(crate) fn new(system: SymmetricProcess<'a, 'g>, host: &'a mut dyn Callbacks) -> Self {
        let numbering = Numbering::new(system.options);
        Self { system, numbering, joined: None, host }
    }

    /// Explores until no orbit is new, or something stops it.
    pub(crate) fn run(&mut self) -> Result<(), Stop> {
        let initial = self.system.process.initial.clone();
        let least = self.system.least(&initial)?;
        self.number(&least)?;
        if self.numbering.most == 0 {
            self.system.incomplete = Some(Incomplete::States);
            return Ok(());
        }
        let mut batch = self.expand(0..1)?;
        let mut images = None;
        while !batch.orbits.is_empty() {
            let bytes = self.system.orbits.bytes();
            if !self.system.goes_on(self.host, batch.orbits.start as usize, bytes)? {
                return Ok(());
            }
            let short = batch.short.is_some();
            let from = batch.orbits.end as usize;
            let to = if short {
                from
            } else {
                let count = self.system.orbits.count();
                count.min(from + reach(batch.degrees.len(), batch.labels.len()))
            };
            let images_of = images
                .take()
                .unwrap_or_else(|| self.system.images(&batch.targets, batch.labels.len()));
            let (found, mut next) = self.work(&batch, images_of, from as u32..to as u32)?;
            let again = short && self.system.cap.may_grow();
            // Orbits are numbered while others find the images of the next batch.
            (images, self.system.incomplete) = self.absorb(&batch, &next, found, again)?;
            if self.system.incomplete.is_some() {
                return Ok(());
            }
            if again {
                self.system.cap.grow();
                next = self.expand(batch.orbits.end - 1..batch.orbits.end)?;
                images = None;
            } else if let Some(summand) = batch.short {
                self.system.incomplete = Some(Incomplete::Values(summand));
                return Ok(());
            } else if next.orbits.is_empty() {
                // What this batch was the first to find.
                let to = self.system.orbits.count().min(from + BATCH);
                next = self.expand(from as u32..to as u32)?;
                images = None;
            }
            batch = next;
        }
        Ok(())
    }

    /// Looks for the orbits of a batch, and finds the steps of more at the same time.
    fn work(
        &mut self,
        batch: &Batch,
        mut images: Images,
        more: Range<u32>,
    ) -> Result<(Found, Batch), Stop> {
        // Steps and images need what is learned: nothing is while threads find some.
        let Options { rows, threads, .. } = self.system.options;
        let width = self.system.process.parameters;
        let first = if *rows { self.system.representatives(more.clone())? } else { Vec::new() };
        let SymmetricProcess { process, summand_tests, orbits, cap, .. } = &mut self.system;
        let met = &*orbits;
        let read = |places: Range<usize>, states: &mut Vec<Term>| {
            if *rows {
                states.extend_from_slice(&first[places.start * width..places.end * width]);
            } else {
                let from = more.start + places.start as u32;
                met.images(from..from + places.len() as u32, &mut Block::default(), states);
            }
        };
        let ahead = Ahead::new(more.len(), &read);
        let pieces = if *rows { 0..0 } else { batch.pieces() };
        let distinct: Vec<Mutex<Vec<u32>>> = pieces.map(|_| Mutex::default()).collect();
        let (known, tests) = (&**process, &*summand_tests);
        let besides = |piece: usize| match distinct.get(piece) {
            Some(distinct) => *distinct.lock().expect("its own") = batch.distinct(piece),
            None => ahead.look_up(piece - distinct.len(), known, tests),
        };
        // A row is also about the element that leads to the image.
        let pieces = distinct.len() + ahead.pieces();
        images.look_up((!rows).then_some(met), *threads, (pieces, &besides));
        let distinct = distinct.into_iter().flat_map(|piece| piece.into_inner().expect("done"));
        let distinct = distinct.collect();
        let next = ahead.finish(process, summand_tests, more.start, cap.now)?;
        self.system.complete(&mut images, &batch.targets)?;
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
        let Self { system, numbering, host, .. } = self;
        let spare = std::mem::take(&mut system.spare);
        let (count, threads) = (next.labels.len(), system.options.threads);
        let (canonical, mut numbered) = system.split();
        let meanwhile = || numbering.absorb(&mut numbered, *host, batch, &found, again);
        let (images, incomplete) =
            Images::find(canonical, &next.targets, count, threads, spare, meanwhile);
        system.spare = found.images;
        Ok((Some(images), incomplete?))
    }

    fn expand(&mut self, orbits: Range<u32>) -> Result<Batch, Stop> {
        let states = self.system.representatives(orbits.clone())?;
        self.system.steps(&states, orbits)
    }

    /// The orbit of the initial state, which is the first one.
    fn number(&mut self, least: &Least) -> Result<(), Stop> {
        if self.system.options.rows {
            self.system.find(least)?;
        } else {
            self.system.place(least)?;
        }
        Ok(())
    }

    /// Brings the numbers up to date.
    pub(crate) fn count(&self, reduced: &mut Reduced) {
        let SymmetricProcess { orbits, incomplete, .. } = &self.system;
        let (account, numbering) = (&mut reduced.account, &self.numbering);
        account.incomplete = *incomplete;
        account.store = orbits.bytes();
        // Unless that was decided, all of them may be others.
        account.orbits = orbits.count() - self.joined.unwrap_or(orbits.approximate.len());
        reduced.deadlocks = numbering.deadlocks.clone();
        for (stabiliser, &(orbits, steps)) in orbits.stabilisers.list.iter().zip(&numbering.uses) {
            let index = &account.order / stabiliser.order();
            reduced.steps += steps;
            reduced.states += &index * orbits;
            reduced.transitions += index * steps;
        }
    }
}
