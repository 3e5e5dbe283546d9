//! The transitions between classes: whether these are a weak bisimulation, and which transitions
//! are not implied by others.

use crate::base::cancel::Cancel;
use crate::base::csr::Forward;
use crate::base::ids::Id;
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

/// Transitions of the representatives of orbits of classes, without inert ones: each class has
/// those of all its states.
///
/// Those of orbit c are `steps[starts[c]..starts[c + 1]]`.
pub struct Blocks {
    starts: Vec<u32>,
    steps: Vec<Step>,
    /// For every orbit of classes its component of internal steps; these lead to the same or a
    /// smaller component.
    component: Vec<u32>,
}

/// The number of missing transitions after which the check may stop.
const MANY: usize = 1 << 10;

impl Blocks {
    pub fn new(
        system: System,
        partition: &mut Partition,
        cancel: &Cancel,
    ) -> Result<Self, NoMinimum> {
        let (mut starts, mut steps) = (vec![0], Vec::new());
        let mut seen: FxHashSet<Step> = FxHashSet::default();
        for class in 0..u32::at(partition.members.len()) {
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
                    for image in partition.cosets.images(step, own, to, cancel)? {
                        seen.insert(image);
                        steps.push(image);
                    }
                }
            }
            starts.push(u32::at(steps.len()));
        }
        // Only whether a label is internal matters here.
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

    /// Transitions of classes that one of their states lacks; empty if the partition is stable.
    ///
    /// Assume that every bottom state of a class (one without inert steps) has weak transitions for
    /// all transitions of the class, composed of a transition of its own and then of transitions of
    /// classes. Then by induction along the internal steps all states have them, and the classes
    /// have no others. Classes on a cycle of internal steps lack some of these, as their states are
    /// on no cycle.
    pub fn missing(
        &self,
        system: System,
        partition: &mut Partition,
        cancel: &Cancel,
    ) -> Result<Vec<Step>, NoMinimum> {
        let tau = system.tau;
        let mut missing = Vec::new();
        for class in 0..u32::at(partition.members.len()) {
            let own = self.component[class as usize];
            let around = |step: &&Step| step.0 == tau && self.component[step.2 as usize] == own;
            missing.extend(self.of(class).iter().filter(around));
        }
        if !missing.is_empty() {
            return Ok(missing);
        }
        for class in 0..u32::at(partition.members.len()) {
            cancel.check()?;
            for at in 0..partition.members[class as usize].len() {
                cancel.check()?;
                let member = partition.members[class as usize][at];
                let own = steps_of(system, partition, member);
                if own.contains(&(tau, IDENTITY, class)) {
                    continue;
                }
                let own: FxHashSet<Step> = own.into_iter().collect();
                let lacks = |step: &&Step| !own.contains(step);
                let unmatched: FxHashSet<Step> =
                    self.of(class).iter().filter(lacks).copied().collect();
                if !unmatched.is_empty() {
                    let classes = &mut partition.classes();
                    let left = self.unreached(tau, own, unmatched, classes, cancel)?;
                    missing.extend(left);
                }
            }
            if missing.len() > MANY {
                break;
            }
        }
        Ok(missing)
    }

    /// The transitions that no others imply; the partition must be stable.
    ///
    /// A transition is implied by an internal step followed by a weak transition, or by another
    /// transition with the same label followed by internal steps. Internal steps lead downwards in
    /// an order of the classes, so a transition that is implied is also implied by ones that are
    /// not.
    pub fn not_implied(
        &self,
        tau: u32,
        partition: &mut Partition,
        cancel: &Cancel,
    ) -> Result<Vec<Vec<Step>>, NoMinimum> {
        let classes = &mut partition.classes();
        let mut steps = Vec::with_capacity(self.component.len());
        for class in 0..u32::at(self.component.len()) {
            cancel.check()?;
            let all = self.of(class);
            let is_silent = all.iter().any(|step| step.0 == tau);
            let below = |step: &Step| self.component[step.2 as usize];
            // Visible steps may be implied after an internal one, all steps by steps with the same
            // label.
            let mut highest: FxHashMap<u32, u32> = FxHashMap::default();
            for step in all {
                let highest = highest.entry(step.0).or_default();
                *highest = below(step).max(*highest);
            }
            let may_be =
                |step: &&Step| is_silent && step.0 != tau || highest[&step.0] > below(step);
            let unmatched: FxHashSet<Step> = all.iter().filter(may_be).copied().collect();
            let mut first = FxHashSet::default();
            for (at, &step) in all.iter().enumerate() {
                cancel.check_at(at)?;
                self.successors(tau, step, classes, |next| {
                    first.insert(next);
                });
            }
            let candidates = unmatched.clone();
            let left = self.unreached(tau, first, unmatched, classes, cancel)?;
            let stays = |step: &&Step| !candidates.contains(step) || left.contains(step);
            steps.push(all.iter().filter(stays).copied().collect());
        }
        Ok(steps)
    }

    /// The weak targets of a step followed by at most one step of the classes.
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

    /// The part of `unmatched` that no weak transition beginning with a step in `reached` reaches.
    fn unreached(
        &self,
        tau: u32,
        mut reached: FxHashSet<Step>,
        mut unmatched: FxHashSet<Step>,
        classes: &mut Classes,
        cancel: &Cancel,
    ) -> Result<FxHashSet<Step>, NoMinimum> {
        // Internal steps only lead downwards: for each label, the lowest component of them bounds
        // the search.
        let mut lowest: FxHashMap<u32, u32> = FxHashMap::default();
        for &(label, _, class) in &unmatched {
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
        for &step in &reached {
            if is_above(&step) {
                unmatched.remove(&step);
                waiting.push(step);
            }
        }
        let mut unchecked = 0;
        while let Some(step) = waiting.pop() {
            cancel.check_every(&mut unchecked, 1 + self.of(step.2).len())?;
            if unmatched.is_empty() {
                break;
            }
            self.successors(tau, step, classes, |next| {
                if is_above(&next) && reached.insert(next) {
                    unmatched.remove(&next);
                    waiting.push(next);
                }
            });
        }
        Ok(unmatched)
    }
}

/// The transitions between classes of an orbit's representative, moved by `h^-1`.
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
