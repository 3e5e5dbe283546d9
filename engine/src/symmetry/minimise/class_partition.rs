//! Partitions of states that are invariant under the group: orbits of classes.
//!
//! Every orbit r of states has an orbit of classes c(r) and an element h(r): the class of its
//! representative is `h(r)` applied to the representative of the orbit of classes. A round of
//! refinement gives some orbits new keys: the canonical image, under `Stab(c(r))`, of the data of
//! the representative moved by `h(r)^-1`. Members of an orbit of classes with different keys are
//! split, and the stabiliser of the key is the new stabiliser. So classes only become finer, and
//! the groups to search smaller. If a stabiliser becomes smaller while the orbit of classes is not
//! split, its classes were split, too.

use crate::base::cancel::Cancel;
use crate::base::ids::Id;
use crate::group::action::Group;
use crate::group::bounded_object::Bounded;
use crate::group::canonical_image::{Least, Object, Searcher};
use crate::group::compact_permutation::CompactPermutation;
use crate::group::element_table::IDENTITY;
use crate::group::permutation::{Permutation, inverse, orbits};
use crate::symmetry::annotated_quotient::{Cosets, Step};
use crate::symmetry::minimise::limits::{Bounds, NoMinimum};
use crate::symmetry::minimise::point_colours::{Classes, LabelRelations, Signature};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::hash::Hash;
use std::rc::Rc;

pub struct Partition {
    pub labels: LabelRelations,
    pub cosets: Cosets,
    /// For every orbit c(r) and h(r).
    pub class: Vec<u32>,
    pub offset: Vec<u32>,
    /// For every orbit of classes the number of its stabiliser in `cosets`, and its members; these
    /// are in ascending order, and empty if it was replaced.
    pub stabiliser: Vec<u32>,
    pub members: Vec<Vec<u32>>,
    /// The orbits of points under subgroups, cached.
    point_orbits: FxHashMap<u32, Rc<[u32]>>,
}

/// Generators of the stabilisers of the new keys, by orbit.
pub type Fixing = FxHashMap<u32, Vec<Permutation>>;

impl Partition {
    /// The partition with one class of all states, for `count` orbits.
    pub fn new(
        count: usize,
        mut cosets: Cosets,
        group: &Group,
        cancel: &Cancel,
    ) -> Result<Self, NoMinimum> {
        let all = (0..group.generators.len()).map(|i| group.generator(i).into()).collect();
        let whole = cosets.subgroup(all, cancel)?;
        Ok(Self {
            labels: LabelRelations::new(group),
            cosets,
            class: vec![0; count],
            offset: vec![IDENTITY; count],
            stabiliser: vec![whole],
            members: vec![(0..u32::at(count)).collect()],
            point_orbits: FxHashMap::default(),
        })
    }

    pub fn classes(&mut self) -> Classes<'_> {
        Classes { cosets: &mut self.cosets, stabiliser: &self.stabiliser }
    }

    /// `h(r)^-1`.
    pub fn back(&mut self, orbit: u32) -> u32 {
        self.cosets.elements.inverse(self.offset[orbit as usize])
    }

    /// The step with a label to the class of `shift` of an orbit's representative.
    pub fn step(&mut self, label: u32, shift: u32, orbit: u32) -> Step {
        let class = self.class[orbit as usize];
        let product = self.cosets.elements.compose(shift, self.offset[orbit as usize]);
        (label, self.cosets.least(product, self.stabiliser[class as usize]), class)
    }

    /// The orbits of points under the stabiliser of a class's representative.
    pub fn point_orbits(&mut self, class: u32) -> Rc<[u32]> {
        point_orbits(&mut self.point_orbits, &self.cosets, self.stabiliser[class as usize])
    }

    /// Whether the class of an orbit is fixed by the identity only, so that everything is its own
    /// canonical image.
    pub fn is_free(&self, orbit: u32) -> bool {
        let stabiliser = self.stabiliser[self.class[orbit as usize] as usize];
        self.cosets.subgroup_of(stabiliser).is_trivial()
    }

    /// The canonical image of a set of steps of an orbit, already moved by `h^-1`. Updates h, and
    /// also returns generators of the image's stabiliser.
    pub fn canonical_steps(
        &mut self,
        orbit: u32,
        moved: Vec<Step>,
        bounds: &mut Bounds,
    ) -> Result<(Vec<Step>, Vec<Permutation>), NoMinimum> {
        if self.is_free(orbit) {
            return Ok((moved, Vec::new()));
        }
        let known = self.known(orbit, bounds);
        let subgroups = self.cosets.subgroups();
        let within = self.stabiliser[self.class[orbit as usize] as usize];
        let cache = &mut self.point_orbits;
        let classes = Classes { cosets: &mut self.cosets, stabiliser: &self.stabiliser };
        let mut object = Signature::new(classes, &moved, &self.labels, |cosets, subgroup| {
            point_orbits(cache, cosets, subgroup)
        });
        let searcher = Searcher::of_subgroup(&subgroups.list[within as usize]);
        let mut object = Bounded::new(&mut object, bounds.limit, bounds.cancel);
        let least = searcher.find(&known, &mut object)?;
        Ok(self.adopt(orbit, least))
    }

    /// The same for any object that the group acts on.
    pub fn canonical<O: Object<Error = Infallible>>(
        &mut self,
        orbit: u32,
        object: &mut O,
        bounds: &mut Bounds,
    ) -> Result<(O::Image, Vec<Permutation>), NoMinimum> {
        let known = self.known(orbit, bounds);
        let subgroups = self.cosets.subgroups();
        let within = self.stabiliser[self.class[orbit as usize] as usize];
        let searcher = Searcher::of_subgroup(&subgroups.list[within as usize]);
        let mut object = Bounded::new(object, bounds.limit, bounds.cancel);
        let least = searcher.find(&known, &mut object)?;
        Ok(self.adopt(orbit, least))
    }

    /// The stabiliser of an orbit's representative, moved by `h^-1`: it fixes all data of the
    /// representative.
    fn known(&self, orbit: u32, bounds: &Bounds) -> Vec<CompactPermutation> {
        let offset = self.cosets.elements.get(self.offset[orbit as usize]);
        let back = inverse(offset);
        let own = self.cosets.subgroup_of(bounds.stabiliser[orbit as usize]).generators();
        own.iter().map(|generator| generator.conjugate(&back)).collect()
    }

    /// Multiplies h by the inverse of the element that leads to the image; returns the image and
    /// generators of its stabiliser.
    fn adopt<I>(&mut self, orbit: u32, least: Least<I>) -> (I, Vec<Permutation>) {
        let inverse_element = inverse(&least.element);
        let number = self.cosets.elements.intern(&inverse_element);
        let offset = &mut self.offset[orbit as usize];
        *offset = self.cosets.elements.compose(*offset, number);
        let images = |generator: &CompactPermutation| {
            generator.conjugate(&least.element).images(least.element.len())
        };
        let mut fixing: Vec<Permutation> = least.stabiliser.iter().map(images).collect();
        fixing.sort_unstable();
        fixing.dedup();
        (least.image, fixing)
    }

    /// Splits orbits of classes by the keys of their members; the keys of the orbits in `fixing`
    /// are new. Returns the orbits that are now in another orbit of classes.
    pub fn split<K: Hash + Eq + Clone>(
        &mut self,
        keys: &mut [K],
        fixing: &Fixing,
        cancel: &Cancel,
    ) -> Result<Vec<u32>, NoMinimum> {
        let touched: BTreeSet<u32> = fixing.keys().map(|&r| self.class[r as usize]).collect();
        let mut moved = Vec::new();
        for class in touched {
            let members = std::mem::take(&mut self.members[class as usize]);
            let before = self.stabiliser[class as usize];
            let order = self.cosets.subgroup_of(before).order();
            let mut parts: Vec<MembersOfKey> = Vec::new();
            let mut numbers: FxHashMap<K, usize> = FxHashMap::default();
            for member in members {
                let key = keys[member as usize].clone();
                let number = *numbers.entry(key).or_insert(parts.len());
                if number == parts.len() {
                    // The stabiliser of a member whose key has not changed stays the same.
                    let stabiliser = match fixing.get(&member) {
                        None => before,
                        Some(generators) => self.cosets.subgroup(generators.clone(), cancel)?,
                    };
                    let order = self.cosets.subgroup_of(stabiliser).order();
                    parts.push(MembersOfKey { members: Vec::new(), stabiliser, order });
                }
                // Equal keys are stored once.
                if let Some(&first) = parts[number].members.first() {
                    keys[member as usize] = keys[first as usize].clone();
                }
                parts[number].members.push(member);
            }
            // Of the parts whose classes are unchanged, the largest keeps the number.
            let whole = (0..parts.len()).filter(|&i| parts[i].order == order);
            let largest = whole.max_by_key(|&i| (parts[i].members.len(), usize::MAX - i));
            for (number, part) in parts.into_iter().enumerate() {
                if Some(number) == largest {
                    self.members[class as usize] = part.members;
                    continue;
                }
                // The number is new even if there is only one part, with a smaller stabiliser: keys
                // that refer to its classes have to change.
                for &member in &part.members {
                    self.class[member as usize] = u32::at(self.stabiliser.len());
                }
                moved.extend(&part.members);
                self.stabiliser.push(part.stabiliser);
                self.members.push(part.members);
            }
        }
        Ok(moved)
    }
}

/// The members of an orbit of classes with the same key.
struct MembersOfKey {
    members: Vec<u32>,
    stabiliser: u32,
    order: BigUint,
}

fn point_orbits(
    known: &mut FxHashMap<u32, Rc<[u32]>>,
    cosets: &Cosets,
    subgroup: u32,
) -> Rc<[u32]> {
    let all = || orbits(cosets.points(), cosets.subgroup_of(subgroup).images()).into();
    Rc::clone(known.entry(subgroup).or_insert_with(all))
}
