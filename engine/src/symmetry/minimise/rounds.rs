//! Orbits of classes, split by the signatures of their members up to the group.
//!
//! Every orbit r of states has an orbit of classes c(r) and an element h(r): the class of the
//! representative is `h(r)` of that of the orbit of classes, and `h(r)^-1` of its signature is a
//! canonical one. In each round the signatures that may have changed are computed anew, moved by
//! `h(r)^-1`, and replaced by their canonical images under `Stab(c(r))`; members whose images differ
//! get different orbits of classes, and what fixes the image is the new stabiliser. So classes only
//! become finer, and the groups to search smaller. Where a stabiliser gets smaller while the
//! orbit of classes stays whole, its classes were split too.
//!
//! Signatures are sets of (label, class):
//!
//! - strong: `{(a, [k r']) : r -a-> k r'}`
//! - branching: the same but for internal steps to the own class, in whose place stands the signature
//!   `k sig(r')` of where they lead
//! - weak: `E(r) = {[r]} u U {k E(r') : r -tau-> k r'}`, and `{tau} x E(r) u U {{a} x k E(r') : r -a->
//!   k r'} u U {k sig(r') : r -tau-> k r'}`.
//!
//! Internal steps lead to smaller orbits, so that one pass in that order finds the least solutions.
//! A loop that stands for divergence is a label of its own.

use super::super::quotient::{Cosets, Step};
use super::essential::essential;
use super::outgoing::Outgoing;
use super::places::{Classes, LabelPlaces, Signature, key};
use super::{DELTA, NoMinimum};
use crate::equivalence::Poll;
use crate::equivalence::minimise::Kind;
use crate::group::action::Group;
use crate::group::elements::IDENTITY;
use crate::group::image::canonical;
use crate::group::permutation::{Permutation, compose, inverse, orbits};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

pub struct Rounds<'a> {
    outgoing: &'a Outgoing,
    kind: Kind,
    tau: u32,
    divergence: bool,
    labels: LabelPlaces,
    pub cosets: Cosets,
    /// For every orbit c(r), h(r), and the canonical signature.
    pub class: Vec<u32>,
    pub offset: Vec<u32>,
    signature: Vec<Rc<[Step]>>,
    /// Whether no signatures have been computed yet.
    is_first: bool,
    /// For weak bisimulation E(r) as steps; it is not moved by `h(r)^-1`.
    reach: Vec<Vec<Step>>,
    /// For every orbit of classes its stabiliser, a number in `cosets`, and its members; none if it
    /// is no more.
    pub stabiliser: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// What the computation of a set has found.
    found: FxHashSet<Step>,
    /// The orbits with a transition to each orbit, and those of them with an internal one.
    before: Vec<Vec<u32>>,
    silently_before: Vec<Vec<u32>>,
    /// The orbits of points under subgroups.
    places: FxHashMap<u32, Rc<[u32]>>,
}

/// Orbits whose signatures are computed between two calls of `poll`.
const POLL_EVERY: usize = 1 << 10;

impl<'a> Rounds<'a> {
    /// All states in one class.
    pub fn new(
        outgoing: &'a Outgoing,
        kind: Kind,
        tau: u32,
        divergence: bool,
        mut cosets: Cosets,
        group: &Group,
    ) -> Result<Self, NoMinimum> {
        let count = outgoing.stabiliser.len();
        let all = (0..group.generators.len()).map(|i| group.generator(i).into()).collect();
        let whole = cosets.subgroup(all)?;
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut silently_before: Vec<Vec<u32>> = vec![Vec::new(); count];
        for orbit in 0..count as u32 {
            for &(label, _, to) in outgoing.of(orbit) {
                let lists = [Some(&mut before), (label == tau).then_some(&mut silently_before)];
                for list in lists.into_iter().flatten() {
                    let list = &mut list[to as usize];
                    if list.last() != Some(&orbit) {
                        list.push(orbit);
                    }
                }
            }
        }
        let empty: Rc<[Step]> = Rc::new([]);
        Ok(Self {
            outgoing,
            kind,
            tau,
            divergence,
            labels: LabelPlaces::new(group),
            cosets,
            class: vec![0; count],
            offset: vec![IDENTITY; count],
            signature: vec![empty; count],
            is_first: true,
            reach: vec![Vec::new(); if kind == Kind::Weak { count } else { 0 }],
            stabiliser: vec![whole],
            members: vec![(0..count as u32).collect()],
            found: FxHashSet::default(),
            before,
            silently_before,
            places: FxHashMap::default(),
        })
    }

    /// Splits until nothing changes.
    pub fn run(&mut self, limit: u64, poll: Poll) -> Result<(), NoMinimum> {
        let mut waiting: BTreeSet<u32> = (0..self.class.len() as u32).collect();
        while !waiting.is_empty() {
            if self.kind == Kind::Weak {
                waiting = self.update_reach(waiting);
            }
            let fixing = self.update_signatures(waiting, limit, poll)?;
            self.is_first = false;
            waiting = self.split(&fixing)?;
        }
        Ok(())
    }

    fn classes(&mut self) -> Classes<'_> {
        Classes { cosets: &mut self.cosets, stabiliser: &self.stabiliser }
    }

    /// The class of `shift` of a representative, with a label.
    fn step(&mut self, label: u32, shift: u32, orbit: u32) -> Step {
        let class = self.class[orbit as usize];
        let product = self.cosets.elements.compose(shift, self.offset[orbit as usize]);
        (label, self.cosets.least(product, self.stabiliser[class as usize]), class)
    }

    /// Computes E anew where it may have changed, and returns the orbits whose signatures may
    /// have.
    fn update_reach(&mut self, mut waiting: BTreeSet<u32>) -> BTreeSet<u32> {
        let (outgoing, tau) = (self.outgoing, self.tau);
        let mut concerned = waiting.clone();
        while let Some(orbit) = waiting.pop_first() {
            self.found.clear();
            let own = self.step(tau, IDENTITY, orbit);
            self.found.insert(own);
            for &(_, shift, to) in outgoing.of(orbit).iter().filter(|step| step.0 == tau) {
                let part = std::mem::take(&mut self.reach[to as usize]);
                self.find(shift, &part);
                self.reach[to as usize] = part;
            }
            let reach = sorted(&self.found);
            if reach != self.reach[orbit as usize] {
                self.reach[orbit as usize] = reach;
                waiting.extend(&self.silently_before[orbit as usize]);
                concerned.insert(orbit);
                concerned.extend(&self.before[orbit as usize]);
            }
        }
        concerned
    }

    /// Computes signatures anew; returns for the orbits whose canonical signature has changed
    /// the generators of what fixes it.
    fn update_signatures(
        &mut self,
        mut waiting: BTreeSet<u32>,
        limit: u64,
        poll: Poll,
    ) -> Result<FxHashMap<u32, Vec<Permutation>>, NoMinimum> {
        let mut changed = FxHashMap::default();
        let mut done = 0;
        while let Some(orbit) = waiting.pop_first() {
            if done % POLL_EVERY == 0 && !poll() {
                return Err(NoMinimum::Interrupted);
            }
            done += 1;
            let back = self.cosets.elements.inverse(self.offset[orbit as usize]);
            let moved = self.signature(orbit, back);
            if moved[..] == self.signature[orbit as usize][..] && !self.is_first {
                continue;
            }
            let fixing = self.set_canonical(orbit, back, moved, limit, poll)?;
            changed.insert(orbit, fixing);
            if self.kind != Kind::Strong {
                waiting.extend(&self.silently_before[orbit as usize]);
            }
        }
        Ok(changed)
    }

    /// Adds the images of steps to those that were found.
    fn find(&mut self, element: u32, steps: &[Step]) {
        let mut classes = Classes { cosets: &mut self.cosets, stabiliser: &self.stabiliser };
        self.found.extend(steps.iter().map(|&step| classes.image(element, step)));
    }

    /// The signature of a representative, moved by `back`, sorted.
    fn signature(&mut self, orbit: u32, back: u32) -> Vec<Step> {
        let (outgoing, tau, kind) = (self.outgoing, self.tau, self.kind);
        let own = self.step(tau, IDENTITY, orbit);
        let diverges = self.divergence && outgoing.diverges[orbit as usize];
        self.found.clear();
        if kind == Kind::Weak {
            let reach = std::mem::take(&mut self.reach[orbit as usize]);
            self.find(back, &reach);
            if diverges {
                self.find(back, &labelled(DELTA, &reach));
            }
            self.reach[orbit as usize] = reach;
        } else if diverges {
            self.find(back, &[(DELTA, own.1, own.2)]);
        }
        for &(label, shift, to) in outgoing.of(orbit) {
            if kind == Kind::Weak && label != tau {
                // The label is that of a step of the representative, the classes are those behind it.
                let behind = self.cosets.elements.compose(back, shift);
                let label = self.cosets.label(back, label);
                let mut classes =
                    Classes { cosets: &mut self.cosets, stabiliser: &self.stabiliser };
                self.found.extend(self.reach[to as usize].iter().map(|&step| {
                    let (_, coset, class) = classes.image(behind, step);
                    (label, coset, class)
                }));
                continue;
            }
            let step = self.step(label, shift, to);
            if label == tau && (kind == Kind::Weak || kind == Kind::Branching && step == own) {
                let further = self.cosets.elements.compose(shift, self.offset[to as usize]);
                let further = self.cosets.elements.compose(back, further);
                let part = Rc::clone(&self.signature[to as usize]);
                self.find(further, &part);
            } else {
                self.find(back, &[step]);
            }
        }
        sorted(&self.found)
    }

    /// Gives an orbit the canonical image of its signature, moved already by `back`, as the new
    /// signature; returns generators of what fixes it.
    fn set_canonical(
        &mut self,
        orbit: u32,
        back: u32,
        moved: Vec<Step>,
        limit: u64,
        poll: Poll,
    ) -> Result<Vec<Permutation>, NoMinimum> {
        let stabiliser = self.stabiliser[self.class[orbit as usize] as usize];
        if self.cosets.subgroup_of(stabiliser).is_trivial() {
            self.signature[orbit as usize] = moved.into();
            return Ok(Vec::new());
        }
        // What fixes the representative fixes its signature.
        let images: Permutation = self.cosets.elements.get(back).into();
        let offset = inverse(&images);
        let own = &self.cosets.subgroup_of(self.outgoing.stabiliser[orbit as usize]).generators;
        let conjugate = |g: &Permutation| compose(&compose(&images, g), &offset);
        let mut fixing: Vec<Permutation> = own.iter().map(conjugate).collect();
        let subgroups = self.cosets.subgroups();
        let places = &mut self.places;
        let classes = Classes { cosets: &mut self.cosets, stabiliser: &self.stabiliser };
        let mut object = Signature::new(classes, &moved, &self.labels, |cosets, subgroup| {
            let all = || orbits(cosets.points(), &cosets.subgroup_of(subgroup).generators).into();
            Rc::clone(places.entry(subgroup).or_insert_with(all))
        });
        let chain = subgroups.list[stabiliser as usize].chain();
        let found = canonical(chain, &fixing, &mut object, limit, poll)?;
        drop(subgroups);
        fixing.extend(found.fixing);
        let away = inverse(&found.element);
        let element = self.cosets.elements.intern(&away);
        self.offset[orbit as usize] =
            self.cosets.elements.compose(self.offset[orbit as usize], element);
        self.signature[orbit as usize] = found.image.into();
        let conjugate = |g: &Permutation| compose(&compose(&found.element, g), &away);
        let mut fixing: Vec<Permutation> = fixing.iter().map(conjugate).collect();
        fixing.sort_unstable();
        fixing.dedup();
        Ok(fixing)
    }

    /// Splits orbits of classes by the signatures of their members; returns the orbits whose
    /// signatures may have changed by that.
    fn split(
        &mut self,
        fixing: &FxHashMap<u32, Vec<Permutation>>,
    ) -> Result<BTreeSet<u32>, NoMinimum> {
        let touched: BTreeSet<u32> = fixing.keys().map(|&r| self.class[r as usize]).collect();
        let mut concerned = BTreeSet::new();
        for class in touched {
            let members = std::mem::take(&mut self.members[class as usize]);
            let before = self.stabiliser[class as usize];
            let order = self.cosets.subgroup_of(before).order();
            let mut parts: Vec<Part> = Vec::new();
            let mut numbers: FxHashMap<Rc<[Step]>, usize> = FxHashMap::default();
            for member in members {
                let signature = Rc::clone(&self.signature[member as usize]);
                let number = *numbers.entry(Rc::clone(&signature)).or_insert(parts.len());
                if number == parts.len() {
                    // A member whose signature has not changed is fixed by what it was fixed by.
                    let stabiliser = match fixing.get(&member) {
                        None => before,
                        Some(generators) => self.cosets.subgroup(generators.clone())?,
                    };
                    let order = self.cosets.subgroup_of(stabiliser).order();
                    parts.push(Part { members: Vec::new(), signature, stabiliser, order });
                }
                self.signature[member as usize] = Rc::clone(&parts[number].signature);
                parts[number].members.push(member);
            }
            // The largest part whose classes stay what they are keeps the number.
            let whole = (0..parts.len()).filter(|&i| parts[i].order == order);
            let kept = whole.max_by_key(|&i| (parts[i].members.len(), usize::MAX - i));
            for (number, part) in parts.into_iter().enumerate() {
                if Some(number) == kept {
                    self.members[class as usize] = part.members;
                    continue;
                }
                // The number is new even if there is one part only, whose stabiliser is smaller:
                // signatures that name its classes are to change with them.
                for &member in &part.members {
                    self.class[member as usize] = self.stabiliser.len() as u32;
                    concerned.extend(&self.before[member as usize]);
                    if self.kind != Kind::Strong {
                        concerned.insert(member);
                    }
                }
                self.stabiliser.push(part.stabiliser);
                self.members.push(part.members);
            }
        }
        Ok(concerned)
    }

    /// The transitions of the representatives of the orbits of classes.
    pub fn rows(&mut self) -> Vec<Vec<Step>> {
        self.reach.clear();
        let signatures: Vec<Rc<[Step]>> = self
            .members
            .iter()
            .map(|members| match members.first() {
                Some(&member) => Rc::clone(&self.signature[member as usize]),
                None => Rc::new([]),
            })
            .collect();
        let mut rows = if self.kind == Kind::Weak {
            essential(&signatures, self.tau, &mut self.classes())
        } else {
            signatures.iter().map(|signature| signature.to_vec()).collect()
        };
        for step in rows.iter_mut().flatten().filter(|step| step.0 == DELTA) {
            step.0 = self.tau;
        }
        rows
    }
}

/// Members of one orbit of classes with one signature.
struct Part {
    members: Vec<u32>,
    signature: Rc<[Step]>,
    stabiliser: u32,
    order: BigUint,
}

/// A set in order.
fn sorted(steps: &FxHashSet<Step>) -> Vec<Step> {
    let mut sorted: Vec<Step> = steps.iter().copied().collect();
    sorted.sort_unstable_by_key(key);
    sorted
}

/// The same steps with another label.
fn labelled(label: u32, steps: &[Step]) -> Vec<Step> {
    steps.iter().map(|&(_, shift, class)| (label, shift, class)).collect()
}
