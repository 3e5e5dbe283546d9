//! What one partition has told another of values and stabilisers: each is sent once, and goes by the
//! number that it has where it comes from.

use crate::data::rewrite::Data;
use crate::data::terms::Term;
use crate::group::permutation::{Permutation, is_permutation};
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::group_on_process::no_group;
use crate::orbit_exploration::orbit_table::Orbits;
use crate::partition::wire::{Incoming, Unreadable, put_bytes, put_words};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a superstep cannot be done.
#[derive(Debug)]
pub enum Failure {
    /// Another partition sent what is no batch.
    Unreadable,
    Stop(Stop),
}

impl From<Unreadable> for Failure {
    fn from(_: Unreadable) -> Self {
        Self::Unreadable
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// What a partner knows of us, and we of it.
#[derive(Default)]
pub struct Partner {
    values_sent: Sent,
    groups_sent: Sent,
    /// Our terms, and our stabilisers, by the numbers of the partner.
    values_known: Vec<Term>,
    groups_known: Vec<u32>,
    /// The next batch: values and stabilisers that are new, images, and the stabilisers of these.
    values: Vec<u8>,
    groups: Vec<u8>,
    images: Vec<u32>,
    stabilisers: Vec<u32>,
    /// The images in it.
    met: FxHashSet<Box<[Term]>>,
}

impl Partner {
    /// Whether an image is in the next batch already.
    pub fn has(&self, image: &[Term]) -> bool {
        self.met.contains(image)
    }

    /// Has the next batch tell of a canonical image and its stabiliser, by number.
    pub fn tell(&mut self, data: &Data, orbits: &Orbits, image: &[Term], stabiliser: u32) {
        self.met.insert(image.into());
        for &value in image {
            let (number, new) = self.values_sent.number(value);
            if new {
                let mut bytes = Vec::new();
                data.terms.to_bytes(value, &mut bytes);
                put_bytes(&mut self.values, &bytes);
            }
            self.images.push(number);
        }
        let (number, new) = self.groups_sent.number(stabiliser);
        if new {
            let generators = &orbits.stabilisers.list[stabiliser as usize].generators;
            let points = generators.iter().flat_map(|generator| generator.iter().copied());
            put_words(&mut self.groups, points.collect::<Vec<u32>>().into_iter());
        }
        self.stabilisers.push(number);
    }

    /// The next batch; nothing is left to tell.
    pub fn batch(&mut self) -> Vec<u8> {
        self.met.clear();
        if self.stabilisers.is_empty() {
            return Vec::new();
        }
        let mut batch = Vec::new();
        put_bytes(&mut batch, &std::mem::take(&mut self.values));
        put_bytes(&mut batch, &std::mem::take(&mut self.groups));
        put_words(&mut batch, std::mem::take(&mut self.images).into_iter());
        put_words(&mut batch, std::mem::take(&mut self.stabilisers).into_iter());
        batch
    }

    /// Takes a batch of the partner: places the images, of so many values each.
    pub fn take(
        &mut self,
        data: &mut Data,
        orbits: &mut Orbits,
        (width, points): (usize, usize),
        batch: &[u8],
    ) -> Result<(), Failure> {
        if batch.is_empty() {
            return Ok(());
        }
        let mut batch = Incoming::new(batch);
        let mut values = Incoming::new(batch.bytes()?);
        while !values.is_empty() {
            let value = data.terms.from_bytes(values.bytes()?).ok_or(Unreadable)?;
            self.values_known.push(value);
        }
        let mut groups = Incoming::new(batch.bytes()?);
        while !groups.is_empty() {
            let images: Vec<u32> = groups.words()?.collect();
            let generators: Vec<Permutation> =
                images.chunks(points.max(1)).map(Permutation::from).collect();
            if !generators.iter().all(|g| g.len() == points && is_permutation(g)) {
                return Err(Failure::Unreadable);
            }
            let number = orbits.stabilisers.intern(generators);
            self.groups_known.push(number.map_err(|error| no_group(error.into()))?);
        }
        let images: Vec<u32> = batch.words()?.collect();
        let stabilisers: Vec<u32> = batch.words()?.collect();
        if images.len() != width * stabilisers.len() || !batch.is_empty() {
            return Err(Failure::Unreadable);
        }
        let mut image = Vec::with_capacity(width);
        for (place, &stabiliser) in stabilisers.iter().enumerate() {
            image.clear();
            for &number in &images[place * width..(place + 1) * width] {
                image.push(*self.values_known.get(number as usize).ok_or(Unreadable)?);
            }
            let stabiliser = self.groups_known.get(stabiliser as usize).ok_or(Unreadable)?;
            orbits.place_image(&image, *stabiliser);
        }
        Ok(())
    }
}

/// By our numbers those that a partner knows things by.
#[derive(Default)]
struct Sent(FxHashMap<u32, u32>);

impl Sent {
    /// The number of a thing, and whether it is new.
    fn number(&mut self, own: u32) -> (u32, bool) {
        let next = self.0.len() as u32;
        let number = *self.0.entry(own).or_insert(next);
        (number, number == next)
    }
}
