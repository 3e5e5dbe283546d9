//! Exact splits by some steps: by weak transitions with some labels to some orbits of classes.

use crate::base::ids::Id;
use crate::group::element_table::IDENTITY;
use crate::symmetry::annotated_quotient::Step;
use crate::symmetry::minimise::class_partition::{Fixing, Partition};
use crate::symmetry::minimise::limits::Bounds;
use crate::symmetry::minimise::limits::NoMinimum;
use crate::symmetry::minimise::point_colours::key;
use crate::symmetry::minimise::system::DELTA;
use crate::symmetry::minimise::system::System;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Splits by the part of the signatures with a label and a class of `steps`, up to the group. At
/// least one of the steps must be a transition that some states of a class have and others lack.
pub fn split(
    system: System,
    partition: &mut Partition,
    steps: &[Step],
    bounds: &mut Bounds,
) -> Result<(), NoMinimum> {
    let System { outgoing, tau, .. } = system;
    let classes: FxHashSet<u32> = steps.iter().map(|step| step.2).collect();
    let kinds: FxHashSet<u32> = steps.iter().map(|step| partition.labels.kind(step.0)).collect();
    let count = outgoing.stabiliser.len();
    let mut reach: Vec<Box<[Step]>> = Vec::with_capacity(count);
    let mut members: FxHashSet<Step> = FxHashSet::default();
    for orbit in 0..u32::at(count) {
        members.clear();
        let own = partition.step(tau, IDENTITY, orbit);
        if classes.contains(&own.2) {
            members.insert(own);
        }
        let mut classes = partition.classes();
        for &(_, shift, to) in outgoing.of(orbit).iter().filter(|step| step.0 == tau) {
            let part = &reach[to as usize];
            members.extend(part.iter().map(|&step| classes.image(shift, step)));
        }
        reach.push(members.iter().copied().collect());
    }
    // Visible steps may lead to larger orbits, so E is computed for all orbits first.
    let mut signature: Vec<Rc<[Step]>> = Vec::with_capacity(count);
    for orbit in 0..u32::at(count) {
        members.clear();
        if kinds.contains(&tau) {
            members.extend(&*reach[orbit as usize]);
        }
        if system.diverges(orbit) && kinds.contains(&DELTA) {
            members.extend(reach[orbit as usize].iter().map(|&(_, g, class)| (DELTA, g, class)));
        }
        for &(label, shift, to) in outgoing.of(orbit) {
            if label == tau {
                let mut classes = partition.classes();
                let part = &signature[to as usize];
                members.extend(part.iter().map(|&step| classes.image(shift, step)));
            } else if kinds.contains(&partition.labels.kind(label)) {
                let mut classes = partition.classes();
                members.extend(reach[to as usize].iter().map(|&step| {
                    let (_, shift, class) = classes.image(shift, step);
                    (label, shift, class)
                }));
            }
        }
        signature.push(members.iter().copied().collect());
    }
    let mut fixing = Fixing::default();
    for orbit in 0..u32::at(count) {
        bounds.cancel.check()?;
        let back = partition.back(orbit);
        let mut classes = partition.classes();
        let steps = &mut signature[orbit as usize];
        let mut moved: Vec<Step> = steps.iter().map(|&step| classes.image(back, step)).collect();
        moved.sort_unstable_by_key(key);
        let (image, generators) = partition.canonical_steps(orbit, moved, bounds)?;
        *steps = image.into();
        fixing.insert(orbit, generators);
    }
    let moved = partition.split(&mut signature, &fixing, bounds.cancel)?;
    assert!(!moved.is_empty(), "states that lack a transition get another class");
    Ok(())
}
