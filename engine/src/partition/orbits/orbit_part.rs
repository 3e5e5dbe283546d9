//! A partition of the orbits: those that are its own, and what is asked of it.

use crate::base::hash;
use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::orbit_exploration::canonical_state::{Besides, Canonical, Missing, Scratch, Strategy};
use crate::orbit_exploration::certificate::certify_start;
use crate::orbit_exploration::group_on_process::Action;
use crate::orbit_exploration::images::Images;
use crate::orbit_exploration::lifting::carrier::Carrier;
use crate::orbit_exploration::lifting::symmetry::Generator;
use crate::orbit_exploration::orbit_table::Orbits;
use crate::orbit_exploration::summand_tests::SummandTests;
use crate::orbit_exploration::witness::Witness;
use crate::orbit_exploration::{Options as Exploring, bind};
use crate::partition::orbits::partner::Partner;
use num_bigint::BigUint;

/// What is asked of a partition.
pub struct Options {
    /// Which one it is, of so many.
    pub index: usize,
    pub partitions: usize,
    /// Limits, threads, and what is proven.
    pub exploring: Exploring,
    /// Summands whose tests are not known to correspond to those of their images.
    pub bound: Vec<u32>,
}

/// A partition of the orbits of a process.
pub struct OrbitPart<'a> {
    pub(super) process: &'a mut Process,
    pub(super) generators: &'a mut [Generator],
    pub(super) action: &'a Action,
    pub(super) options: Options,
    pub(super) summand_tests: SummandTests,
    pub(super) canonical: Canonical<'a>,
    pub(super) scratch: Scratch,
    /// Images that were numbered.
    pub(super) spare: Images,
    pub strategy: Strategy,
    /// The orbits that are ours.
    pub(super) orbits: Orbits,
    /// The first that was not expanded.
    pub(super) next: u32,
    /// Values of a sum that are tried, until that turns out too few.
    pub(super) cap: usize,
    /// For every stabiliser the orbits that have it, and their steps.
    pub(super) uses: Vec<(u64, u64)>,
    pub(super) deadlocks: BigUint,
    pub(super) partners: Vec<Partner>,
    /// Which generator is no symmetry, as is seen before anything is explored, and why.
    pub refused: Option<(usize, Witness)>,
}

impl<'a> OrbitPart<'a> {
    /// No orbits but that of the initial state, if it is ours.
    pub fn new(
        process: &'a mut Process,
        carrier: &'a Carrier,
        generators: &'a mut [Generator],
        action: &'a Action,
        options: Options,
    ) -> Result<Self, Stop> {
        let strategy =
            options.exploring.strategy.unwrap_or_else(|| Strategy::suited(&action.group));
        let mut refused = None;
        for (which, generator) in generators.iter_mut().enumerate() {
            if refused.is_none() {
                refused = certify_start(process, generator)?.map(|witness| (which, witness));
            }
        }
        let mut free = vec![true; process.summands.len()];
        options.bound.iter().for_each(|&summand| bind(&mut free, generators, summand));
        let summand_tests = SummandTests::new(process, generators, &free);
        let (parameters, alone) = (process.parameters, Besides::default());
        let mut canonical =
            Canonical::new(&action.group, carrier, generators, parameters, alone, strategy)?;
        canonical.rank_by_content();
        // No more values are tried than may give orbits, until that turns out too few.
        let limits = &options.exploring.limits;
        let cap = limits.states.map_or(limits.values, |most| limits.values.min(most + 1));
        let mut part = Self {
            orbits: Orbits::new(parameters, action.group.points),
            partners: (0..options.partitions).map(|_| Partner::default()).collect(),
            scratch: Scratch::default(),
            spare: Images::default(),
            next: 0,
            uses: Vec::new(),
            deadlocks: BigUint::ZERO,
            process,
            generators,
            action,
            options,
            summand_tests,
            canonical,
            strategy,
            cap,
            refused,
        };
        if part.refused.is_none() {
            let initial = part.process.initial.clone();
            let least = part.least(&initial)?;
            if part.owner(&least.image)? == part.options.index {
                part.place(&least)?;
            }
        }
        Ok(part)
    }

    /// What says of values that no equation fits, and how to stop.
    pub fn process(&mut self) -> &mut Process {
        self.process
    }

    pub(super) fn learn(&mut self, missing: Missing) -> Result<(), Stop> {
        self.canonical.learn(self.process, self.generators, missing)
    }

    pub(super) fn least(&mut self, state: &[Term]) -> Result<Least, Stop> {
        let Self { canonical, process, generators, scratch, .. } = self;
        canonical.learn_least(process, generators, state, scratch)
    }

    /// The partition that a canonical image belongs to.
    pub(super) fn owner(&mut self, image: &[Term]) -> Result<usize, Stop> {
        let mut sum = 0u64;
        for (place, &value) in (0..).zip(image) {
            let rank = loop {
                match self.canonical.rank(value) {
                    Ok(rank) => break rank,
                    Err(missing) => self.learn(missing)?,
                }
            };
            sum = sum.wrapping_add(hash::mix(place, rank));
        }
        // The upper half of a product is evenly spread over the partitions.
        let product = u128::from(hash::mix(sum, 0)) * self.options.partitions as u128;
        Ok((product >> u64::BITS) as usize)
    }
}
