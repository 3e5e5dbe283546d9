//! A process with a group action: the steps of its states, their canonical images, and the orbits
//! visited. Every exploration under a group is based on one of these.

use crate::base::ids::Id;
use crate::data::terms::Term;
use crate::group::canonical_image::Least;
use crate::group::compact_permutation::CompactPermutation;
use crate::group::subgroup::Subgroup;
use crate::orbits::batch::{Batch, expand};
use crate::orbits::canonical_state::{Besides, Canonical, Missing, Scratch, Strategy};
use crate::orbits::images::Images;
use crate::orbits::orbit_table::{Canon, Orbits};
use crate::orbits::statistics::{Broken, Callbacks, GroupStatistics, OrbitOptions};
use crate::process::explore::Incomplete;
use crate::process::explore::statistics::Cap;
use crate::process::linear::Process;
use crate::process::linear::stop::Stop;
use crate::symmetry_of_process::certificate::{certify, certify_action, certify_start};
use crate::symmetry_of_process::group_on_process::Action;
use crate::symmetry_of_process::lifting::carrier::Carrier;
use crate::symmetry_of_process::lifting::symmetry::{Generator, Symmetry};
use crate::symmetry_of_process::spot_check::{spot_check, spread};
use crate::symmetry_of_process::summand_tests::SummandTests;
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::time::Instant;

/// A process, a group of its symmetries, and the orbits visited so far.
pub(crate) struct SymmetricProcess<'a, 'g> {
    pub process: &'a mut Process,
    pub carrier: &'a Carrier,
    pub generators: &'a mut [Generator],
    pub action: &'g Action,
    pub options: &'a OrbitOptions,
    pub summand_tests: SummandTests,
    pub canonical: Canonical<'g>,
    pub scratch: Scratch,
    /// Processed images, whose memory is reused.
    pub spare: Images,
    pub orbits: Orbits,
    /// The cap on values of a sum: initially no more than can lead to orbits within the limit.
    pub cap: Cap,
    /// Why not everything is explored.
    pub incomplete: Option<Incomplete>,
}

/// The mutable part for numbering orbits, while other threads compute images with the rest.
pub(crate) struct Numbered<'s> {
    pub process: &'s mut Process,
    pub carrier: &'s Carrier,
    pub generators: &'s mut [Generator],
    pub action: &'s Action,
    pub options: &'s OrbitOptions,
    pub orbits: &'s mut Orbits,
}

/// The group action on states, and the initial statistics, with the result of checking that the
/// generators fix the initial state.
pub(crate) fn begin(
    process: &mut Process,
    symmetry: &mut Symmetry,
    options: &OrbitOptions,
) -> Result<(Action, GroupStatistics), Stop> {
    let Symmetry { carrier, names, generators } = symmetry;
    let action = Action::new(process.parameters, carrier, names, generators, &process.data.cancel)?;
    let mut statistics = GroupStatistics::of(action.group.order(), options.strategy_for(&action));
    for (which, generator) in generators.iter_mut().enumerate() {
        if let Some(witness) = certify_start(process, generator)? {
            statistics.broken = Some((which, Broken::Process(witness)));
            break;
        }
    }
    Ok((action, statistics))
}

/// Answers a question about a process under a symmetry. Starts again as long as an assumption of
/// the answer cannot be proven: with more points if values turn out to distinguish elements of the
/// group, or without the tests of a summand that `answer` returns. The last argument of `answer`
/// marks the summands that have tests.
pub(crate) fn with_proven_group<R: From<GroupStatistics>>(
    process: &mut Process,
    mut symmetry: Symmetry,
    options: &OrbitOptions,
    mut answer: impl FnMut(&mut R, &mut Process, Group<'_>, &[bool]) -> Result<Option<u32>, Stop>,
) -> Result<R, Stop> {
    let outcome = symmetry.with_more_points(process, |process, symmetry| {
        let (action, statistics) = begin(process, symmetry, options)?;
        let is_broken = statistics.broken.is_some();
        let mut result = R::from(statistics);
        let Symmetry { carrier, generators, .. } = symmetry;
        let mut has_tests = process.steps();
        while !is_broken
            && let Some(summand) =
                answer(&mut result, process, ((carrier, generators), &action), &has_tests)?
        {
            disable_tests(&mut has_tests, generators, summand);
        }
        Ok(result)
    })?;
    Ok(outcome.unwrap_or_else(|witness| GroupStatistics::refused(witness).into()))
}

/// The carrier, the generators, and the action of their group.
pub(crate) type Group<'a> = ((&'a Carrier, &'a mut [Generator]), &'a Action);

impl<'a, 'g> SymmetricProcess<'a, 'g> {
    /// No orbits visited yet. Only summands marked in `has_tests` have tests.
    pub fn new(
        process: &'a mut Process,
        (carrier, generators): (&'a Carrier, &'a mut [Generator]),
        action: &'g Action,
        options: &'a OrbitOptions,
        besides: Besides,
        has_tests: &[bool],
    ) -> Result<Self, Stop> {
        let strategy = options.strategy_for(action);
        let parameters = process.parameters;
        let width = parameters + besides.values + usize::from(besides.nodes.is_some());
        let summand_tests = SummandTests::new(process, generators, has_tests);
        let (group, cancel) = (&action.group, &process.data.cancel);
        let canonical =
            Canonical::new(group, carrier, generators, parameters, besides, strategy, cancel)?;
        Ok(Self {
            cap: options.limits.cap(),
            orbits: Orbits::new(width, action.group.points),
            process,
            carrier,
            generators,
            action,
            options,
            summand_tests,
            canonical,
            scratch: Scratch::default(),
            spare: Images::default(),
            incomplete: None,
        })
    }

    /// Splits into the part that computes images and the part that numbers orbits.
    pub fn split(&mut self) -> (&Canonical<'g>, Numbered<'_>) {
        let numbered = Numbered {
            process: &mut *self.process,
            carrier: self.carrier,
            generators: &mut *self.generators,
            action: self.action,
            options: self.options,
            orbits: &mut self.orbits,
        };
        (&self.canonical, numbered)
    }

    /// Learns a value, image or rank that is missing.
    pub fn learn(&mut self, missing: Missing) -> Result<(), Stop> {
        self.canonical.learn(self.process, self.generators, missing)
    }

    /// The canonical image of a state, with the values or node that follow it.
    pub fn least(&mut self, state: &[Term]) -> Result<Least, Stop> {
        let Self { canonical, process, generators, scratch, .. } = self;
        canonical.learn_least(process, generators, state, scratch)
    }

    /// The image of a state under an element.
    pub fn image(&mut self, state: &[Term], element: &[u32]) -> Result<Vec<Term>, Stop> {
        let mut image = Vec::new();
        let Self { canonical, process, generators, scratch, .. } = self;
        canonical.learn_image(process, generators, (state, element), scratch, &mut image)?;
        Ok(image)
    }

    /// The orbit of a state, by its image ([`Orbits::intern`]).
    pub fn intern<'i>(&mut self, canon: impl Into<Canon<'i>>) -> Result<u32, Stop> {
        Ok(self.orbits.intern(canon, &self.process.data.cancel)?)
    }

    /// The orbit of a state, and the element that maps its first member to the state
    /// ([`Orbits::find`]).
    pub fn find<'i>(&mut self, canon: impl Into<Canon<'i>>) -> Result<(u32, u32), Stop> {
        Ok(self.orbits.find(canon, &self.process.data.cancel)?)
    }

    /// The images of `count` concatenated states.
    pub fn images(&mut self, states: &[Term], count: usize) -> Images {
        let spare = std::mem::take(&mut self.spare);
        let (threads, cancel) = (self.options.threads, &self.process.data.cancel);
        Images::find(&self.canonical, (states, count), threads, cancel, spare, || ()).0
    }

    /// Computes the missing images of states.
    pub fn complete(&mut self, images: &mut Images, states: &[Term]) -> Result<(), Stop> {
        let width = self.orbits.width();
        images.complete(|at| self.least(&states[at * width..(at + 1) * width]))
    }

    /// The concatenated representatives of some orbits.
    pub fn representatives(&mut self, orbits: Range<u32>) -> Result<Vec<Term>, Stop> {
        let Self { canonical, process, generators, scratch, .. } = self;
        let range = (orbits, self.options.with_quotient);
        canonical.representatives(process, generators, &mut self.orbits, range, scratch)
    }

    /// The steps of states at these positions of a queue, up to the first with too many values of a
    /// sum.
    pub fn steps(&mut self, states: &[Term], positions: Range<u32>) -> Result<Batch, Stop> {
        expand(self.process, &mut self.summand_tests, (positions, None), states, self.cap.now)
    }

    /// The steps of a state, with the largest allowed cap on values of sums.
    pub fn all_steps(&mut self, state: &[Term]) -> Result<Batch, Stop> {
        let most = self.options.limits.values;
        expand(self.process, &mut self.summand_tests, (0..1, None), state, most)
    }

    /// The limit that is exceeded, if any; `bytes` is the memory of what was found.
    pub fn passed(
        &self,
        callbacks: &mut dyn Callbacks,
        explored: usize,
        bytes: usize,
    ) -> Result<Option<Incomplete>, Stop> {
        callbacks.progress(self.orbits.count(), explored);
        self.process.data.cancel.check()?;
        Ok(self.options.limits.passed(self.options.begun, || bytes))
    }

    /// Whether to continue; called regularly.
    pub fn may_continue(
        &mut self,
        callbacks: &mut dyn Callbacks,
        explored: usize,
        bytes: usize,
    ) -> Result<bool, Stop> {
        self.incomplete = self.incomplete.or(self.passed(callbacks, explored, bytes)?);
        Ok(self.incomplete.is_none())
    }

    /// The number of states, or of pairs of a state and something else, that the visited orbits
    /// represent.
    pub fn members(&self) -> BigUint {
        let order = self.action.group.order();
        let stabilisers = &self.orbits.stabilisers.list;
        let own = self.orbits.stabiliser.iter();
        own.map(|&number| &order / stabilisers[number as usize].order()).sum()
    }

    /// A summand whose tests are not known to correspond to those of its images, if there is one
    /// and the symmetry is to be certified.
    pub fn unknown_test(&mut self) -> Result<Option<u32>, Stop> {
        if !self.options.certify {
            return Ok(None);
        }
        let proven = &self.options.proven;
        Ok(self.summand_tests.certify(self.process, self.generators, proven)?.err())
    }

    /// Proves the symmetry on the visited states and their images, if requested. Returns false, and
    /// sets `statistics.broken`, if it does not hold.
    pub fn prove(
        &mut self,
        statistics: &mut GroupStatistics,
        report: &mut dyn FnMut(),
    ) -> Result<bool, Stop> {
        let OrbitOptions { proven, limits, certify: is_certified, .. } = self.options;
        if !is_certified {
            return Ok(true);
        }
        let start = Instant::now();
        let (process, generators) = (&mut *self.process, &mut *self.generators);
        let checked = &mut statistics.checked;
        let mut witness = certify(process, generators, proven, *limits, checked, report)?;
        if witness.is_none() {
            witness = certify_action(process, generators, self.canonical.values())?;
        }
        statistics.proving = start.elapsed();
        statistics.broken = witness.map(|(which, witness)| (which, Broken::Process(witness)));
        Ok(statistics.broken.is_none())
    }

    /// For each generator whether it fixes all states that the visited orbits represent.
    ///
    /// It does if and only if all elements of the normal subgroup that it generates fix the visited
    /// states: `g` fixes the image of a state under `h` if `h^-1 g h` fixes the state. So no state
    /// but these is needed, and conjugates are idle or not together.
    pub fn idle(&self) -> Result<Vec<bool>, Stop> {
        let (group, cancel) = (&self.action.group, &self.process.data.cancel);
        let used: BTreeSet<u32> = self.orbits.stabiliser.iter().copied().collect();
        let stabilisers = &self.orbits.stabilisers.list;
        let generators = 0..self.generators.len();
        let mut moving: FxHashSet<CompactPermutation> = FxHashSet::default();
        let mut is_idle = |which| {
            let mut normal = Subgroup::trivial(group.points);
            let mut conjugates = VecDeque::from([CompactPermutation::of(group.generator(which))]);
            let mut tried = Vec::new();
            while let Some(element) = conjugates.pop_front() {
                let images = element.images(group.points);
                let mut is_moving = moving.contains(&element);
                for &number in &used {
                    cancel.check()?;
                    is_moving = is_moving || !stabilisers[number as usize].contains(&images);
                }
                tried.push(element);
                if is_moving {
                    moving.extend(tried.into_iter().chain(conjugates));
                    return Ok(false);
                }
                let element = tried.last().expect("just added");
                if normal.add(&images, cancel)? {
                    let by = generators.clone().map(|by| group.generator(by));
                    // A generator that moves no point of the element commutes with it.
                    let others = by.filter(|by| element.moved().any(|(x, _)| by[x as usize] != x));
                    conjugates.extend(others.map(|by| element.conjugate(by)));
                }
            }
            Ok(true)
        };
        generators.clone().map(&mut is_idle).collect()
    }

    /// The concatenated states in which proven summands are spot-checked.
    pub fn sampled(&mut self) -> Vec<Term> {
        let (mut states, mut image) = (Vec::new(), Vec::new());
        if self.options.proven.contains(&true) {
            for orbit in spread(self.orbits.count(), self.options.sample) {
                self.orbits.image(u32::at(orbit), &mut image);
                states.extend_from_slice(&image[..self.process.parameters]);
            }
        }
        states
    }

    /// Spot-checks the proven summands in these states; returns whether they are correct.
    pub fn spot_check(
        &mut self,
        states: &[Term],
        statistics: &mut GroupStatistics,
    ) -> Result<bool, Stop> {
        let OrbitOptions { proven, limits, sample, .. } = self.options;
        if *sample > 0 && proven.contains(&true) {
            let situations = sample.div_ceil(SITUATIONS);
            let (process, generators) = (&mut *self.process, &mut *self.generators);
            let compared = &mut statistics.sampled;
            statistics.defect =
                spot_check(process, generators, proven, states, situations, *limits, compared)?;
        }
        Ok(statistics.defect.is_none())
    }
}

/// The number of states spot-checked per local situation of a summand.
const SITUATIONS: usize = 8;

/// Removes the tests of a summand and its images: their conditions may be written differently and
/// still be equivalent.
pub(crate) fn disable_tests(has_tests: &mut [bool], generators: &[Generator], summand: u32) {
    let mut orbit = vec![summand];
    while let Some(summand) = orbit.pop() {
        if std::mem::replace(&mut has_tests[summand as usize], false) {
            orbit.extend(generators.iter().map(|g| g.summands[summand as usize]));
        }
    }
}

impl OrbitOptions {
    /// The strategy for choosing representatives: the requested one, or the one that suits the
    /// group.
    pub(crate) fn strategy_for(&self, action: &Action) -> Strategy {
        self.strategy.unwrap_or_else(|| Strategy::suited(&action.group))
    }
}
