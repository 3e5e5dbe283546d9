//! What there is to know of the system that a quotient stands for, without building it.
//!
//! Whatever a group does not tell apart is counted for a representative, times the states of its orbit.
//! Components need more: those above a component of orbits are images of one another. Of them that
//! of a representative is fixed by whatever is found going round in it, and by its stabiliser; their
//! number is the index of the group H of these (see docs/algorithms/quotient-and-rho.md).

use crate::base::cancel::Cancel;
use crate::base::csr::Forward;
use crate::base::ids::NONE;
use crate::base::memory::room;
use crate::bisimulation::tau_scc::components;
use crate::group::element_table::IDENTITY;
use crate::group::permutation::orbits;
use crate::group::subgroup::Subgroup;
use crate::symmetry::annotated_quotient::{Cosets, Quotient, Step};
use crate::symmetry::minimise::limits::NoMinimum;
use crate::symmetry::minimise::orbit_steps::Outgoing;
use bytemuck::cast_vec;
use num_bigint::BigUint;
use std::collections::{BTreeMap, VecDeque};

/// How many components have so many states.
pub type Sizes = BTreeMap<BigUint, BigUint>;

/// Numbers of states of the original, of its components, and of its transitions by label.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub deadlocks: BigUint,
    /// States that one label leads from to two; internal labels are all one.
    pub nondeterministic: BigUint,
    pub on_internal_cycles: BigUint,
    pub divergent: BigUint,
    pub components: Sizes,
    pub cyclic: Sizes,
    pub terminal: Sizes,
    /// Components of internal steps that have a cycle.
    pub internal_cyclic: Sizes,
    pub transitions: Vec<BigUint>,
}

/// A deadlock of an orbit: the orbit, its states, and the labels of a shortest trace to one of them.
pub type Deadlock = (u32, BigUint, Vec<u32>);

/// The facts, and of so many orbits of deadlocks, the nearest first, a trace to a state of each.
pub fn facts(
    quotient: &Quotient,
    most: usize,
    cancel: &Cancel,
) -> Result<(Facts, Vec<Deadlock>), NoMinimum> {
    let (outgoing, cosets) = Outgoing::new(quotient, NONE, cancel)?;
    let order = quotient.group.order();
    let sizes = outgoing.stabiliser.iter();
    let sizes = sizes.map(|&own| &order / cosets.subgroup_of(own).order()).collect();
    let mut internal = vec![false; quotient.labels.len()];
    quotient.internal.iter().for_each(|&label| internal[label as usize] = true);
    let mut counting = Counting { quotient, outgoing, cosets, order, sizes, internal };
    let mut facts = Facts::default();
    counting.states(&mut facts);
    facts.transitions = counting.labels();
    counting.components(&mut facts, cancel)?;
    let deadlocks = counting.nearest(most);
    Ok((facts, deadlocks))
}

struct Counting<'a> {
    quotient: &'a Quotient,
    outgoing: Outgoing,
    cosets: Cosets,
    order: BigUint,
    /// For every orbit how many states it has.
    sizes: Vec<BigUint>,
    internal: Vec<bool>,
}

/// The states of a component of orbits: all of them, those of one component of the original, and
/// whether it has a cycle.
struct Above {
    states: BigUint,
    of_one: BigUint,
    is_cyclic: bool,
}

impl Counting<'_> {
    fn orbits(&self) -> u32 {
        self.sizes.len() as u32
    }

    fn states(&self, facts: &mut Facts) {
        let mut steps = Vec::new();
        for orbit in 0..self.orbits() {
            let size = &self.sizes[orbit as usize];
            let label = |label: u32| if self.internal[label as usize] { NONE } else { label };
            steps.clear();
            steps
                .extend(self.outgoing.of(orbit).iter().map(|step| (label(step.0), step.1, step.2)));
            steps.sort_unstable();
            steps.dedup();
            if steps.is_empty() {
                facts.deadlocks += size;
            }
            if steps.windows(2).any(|two| two[0].0 == two[1].0) {
                facts.nondeterministic += size;
            }
        }
    }

    /// How many transitions each label has: as many as the other labels of its orbit.
    fn labels(&self) -> Vec<BigUint> {
        let group = &self.quotient.group;
        let orbit_of = orbits(group.points + group.set, &group.generators);
        let orbit_of = |label: u32| orbit_of[group.points + label as usize];
        let mut together: BTreeMap<u32, (BigUint, u32)> = BTreeMap::new();
        for label in 0..self.internal.len() as u32 {
            together.entry(orbit_of(label)).or_default().1 += 1;
        }
        for orbit in 0..self.orbits() {
            for step in self.outgoing.of(orbit) {
                let (count, _) = together.get_mut(&orbit_of(step.0)).expect("all labels are in");
                *count += &self.sizes[orbit as usize];
            }
        }
        let each = |label| {
            let (count, labels) = &together[&orbit_of(label)];
            count / *labels
        };
        (0..self.internal.len() as u32).map(each).collect()
    }

    fn components(&mut self, facts: &mut Facts, cancel: &Cancel) -> Result<(), NoMinimum> {
        let (component, above) = self.above(&|_| true, cancel)?;
        let mut leaves = vec![false; above.len()];
        for orbit in 0..self.orbits() {
            let own = component[orbit as usize];
            let out = self.outgoing.of(orbit).iter().any(|step| component[step.2 as usize] != own);
            leaves[own as usize] |= out;
        }
        for (one, leaves) in above.iter().zip(leaves) {
            one.add_to(&mut facts.components);
            if one.is_cyclic {
                one.add_to(&mut facts.cyclic);
            }
            if !leaves {
                one.add_to(&mut facts.terminal);
            }
        }
        let internal = self.internal.clone();
        let is_internal = |label: u32| internal[label as usize];
        let (component, above) = self.above(&is_internal, cancel)?;
        // Internal steps lead to components of a smaller number, or the same.
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); above.len()];
        (0..self.orbits()).for_each(|o| members[component[o as usize] as usize].push(o));
        let mut diverges: Vec<bool> = above.iter().map(|one| one.is_cyclic).collect();
        for (own, one) in above.iter().enumerate() {
            if one.is_cyclic {
                one.add_to(&mut facts.internal_cyclic);
                facts.on_internal_cycles += &one.states;
            }
            let mut steps = members[own].iter().flat_map(|&orbit| self.outgoing.of(orbit));
            diverges[own] |= steps
                .any(|step| is_internal(step.0) && diverges[component[step.2 as usize] as usize]);
            if diverges[own] {
                facts.divergent += &one.states;
            }
        }
        Ok(())
    }

    /// The component of every orbit by the steps with some labels, and the components.
    fn above(
        &mut self,
        has: &dyn Fn(u32) -> bool,
        cancel: &Cancel,
    ) -> Result<(Vec<u32>, Vec<Above>), NoMinimum> {
        let steps = self.outgoing.steps.iter();
        let (label, target): (Vec<u32>, Vec<u32>) =
            steps.map(|step| (u32::from(has(step.0)), step.2)).unzip();
        let starts = self.outgoing.starts.clone();
        let graph = Forward::of_numbers(starts, label, target);
        let found = components(&graph, &[false, true], cancel)?;
        let (component, count): (Vec<u32>, u32) = (cast_vec(found.0), found.1);
        let mut above: Vec<Option<Above>> = (0..count).map(|_| None).collect();
        let mut offset = vec![NONE; component.len()];
        for first in 0..self.orbits() {
            let own = component[first as usize] as usize;
            if above[own].is_none() {
                above[own] = Some(self.one(first, &component, &mut offset, has, cancel)?);
            }
        }
        Ok((component, above.into_iter().flatten().collect()))
    }

    /// The component of an orbit. `offset` gets for its orbits elements that take representatives
    /// into one component of the original.
    fn one(
        &mut self,
        first: u32,
        component: &[u32],
        offset: &mut [u32],
        has: &dyn Fn(u32) -> bool,
        cancel: &Cancel,
    ) -> Result<Above, NoMinimum> {
        let own = component[first as usize];
        let mut unchecked = 0;
        offset[first as usize] = IDENTITY;
        let (mut found, mut at) = (vec![first], 0);
        let mut is_cyclic = false;
        let generators = self.cosets.generators(self.outgoing.stabiliser[first as usize]);
        let images = |&generator: &u32| self.cosets.elements.get(generator).into();
        let generators: Vec<_> = generators.iter().map(images).collect();
        let mut fixing = Subgroup::new(self.cosets.points(), &generators, cancel)?;
        let mut is_all = fixing.order() == self.order;
        let mut states = BigUint::ZERO;
        while at < found.len() {
            let orbit = found[at];
            at += 1;
            states += &self.sizes[orbit as usize];
            cancel.check_every(&mut unchecked, 1 + self.outgoing.of(orbit).len())?;
            let here = offset[orbit as usize];
            let Counting { outgoing, cosets, .. } = self;
            for &(label, shift, to) in outgoing.of(orbit) {
                if component[to as usize] != own || !has(label) {
                    continue;
                }
                is_cyclic = true;
                if offset[to as usize] != NONE && is_all {
                    continue;
                }
                let reached = cosets.elements.compose(here, shift);
                if offset[to as usize] == NONE {
                    offset[to as usize] = reached;
                    found.push(to);
                    continue;
                }
                let back = cosets.elements.inverse(offset[to as usize]);
                let around = cosets.elements.compose(reached, back);
                if around != IDENTITY && fixing.add(cosets.elements.get(around), cancel)? {
                    is_all = fixing.order() == self.order;
                }
            }
        }
        let count = if is_cyclic { &self.order / fixing.order() } else { states.clone() };
        Ok(Above { of_one: &states / count, states, is_cyclic })
    }

    /// The nearest deadlocks, one of each orbit.
    fn nearest(&mut self, most: usize) -> Vec<Deadlock> {
        let mut from = vec![None; self.sizes.len()];
        let mut seen = vec![false; self.sizes.len()];
        let mut waiting = VecDeque::from([self.outgoing.initial]);
        seen[self.outgoing.initial as usize] = true;
        let mut found = Vec::new();
        while let Some(orbit) = waiting.pop_front() {
            if found.len() >= most {
                break;
            }
            let steps = self.outgoing.of(orbit);
            if steps.is_empty() {
                found.push(orbit);
            }
            for step in steps {
                if !std::mem::replace(&mut seen[step.2 as usize], true) {
                    from[step.2 as usize] = Some((orbit, *step));
                    waiting.push_back(step.2);
                }
            }
        }
        let sizes = self.sizes.clone();
        let deadlock =
            |&orbit: &u32| (orbit, sizes[orbit as usize].clone(), self.trace(&from, orbit));
        found.iter().map(deadlock).collect()
    }

    /// The labels on the way to a state of an orbit, where each step goes on from the state before.
    fn trace(&mut self, from: &[Option<(u32, Step)>], orbit: u32) -> Vec<u32> {
        let (mut steps, mut at) = (Vec::new(), orbit);
        while let Some((before, step)) = from[at as usize] {
            steps.push(step);
            at = before;
        }
        let mut here = IDENTITY;
        let mut labels = room(steps.len());
        for &(label, shift, _) in steps.iter().rev() {
            labels.push(self.cosets.label(here, label));
            here = self.cosets.elements.compose(here, shift);
        }
        labels
    }
}

impl Above {
    fn add_to(&self, sizes: &mut Sizes) {
        *sizes.entry(self.of_one.clone()).or_default() += &self.states / &self.of_one;
    }
}
