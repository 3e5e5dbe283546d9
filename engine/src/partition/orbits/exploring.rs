//! A superstep: what others sent is placed, some orbits are expanded, and the canonical images of their
//! targets go to their owners.

use crate::data::terms::Term;
use crate::group::permutation::Permutation;
use crate::lpe::process::stop::Stop;
use crate::lpe::store::Block;
use crate::orbit_exploration::batch::{Batch, LOOKED_UP, expand, reach};
use crate::orbit_exploration::group_on_process::no_group;
use crate::orbit_exploration::images::{Image, Images, NOTHING};
use crate::orbit_exploration::orbit_table::{Canon, of_image};
use crate::partition::orbits::orbit_part::OrbitPart;
use crate::partition::orbits::partner::Failure;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// How far a partition has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The orbits that are ours, and how many of them are not expanded.
    pub orbits: usize,
    pub left: usize,
    /// Steps of those that are.
    pub steps: u64,
    /// This summand has too many values in a state.
    pub values: Option<usize>,
    /// Bytes of the canonical images.
    pub store: usize,
}

/// Numbers of what is ours, once all is expanded.
#[derive(Clone, Debug)]
pub struct Counts {
    pub orbits: usize,
    pub steps: u64,
    /// States and transitions of the system that our orbits stand for, and states without steps.
    pub states: BigUint,
    pub transitions: BigUint,
    pub deadlocks: BigUint,
    pub store: usize,
}

impl OrbitPart<'_> {
    /// Takes a batch of every partition, and expands orbits until they have about so many steps, or
    /// that takes so long. Returns how far it came, and a batch for every partition.
    pub fn explore(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        steps: usize,
        time: Duration,
    ) -> Result<(Progress, Vec<Vec<u8>>), Failure> {
        let begun = Instant::now();
        let sizes = (self.process.parameters, self.action.group.points);
        for (partner, batch) in self.partners.iter_mut().zip(batches) {
            partner.take(&mut self.process.data, &mut self.orbits, sizes, batch.as_ref())?;
        }
        let (mut found, mut values) = (0, None);
        let mut few = LOOKED_UP;
        let most = self.options.exploring.limits.states.unwrap_or(usize::MAX);
        while (self.next as usize) < self.orbits.count() && self.orbits.count() <= most {
            if self.process.data.is_stopped() {
                return Err(Stop::Interrupted.into());
            }
            let before = Instant::now();
            let end = self.orbits.count().min(self.next as usize + few);
            let batch = self.expand(end as u32)?;
            found += batch.labels.len();
            let short = batch.short;
            let again = short.is_some() && self.cap < self.options.exploring.limits.values;
            self.absorb(&batch, again)?;
            self.next = batch.orbits.end - u32::from(again);
            if again {
                // The driver looks first whether there are too many orbits.
                self.cap = self.cap.saturating_mul(4).min(self.options.exploring.limits.values);
                break;
            }
            values = short;
            if values.is_some() || found >= steps || begun.elapsed() >= time {
                break;
            }
            // Images may take long: then few are found without a look at the time.
            let is_slow = before.elapsed() * 8 > time;
            few = if is_slow { few / 2 } else { few * 2 };
            few = few.clamp(1, reach(batch.degrees.len(), batch.labels.len()));
        }
        let progress = Progress {
            orbits: self.orbits.count(),
            left: self.orbits.count() - self.next as usize,
            steps: self.uses.iter().map(|&(_, steps)| steps).sum(),
            values,
            store: self.orbits.bytes(),
        };
        Ok((progress, self.partners.iter_mut().map(|partner| partner.batch()).collect()))
    }

    /// The steps of orbits from the next one on, below `end`.
    fn expand(&mut self, end: u32) -> Result<Batch, Stop> {
        let mut states = Vec::new();
        self.orbits.images(self.next..end, &mut Block::default(), &mut states);
        let limit = self.options.exploring.limits.values;
        expand(self.process, &mut self.summand_tests, self.next..end, &states, self.cap, limit)
    }

    /// Places or sends what a batch leads to, and counts its steps, but those of the last state if that
    /// is looked at `again`.
    fn absorb(&mut self, batch: &Batch, again: bool) -> Result<(), Stop> {
        let width = self.process.parameters;
        let (count, threads) = (batch.labels.len(), self.options.exploring.threads);
        let spare = std::mem::take(&mut self.spare);
        let (mut found, ()) =
            Images::find(&self.canonical, &batch.targets, count, threads, spare, || ());
        found.look_up(Some(&self.orbits), threads, NOTHING);
        found.complete(|at| self.least(&batch.targets[at * width..(at + 1) * width]))?;
        for (_, image) in found.fresh() {
            match image {
                Image::Found(canon) => {
                    self.send(canon.image, &of_image(canon.element, canon.stabiliser))?;
                }
                Image::Fresh(fresh, _) => self.send(fresh.image, fresh.stabiliser)?,
                Image::Met(..) | Image::Same(..) | Image::Missing => {}
            }
        }
        self.spare = found;
        let distinct = batch.pieces().flat_map(|piece| batch.distinct(piece));
        let known = batch.degrees.len() - usize::from(again);
        let steps: Vec<u32> = distinct.take(known).collect();
        for ((orbit, &degree), distinct) in batch.orbits.clone().zip(&batch.degrees).zip(steps) {
            let stabiliser = self.orbits.stabiliser[orbit as usize] as usize;
            if degree == 0 {
                let own = self.orbits.stabilisers.list[stabiliser].order();
                self.deadlocks += self.action.group.order() / own;
            }
            if self.uses.len() <= stabiliser {
                self.uses.resize(stabiliser + 1, (0, 0));
            }
            self.uses[stabiliser].0 += 1;
            self.uses[stabiliser].1 += u64::from(distinct);
        }
        Ok(())
    }

    /// Has the owner of an image told of it, and of its stabiliser, of which the generators are sorted.
    fn send(&mut self, image: &[Term], stabiliser: &[Permutation]) -> Result<(), Stop> {
        let owner = self.owner(image)?;
        if owner != self.options.index && self.partners[owner].has(image) {
            return Ok(());
        }
        let stabiliser = self.orbits.stabilisers.intern_sorted(stabiliser);
        let stabiliser = stabiliser.map_err(|error| no_group(error.into()))?;
        if owner == self.options.index {
            self.orbits.place_image(image, stabiliser);
        } else {
            self.partners[owner].tell(&self.process.data, &self.orbits, image, stabiliser);
        }
        Ok(())
    }

    pub(super) fn place<'i>(&mut self, canon: impl Into<Canon<'i>>) -> Result<(), Stop> {
        self.orbits.place(canon).map(drop).map_err(no_group)
    }

    /// The numbers of what was expanded.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts {
            orbits: self.orbits.count(),
            steps: 0,
            states: BigUint::ZERO,
            transitions: BigUint::ZERO,
            deadlocks: self.deadlocks.clone(),
            store: self.orbits.bytes(),
        };
        let order = self.action.group.order();
        for (stabiliser, &(orbits, steps)) in self.orbits.stabilisers.list.iter().zip(&self.uses) {
            let index = &order / stabiliser.order();
            counts.steps += steps;
            counts.states += &index * orbits;
            counts.transitions += index * steps;
        }
        counts
    }
}
