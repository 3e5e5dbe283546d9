//! Checkpoints of levels. A checkpoint contains the orbits added since the previous one; loading
//! all of them, in order, restores the orbits.
//!
//! The other visited states and values are not stored but visited again: representatives are
//! expanded once more, which needs no canonical images. So the proof covers everything that was
//! visited, also before the checkpoint. Images of values that need a proof because they were used
//! would not be used again, so checkpoints contain them.

use crate::base::ids::Id;
use crate::base::spill::Spillable;
use crate::data::terms::Term;
use crate::orbits::batch::{LOOKED_UP, reach};
use crate::orbits::canonical_state::Missing;
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::partition::orbits::orbit_part::{IMAGES, ORBITS, OrbitPart};
use crate::partition::supersteps::Failure;
use crate::partition::wire::{Incoming, Unreadable, put_longs, put_words};
use crate::process::linear::stop::Stop;

impl OrbitPart<'_> {
    /// Adds an orbit, given the element that maps its first member to the image.
    pub(super) fn note(&mut self, image: &[Term], element: &[u32], stabiliser: u32, number: u64) {
        let with_quotient = self.with_quotient();
        let Self { system: SymmetricProcess { orbits, process, .. }, saved, .. } = self;
        let known = &mut saved.known;
        if with_quotient {
            orbits.note(image, element, stabiliser);
            let element = orbits.elements.intern(element);
            saved.elements.push(known.element(orbits, element));
        } else {
            orbits.intern_image(image, stabiliser);
        }
        saved.images.extend(image.iter().map(|&value| known.value(&process.data, value)));
        saved.groups.push(known.group(orbits, stabiliser));
        saved.numbers.push(number);
        self.numbers.push(number);
    }

    /// The data added since the last checkpoint; called after a level is complete. Renumbers the
    /// shifts of stored transitions like the elements in the checkpoint.
    pub fn save(&mut self) -> Result<Vec<u8>, Failure> {
        let Self { saved, system, transitions, .. } = self;
        let SymmetricProcess { orbits, process, canonical, .. } = system;
        let known = &mut saved.known;
        for shift in &mut transitions.shift {
            *shift = known.element(orbits, *shift);
        }
        let (mut used, mut moved) = (Vec::new(), Vec::new());
        let values = canonical.values();
        for (value, points, image) in values.used_images(saved.used) {
            let both = [value, image].map(|value| known.value(&process.data, value));
            used.extend([both[0], both[1], u32::at(points.len())]);
            moved.extend_from_slice(points);
        }
        saved.used = values.used();
        let mut checkpoint = Vec::new();
        known.news(&mut checkpoint);
        put_longs(&mut checkpoint, std::mem::take(&mut saved.numbers).into_iter());
        let (images, elements) = (&mut saved.images, &mut saved.elements);
        let lists = [images, elements, &mut saved.groups, &mut used, &mut moved];
        for column in lists {
            put_words(&mut checkpoint, std::mem::take(column).into_iter());
        }
        Ok(checkpoint)
    }

    /// Loads the next checkpoint.
    pub fn load(&mut self, checkpoint: &[u8]) -> Result<(), Failure> {
        let mut checkpoint = Incoming::new(checkpoint);
        let (width, points) = (self.system.process.parameters, self.system.action.group.points);
        let Self { saved, system: SymmetricProcess { process, orbits, .. }, .. } = self;
        saved.known.learn(&mut process.data, orbits, points, &mut checkpoint)?;
        let numbers: Vec<u64> = checkpoint.longs()?.collect();
        let mut column = || checkpoint.words().map(Iterator::collect::<Vec<u32>>);
        let (images, elements, groups) = (column()?, column()?, column()?);
        let (used, moved) = (column()?, column()?);
        let firsts = if self.with_quotient() { numbers.len() } else { 0 };
        if images.len() != width * numbers.len()
            || elements.len() != firsts
            || groups.len() != numbers.len()
            || used.len() % 3 != 0
            || !checkpoint.is_empty()
        {
            return Err(Failure::Unreadable);
        }
        let mut image = Vec::with_capacity(width);
        for (at, &number) in numbers.iter().enumerate() {
            // The initial state, which a new partition already has, is in the first checkpoint.
            if self.numbers.below(number) < self.numbers.len() {
                expect(number == 0 && self.numbers.len() == 1)?;
                continue;
            }
            let known = self.saved.known.known();
            image.clear();
            for &value in &images[at * width..(at + 1) * width] {
                image.push(known.value(value)?);
            }
            let group = known.group(groups[at])?;
            if self.with_quotient() {
                let element =
                    self.system.orbits.elements.get(known.element(elements[at])?).to_vec();
                self.system.orbits.note(&image, &element, group);
            } else {
                self.system.orbits.intern_image(&image, group);
            }
            self.numbers.push(number);
            expect(self.system.orbits.count() == self.numbers.len())?;
        }
        let mut rest = &moved[..];
        for &[value, image, count] in used.as_chunks().0 {
            let known = self.saved.known.known();
            let (value, image) = (known.value(value)?, known.value(image)?);
            let points = rest.split_off(..count as usize).ok_or(Unreadable)?;
            self.learn_value(value)?;
            expect(self.system.canonical.values().use_image(value, points, image))?;
        }
        expect(rest.is_empty())?;
        Ok(())
    }

    /// Continues with the orbits whose numbers are `start` or more, after all checkpoints are
    /// loaded. Visits everything that expanding the earlier ones had visited.
    pub fn resume(&mut self, start: u64) -> Result<(), Failure> {
        self.read_back(&[IMAGES, ORBITS])?;
        let Self { saved, system: SymmetricProcess { canonical, .. }, .. } = self;
        (saved.images, saved.elements, saved.groups, saved.numbers) = Default::default();
        saved.used = canonical.values().used();
        saved.known.resume_numbering();
        let from = u32::at(self.numbers.below(start));
        self.level.states = from..from;
        let (mut next, mut few) = (0, LOOKED_UP);
        while next < from {
            let end = from.min(next + u32::at(few));
            let states = self.system.representatives(next..end)?;
            let batch = self.system.steps(&states, next..end)?;
            self.system.process.data.cancel.check()?;
            next = batch.positions.end;
            if batch.short.is_some() {
                // The exploration before had raised the cap here.
                self.system.cap.grow();
                next -= 1;
            }
            for &value in &batch.targets {
                self.learn_value(value)?;
            }
            few = (few * 2).clamp(1, reach(batch.degrees.len(), batch.labels.len()));
        }
        Ok(())
    }

    /// Learns the facts of a value, as computing the image of a state does.
    fn learn_value(&mut self, value: Term) -> Result<(), Stop> {
        let is_known = self.system.canonical.values().facts(value).is_some();
        if is_known || self.system.action.group.generators.is_empty() {
            return Ok(());
        }
        self.system.learn(Missing::Value(value))
    }
}

fn expect(holds: bool) -> Result<(), Unreadable> {
    if holds { Ok(()) } else { Err(Unreadable) }
}
