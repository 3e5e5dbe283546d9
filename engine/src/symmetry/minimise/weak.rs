//! Weak bisimulation on orbits, without the closure of the internal steps.
//!
//! As in [`crate::bisimulation::weak`] the signature of a representative consists of the sets
//!
//! - `E(r) = {[r]} u U {k E(r') : r -tau-> k r'}` and
//! - `sig(r) = {(a, c) : r -a-> k r', c in k E(r')} u U {k sig(r') : r -tau-> k r'}`,
//!
//! of which only sketches are stored. The group acts on them: there is a sketch for every point,
//! and one more. A class gives each point a bit for the relation of the point to it (for the class
//! `c r`, the orbit of `c^-1` of the point), so sketches move with the points. Refinement by
//! sketches may separate too few states, but never too many; [`crate::symmetry::minimise::verify`]
//! finds the rest, and [`crate::symmetry::minimise::split_by_targets`] splits by it.

use crate::base::cancel::{Cancel, Refining};
use crate::base::hash::low_half;
use crate::base::hash::mix;
use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::bisimulation::weak::sketch::{Sketch, add, behind, sketch};
use crate::group::canonical_image::Object;
use crate::group::element_table::IDENTITY;
use crate::group::permutation::Permutation;
use crate::symmetry::annotated_quotient::Step;
use crate::symmetry::minimise::class_partition::{Fixing, Partition};
use crate::symmetry::minimise::limits::Bounds;
use crate::symmetry::minimise::limits::NoMinimum;
use crate::symmetry::minimise::split_by_targets;
use crate::symmetry::minimise::system::DELTA;
use crate::symmetry::minimise::system::System;
use crate::symmetry::minimise::verify::Blocks;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::rc::Rc;

/// Splits a partition into the classes of weak bisimulation; returns the transitions, not implied
/// by others, of the representatives of the orbits of classes.
pub fn weak(
    system: System,
    partition: &mut Partition,
    bounds: &mut Bounds,
) -> Result<Vec<Vec<Step>>, NoMinimum> {
    for seed in 0.. {
        Sketches::new(system, partition, seed).run(bounds)?;
        let blocks = Blocks::new(system, partition, bounds.cancel)?;
        let missing = blocks.missing(system, partition, bounds.cancel)?;
        if missing.is_empty() {
            return blocks.not_implied(system.tau, partition, bounds.cancel);
        }
        split_by_targets::split(system, partition, &missing, bounds)?;
    }
    unreachable!("there are finitely many partitions")
}

struct Sketches<'a> {
    system: System<'a>,
    partition: &'a mut Partition,
    seed: u32,
    /// The number of sketches of each orbit: one for every point, and one for all together.
    width: usize,
    reach: Vec<Sketch>,
    offer: Vec<Sketch>,
    /// For every orbit the canonical image of its sketches, moved by `h^-1`.
    keys: Vec<Rc<[Marks]>>,
    /// For every orbit the orbits with a transition to it, and those of them with an internal one.
    before: Vec<Vec<u32>>,
    silently_before: Vec<Vec<u32>>,
    /// The sketches that are being computed.
    sum: Vec<Sketch>,
}

/// The sketches of E and of the signature at one point.
type Marks = [Sketch; 2];

impl<'a> Sketches<'a> {
    fn new(system: System<'a>, partition: &'a mut Partition, seed: u32) -> Self {
        let width = partition.cosets.points() + 1;
        let count = system.outgoing.stabiliser.len();
        let none: Rc<[Marks]> = Rc::new([]);
        Self {
            system,
            partition,
            seed,
            width,
            reach: vec![[0; 2]; count * width],
            offer: vec![[0; 2]; count * width],
            keys: vec![none; count],
            before: system.outgoing.before(|label| label != system.tau),
            silently_before: system.outgoing.before(|label| label == system.tau),
            sum: vec![[0; 2]; width],
        }
    }

    fn run(mut self, bounds: &mut Bounds) -> Result<(), NoMinimum> {
        let mut moved: Vec<u32> = (0..u32::at(self.keys.len())).collect();
        let shown = Refining::begin(bounds.cancel);
        while !moved.is_empty() {
            shown.round(self.partition.members.len());
            let changed = self.update(&moved, bounds.cancel)?;
            let mut fixing = Fixing::default();
            for orbit in changed {
                fixing.insert(orbit, self.set_key(orbit, bounds)?);
            }
            moved = self.partition.split(&mut self.keys, &fixing, bounds.cancel)?;
        }
        Ok(())
    }

    /// Recomputes sketches after the orbits in `moved` got other classes; returns the orbits whose
    /// sketches changed.
    fn update(&mut self, moved: &[u32], cancel: &Cancel) -> Result<BTreeSet<u32>, NoMinimum> {
        let mut changed = BTreeSet::new();
        let mut offers = BTreeSet::new();
        let mut waiting: BTreeSet<u32> = moved.iter().copied().collect();
        while let Some(orbit) = waiting.pop_first() {
            cancel.check()?;
            self.find_reach(orbit);
            if replace(&mut self.reach, orbit, &self.sum) {
                changed.insert(orbit);
                waiting.extend(&self.silently_before[orbit as usize]);
                offers.extend(&self.before[orbit as usize]);
                if self.system.diverges(orbit) {
                    offers.insert(orbit);
                }
            }
        }
        while let Some(orbit) = offers.pop_first() {
            cancel.check()?;
            self.find_offer(orbit);
            if replace(&mut self.offer, orbit, &self.sum) {
                changed.insert(orbit);
                offers.extend(&self.silently_before[orbit as usize]);
            }
        }
        Ok(changed)
    }

    fn find_reach(&mut self, orbit: u32) {
        let System { outgoing, tau, .. } = self.system;
        self.sum.fill([0; 2]);
        let (_, shift, class) = self.partition.step(tau, IDENTITY, orbit);
        let orbits = self.partition.point_orbits(class);
        let images = self.partition.cosets.elements.get(shift);
        for (&point, &relation) in images.iter().zip(orbits.iter()) {
            add(&mut self.sum[point as usize], sketch(mark(class, relation), self.seed));
        }
        add(&mut self.sum[self.width - 1], sketch(mark(class, NO_RELATION), self.seed));
        for &(_, shift, to) in outgoing.of(orbit).iter().filter(|step| step.0 == tau) {
            let images = self.partition.cosets.elements.get(shift);
            add_moved(&mut self.sum, images, part(&self.reach, self.width, to), |_, s| s);
        }
    }

    fn find_offer(&mut self, orbit: u32) {
        let System { outgoing, tau, .. } = self.system;
        self.sum.fill([0; 2]);
        let partition = &*self.partition;
        let seed = self.seed;
        let turn = |label: u32| {
            let kind = u64::from(partition.labels.kind(label));
            move |point: Option<usize>, sketch: Sketch| {
                let relation =
                    point.map_or(NO_RELATION, |p| partition.labels.relation(label, p)).into();
                behind(Label(low_half(mix(kind, relation))), seed, sketch)
            }
        };
        for &(label, shift, to) in outgoing.of(orbit) {
            let images = partition.cosets.elements.get(shift);
            if label == tau {
                let further = part(&self.offer, self.width, to);
                add_moved(&mut self.sum, images, further, |_, s| s);
            } else {
                let further = part(&self.reach, self.width, to);
                add_moved(&mut self.sum, images, further, turn(label));
            }
        }
        if self.system.diverges(orbit) {
            let images = partition.cosets.elements.get(IDENTITY);
            add_moved(&mut self.sum, images, part(&self.reach, self.width, orbit), turn(DELTA));
        }
    }

    /// Sets the key of an orbit to the canonical image of its sketches; returns generators of the
    /// image's stabiliser.
    fn set_key(&mut self, orbit: u32, bounds: &mut Bounds) -> Result<Vec<Permutation>, NoMinimum> {
        let back = self.partition.back(orbit);
        let reach = part(&self.reach, self.width, orbit);
        let own: Vec<Marks> =
            reach.iter().zip(part(&self.offer, self.width, orbit)).map(|(&a, &b)| [a, b]).collect();
        let marks = moved(&own, self.partition.cosets.elements.get(back));
        if self.partition.is_free(orbit) {
            self.keys[orbit as usize] = marks.into();
            return Ok(Vec::new());
        }
        let (image, fixing) = self.partition.canonical(orbit, &mut Marked(marks), bounds)?;
        self.keys[orbit as usize] = image.into();
        Ok(fixing)
    }
}

const NO_RELATION: u32 = u32::MAX;

/// The mark of a class for points with this relation to it. In tests it has one bit, so that small
/// systems take all the code paths that large ones take.
fn mark(class: u32, relation: u32) -> u32 {
    low_half(mix(u64::from(class), u64::from(relation))) & if cfg!(test) { 1 } else { !0 }
}

/// The sketches of an orbit.
fn part(sketches: &[Sketch], width: usize, orbit: u32) -> &[Sketch] {
    &sketches[orbit as usize * width..][..width]
}

/// Stores the sketches of an orbit; returns whether they changed.
fn replace(sketches: &mut [Sketch], orbit: u32, new: &[Sketch]) -> bool {
    let old = &mut sketches[orbit as usize * new.len()..][..new.len()];
    let is_other = old != new;
    old.copy_from_slice(new);
    is_other
}

/// Adds sketches moved by an element, each changed according to the point that it moves to.
fn add_moved(
    sum: &mut [Sketch],
    images: &[u32],
    part: &[Sketch],
    change: impl Fn(Option<usize>, Sketch) -> Sketch,
) {
    for (&to, &sketch) in images.iter().zip(part) {
        add(&mut sum[to as usize], change(Some(to as usize), sketch));
    }
    let last = images.len();
    add(&mut sum[last], change(None, part[last]));
}

/// Marks moved by an element.
fn moved(marks: &[Marks], element: &[u32]) -> Vec<Marks> {
    let mut moved = marks.to_vec();
    for (&to, &mark) in element.iter().zip(marks) {
        moved[to as usize] = mark;
    }
    moved
}

/// Marks of points, as an object of the group action.
struct Marked(Vec<Marks>);

impl Object for Marked {
    type Image = Vec<Marks>;
    type Error = Infallible;

    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Infallible> {
        for (colour, marks) in colours.iter_mut().zip(&self.0) {
            *colour = marks.as_flattened().iter().fold(*colour, |sum, &word| mix(sum, word));
        }
        Ok(())
    }

    fn image(&mut self, element: &[u32], image: &mut Vec<Marks>) -> Result<(), Infallible> {
        *image = moved(&self.0, element);
        Ok(())
    }
}
