//! Numbering of the orbits that steps lead to, with counts and the stored transitions of the
//! quotient.

use crate::base::ids::Id;
use crate::data::terms::Term;
use crate::group::schreier_sims::NoGroup;
use crate::orbits::batch::Batch;
use crate::orbits::first_steps::{FirstStep, FirstSteps};
use crate::orbits::frontier::{Results, Visitor};
use crate::orbits::images::{Image, MOST};
use crate::orbits::orbit_goals::OrbitSearch;
use crate::orbits::orbit_table::Orbits;
use crate::orbits::statistics::{Callbacks, OrbitOptions};
use crate::orbits::symmetric_process::Numbered;
use crate::process::explore::Incomplete;
use crate::process::linear::stop::Stop;
use crate::process::store::Block;
use num_bigint::BigUint;
use std::ops::Range;

/// The results of expanding an orbit with an approximate image.
pub(crate) struct Expanded {
    pub(crate) orbit: u32,
    pub(crate) steps: u64,
    pub(crate) is_deadlock: bool,
}

/// The counts and stored transitions of the explored orbits.
pub(crate) struct Numbering {
    /// The most orbits.
    pub(crate) most: usize,
    /// Source, label key, shift and target of the quotient's transitions.
    pub(crate) stored: [Vec<u32>; 4],
    /// For every stabiliser the number of orbits that have it, and of their steps.
    pub(crate) uses: Vec<(u64, u64)>,
    /// The number of steps whose targets were computed.
    pub(crate) followed: u64,
    /// The explored orbits with approximate images.
    pub(crate) expanded: Vec<Expanded>,
    pub(crate) first_steps: FirstSteps<u32>,
    pub(crate) search: OrbitSearch,
    pub(crate) deadlocks: BigUint,
}

impl Numbering {
    /// No orbits explored yet.
    pub(crate) fn new(options: &OrbitOptions) -> Self {
        Self {
            most: options.limits.states.unwrap_or(MOST),
            stored: Default::default(),
            uses: Vec::new(),
            followed: 0,
            expanded: Vec::new(),
            first_steps: FirstSteps::default(),
            search: OrbitSearch::new(options.query),
            deadlocks: BigUint::ZERO,
        }
    }

    /// Numbers the orbits that a batch leads to and adds its transitions, except those of the last
    /// state if it will come `again`. Returns the reason if the exploration is to end.
    fn number<'i>(
        &mut self,
        numbered: &mut Numbered<'_>,
        callbacks: &mut dyn Callbacks,
        batch: &Batch,
        (images, distinct): (impl Iterator<Item = (usize, Image<'i>)>, &[u32]),
        again: bool,
    ) -> Result<Option<Incomplete>, Stop> {
        let mut images = images.peekable();
        let mut end = 0;
        for (position, (orbit, &degree)) in batch.positions.clone().zip(&batch.degrees).enumerate()
        {
            self.first_steps.begin();
            end += degree as usize;
            while let Some((at, image)) = images.next_if(|&(at, _)| at < end) {
                numbered.process.data.cancel.check_at(at)?;
                let target = numbered.target(&image)?;
                if numbered.orbits.count() > self.most {
                    return Ok(Some(Incomplete::States));
                }
                if let Some((target, _)) = target {
                    self.search.visit(target, orbit);
                }
                let Numbered { process, generators, .. } = numbered;
                let is_goal = &mut |label: &[u8]| callbacks.is_goal(label);
                if self.search.step(process, generators, orbit, batch.labels[at], is_goal)? {
                    return Ok(Some(Incomplete::Enough));
                }
                let is_stored =
                    numbered.options.with_quotient && !(again && orbit + 1 == batch.positions.end);
                if let (Some((target, shift)), true) = (target, is_stored) {
                    self.store(numbered, orbit, (batch.labels[at], shift, target))?;
                }
            }
            if again && orbit + 1 == batch.positions.end {
                continue;
            }
            self.followed += u64::from(degree);
            // If steps of the last state are missing, it need not be a deadlock.
            let is_whole = batch.short.is_none() || orbit + 1 < batch.positions.end;
            let is_deadlock = degree == 0 && is_whole;
            let distinct =
                distinct.get(position).map_or(self.first_steps.count(), |&count| count.into());
            let is_exact = !numbered.orbits.is_approximate(orbit);
            if is_deadlock && self.search.deadlock(orbit, is_exact) {
                return Ok(Some(Incomplete::Enough));
            }
            if is_exact {
                let stabiliser = numbered.orbits.stabiliser[orbit as usize];
                self.count(numbered, stabiliser, distinct, is_deadlock);
            } else {
                self.expanded.push(Expanded { orbit, steps: distinct, is_deadlock });
            }
        }
        Ok(None)
    }

    /// Counts an explored orbit.
    pub(crate) fn count(
        &mut self,
        numbered: &Numbered<'_>,
        stabiliser: u32,
        steps: u64,
        is_deadlock: bool,
    ) {
        let stabiliser = stabiliser as usize;
        if is_deadlock {
            let own = numbered.orbits.stabilisers.list[stabiliser].order();
            self.deadlocks += numbered.action.group.order() / own;
        }
        if self.uses.len() <= stabiliser {
            self.uses.resize(stabiliser + 1, (0, 0));
        }
        self.uses[stabiliser].0 += 1;
        self.uses[stabiliser].1 = self.uses[stabiliser].1.saturating_add(steps);
    }

    /// Adds a transition, if it is the first of its orbit under the stabiliser of its source.
    pub(crate) fn store(
        &mut self,
        numbered: &mut Numbered<'_>,
        source: u32,
        (step, shift, target): (u32, u32, u32),
    ) -> Result<(), Stop> {
        let stabiliser = numbered.orbits.stabiliser[target as usize];
        let made = FirstStep { step, shift, target, stabiliser };
        if self.first_steps.is_first(made, source, numbered)? {
            for (column, value) in self.stored.iter_mut().zip([source, step, shift, target]) {
                column.push(value);
            }
        }
        Ok(())
    }
}

impl Visitor for Numbering {
    const COUNTS_STEPS: bool = true;

    fn may_merge(&self, options: &OrbitOptions) -> bool {
        !options.query.actions
    }

    fn queued(&self, orbits: &Orbits) -> usize {
        orbits.count()
    }

    fn read(&self, orbits: &Orbits, positions: Range<usize>, states: &mut Vec<Term>) {
        let positions = u32::at(positions.start)..u32::at(positions.end);
        orbits.images(positions, &mut Block::default(), states);
    }

    fn visit(
        &mut self,
        numbered: &mut Numbered<'_>,
        callbacks: &mut dyn Callbacks,
        batch: &Batch,
        Results { images, distinct }: &Results,
        incomplete: bool,
    ) -> Result<Option<Incomplete>, Stop> {
        // If neither the quotient nor labels are requested, steps to known orbits can be skipped.
        if numbered.options.with_quotient || numbered.options.query.actions {
            self.number(numbered, callbacks, batch, (images.each(), distinct), incomplete)
        } else {
            self.number(numbered, callbacks, batch, (images.new_images(), distinct), incomplete)
        }
    }
}

impl Numbered<'_> {
    /// The orbit that a step leads to, and the shift of the transition; `None` if the orbit is
    /// known and the quotient is not requested.
    fn target(&mut self, image: &Image) -> Result<Option<(u32, u32)>, NoGroup> {
        let cancel = &self.process.data.cancel;
        match *image {
            Image::Computed(canon) if self.options.with_quotient => {
                self.orbits.find(canon, cancel).map(Some)
            }
            Image::Computed(canon) => {
                self.orbits.intern(canon, cancel).map(|orbit| Some((orbit, 0)))
            }
            Image::New(fresh, _) => {
                self.orbits.intern_looked_up(fresh, cancel).map(|orbit| Some((orbit, 0)))
            }
            Image::Known(..) | Image::SameAs(..) => Ok(None),
            Image::Unlearned => unreachable!("missing values were learned"),
        }
    }
}
