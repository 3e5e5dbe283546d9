//! All transitions of the representatives of a quotient, and what is left of it when every
//! component of internal steps is one state.

use crate::base::cancel::Cancel;
use crate::base::csr::Forward;
use crate::bisimulation::tau_scc::components;
use crate::group::element_table::IDENTITY;
use crate::group::permutation::Permutation;
use crate::group::subgroup::{Subgroup, Subgroups};
use crate::symmetry::annotated_quotient::{Cosets, Quotient, Step};
use crate::symmetry::minimise::limits::NoMinimum;
use bytemuck::cast_vec;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Orbits by their representatives. The transitions of that of orbit o are
/// `steps[starts[o]..starts[o + 1]]`: all of them, not one of each orbit under the stabiliser.
pub struct Outgoing {
    pub initial: u32,
    /// Numbers of subgroups of the cosets.
    pub stabiliser: Vec<u32>,
    pub starts: Vec<u32>,
    pub steps: Vec<Step>,
    /// Whether there is an internal step from one state of a component to one of it.
    pub diverges: Vec<bool>,
}

impl Outgoing {
    /// Those of a quotient, all internal labels as `tau` if that is one, and cosets that have no
    /// subgroups but the stabilisers.
    pub fn new(
        quotient: &Quotient,
        tau: u32,
        cancel: &Cancel,
    ) -> Result<(Self, Cosets), NoMinimum> {
        let subgroups = Arc::new(Subgroups::new(quotient.group.points));
        let elements = quotient.elements.clone();
        let mut cosets = Cosets::over(Arc::clone(&quotient.group), subgroups, elements);
        let mut stabiliser = Vec::with_capacity(quotient.orbits());
        for orbit in 0..quotient.orbits() as u32 {
            stabiliser
                .push(cosets.subgroup(quotient.stabiliser_of(orbit).generators.clone(), cancel)?);
        }
        let mut merged: Vec<u32> = (0..quotient.labels.len() as u32).collect();
        if quotient.internal.contains(&tau) {
            quotient.internal.iter().for_each(|&label| merged[label as usize] = tau);
        }
        let (mut starts, mut steps) = (Vec::with_capacity(quotient.orbits() + 1), Vec::new());
        let mut row = 0;
        for orbit in 0..quotient.orbits() as u32 {
            starts.push(steps.len() as u32);
            while row < quotient.source.len() && quotient.source[row] == orbit {
                let to = quotient.target[row];
                let step = (merged[quotient.label[row] as usize], quotient.shift[row], to);
                let own = stabiliser[orbit as usize];
                steps.extend(cosets.images(step, own, stabiliser[to as usize]));
                row += 1;
            }
        }
        starts.push(steps.len() as u32);
        let diverges = vec![false; stabiliser.len()];
        Ok((Self { initial: quotient.initial, stabiliser, starts, steps, diverges }, cosets))
    }

    pub fn of(&self, orbit: u32) -> &[Step] {
        let orbit = orbit as usize;
        &self.steps[self.starts[orbit] as usize..self.starts[orbit + 1] as usize]
    }

    /// For every orbit those with a transition there whose label is one of `labels`.
    pub fn before(&self, labels: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.stabiliser.len()];
        for orbit in 0..self.stabiliser.len() as u32 {
            for &(_, _, to) in self.of(orbit).iter().filter(|step| labels(step.0)) {
                let list = &mut before[to as usize];
                if list.last() != Some(&orbit) {
                    list.push(orbit);
                }
            }
        }
        before
    }
}

/// For every orbit its component, and the element that takes the representative into that of the
/// component.
pub type PointColours = Vec<(u32, u32)>;

/// Makes every component of internal steps one state, an orbit of components one orbit, numbered so
/// that internal steps lead to smaller ones.
///
/// The components can be seen on the orbits: a cycle of orbits, gone round often enough, is one of
/// states, as the group is finite. That of a representative is fixed by whatever takes a state of it to
/// a state of it; such elements are found along the internal steps.
pub fn contract(
    outgoing: Outgoing,
    tau: u32,
    cosets: &mut Cosets,
    cancel: &Cancel,
) -> Result<(Outgoing, PointColours), NoMinimum> {
    const UNSEEN: u32 = u32::MAX;
    let (component, count) = orbit_components(&outgoing, tau, cancel)?;
    let mut diverges = vec![false; count as usize];
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
    let mut offset = vec![UNSEEN; component.len()];
    let mut stabiliser = vec![0; count as usize];
    let mut found: Vec<u32> = Vec::new();
    for first in 0..component.len() as u32 {
        if offset[first as usize] != UNSEEN {
            continue;
        }
        let own = component[first as usize];
        offset[first as usize] = IDENTITY;
        found.clear();
        found.push(first);
        let mut fixing: Vec<Permutation> = Vec::new();
        let mut at = 0;
        while at < found.len() {
            let orbit = found[at];
            at += 1;
            let here = offset[orbit as usize];
            for generator in cosets.generators(outgoing.stabiliser[orbit as usize]) {
                let back = cosets.elements.inverse(here);
                let moved = cosets.elements.compose(here, generator);
                let moved = cosets.elements.compose(moved, back);
                fixing.push(cosets.elements.get(moved).into());
            }
            for &(label, shift, to) in outgoing.of(orbit) {
                if label != tau || component[to as usize] != own {
                    continue;
                }
                diverges[own as usize] = true;
                let reached = cosets.elements.compose(here, shift);
                if offset[to as usize] == UNSEEN {
                    // `reached` takes the representative to the state that is met.
                    offset[to as usize] = reached;
                    found.push(to);
                    continue;
                }
                let back = cosets.elements.inverse(offset[to as usize]);
                let around = cosets.elements.compose(reached, back);
                if around != IDENTITY {
                    fixing.push(cosets.elements.get(around).into());
                }
            }
        }
        fixing.sort_unstable();
        fixing.dedup();
        let few = Subgroup::new(cosets.points(), &fixing, cancel)?;
        stabiliser[own as usize] = cosets.subgroup(few.generators, cancel)?;
        members[own as usize].clone_from(&found);
    }
    let (mut starts, mut steps) = (Vec::with_capacity(count as usize + 1), Vec::new());
    for own in 0..count {
        starts.push(steps.len() as u32);
        let mut seen: FxHashSet<Step> = FxHashSet::default();
        for &orbit in &members[own as usize] {
            let here = offset[orbit as usize];
            for &(label, shift, to) in outgoing.of(orbit) {
                let target = component[to as usize];
                if label == tau && target == own {
                    continue;
                }
                let back = cosets.elements.inverse(offset[to as usize]);
                let moved = cosets.elements.compose(here, shift);
                let moved = cosets.elements.compose(moved, back);
                let least = cosets.least(moved, stabiliser[target as usize]);
                let step = (cosets.label(here, label), least, target);
                if !seen.contains(&step) {
                    let to = stabiliser[target as usize];
                    let all = cosets.images(step, stabiliser[own as usize], to);
                    seen.extend(all.iter().copied());
                    steps.extend(all);
                }
            }
        }
    }
    starts.push(steps.len() as u32);
    let initial = component[outgoing.initial as usize];
    let places = component.into_iter().zip(offset).collect();
    Ok((Outgoing { initial, stabiliser, starts, steps, diverges }, places))
}

/// The components of internal steps between orbits.
fn orbit_components(
    outgoing: &Outgoing,
    tau: u32,
    cancel: &Cancel,
) -> Result<(Vec<u32>, u32), NoMinimum> {
    // Of labels it matters only which is internal.
    let label: Vec<u32> = outgoing.steps.iter().map(|step| u32::from(step.0 == tau)).collect();
    let target: Vec<u32> = outgoing.steps.iter().map(|step| step.2).collect();
    let starts = outgoing.starts.clone();
    let graph = Forward::of_numbers(starts, label, target);
    let (component, count) = components(&graph, &[false, true], cancel)?;
    Ok((cast_vec(component), count))
}
