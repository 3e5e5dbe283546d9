//! Colours of points relative to labels and classes, for the search for canonical images.

use crate::base::hash::mix;
use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::group::action::Group;
use crate::group::canonical_image::Object;
use crate::group::permutation::{Permutation, compose, identity, inverse, orbits};
use crate::symmetry::annotated_quotient::{Cosets, Step};
use crate::symmetry::minimise::system::DELTA;
use std::convert::Infallible;
use std::rc::Rc;

/// For every label the relation of each point to it.
///
/// A label is the image `t a` of the first label a of its orbit. The relation of point p to it is
/// the orbit of `t^-1 p` under the elements that fix a. So the relation of the image of a point to
/// the image of a label is the same as that of the point to the label.
pub struct LabelRelations {
    /// The first label of the orbit of each label.
    first: Vec<u32>,
    /// `t^-1`.
    back: Vec<Permutation>,
    /// For the first label of an orbit the orbits of points under its stabiliser.
    orbits: Vec<Rc<[u32]>>,
    /// The orbits of points under the whole group, for labels that it fixes.
    fixed: Rc<[u32]>,
}

impl LabelRelations {
    pub fn new(group: &Group) -> Self {
        let points = group.points;
        let generators: Vec<Permutation> =
            (0..group.generators.len()).map(|i| group.generator(i).into()).collect();
        let fixed: Rc<[u32]> = orbits(points, &generators).into();
        let mut first = vec![NONE; group.set];
        let mut back = vec![identity(points); group.set];
        let mut orbits = vec![Rc::clone(&fixed); group.set];
        let mut to: Vec<Permutation> = Vec::new();
        for start in 0..u32::at(group.set) {
            if first[start as usize] != NONE {
                continue;
            }
            first[start as usize] = start;
            let mut orbit = vec![start];
            to.clear();
            to.push(identity(points));
            let mut fixing: Vec<Permutation> = Vec::new();
            let mut at = 0;
            while at < orbit.len() {
                for (generator, all) in generators.iter().zip(&group.generators) {
                    let image = all[points + orbit[at] as usize] - u32::at(points);
                    let product = compose(generator, &to[at]);
                    if first[image as usize] == NONE {
                        first[image as usize] = start;
                        back[image as usize] = inverse(&product);
                        orbit.push(image);
                        to.push(product);
                    } else {
                        fixing.push(compose(&back[image as usize], &product));
                    }
                }
                at += 1;
            }
            if orbit.len() > 1 {
                fixing.sort_unstable();
                fixing.dedup();
                orbits[start as usize] = self::orbits(points, &fixing).into();
            }
        }
        Self { first, back, orbits, fixed }
    }

    /// The orbit of a label, given by its first label.
    pub fn kind(&self, label: u32) -> u32 {
        if label == DELTA { DELTA } else { self.first[label as usize] }
    }

    /// The relation of a point to a label.
    pub fn relation(&self, label: u32, point: usize) -> u32 {
        if label == DELTA {
            return self.fixed[point];
        }
        let first = self.first[label as usize] as usize;
        self.orbits[first][self.back[label as usize][point] as usize]
    }
}

/// Classes, with the stabilisers of their representatives.
pub struct Classes<'a> {
    pub cosets: &'a mut Cosets,
    pub stabiliser: &'a [u32],
}

impl Classes<'_> {
    /// The image of a member of a signature.
    pub fn image(&mut self, element: u32, (label, shift, class): Step) -> Step {
        let label = if label == DELTA { DELTA } else { self.cosets.label(element, label) };
        let product = self.cosets.elements.compose(element, shift);
        (label, self.cosets.least(product, self.stabiliser[class as usize]), class)
    }
}

/// A key that orders steps.
pub fn key(&(label, shift, class): &Step) -> u128 {
    u128::from(label) << 64 | u128::from(shift) << 32 | u128::from(class)
}

/// A signature as an object of the group action.
///
/// The relation of a point to the class `c r` is the orbit of `c^-1` of the point under the
/// stabiliser of r.
pub struct Signature<'a> {
    classes: Classes<'a>,
    steps: &'a [Step],
    points: usize,
    kinds: Vec<u64>,
    /// The relation of every point to every member.
    relations: Vec<u64>,
}

impl<'a> Signature<'a> {
    /// `orbits_of` gives the orbits of points under the stabilisers of the members' classes.
    pub fn new(
        classes: Classes<'a>,
        steps: &'a [Step],
        labels: &LabelRelations,
        mut orbits_of: impl FnMut(&Cosets, u32) -> Rc<[u32]>,
    ) -> Self {
        let points = classes.cosets.points();
        let mut kinds = Vec::with_capacity(steps.len());
        let mut relations = Vec::with_capacity(steps.len() * points);
        for &(label, shift, class) in steps {
            kinds.push(mix(u64::from(labels.kind(label)), u64::from(class)));
            let back = inverse(classes.cosets.elements.get(shift));
            let orbits = orbits_of(classes.cosets, classes.stabiliser[class as usize]);
            for point in 0..points {
                let other = orbits[back[point] as usize];
                relations.push(mix(u64::from(labels.relation(label, point)), u64::from(other)));
            }
        }
        Self { classes, steps, points, kinds, relations }
    }
}

impl Object for Signature<'_> {
    type Image = Vec<Step>;
    type Error = Infallible;

    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Infallible> {
        let mut different = count(colours);
        loop {
            let old = colours.to_vec();
            for (&kind, relations) in self.kinds.iter().zip(self.relations.chunks(self.points)) {
                let around = relations.iter().zip(&old).map(|(&relation, &c)| mix(relation, c));
                let seen = mix(kind, around.fold(0, u64::wrapping_add));
                for (colour, &relation) in colours.iter_mut().zip(relations) {
                    *colour = colour.wrapping_add(mix(seen, relation));
                }
            }
            for (colour, &old) in colours.iter_mut().zip(&old) {
                *colour = mix(*colour, old);
            }
            let now = count(colours);
            if now <= different {
                return Ok(());
            }
            different = now;
        }
    }

    fn image(&mut self, element: &[u32], image: &mut Vec<Step>) -> Result<(), Infallible> {
        let element = self.classes.cosets.elements.intern(element);
        image.clear();
        image.extend(self.steps.iter().map(|&step| self.classes.image(element, step)));
        image.sort_unstable_by_key(key);
        Ok(())
    }
}

/// The number of distinct colours.
fn count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}
