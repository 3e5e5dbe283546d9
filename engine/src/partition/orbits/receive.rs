//! The supersteps of a level for new orbits: owners look up the images that others visited, send
//! the keys of new ones to be ranked, number them, and answer.

use crate::base::ids::Id;
use crate::base::spill::Spillable;
use crate::orbits::orbit_table::View;
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::partition::orbits::orbit_part::{
    IMAGES, Level, ORBITS, OrbitPart, REQUESTED, Request, VisitedImages,
};
use crate::partition::orbits::partner::Known;
use crate::partition::ranking::Ranking;
use crate::partition::supersteps::{Failure, OPEN};
use crate::partition::wire::{Incoming, Unreadable, put_longs, put_words};
use crate::partition::{Batches, Key};
use crate::process::store::NONE;
use std::ops::Range;

impl OrbitPart<'_> {
    /// Takes a batch from every partition. `sources` are all orbits of the level. Returns the
    /// batches of keys.
    pub fn receive(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        sources: Range<u64>,
    ) -> Result<Batches, Failure> {
        self.read_back(&[IMAGES, REQUESTED])?;
        self.level.requests.clear();
        for (partner, batch) in batches.iter().enumerate() {
            let request = self.look_up(partner, batch.as_ref())?;
            self.level.requests.push(request);
        }
        let (ranking, batches) =
            Ranking::new(&self.level.new.keys, &sources, self.options.partitions);
        self.level.ranking = ranking;
        Ok(batches)
    }

    /// Looks up the images of a batch.
    fn look_up(&mut self, from: usize, batch: &[u8]) -> Result<Request, Failure> {
        let mut batch = Incoming::new(batch);
        let (width, points) = (self.system.process.parameters, self.system.action.group.points);
        let Self { partners, system: SymmetricProcess { process, orbits, .. }, level, .. } = self;
        let known = partners[from].learn(&mut process.data, orbits, points, &mut batch)?;
        let known = Some(known).filter(|_| from != self.options.index);
        let keys: Vec<Key> = batch.longs()?.zip(batch.words()?).collect();
        let mut lists = (0..5).map(|_| Ok(batch.words()?.collect()));
        let mut next = || lists.next().expect("there are five");
        let [values, elements, groups, positions, leading]: [Result<Vec<u32>, Unreadable>; 5] =
            std::array::from_fn(|_| next());
        let (values, elements, groups, positions) = (values?, elements?, groups?, positions?);
        if values.len() != width * keys.len()
            || elements.len() != keys.len()
            || groups.len() != keys.len()
            || positions.iter().any(|&position| position as usize >= keys.len())
            || !batch.is_empty()
        {
            return Err(Failure::Unreadable);
        }
        let mut view = View::default();
        let mut image = Vec::with_capacity(width);
        let mut request =
            Request { orbits: Vec::with_capacity(keys.len()), positions, ..Request::default() };
        for (at, &key) in keys.iter().enumerate() {
            image.clear();
            for &value in &values[at * width..(at + 1) * width] {
                image.push(own(known, value, Known::value)?);
            }
            request.orbits.push(match orbits.look_up(&image, &mut view) {
                Some(orbit) => orbit.into(),
                None => {
                    let element = own(known, elements[at], Known::element)?;
                    let group = own(known, groups[at], Known::group)?;
                    OPEN | u64::from(level.new.visit(&image, key, (element, group)).0)
                }
            });
        }
        for element in leading? {
            request.elements.push(own(known, element, Known::element)?);
        }
        if request.elements.len() != request.positions.len() {
            return Err(Failure::Unreadable);
        }
        Ok(request)
    }

    /// Takes a batch of ranks from every partition; `firsts` has for each the number of its orbit
    /// with rank 0. Orbits visited at `cut` or later are left out. Returns the number of own
    /// orbits, and if the quotient is stored, for every partition a batch of answers.
    pub fn number(
        &mut self,
        batches: &[impl AsRef<[u8]>],
        firsts: &[u64],
        cut: Option<Key>,
    ) -> Result<(usize, Batches), Failure> {
        self.read_back(&[IMAGES, ORBITS, REQUESTED])?;
        let Level { ranking, new, .. } = &mut self.level;
        let (numbers, count) = ranking.numbers(&new.keys, batches, firsts, cut)?;
        let (order, new) = (std::mem::take(ranking).order, std::mem::take(new));
        if self.numbers.len() + count >= NONE as usize {
            return Err(Failure::Full);
        }
        let mut orbits = vec![NONE; numbers.len()];
        let VisitedImages { images, elements, stabilisers, .. } = new;
        for &position in &order[..count] {
            orbits[position as usize] = u32::at(self.numbers.len());
            let at = position as usize;
            let element = self.system.orbits.elements.get(elements[at]).to_vec();
            self.note(images.get(position), &element, stabilisers[at], numbers[at]);
        }
        let request = std::mem::take(&mut self.level.requests);
        let answers = request.into_iter().enumerate();
        let answers = match self.with_quotient() && cut.is_none() {
            true => {
                answers.map(|(partner, request)| self.answer(partner, request, &orbits)).collect()
            }
            false => Vec::new(),
        };
        Ok((self.numbers.len(), answers))
    }

    /// The answer to a partner's request, given the numbers here of the orbits that were new: the
    /// numbers of orbits, their stabilisers, and the shifts of the elements.
    fn answer(&mut self, to: usize, request: Request, new: &[u32]) -> Vec<u8> {
        let orbit = |request: u64| match request & OPEN {
            0 => u32::at(request),
            _ => new[(request & !OPEN) as usize],
        };
        let own_orbits: Vec<u32> = request.orbits.into_iter().map(orbit).collect();
        let is_own = to == self.options.index;
        let Self { system: SymmetricProcess { orbits, .. }, numbers, partners, .. } = self;
        let partner = &mut partners[to];
        let mut groups = Vec::with_capacity(own_orbits.len());
        for &orbit in &own_orbits {
            let group = orbits.stabiliser[orbit as usize];
            groups.push(if is_own { group } else { partner.group(orbits, group) });
        }
        let mut shifts = Vec::with_capacity(request.positions.len());
        for (&position, &element) in request.positions.iter().zip(&request.elements) {
            let element = orbits.elements.get(element).to_vec();
            let shift = orbits.shift(&element, own_orbits[position as usize]);
            shifts.push(if is_own { shift } else { partner.element(orbits, shift) });
        }
        let mut batch = Vec::new();
        partner.news(&mut batch);
        put_longs(&mut batch, own_orbits.iter().map(|&orbit| numbers.at(orbit as usize)));
        put_words(&mut batch, groups.into_iter());
        put_words(&mut batch, shifts.into_iter());
        batch
    }
}

/// The own number for a partner's number; the same if there is no partner.
pub(super) fn own(
    known: Option<&Known>,
    number: u32,
    of: impl Fn(&Known, u32) -> Result<u32, Unreadable>,
) -> Result<u32, Unreadable> {
    known.map_or(Ok(number), |known| of(known, number))
}
