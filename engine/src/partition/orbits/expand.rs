//! The first superstep of a level: computes the steps of its representatives, and batches for the
//! owners of their targets.
//!
//! Steps and images are computed as in `orbits::frontier`, by the same `representatives`, `steps`,
//! `images` and `complete` of `SymmetricProcess`. The loops around these differ. There images are
//! computed while the previous batch is visited. Here each image is sent to the owner determined by
//! its values; these have to be learned, which must not happen while threads compute images. So
//! batches are done one after the other.

use crate::base::ids::Id;
use crate::base::spill::Spillable;
use crate::data::terms::Term;
use crate::orbits::batch::{Batch, LOOKED_UP, reach};
use crate::orbits::images::{Image, NOTHING};
use crate::orbits::orbit_table::Canon;
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::partition::orbits::orbit_part::{IMAGES, LEVEL, ORBITS, OrbitPart, VisitedImages};
use crate::partition::supersteps::{Expanded, Failure};
use crate::partition::wire::{put_longs, put_words};
use crate::partition::{Batches, Key};
use crate::process::chunk::Obstacle;
use crate::process::linear::stop::Stop;
use crate::process::store::NONE;

impl OrbitPart<'_> {
    /// Expands the orbits of the level: those not expanded yet with numbers below `until`. Returns
    /// statistics, and for every partition a batch of what it owns: images with the keys of their
    /// first visits, and if the quotient is stored the pairs of an image and an element that
    /// represent states.
    pub fn expand(&mut self, until: u64) -> Result<(Expanded, Batches), Failure> {
        self.read_back(&[IMAGES, ORBITS, LEVEL])?;
        let mut expanded = Expanded::default();
        let count = self.options.partitions;
        let level = &mut self.level;
        level.states.end = u32::at(self.numbers.below(until));
        (level.images_of, level.pairs_of) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let limits = self.options.exploring.limits;
        let mut next = level.states.start;
        let mut few = LOOKED_UP;
        while next < self.level.states.end {
            let end = self.level.states.end.min(next + u32::at(few));
            let states = self.system.representatives(next..end)?;
            let batch = self.system.steps(&states, next..end)?;
            self.system.process.data.cancel.check()?;
            let most = limits.states.unwrap_or(usize::MAX);
            let again = batch.short.is_some() && self.system.cap.may_grow();
            self.absorb(&batch, again, &mut expanded)?;
            next = batch.positions.end - u32::from(again);
            // If more orbits than the limit were visited, trying more values is useless.
            if again && self.level.visited.images.len() <= most {
                self.system.cap.grow();
            } else if let Some(summand) = batch.short {
                let source = self.numbers.at(batch.positions.end as usize - 1);
                expanded.obstacle = Some(((source, NONE), Obstacle::Values(summand)));
                break;
            }
            few = (few * 2).clamp(1, reach(batch.degrees.len(), batch.labels.len()));
        }
        let batches = (0..count).map(|owner| self.batch(owner)).collect();
        let level = &mut self.level;
        level.sizes = (level.visited.images.len(), level.pairs.len());
        level.positions =
            (0..u32::at(level.sizes.1)).map(|pair| level.pairs.get(pair)[0]).collect();
        (level.visited, level.pairs, level.owners) = Default::default();
        // Other states need other results, and shared ones are in the tables.
        self.system.process.data.memo.forget();
        Ok((expanded, batches))
    }

    /// Adds the steps of a batch to the level. If the last state will be expanded `again`, only the
    /// targets of its steps are added.
    fn absorb(&mut self, batch: &Batch, again: bool, expanded: &mut Expanded) -> Result<(), Stop> {
        let (with_quotient, threads) = (self.with_quotient(), self.options.exploring.threads);
        let mut images = self.system.images(&batch.targets, batch.labels.len());
        // A stored transition also needs the element that leads to the image, so orbits are not
        // looked up.
        images.look_up((!with_quotient).then_some(&self.system.orbits), threads, NOTHING);
        self.system.complete(&mut images, &batch.targets)?;
        if with_quotient {
            self.note_steps(batch, images.each(), again, expanded)?;
        } else {
            self.note_steps(batch, images.new_images(), again, expanded)?;
        }
        self.system.spare = images;
        if !with_quotient {
            let cancel = self.system.process.data.cancel.clone();
            let distinct = batch.chunks().flat_map(|chunk| batch.distinct(chunk, &cancel));
            let known = batch.degrees.len() - usize::from(again);
            for (orbit, distinct) in batch.positions.clone().zip(distinct).take(known) {
                self.count(orbit, distinct.into());
            }
        }
        Ok(())
    }

    /// Adds the targets of the steps of a batch, as far as needed, and the steps if the quotient is
    /// stored.
    fn note_steps<'i>(
        &mut self,
        batch: &Batch,
        images: impl Iterator<Item = (usize, Image<'i>)>,
        again: bool,
        expanded: &mut Expanded,
    ) -> Result<(), Stop> {
        let with_quotient = self.with_quotient();
        let mut images = images.peekable();
        let mut end = 0;
        for (orbit, &degree) in batch.positions.clone().zip(&batch.degrees) {
            let source = self.numbers.at(orbit as usize);
            let is_whole = !(again && orbit + 1 == batch.positions.end);
            let begin = end;
            end += degree as usize;
            while let Some((at, image)) = images.next_if(|&(at, _)| at < end) {
                let key = (source, u32::at(at - begin));
                match image {
                    Image::Computed(canon) => {
                        let position = self.visit(canon.image, key, |part| part.first(canon))?;
                        if with_quotient && is_whole {
                            let pair = self.pair(position, canon.element);
                            self.level.labels.push(batch.labels[at]);
                            self.level.targets.push(pair);
                            if self.labels.is_new(batch.texts[at]) {
                                expanded.labels.push((batch.texts[at], key));
                            }
                        }
                    }
                    Image::New(fresh, _) => {
                        self.visit(fresh.image, key, |part| {
                            let SymmetricProcess { orbits, process, .. } = &mut part.system;
                            let (known, cancel) = (&mut orbits.stabilisers, &process.data.cancel);
                            Ok((0, known.intern_sorted(fresh.stabiliser, cancel)?))
                        })?;
                    }
                    Image::Known(..) | Image::SameAs(..) | Image::Unlearned => {}
                }
            }
            if with_quotient && is_whole {
                self.level.degrees.push(degree);
            }
        }
        Ok(())
    }

    /// The element that maps a state to its image, if the quotient is stored, and the number of the
    /// stabiliser.
    fn first(&mut self, canon: Canon<'_>) -> Result<(u32, u32), Stop> {
        let stabiliser = self.stabiliser_of(canon)?;
        let element = if self.with_quotient() {
            self.system.orbits.elements.intern(canon.element)
        } else {
            0
        };
        Ok((element, stabiliser))
    }

    /// Counts an orbit, whose representative has `steps` steps.
    pub(super) fn count(&mut self, orbit: u32, steps: u64) {
        let number = self.system.orbits.stabiliser[orbit as usize];
        let indices = &mut self.indices;
        let group = &self.system.action.group;
        let stabiliser = &self.system.orbits.stabilisers.list[number as usize];
        let index = indices.entry(number).or_insert_with(|| group.order() / stabiliser.order());
        let counts = &mut self.level.counts;
        counts.transitions += steps;
        counts.original.states += &*index;
        counts.original.transitions += &*index * steps;
        if steps == 0 {
            counts.original.deadlocks += &*index;
        }
    }

    /// The position of an image among the visited ones; if it is new, `first` returns the data of
    /// this first visit.
    fn visit(
        &mut self,
        image: &[Term],
        key: Key,
        first: impl FnOnce(&mut Self) -> Result<(u32, u32), Stop>,
    ) -> Result<u32, Stop> {
        // Keys ascend, so the first visit has the least.
        if let Some(position) = self.level.visited.images.find(image) {
            return Ok(position);
        }
        let owner = self.owner(image)?;
        let first = first(self)?;
        let level = &mut self.level;
        let (position, _) = level.visited.visit(image, key, first);
        level.owners.push((u32::at(owner), u32::at(level.images_of[owner].len())));
        level.images_of[owner].push(position);
        Ok(position)
    }

    /// The position of a state among the visited ones, given the position of its image.
    fn pair(&mut self, position: u32, element: &[u32]) -> u32 {
        let element = self.system.orbits.elements.intern(element);
        let (pair, new) = self.level.pairs.intern(&[position, element]);
        if new {
            let (owner, _) = self.level.owners[position as usize];
            self.level.pairs_of[owner as usize].push(pair);
        }
        pair
    }

    fn batch(&mut self, owner: usize) -> Vec<u8> {
        let is_own = owner == self.options.index;
        let Self { level, partners, system: SymmetricProcess { process, orbits, .. }, .. } = self;
        let (partner, data) = (&mut partners[owner], &process.data);
        let VisitedImages { images, keys, elements, stabilisers } = &level.visited;
        let positions = &level.images_of[owner];
        let mut values: Vec<u32> = Vec::with_capacity(positions.len() * process.parameters);
        let (mut firsts, mut groups) = (Vec::new(), Vec::new());
        for &position in positions {
            let (element, group) = (elements[position as usize], stabilisers[position as usize]);
            let image = images.get(position).iter().copied();
            if is_own {
                values.extend(image);
                firsts.push(element);
                groups.push(group);
            } else {
                values.extend(image.map(|value| partner.value(data, value)));
                firsts.push(partner.element(orbits, element));
                groups.push(partner.group(orbits, group));
            }
        }
        let (mut owners, mut leading) = (Vec::new(), Vec::new());
        for &pair in &level.pairs_of[owner] {
            let &[position, element] = level.pairs.get(pair) else { unreachable!("it is a pair") };
            owners.push(level.owners[position as usize].1);
            leading.push(if is_own { element } else { partner.element(orbits, element) });
        }
        let mut batch = Vec::new();
        partner.news(&mut batch);
        let keys = || positions.iter().map(|&position| keys[position as usize]);
        put_longs(&mut batch, keys().map(|(source, _)| source));
        put_words(&mut batch, keys().map(|(_, index)| index));
        for column in [values, firsts, groups, owners, leading] {
            put_words(&mut batch, column.into_iter());
        }
        batch
    }
}
