//! The transitions of classes, each with those of all its states: whether that is a weak bisimulation,
//! and which of them no others imply.

use crate::base::cancel::Cancel;
use crate::base::csr::Forward;
use crate::bisimulation::tau_scc::components;
use crate::group::element_table::IDENTITY;
use crate::symmetry::annotated_quotient::Step;
use crate::symmetry::minimise::class_partition::Partition;
use crate::symmetry::minimise::limits::NoMinimum;
use crate::symmetry::minimise::point_colours::Classes;
use crate::symmetry::minimise::system::DELTA;
use crate::symmetry::minimise::system::System;
use bytemuck::cast_vec;
use rustc_hash::{FxHashMap, FxHashSet};

/// Transitions of the representatives of orbits of classes, without internal steps that stay.
///
/// Those of orbit c are `steps[starts[c]..starts[c + 1]]`.
pub struct Blocks {
    starts: Vec<u32>,
    steps: Vec<Step>,
    /// For every orbit of classes its component of internal steps; they lead to smaller ones.
    component: Vec<u32>,
}

/// So many transitions that a state lacks are enough to go on.
const MANY: usize = 1 << 10;

impl Blocks {
    pub fn new(
        system: System,
        partition: &mut Partition,
        cancel: &Cancel,
    ) -> Result<Self, NoMinimum> {
        let (mut starts, mut steps) = (vec![0], Vec::new());
        let mut seen: FxHashSet<Step> = FxHashSet::default();
        for class in 0..partition.members.len() as u32 {
            seen.clear();
            let stay = (system.tau, IDENTITY, class);
            let own = partition.stabiliser[class as usize];
            for at in 0..partition.members[class as usize].len() {
                let member = partition.members[class as usize][at];
                for step in steps_of(system, partition, member) {
                    if step == stay || seen.contains(&step) {
                        continue;
                    }
                    if step.0 == DELTA {
                        seen.insert(step);
                        steps.push(step);
                        continue;
                    }
                    let to = partition.stabiliser[step.2 as usize];
                    for image in partition.cosets.images(step, own, to) {
                        seen.insert(image);
                        steps.push(image);
                    }
                }
            }
            starts.push(steps.len() as u32);
        }
        // Of labels it matters only which is internal.
        let label: Vec<u32> = steps.iter().map(|step| u32::from(step.0 == system.tau)).collect();
        let target: Vec<u32> = steps.iter().map(|step| step.2).collect();
        let graph = Forward::of_numbers(starts, label, target);
        let (component, _) = components(&graph, &[false, true], cancel)?;
        Ok(Self { starts: graph.starts, steps, component: cast_vec(component) })
    }

    fn of(&self, class: u32) -> &[Step] {
        let class = class as usize;
        &self.steps[self.starts[class] as usize..self.starts[class + 1] as usize]
    }

    /// Transitions of classes that one of their states lacks, none if the partition is stable.
    ///
    /// If each bottom state of a class (one without internal steps inside it) has weak transitions for
    /// all of the class, which first of its own and then of the classes', then so have all states, and
    /// the classes have no others: by induction along the internal steps. Classes on a cycle of internal
    /// steps lack some, as their states are on none.
    pub fn missing(
        &self,
        system: System,
        partition: &mut Partition,
        cancel: &Cancel,
    ) -> Result<Vec<Step>, NoMinimum> {
        let tau = system.tau;
        let mut missing = Vec::new();
        for class in 0..partition.members.len() as u32 {
            let own = self.component[class as usize];
            let around = |step: &&Step| step.0 == tau && self.component[step.2 as usize] == own;
            missing.extend(self.of(class).iter().filter(around));
        }
        if !missing.is_empty() {
            return Ok(missing);
        }
        for class in 0..partition.members.len() as u32 {
            cancel.check()?;
            for at in 0..partition.members[class as usize].len() {
                let member = partition.members[class as usize][at];
                let own = steps_of(system, partition, member);
                if own.contains(&(tau, IDENTITY, class)) {
                    continue;
                }
                let own: FxHashSet<Step> = own.into_iter().collect();
                let lacks = |step: &&Step| !own.contains(step);
                let wanted: FxHashSet<Step> =
                    self.of(class).iter().filter(lacks).copied().collect();
                if !wanted.is_empty() {
                    let left = self.unreached(tau, own, wanted, &mut partition.classes());
                    missing.extend(left);
                }
            }
            if missing.len() > MANY {
                break;
            }
        }
        Ok(missing)
    }

    /// The transitions that no others imply, of a partition that is stable.
    ///
    /// A transition is implied by an internal step before it, or by internal steps behind another
    /// one with its label. Internal steps go down in an order on the classes, so that what implies a
    /// transition is implied by essential ones in the end.
    pub fn not_implied(
        &self,
        tau: u32,
        partition: &mut Partition,
        cancel: &Cancel,
    ) -> Result<Vec<Vec<Step>>, NoMinimum> {
        let classes = &mut partition.classes();
        let mut rows = Vec::with_capacity(self.component.len());
        for class in 0..self.component.len() as u32 {
            cancel.check()?;
            let all = self.of(class);
            let is_silent = all.iter().any(|step| step.0 == tau);
            let below = |step: &Step| self.component[step.2 as usize];
            // Visible steps are implied by internal ones, all steps by steps with their label.
            let may_be = |step: &&Step| {
                let beside = |other: &Step| other.0 == step.0 && below(other) > below(step);
                is_silent && step.0 != tau || all.iter().any(beside)
            };
            let wanted: FxHashSet<Step> = all.iter().filter(may_be).copied().collect();
            let mut first = FxHashSet::default();
            for &step in all {
                self.successors(tau, step, classes, |next| {
                    first.insert(next);
                });
            }
            let candidates = wanted.clone();
            let kept = self.unreached(tau, first, wanted, classes);
            let stays = |step: &&Step| !candidates.contains(step) || kept.contains(step);
            rows.push(all.iter().filter(stays).copied().collect());
        }
        Ok(rows)
    }

    /// What a step leads to weakly with one more step of the classes.
    fn successors(
        &self,
        tau: u32,
        (label, shift, class): Step,
        classes: &mut Classes,
        mut visit: impl FnMut(Step),
    ) {
        for &step in self.of(class) {
            if label == tau {
                visit(classes.image(shift, step));
            } else if step.0 == tau {
                let (_, shift, class) = classes.image(shift, step);
                visit((label, shift, class));
            }
        }
    }

    /// What is left of `wanted` without all that weak transitions make of the steps `found`.
    fn unreached(
        &self,
        tau: u32,
        mut found: FxHashSet<Step>,
        mut wanted: FxHashSet<Step>,
        classes: &mut Classes,
    ) -> FxHashSet<Step> {
        // Internal steps only lead down: the lowest component that is wanted behind each label.
        let mut lowest: FxHashMap<u32, u32> = FxHashMap::default();
        for &(label, _, class) in &wanted {
            let component = self.component[class as usize];
            let least = lowest.entry(label).or_insert(component);
            *least = component.min(*least);
        }
        if lowest.keys().any(|&label| label != tau) {
            lowest.insert(tau, 0);
        }
        let is_above = |&(label, _, class): &Step| {
            lowest.get(&label).is_some_and(|&least| self.component[class as usize] >= least)
        };
        let mut waiting: Vec<Step> = Vec::new();
        for &step in &found {
            if is_above(&step) {
                wanted.remove(&step);
                waiting.push(step);
            }
        }
        while let Some(step) = waiting.pop() {
            if wanted.is_empty() {
                break;
            }
            self.successors(tau, step, classes, |next| {
                if is_above(&next) && found.insert(next) {
                    wanted.remove(&next);
                    waiting.push(next);
                }
            });
        }
        wanted
    }
}

/// The transitions of a representative moved by `h^-1`, between classes.
fn steps_of(system: System, partition: &mut Partition, orbit: u32) -> Vec<Step> {
    let back = partition.back(orbit);
    let mut steps = Vec::new();
    for &(label, shift, to) in system.outgoing.of(orbit) {
        let step = partition.step(label, shift, to);
        steps.push(partition.classes().image(back, step));
    }
    if system.diverges(orbit) {
        steps.push((DELTA, IDENTITY, partition.class[orbit as usize]));
    }
    steps
}
