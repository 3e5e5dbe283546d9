//! Joining orbits that were visited several times because canonical images were approximate.
//!
//! An approximate image is a state of the right orbit, so nothing is missed if it is explored; but
//! several states of one orbit may be explored. After the exploration the exact canonical image of
//! each of them is computed, however long that takes, and equal orbits are joined. The first visit
//! to an orbit has the same state and position as in an exact exploration, so the result is the one
//! of an exploration without approximate images.

use crate::base::ids::Id;
use crate::data::terms::Term;
use crate::group::canonical_image::{Least, Object};
use crate::group::permutation::inverse;
use crate::orbits::canonical_state::Missing;
use crate::orbits::canonical_state::state::State;
use crate::orbits::explorer::Explorer;
use crate::orbits::numbering::Expanded;
use crate::orbits::orbit_table::{Canon, Orbits, of_image};
use crate::orbits::symmetric_process::SymmetricProcess;
use crate::process::explore::Incomplete;
use crate::process::goals::Trace;
use crate::process::linear::stop::Stop;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::hash_map::Entry;

/// Why a search for a canonical image ended early.
enum Failure {
    Stop(Stop),
    Passed(Incomplete),
}

/// Operations of a search between two checks of the limits.
const OPERATIONS: u32 = 1 << 8;

/// Images that need no search between two checks of the limits.
const IMAGES: usize = 1 << 4;

/// Orbits that are rebuilt between two checks.
const TOGETHER: u32 = 1 << 12;

/// The object of a search for a state's image, which learns missing values and images on demand.
struct Learning<'l, 'a, 'g> {
    explorer: &'l mut Explorer<'a, 'g>,
    state: &'l [Term],
    /// Whether limits may end the search.
    is_limited: bool,
    operations: u32,
}

impl Learning<'_, '_, '_> {
    fn run<R>(
        &mut self,
        mut operation: impl FnMut(&mut State) -> Result<R, Missing>,
    ) -> Result<R, Failure> {
        self.operations += 1;
        if self.operations.is_multiple_of(OPERATIONS) {
            let passed = self.explorer.passed().map_err(Failure::Stop)?;
            if let Some(passed) = passed.filter(|_| self.is_limited) {
                return Err(Failure::Passed(passed));
            }
        }
        loop {
            let SymmetricProcess { canonical, scratch, process, .. } = &mut self.explorer.system;
            let (state, cancel) = (self.state, &process.data.cancel);
            let mut state = State { canonical, state, scratch, cancel, has_touched: false };
            match operation(&mut state) {
                Ok(answer) => return Ok(answer),
                Err(missing) => self.explorer.system.learn(missing).map_err(Failure::Stop)?,
            }
        }
    }
}

impl Object for Learning<'_, '_, '_> {
    type Image = Vec<Term>;
    type Error = Failure;

    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Failure> {
        self.run(|state| state.refine(colours))
    }

    fn image(&mut self, element: &[u32], image: &mut Vec<Term>) -> Result<(), Failure> {
        self.run(|state| state.image(element, image))
    }

    fn compare(&self, left: &Vec<Term>, right: &Vec<Term>) -> Result<Ordering, Failure> {
        // The order of states whose values are not ranked by content.
        Ok(left.cmp(right))
    }
}

impl Explorer<'_, '_> {
    /// The canonical image of a state, without a bound on the search.
    pub(crate) fn exactly(&mut self, state: &[Term]) -> Result<Least, Stop> {
        let least = self.exactly_within(false, state)?;
        Ok(least.unwrap_or_else(|_| unreachable!("there is no limit")))
    }

    /// The canonical image of a state, or the limit that was exceeded.
    fn exactly_within(
        &mut self,
        is_limited: bool,
        state: &[Term],
    ) -> Result<Result<Least, Incomplete>, Stop> {
        let least = loop {
            let SymmetricProcess { canonical, scratch, process, .. } = &mut self.system;
            match canonical.begin_exact(state, scratch, &process.data.cancel) {
                Ok(least) => break least,
                Err(missing) => self.system.learn(missing)?,
            }
        };
        if let Some(least) = least {
            return Ok(Ok(least));
        }
        let searcher = self.system.canonical.searcher();
        match searcher.find(&[], &mut Learning { explorer: self, state, is_limited, operations: 0 })
        {
            Ok(least) => Ok(Ok(least)),
            Err(Failure::Passed(passed)) => Ok(Err(passed)),
            Err(Failure::Stop(stop)) => Err(stop),
        }
    }

    /// The limit that is exceeded, if any.
    fn passed(&mut self) -> Result<Option<Incomplete>, Stop> {
        let orbits = &self.system.orbits;
        self.system.passed(self.callbacks, orbits.count(), orbits.bytes())
    }

    /// Joins equal orbits if images were approximate; `traces` are the traces to the goals.
    pub(crate) fn join(&mut self, traces: &mut Vec<Trace>) -> Result<(), Stop> {
        let mut exact: FxHashMap<u32, Least> = FxHashMap::default();
        for (number, orbit) in self.system.orbits.approximate.clone().into_iter().enumerate() {
            let passed = if number.is_multiple_of(IMAGES) { self.passed()? } else { None };
            // If the quotient is stored, the image of the member that was visited first.
            let state = self.system.representatives(orbit..orbit + 1)?;
            match passed
                .map_or_else(|| self.exactly_within(true, &state), |limit| Ok(Err(limit)))?
            {
                Ok(least) => exact.insert(orbit, least),
                Err(passed) => {
                    self.system.incomplete = Some(passed);
                    return Ok(());
                }
            };
        }
        let same = self.same(&exact);
        if self.system.options.with_quotient {
            self.explore_again(&exact, &same)?;
        } else {
            self.count_again(&exact, &same)?;
        }
        let mut shown = FxHashSet::default();
        let mut goals = self.numbering.search.goals.iter();
        traces.retain(|_| {
            let goal = goals.next().expect("each has a trace");
            goal.label.is_some() || shown.insert(same.get(&goal.orbit).unwrap_or(&goal.orbit))
        });
        traces.truncate(self.system.options.query.enough.unwrap_or(usize::MAX));
        Ok(())
    }

    /// For every orbit that equals one visited before, that orbit; `exact` are the canonical images
    /// of the orbits with approximate ones.
    fn same(&mut self, exact: &FxHashMap<u32, Least>) -> FxHashMap<u32, u32> {
        let mut same = FxHashMap::default();
        let mut firsts = FxHashMap::default();
        for orbit in self.system.orbits.approximate.clone() {
            let least = &exact[&orbit];
            match firsts.entry(&least.image) {
                Entry::Occupied(first) => {
                    same.insert(orbit, *first.get());
                }
                Entry::Vacant(first) => {
                    let other = self.known_exactly(least).unwrap_or(orbit);
                    first.insert(orbit.min(other));
                    if orbit != other {
                        same.insert(orbit.max(other), orbit.min(other));
                    }
                }
            }
        }
        same
    }

    /// The orbit with this canonical image, if it was visited with an exact image.
    fn known_exactly(&mut self, least: &Least) -> Option<u32> {
        let known = self.system.orbits.known(least);
        known.filter(|&known| !self.system.orbits.is_approximate(known))
    }

    /// Counts the orbits with approximate images, each orbit once.
    fn count_again(
        &mut self,
        exact: &FxHashMap<u32, Least>,
        same: &FxHashMap<u32, u32>,
    ) -> Result<(), Stop> {
        // If the exploration ended early because enough was found, the first so many orbits were
        // explored.
        let explored = self.numbering.uses.iter().map(|uses| uses.0).sum::<u64>()
            + self.numbering.expanded.len() as u64;
        for Expanded { orbit, steps, is_deadlock } in std::mem::take(&mut self.numbering.expanded) {
            let least = &exact[&orbit];
            let is_counted = |orbit: u32| u64::from(orbit) < explored;
            if same.contains_key(&orbit) || self.known_exactly(least).is_some_and(is_counted) {
                continue;
            }
            let Least { element, stabiliser, .. } = least;
            let SymmetricProcess { orbits, process, .. } = &mut self.system;
            let fixing = of_image(element, stabiliser);
            let number = orbits.stabilisers.intern_sorted(&fixing, &process.data.cancel)?;
            self.numbering.count(&self.system.split().1, number, steps, is_deadlock);
        }
        self.joined = Some(same.len());
        Ok(())
    }

    /// Rebuilds orbits and stored transitions with canonical images.
    fn explore_again(
        &mut self,
        exact: &FxHashMap<u32, Least>,
        same: &FxHashMap<u32, u32>,
    ) -> Result<(), Stop> {
        let fresh = Orbits::new(self.system.process.parameters, self.system.action.group.points);
        let mut old = std::mem::replace(&mut self.system.orbits, fresh);
        let [sources, steps, shifts, targets] = std::mem::take(&mut self.numbering.stored);
        (self.numbering.uses, self.numbering.deadlocks) = Default::default();
        self.numbering.first_steps.forget_elements();
        // For each orbit its new number, and the element that maps the first member there to the
        // first member here.
        let mut positions = Vec::with_capacity(old.count());
        let mut image = Vec::new();
        for orbit in 0..u32::at(old.count()) {
            positions.push(match exact.get(&orbit) {
                Some(least) => self.system.find(least)?,
                None => {
                    old.image(orbit, &mut image);
                    let element = inverse(old.offset(orbit));
                    let stabiliser = old.stabiliser_of(orbit).generators();
                    let (image, element) = (&image[..], &element[..]);
                    let canon = Canon { image, element, stabiliser, is_exact: true };
                    self.system.find(canon)?
                }
            });
        }
        let mut remaining = 0..sources.len();
        for orbit in 0..u32::at(old.count()) {
            if orbit.is_multiple_of(TOGETHER) {
                self.callbacks.progress(old.count(), old.count());
                self.system.process.data.cancel.check()?;
            }
            let end = remaining.start
                + sources[remaining.clone()].partition_point(|&other| other == orbit);
            let own = std::mem::replace(&mut remaining, end..sources.len()).start..end;
            if same.contains_key(&orbit) {
                continue;
            }
            let source = positions[orbit as usize].0;
            self.numbering.first_steps.begin();
            for transition in own.clone() {
                let (target, moved) = positions[targets[transition] as usize];
                let shift =
                    self.system.orbits.elements.intern(old.elements.get(shifts[transition]));
                let stabiliser = self.system.orbits.stabiliser[target as usize];
                let shift = self.system.orbits.moved(shift, moved, stabiliser);
                let numbered = &mut self.system.split().1;
                self.numbering.store(numbered, source, (steps[transition], shift, target))?;
            }
            let stabiliser = self.system.orbits.stabiliser[source as usize];
            let numbered = &self.system.split().1;
            let steps = self.numbering.first_steps.count();
            self.numbering.count(numbered, stabiliser, steps, own.is_empty());
        }
        self.joined = Some(0);
        Ok(())
    }
}
