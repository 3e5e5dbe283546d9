//! Learning the values and images that an image depends on: done by one thread, while no other
//! thread computes images.

use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::orbits::canonical_state::{Canonical, Missing, Scratch};
use crate::orbits::orbit_table::Orbits;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::process::store::Block;
use crate::symmetry_of_process::lifting::symmetry::Generator;
use std::ops::Range;

impl Canonical<'_> {
    /// Learns a value, image or rank that is missing.
    pub fn learn(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
        missing: Missing,
    ) -> Result<(), Stop> {
        process.data.cancel.check()?;
        match missing {
            Missing::Value(value) => self.values.learn(&mut process.data, generators, value),
            Missing::Image(value, element) => {
                self.values.learn_image(&mut process.data, value, &element)
            }
            Missing::Rank(value) => self.values.learn_rank(&process.data, value),
            Missing::Stopped(why) => Err(why.into()),
        }
    }

    /// The canonical image of a state; learns what is missing.
    pub fn learn_least(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
        state: &[Term],
        scratch: &mut Scratch,
    ) -> Result<Least, Stop> {
        process.data.cancel.check()?;
        loop {
            match self.find(state, scratch, &process.data.cancel) {
                Ok(least) => return Ok(least),
                Err(missing) => self.learn(process, generators, missing)?,
            }
        }
    }

    /// The image of a state under an element; learns what is missing.
    pub fn learn_image(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
        (state, element): (&[Term], &[u32]),
        scratch: &mut Scratch,
        image: &mut Vec<Term>,
    ) -> Result<(), Stop> {
        loop {
            match self.image(state, element, scratch, image) {
                Ok(()) => return Ok(()),
                Err(missing) => self.learn(process, generators, missing)?,
            }
        }
    }

    /// The concatenated representatives of some orbits: if the quotient is stored the members that
    /// were visited first, else the canonical images.
    pub fn representatives(
        &mut self,
        process: &mut Process,
        generators: &mut [Generator],
        orbits: &mut Orbits,
        (range, with_quotient): (Range<u32>, bool),
        scratch: &mut Scratch,
    ) -> Result<Vec<Term>, Stop> {
        let mut states = Vec::with_capacity(range.len() * process.parameters);
        if !with_quotient {
            orbits.images(range, &mut Block::default(), &mut states);
            return Ok(states);
        }
        let (mut image, mut first) = (Vec::new(), Vec::new());
        for orbit in range {
            orbits.image(orbit, &mut image);
            let moved = (&image[..], orbits.offset(orbit));
            self.learn_image(process, generators, moved, scratch, &mut first)?;
            states.extend_from_slice(&first);
        }
        Ok(states)
    }
}
