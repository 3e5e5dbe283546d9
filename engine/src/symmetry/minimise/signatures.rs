//! Strong and branching bisimulation: orbits of classes, split by signatures.
//!
//! Signatures are sets of (label, class):
//!
//! - strong: `{(a, [k r']) : r -a-> k r'}`
//! - branching: the same, except that an inert step `r -tau-> k r'` contributes the signature
//!   `k sig(r')`.
//!
//! Internal steps lead to smaller orbits, so one sweep in that order computes the least solution. A
//! loop that represents divergence has a special label.

use crate::base::cancel::{Cancel, Refining};
use crate::base::ids::Id;
use crate::group::action::Group;
use crate::group::element_table::IDENTITY;
use crate::symmetry::annotated_quotient::{Cosets, Step};
use crate::symmetry::minimise::class_partition::{Fixing, Partition};
use crate::symmetry::minimise::limits::Bounds;
use crate::symmetry::minimise::limits::NoMinimum;
use crate::symmetry::minimise::orbit_steps::Outgoing;
use crate::symmetry::minimise::point_colours::key;
use crate::symmetry::minimise::system::DELTA;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

pub struct SignatureRefinement<'a> {
    outgoing: &'a Outgoing,
    /// Whether inert steps are not skipped, as in branching bisimulation.
    is_strong: bool,
    tau: u32,
    divergence: bool,
    partition: Partition,
    /// For every orbit the canonical signature.
    signature: Vec<Rc<[Step]>>,
    /// Whether no signatures have been computed yet.
    is_first: bool,
    /// The members found so far of the signature that is being computed.
    collected: FxHashSet<Step>,
    /// For every orbit the orbits with a transition to it, and those of them with an internal one.
    before: Vec<Vec<u32>>,
    silently_before: Vec<Vec<u32>>,
}

impl<'a> SignatureRefinement<'a> {
    /// The partition with all states in one class.
    pub fn new(
        outgoing: &'a Outgoing,
        is_strong: bool,
        tau: u32,
        divergence: bool,
        cosets: Cosets,
        group: &Group,
        cancel: &Cancel,
    ) -> Result<Self, NoMinimum> {
        let count = outgoing.stabiliser.len();
        let partition = Partition::new(count, cosets, group, cancel)?;
        let empty: Rc<[Step]> = Rc::new([]);
        Ok(Self {
            outgoing,
            is_strong,
            tau,
            divergence,
            partition,
            signature: vec![empty; count],
            is_first: true,
            collected: FxHashSet::default(),
            before: outgoing.before(|_| true),
            silently_before: outgoing.before(|label| label == tau),
        })
    }

    /// Splits until stable; returns the partition, and the transitions of the representatives of
    /// the orbits of classes.
    pub fn run(
        mut self,
        limit: u64,
        cancel: &Cancel,
    ) -> Result<(Partition, Vec<Vec<Step>>), NoMinimum> {
        let bounds = &mut Bounds { limit, cancel, stabiliser: &self.outgoing.stabiliser };
        let mut waiting: BTreeSet<u32> = (0..u32::at(self.signature.len())).collect();
        let shown = Refining::begin(cancel);
        while !waiting.is_empty() {
            shown.round(self.partition.members.len());
            let fixing = self.update(waiting, bounds)?;
            self.is_first = false;
            waiting = BTreeSet::new();
            for orbit in self.partition.split(&mut self.signature, &fixing, bounds.cancel)? {
                waiting.extend(&self.before[orbit as usize]);
                if !self.is_strong {
                    waiting.insert(orbit);
                }
            }
        }
        let steps = self.partition.members.iter().map(|members| {
            let first = members.first();
            first.map_or(Vec::new(), |&member| self.signature[member as usize].to_vec())
        });
        let steps = steps.collect();
        Ok((self.partition, steps))
    }

    /// Recomputes signatures; returns generators of the stabilisers of the canonical signatures
    /// that changed, by orbit.
    fn update(
        &mut self,
        mut waiting: BTreeSet<u32>,
        bounds: &mut Bounds,
    ) -> Result<Fixing, NoMinimum> {
        let mut changed = Fixing::default();
        while let Some(orbit) = waiting.pop_first() {
            bounds.cancel.check()?;
            let moved = self.signature(orbit);
            if moved[..] == self.signature[orbit as usize][..] && !self.is_first {
                continue;
            }
            let (image, fixing) = self.partition.canonical_steps(orbit, moved, bounds)?;
            self.signature[orbit as usize] = image.into();
            changed.insert(orbit, fixing);
            if !self.is_strong {
                waiting.extend(&self.silently_before[orbit as usize]);
            }
        }
        Ok(changed)
    }

    /// Adds the images of steps to the signature.
    fn find(&mut self, element: u32, steps: &[Step]) {
        let mut classes = self.partition.classes();
        self.collected.extend(steps.iter().map(|&step| classes.image(element, step)));
    }

    /// The sorted signature of a representative, moved by `h^-1`.
    fn signature(&mut self, orbit: u32) -> Vec<Step> {
        let back = self.partition.back(orbit);
        let own = self.partition.step(self.tau, IDENTITY, orbit);
        self.collected.clear();
        if self.divergence && self.outgoing.diverges[orbit as usize] {
            self.find(back, &[(DELTA, own.1, own.2)]);
        }
        for &(label, shift, to) in self.outgoing.of(orbit) {
            let step = self.partition.step(label, shift, to);
            if !self.is_strong && step == own {
                let offset = self.partition.offset[to as usize];
                let elements = &mut self.partition.cosets.elements;
                let further = elements.compose(shift, offset);
                let further = elements.compose(back, further);
                let part = Rc::clone(&self.signature[to as usize]);
                self.find(further, &part);
            } else {
                self.find(back, &[step]);
            }
        }
        let mut sorted: Vec<Step> = self.collected.iter().copied().collect();
        sorted.sort_unstable_by_key(key);
        sorted
    }
}
