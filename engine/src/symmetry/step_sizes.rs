//! The sizes of the orbits of transitions under the stabilisers of their sources, mostly without
//! their members.
//!
//! Often a stabiliser is all permutations that preserve a partition of the points: a *Young
//! subgroup*. Then it is the stabiliser of a colouring of the points. The stabiliser of a
//! transition preserves three colourings: the source's; the label's, if what fixes the label is a
//! Young subgroup as well; and the *origins*, which say for each point from which class of the
//! target's representative it comes. Together they are one colouring, and the size of the orbit is
//! the index of its stabiliser. Two transitions are in one orbit if as many points have each
//! colour.
//!
//! Transitions with other stabilisers are enumerated.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::{Id, NONE};
use crate::base::interner::Interner;
use crate::group::action::Group;
use crate::group::permutation::identity;
use crate::group::symmetric_families::{order_of_product, origins};
use crate::symmetry::annotated_quotient::{Cosets, Quotient, Step};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The sizes of orbits of transitions.
pub struct StepSizes<'a> {
    quotient: &'a Quotient,
    cosets: Cosets,
    /// For every label, the first label of its orbit under the group.
    pub orbit_of: Vec<u32>,
    /// For every label the number of its colouring, `NONE` if what fixes it is no Young subgroup.
    colouring: Vec<u32>,
    colourings: Interner,
    /// For every point the first one that an element exchanges with it, moving no other.
    exchanged: Vec<u32>,
}

/// The transitions of one representative.
pub struct OfOrbit {
    /// For each stored transition the number of transitions of the representative that it stands
    /// for.
    pub sizes: Vec<BigUint>,
    /// Whether two transitions with one label lead to different states; all internal labels are
    /// one.
    pub is_nondeterministic: bool,
}

/// The numbers of points by colour: for each class of the source and each point outside of these,
/// the colours in ascending order.
type Colours = Box<[(u32, u32)]>;

impl<'a> StepSizes<'a> {
    pub fn new(quotient: &'a Quotient, cancel: &Cancel) -> Result<Self> {
        let (labels, group) = (quotient.labels.len(), &*quotient.group);
        let can_be = |left, right| exchange(group, left, right).is_some();
        let mut sizes = Self {
            quotient,
            cosets: Cosets::new(quotient),
            orbit_of: vec![NONE; labels],
            colouring: vec![NONE; labels],
            colourings: Interner::default(),
            exchanged: exchanged(group.points, cancel, can_be)?,
        };
        for label in 0..u32::at(labels) {
            if sizes.orbit_of[label as usize] == NONE {
                sizes.colour(label, cancel)?;
            }
        }
        Ok(sizes)
    }

    /// Finds the orbit of a label, and the colourings of its members.
    fn colour(&mut self, first: u32, cancel: &Cancel) -> Result<()> {
        let group = &*self.quotient.group;
        let (points, mut unchecked) = (group.points, 0);
        let mut members = vec![first];
        // For each member but the first: the member and the generator that lead to it.
        let mut from = Vec::new();
        self.orbit_of[first as usize] = first;
        let mut at = 0;
        while at < members.len() {
            cancel.check_every(&mut unchecked, group.generators.len())?;
            for (which, generator) in group.generators.iter().enumerate() {
                let image = generator[points + members[at] as usize] - u32::at(points);
                if self.orbit_of[image as usize] == NONE {
                    self.orbit_of[image as usize] = first;
                    members.push(image);
                    from.push((at, which));
                }
            }
            at += 1;
        }
        let stays = |left, right| {
            self.exchanged[left as usize] == self.exchanged[right as usize]
                && exchange(group, left, right)
                    .is_some_and(|factors| group.image(&factors, first) == first)
        };
        let colours = exchanged(points, cancel, stays)?;
        let classes = classes_of(&colours);
        if order_of_product(&classes) * members.len() != group.order() {
            return Ok(());
        }
        self.colouring[first as usize] = self.colourings.intern(&colours).0;
        for (&member, (before, which)) in members[1..].iter().zip(from) {
            cancel.check_every(&mut unchecked, points)?;
            let colours = self.colourings.get(self.colouring[members[before] as usize]);
            let mut moved = vec![0; points];
            for (&colour, &to) in colours.iter().zip(group.generator(which)) {
                moved[to as usize] = colour;
            }
            self.colouring[member as usize] = self.colourings.intern(&moved).0;
        }
        Ok(())
    }

    /// The sizes of the stored transitions of an orbit, which are these, and whether it is
    /// nondeterministic.
    pub fn of(
        &mut self,
        orbit: u32,
        stored: Range<usize>,
        is_internal: &dyn Fn(u32) -> bool,
        cancel: &Cancel,
    ) -> Result<OfOrbit> {
        match self.by_colours(orbit, stored.clone(), is_internal, cancel)? {
            Some(sizes) => Ok(sizes),
            None => self.enumerated(stored, is_internal, cancel),
        }
    }

    /// [`Self::of`] computed from the colourings; `None` if a subgroup is no Young subgroup.
    fn by_colours(
        &self,
        orbit: u32,
        stored: Range<usize>,
        is_internal: &dyn Fn(u32) -> bool,
        cancel: &Cancel,
    ) -> Result<Option<OfOrbit>> {
        let Quotient { elements, stabilisers, group, .. } = self.quotient;
        let own = self.quotient.stabiliser_of(orbit);
        let Some(classes) = own.symmetric_orbits() else { return Ok(None) };
        let order = own.order();
        let mut classes: Vec<&[u32]> = classes.iter().map(|class| &class[..]).collect();
        let in_classes: FxHashSet<u32> = classes.iter().flat_map(|class| *class).copied().collect();
        let all = identity(group.points);
        classes.extend(all.chunks(1).filter(|point| !in_classes.contains(&point[0])));
        let uncoloured = &vec![0; group.points][..];

        let mut sizes = Vec::with_capacity(stored.len());
        let mut is_nondeterministic = false;
        // The transition of each label, up to the stabiliser, and of the internal ones.
        let mut of_label: FxHashMap<(u32, Colours), (Colours, u32)> = FxHashMap::default();
        let mut internal = None;
        let mut unchecked = 0;
        for transition in stored {
            cancel.check_every(&mut unchecked, 4 * group.points)?;
            let label = self.quotient.label[transition];
            let target = self.quotient.target[transition];
            let of_target = &stabilisers.list[self.quotient.stabiliser[target as usize] as usize];
            let Some(target_classes) = of_target.symmetric_orbits() else { return Ok(None) };
            let origins = origins(target_classes, elements.get(self.quotient.shift[transition]));
            let colouring = match self.quotient.moves(label) {
                true if self.colouring[label as usize] == NONE => return Ok(None),
                true => self.colourings.get(self.colouring[label as usize]),
                false => uncoloured,
            };
            let step = colours(&classes, colouring, &origins);
            let size = index(&order, &classes, &step);
            if is_internal(label) {
                let leads_to = colours(&classes, uncoloured, &origins);
                let is_one = index(&order, &classes, &leads_to) == BigUint::from(1u32);
                let leads_to = (leads_to, target);
                is_nondeterministic |=
                    !is_one || *internal.get_or_insert(leads_to.clone()) != leads_to;
            } else {
                let only_label = colours(&classes, colouring, uncoloured);
                is_nondeterministic |= index(&order, &classes, &only_label) != size;
                let label = (self.orbit_of[label as usize], only_label);
                let step = (step, target);
                is_nondeterministic |=
                    *of_label.entry(label).or_insert_with(|| step.clone()) != step;
            }
            sizes.push(size);
        }
        Ok(Some(OfOrbit { sizes, is_nondeterministic }))
    }

    /// [`Self::of`] computed by enumerating the members of all orbits.
    fn enumerated(
        &mut self,
        stored: Range<usize>,
        is_internal: &dyn Fn(u32) -> bool,
        cancel: &Cancel,
    ) -> Result<OfOrbit> {
        let (mut sizes, mut steps): (Vec<BigUint>, Vec<Step>) = Default::default();
        for transition in stored {
            let images = self.cosets.represented(self.quotient, transition, cancel)?;
            sizes.push(images.len().into());
            let label = |label: u32| if is_internal(label) { NONE } else { label };
            steps.extend(images.into_iter().map(|step| (label(step.0), step.1, step.2)));
        }
        steps.sort_unstable();
        steps.dedup();
        let is_nondeterministic = steps.windows(2).any(|two| two[0].0 == two[1].0);
        Ok(OfOrbit { sizes, is_nondeterministic })
    }
}

/// For every point the first of the points that it can be exchanged with, which is an equivalence.
fn exchanged(
    points: usize,
    cancel: &Cancel,
    can_be: impl Fn(u32, u32) -> bool,
) -> Result<Vec<u32>> {
    let mut unchecked = 0;
    let (mut colours, mut firsts) = (Vec::with_capacity(points), Vec::new());
    for point in 0..u32::at(points) {
        cancel.check_every(&mut unchecked, points * firsts.len())?;
        let first = firsts.iter().copied().find(|&first| can_be(first, point));
        colours.push(first.unwrap_or(point));
        if first.is_none() {
            firsts.push(point);
        }
    }
    Ok(colours)
}

/// The element of a group that exchanges two points, as a product; `None` if there is none.
fn exchange(group: &Group, left: u32, right: u32) -> Option<Vec<u32>> {
    let mut element = group.identity();
    element.swap(left as usize, right as usize);
    group.factors(&element)
}

/// The classes of points with equal colours; a colour is the number of a point.
fn classes_of(colours: &[u32]) -> Vec<Vec<u32>> {
    let mut classes = vec![Vec::new(); colours.len()];
    for (point, &colour) in (0..).zip(colours) {
        classes[colour as usize].push(point);
    }
    classes
}

/// The pairs of colours of the points, in ascending order within each class.
fn colours(classes: &[&[u32]], left: &[u32], right: &[u32]) -> Colours {
    let mut all = Vec::with_capacity(left.len());
    for class in classes {
        let from = all.len();
        all.extend(class.iter().map(|&point| (left[point as usize], right[point as usize])));
        all[from..].sort_unstable();
    }
    all.into()
}

/// The index of the stabiliser of a colouring in the group of all permutations of each class, which
/// has this order.
fn index(order: &BigUint, classes: &[&[u32]], mut colours: &[(u32, u32)]) -> BigUint {
    let mut together: Vec<&[(u32, u32)]> = Vec::new();
    for class in classes {
        let (own, rest) = colours.split_at(class.len());
        together.extend(own.chunk_by(|left, right| left == right));
        colours = rest;
    }
    order / order_of_product(&together)
}
