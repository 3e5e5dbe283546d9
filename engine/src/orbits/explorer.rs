//! Breadth-first exploration of one state per orbit, numbered and counted; the loop is in
//! `frontier`.

use crate::group::canonical_image::Least;
use crate::orbits::frontier::explore;
use crate::orbits::numbering::Numbering;
use crate::orbits::statistics::{Callbacks, Reduced};
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::process::explore::Incomplete;
use crate::process::linear::stop::Stop;

/// An exploration in progress.
pub(crate) struct Explorer<'a, 'g> {
    pub(crate) system: SymmetricProcess<'a, 'g>,
    pub(crate) numbering: Numbering,
    /// The number of orbits with approximate images that turned out to equal another orbit; `None`
    /// if this was not decided.
    pub(crate) joined: Option<usize>,
    pub(crate) callbacks: &'a mut dyn Callbacks,
}

impl<'a, 'g> Explorer<'a, 'g> {
    pub(crate) fn new(system: SymmetricProcess<'a, 'g>, callbacks: &'a mut dyn Callbacks) -> Self {
        let numbering = Numbering::new(system.options);
        Self { system, numbering, joined: None, callbacks }
    }

    /// Explores until there is no new orbit or a limit is exceeded.
    pub(crate) fn run(&mut self) -> Result<(), Stop> {
        let initial = self.system.process.initial.clone();
        let least = self.system.least(&initial)?;
        self.number(&least)?;
        if self.numbering.most == 0 {
            self.system.incomplete = Some(Incomplete::States);
            return Ok(());
        }
        explore(&mut self.system, &mut self.numbering, self.callbacks)
    }

    /// Numbers the orbit of the initial state as the first one.
    fn number(&mut self, least: &Least) -> Result<(), Stop> {
        if self.system.options.with_quotient {
            self.system.find(least)?;
        } else {
            self.system.intern(least)?;
        }
        Ok(())
    }

    /// Writes the counts into `reduced`.
    pub(crate) fn count(&self, reduced: &mut Reduced) {
        let SymmetricProcess { orbits, incomplete, .. } = &self.system;
        let (statistics, numbering) = (&mut reduced.statistics, &self.numbering);
        statistics.incomplete = *incomplete;
        statistics.store = orbits.bytes();
        // Unless they were joined, each of the orbits with approximate images may equal another
        // one.
        statistics.orbits = orbits.count() - self.joined.unwrap_or(orbits.approximate.len());
        reduced.followed = numbering.followed;
        reduced.deadlocks = numbering.deadlocks.clone();
        for (stabiliser, &(orbits, steps)) in orbits.stabilisers.list.iter().zip(&numbering.uses) {
            let index = &statistics.order / stabiliser.order();
            reduced.steps += steps;
            reduced.states += &index * orbits;
            reduced.transitions += index * steps;
        }
    }
}
