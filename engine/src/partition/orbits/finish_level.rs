//! The last superstep of a level: if the quotient is stored, the transitions of its
//! representatives are completed.

use crate::base::spill::Spillable;
use crate::orbits::first_steps::FirstStep;
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::partition::Key;
use crate::partition::orbits::orbit_part::{LEVEL, ORBITS, OrbitPart};
use crate::partition::orbits::partner::Known;
use crate::partition::orbits::receive::own;
use crate::partition::supersteps::{Counts, Failure};
use crate::partition::wire::Incoming;

impl OrbitPart<'_> {
    /// Takes a batch of answers from every partition, and completes the level. `labels` has the
    /// numbers of the labels that were reported for it. If the level was `cut` off, nothing of it
    /// is retained.
    pub fn finish_level(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        labels: &[(u32, u32)],
        cut: Option<Key>,
    ) -> Result<Counts, Failure> {
        self.labels.take(labels)?;
        self.read_back(&[ORBITS, LEVEL])?;
        if self.with_quotient() && cut.is_none() {
            self.complete(batches)?;
        }
        let level = &mut self.level;
        level.states.start = level.states.end;
        let counts = std::mem::take(&mut level.counts);
        (level.degrees, level.labels, level.targets) = Default::default();
        (level.positions, level.images_of, level.pairs_of) = Default::default();
        Ok(counts)
    }

    fn complete(&mut self, batches: &[impl AsRef<[u8]>]) -> Result<(), Failure> {
        let (images, pairs) = self.level.sizes;
        let mut numbers = vec![0; images];
        let mut stabilisers = vec![0; images];
        let mut shifts = vec![0; pairs];
        let points = self.system.action.group.points;
        for (from, batch) in batches.iter().enumerate() {
            let mut batch = Incoming::new(batch.as_ref());
            let Self { partners, system: SymmetricProcess { process, orbits, .. }, level, .. } =
                self;
            let known = partners[from].learn(&mut process.data, orbits, points, &mut batch)?;
            let known = Some(known).filter(|_| from != self.options.index);
            let (positions, leading) = (&level.images_of[from], &level.pairs_of[from]);
            let (targets, groups, moved) = (batch.longs()?, batch.words()?, batch.words()?);
            if [targets.len(), groups.len()] != [positions.len(); 2]
                || moved.len() != leading.len()
                || !batch.is_empty()
            {
                return Err(Failure::Unreadable);
            }
            for ((number, group), &position) in targets.zip(groups).zip(positions) {
                numbers[position as usize] = number;
                stabilisers[position as usize] = own(known, group, Known::group)?;
            }
            for (shift, &pair) in moved.zip(leading) {
                shifts[pair as usize] = own(known, shift, Known::element)?;
            }
        }
        let mut from = 0;
        let degrees = std::mem::take(&mut self.level.degrees);
        for (orbit, degree) in self.level.states.clone().zip(degrees) {
            self.first_steps.begin();
            let source = self.numbers.at(orbit as usize);
            for at in from..from + degree as usize {
                let pair = self.level.targets[at] as usize;
                let position = self.level.positions[pair] as usize;
                let step = FirstStep {
                    step: self.level.labels[at],
                    shift: shifts[pair],
                    target: numbers[position],
                    stabiliser: stabilisers[position],
                };
                let numbered = &mut self.system.split().1;
                if self.first_steps.is_first(step, orbit, numbered)? {
                    let text = self.system.process.labels.texts[step.step as usize];
                    self.transitions.source.push(source);
                    self.transitions.label.push(self.labels.of(text));
                    self.transitions.shift.push(step.shift);
                    self.transitions.target.push(step.target);
                }
            }
            from += degree as usize;
            self.count(orbit, self.first_steps.count());
        }
        Ok(())
    }
}
