//! The annotated quotient of an LTS under a finite group of symmetries.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::base::ids::Label;
use crate::base::label_table::Labels;
use crate::base::lts::Lts;
use crate::base::stages::Measure;
use crate::group::action::Group;
use crate::group::compact_permutation::{CompactPermutation, compact};
use crate::group::element_table::{Elements, IDENTITY};
use crate::group::permutation::{Permutation, compose};
use crate::group::schreier_sims::NoGroup;
use crate::group::subgroup::{Subgroup, Subgroups};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

/// An LTS modulo a group G of symmetries, without loss of information (theory: orbits with
/// stabilisers, one transition per orbit of transitions).
///
/// Orbit `o` of states has a representative `r(o)`, which the elements of `stabiliser(o)` fix; its
/// states are `g r` for the cosets `g stabiliser(o)`. A stored transition (source, label, shift,
/// target) is the transition `r(source) -label-> shift r(target)`, and represents its images under
/// all of G. There is one stored transition for each orbit of transitions; stored transitions are
/// sorted by source.
///
/// Invariant: the group acts on the labels of the table; every shift is the least of its coset; the
/// initial orbit has one state, and all orbits are reachable from it.
#[derive(Clone)]
pub struct Quotient {
    pub group: Arc<Group>,
    /// The names of the group's points.
    pub names: Vec<String>,
    pub elements: Elements,
    pub stabilisers: Arc<Subgroups>,
    /// For every orbit the number of its stabiliser.
    pub stabiliser: Vec<u32>,
    pub initial: u32,
    pub source: Vec<u32>,
    pub label: Vec<u32>,
    pub shift: Vec<u32>,
    pub target: Vec<u32>,
    pub labels: Arc<Labels>,
    pub internal: Vec<u32>,
    /// The numbers of states and transitions of the original, once they are known.
    pub sizes: OnceLock<(BigUint, BigUint)>,
}

impl Quotient {
    pub fn orbits(&self) -> usize {
        self.stabiliser.len()
    }

    /// Whether the group moves a label.
    pub fn moves(&self, label: u32) -> bool {
        let at = u32::at(self.group.points) + label;
        self.group.generators.iter().any(|g| g[at as usize] != at)
    }

    /// The same quotient with exactly `internal` as its internal labels; or one of these labels
    /// that the group moves, as an error.
    pub fn with_internal(&self, internal: Vec<u32>) -> Result<Self, u32> {
        match internal.iter().find(|&&label| self.moves(label)) {
            Some(&label) => Err(label),
            None => Ok(Self { internal, ..self.clone() }),
        }
    }

    /// The graph of the orbits: the stored transitions without their shifts.
    pub fn graph(&self) -> Lts {
        let columns = [&self.source, &self.label, &self.target].map(Vec::clone);
        let internal = Arc::new(self.internal.iter().map(|&label| Label(label)).collect());
        let orbits = u32::at(self.orbits());
        Lts::of_numbers(self.initial, orbits, columns, Arc::clone(&self.labels), internal)
    }

    pub fn stabiliser_of(&self, orbit: u32) -> &Subgroup {
        &self.stabilisers.list[self.stabiliser[orbit as usize] as usize]
    }

    /// The numbers of states and transitions of the original.
    pub fn count(&self, cancel: &Cancel) -> Result<&(BigUint, BigUint)> {
        match self.sizes.get() {
            Some(sizes) => Ok(sizes),
            None => {
                let sizes = self.sizes_of_orbits(cancel)?;
                Ok(self.sizes.get_or_init(|| sizes))
            }
        }
    }

    /// Whether the invariant holds, for parts from an untrusted source: for example, whether
    /// elements belong to the group.
    pub fn is_sound(&self, cancel: &Cancel) -> Result<bool> {
        let points = self.group.points;
        let inside = |images: &[u32]| self.group.factors(images).is_some();
        let whole = |label: u32| label + u32::at(points);
        let stays = |generator: &Permutation| {
            let images = self.internal.iter().map(|&label| generator[whole(label) as usize]);
            images.into_iter().all(|image| self.internal.iter().any(|&label| whole(label) == image))
        };
        let lists = &self.stabilisers.list;
        if !(0..u32::at(self.elements.len())).all(|element| inside(self.elements.get(element)))
            || !lists
                .iter()
                .flat_map(|subgroup| subgroup.images())
                .all(|generator| inside(generator))
            || !self.group.generators.iter().all(stays)
            || !self.source.is_sorted()
            || self.stabiliser_of(self.initial).order() != self.group.order()
            || !self.is_reachable()
        {
            return Ok(false);
        }
        let (mut cosets, mut unchecked) = (Cosets::new(self), 0);
        let mut seen: FxHashSet<(u32, Step)> = FxHashSet::default();
        for transition in 0..self.source.len() {
            let stabiliser = self.stabiliser[self.target[transition] as usize];
            if cosets.least(self.shift[transition], stabiliser) != self.shift[transition] {
                return Ok(false);
            }
            let images = cosets.represented(self, transition, cancel)?;
            cancel.check_every(&mut unchecked, images.len())?;
            let least = images.into_iter().min().expect("the step itself");
            if !seen.insert((self.source[transition], least)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all orbits are reachable from the initial one; stored transitions must be sorted by
    /// source.
    fn is_reachable(&self) -> bool {
        let mut visited = vec![false; self.orbits()];
        visited[self.initial as usize] = true;
        let mut waiting = vec![self.initial];
        while let Some(orbit) = waiting.pop() {
            let begin = self.source.partition_point(|&source| source < orbit);
            let end = self.source.partition_point(|&source| source <= orbit);
            for &target in &self.target[begin..end] {
                if !std::mem::replace(&mut visited[target as usize], true) {
                    waiting.push(target);
                }
            }
        }
        visited.into_iter().all(|visited| visited)
    }

    /// The same quotient with the group on its first `count` points, if these are invariant and
    /// distinguish all elements; else the unchanged quotient.
    ///
    /// Stored transitions keep their order, as elements are compared by these points first.
    pub fn onto(self, count: usize, cancel: &Cancel) -> Result<Self, Box<Self>> {
        let (points, labels) = (self.group.points, self.labels.len());
        let stays = |g: &Permutation| g[..count].iter().all(|&image| (image as usize) < count);
        if count >= points || !self.group.generators.iter().all(stays) {
            return Err(Box::new(self));
        }
        let shifted = |g: &Permutation| {
            let labels = g[points..].iter().map(|&label| label - u32::at(points - count));
            g[..count].iter().copied().chain(labels).collect()
        };
        let generators = self.group.generators.iter().map(shifted).collect();
        let first = |element: &[u32]| -> Permutation { element[..count].into() };
        let lists = self.stabilisers.list.iter();
        let lists = lists.map(|subgroup| {
            subgroup.images().iter().map(|g| CompactPermutation::of(&first(g))).collect()
        });
        let restricted = (
            Group::new(count, labels, generators, cancel),
            Subgroups::numbered(count, lists, cancel),
        );
        let (Ok(group), Ok(stabilisers)) = restricted else { return Err(Box::new(self)) };
        if group.order() != self.group.order() {
            return Err(Box::new(self));
        }
        let mut elements = Elements::new(count);
        for element in 0..u32::at(self.elements.len()) {
            elements.intern(&first(self.elements.get(element)));
        }
        let mut names = self.names;
        names.truncate(count);
        let (group, stabilisers) = (Arc::new(group), Arc::new(stabilisers));
        Ok(Self { group, names, elements, stabilisers, ..self })
    }

    /// The number of triples of a representative, a label, and an orbit to which the representative
    /// has a transition with this label.
    ///
    /// These are the transitions of a system that replaces each target by its representative, as
    /// in Turner, Leuschel, Spemann and Butler, Symmetry Reduced Model Checking for B (2007).
    pub fn representative_transitions(&self, cancel: &Cancel) -> Result<u64> {
        let (mut cosets, mut unchecked) = (Cosets::new(self), 0);
        let mut of_source: FxHashSet<(u32, u32)> = FxHashSet::default();
        let mut count = 0;
        for transition in 0..self.source.len() {
            if transition > 0 && self.source[transition] != self.source[transition - 1] {
                count += of_source.len() as u64;
                of_source.clear();
            }
            let steps = cosets.represented(self, transition, cancel)?;
            cancel.check_every(&mut unchecked, steps.len())?;
            of_source.extend(steps.into_iter().map(|(label, _, target)| (label, target)));
        }
        Ok(count + of_source.len() as u64)
    }

    fn sizes_of_orbits(&self, cancel: &Cancel) -> Result<(BigUint, BigUint)> {
        let order = self.group.order();
        let mut uses = vec![(0u64, 0u64); self.stabilisers.list.len()];
        for &stabiliser in &self.stabiliser {
            uses[stabiliser as usize].0 += 1;
        }
        let (mut cosets, mut unchecked) = (Cosets::new(self), 0);
        let stage = cancel.stage("counting", Measure::Share(self.source.len() as u64));
        for transition in 0..self.source.len() {
            stage.reach(transition);
            let stabiliser = self.stabiliser[self.source[transition] as usize];
            let count = cosets.represented(self, transition, cancel)?.len();
            cancel.check_every(&mut unchecked, count)?;
            uses[stabiliser as usize].1 += count as u64;
        }
        let (mut states, mut transitions) = (BigUint::ZERO, BigUint::ZERO);
        for (stabiliser, (orbits, stored)) in self.stabilisers.list.iter().zip(uses) {
            let index = &order / stabiliser.order();
            states += &index * orbits;
            transitions += index * stored;
        }
        Ok((states, transitions))
    }
}

/// For elements below this number the images of all labels are stored; for others their factors.
const FEW: usize = 64;

/// A transition of a representative: label, least element of the target's coset, target.
pub type Step = (u32, u32, u32);

/// Cosets given by their least elements, and the action of group elements on labels, with caches.
pub struct Cosets {
    pub elements: Elements,
    group: Arc<Group>,
    stabilisers: Arc<Subgroups>,
    least: FxHashMap<(u32, u32), u32>,
    factors: Vec<Option<Box<[u32]>>>,
    /// The images of all labels under the first elements.
    label_images: Vec<Option<Box<[u32]>>>,
    /// The generators of every stabiliser, as element numbers.
    generators: Vec<Option<Box<[u32]>>>,
}

impl Cosets {
    pub fn new(quotient: &Quotient) -> Self {
        let group = Arc::clone(&quotient.group);
        Self::over(group, Arc::clone(&quotient.stabilisers), quotient.elements.clone())
    }

    pub fn over(group: Arc<Group>, stabilisers: Arc<Subgroups>, elements: Elements) -> Self {
        let generators = vec![None; stabilisers.list.len()];
        let (factors, label_images) = (Vec::new(), vec![None; FEW]);
        let least = FxHashMap::default();
        Self { elements, group, stabilisers, least, factors, label_images, generators }
    }

    /// The least element of `element * stabiliser`.
    pub fn least(&mut self, element: u32, stabiliser: u32) -> u32 {
        let subgroup = &self.stabilisers.list[stabiliser as usize];
        if element == IDENTITY || subgroup.is_trivial() {
            return element;
        }
        if let Some(&known) = self.least.get(&(element, stabiliser)) {
            return known;
        }
        let images = subgroup.least_of_coset(self.elements.get(element));
        let least = self.elements.intern(&images);
        self.least.insert((element, stabiliser), least);
        least
    }

    /// The least element of `left * right * stabiliser`.
    pub fn least_of_product(&mut self, left: u32, right: u32, stabiliser: u32) -> u32 {
        let subgroup = &self.stabilisers.list[stabiliser as usize];
        if subgroup.is_trivial() || Elements::is_remembered(left, right) {
            let product = self.elements.compose(left, right);
            return self.least(product, stabiliser);
        }
        // Do not intern the product, which may not be needed elsewhere.
        let product = compose(self.elements.get(left), self.elements.get(right));
        let images = subgroup.least_of_coset(&product);
        self.elements.intern(&images)
    }

    /// The number of points of the group.
    pub fn points(&self) -> usize {
        self.group.points
    }

    /// The number of the subgroup with these generators, which is added if it is new. The subgroups
    /// must not be shared yet.
    pub fn subgroup(
        &mut self,
        generators: Vec<Permutation>,
        cancel: &Cancel,
    ) -> Result<u32, NoGroup> {
        let subgroups = Arc::get_mut(&mut self.stabilisers).expect("not shared yet");
        let number = subgroups.intern(compact(&generators), cancel)?;
        self.generators.resize(subgroups.list.len(), None);
        Ok(number)
    }

    pub fn subgroups(&self) -> Arc<Subgroups> {
        Arc::clone(&self.stabilisers)
    }

    pub fn subgroup_of(&self, number: u32) -> &Subgroup {
        &self.stabilisers.list[number as usize]
    }

    /// The image of a label under an element.
    pub fn label(&mut self, element: u32, label: u32) -> u32 {
        if element == IDENTITY {
            return label;
        }
        let factors = |elements: &Elements, group: &Group| {
            group.factors(elements.get(element)).expect("an element of the group")
        };
        if let Some(images) = self.label_images.get_mut(element as usize) {
            let all = || {
                let factors = factors(&self.elements, &self.group);
                let labels = 0..u32::at(self.group.set);
                labels.map(|label| self.group.image(&factors, label)).collect()
            };
            return images.get_or_insert_with(all)[label as usize];
        }
        if self.factors.len() <= element as usize {
            self.factors.resize(self.elements.len(), None);
        }
        let known = &mut self.factors[element as usize];
        let factors = known.get_or_insert_with(|| factors(&self.elements, &self.group).into());
        self.group.image(factors, label)
    }

    /// The image of a step under an element; `stabiliser` is that of the step's target.
    pub fn step(&mut self, element: u32, step: Step, stabiliser: u32) -> Step {
        let least = self.least_of_product(element, step.1, stabiliser);
        (self.label(element, step.0), least, step.2)
    }

    /// The generators of a stabiliser.
    pub fn generators(&mut self, stabiliser: u32) -> Box<[u32]> {
        let list = &self.stabilisers.list[stabiliser as usize];
        let points = self.points();
        let known = &mut self.generators[stabiliser as usize];
        let of = |g: &CompactPermutation| self.elements.intern(&g.images(points));
        let intern = || list.generators().iter().map(of).collect();
        known.get_or_insert_with(intern).clone()
    }

    /// All images of a step under the stabiliser of its source, beginning with the step.
    pub fn images(
        &mut self,
        step: Step,
        source: u32,
        target: u32,
        cancel: &Cancel,
    ) -> Result<Vec<Step>> {
        let mut images = vec![step];
        let generators = self.generators(source);
        if generators.is_empty() {
            return Ok(images);
        }
        let mut unchecked = 0;
        let mut seen: FxHashSet<Step> = images.iter().copied().collect();
        let mut at = 0;
        while at < images.len() {
            cancel.check_every(&mut unchecked, generators.len() * self.points().max(1))?;
            for &generator in &generators {
                let image = self.step(generator, images[at], target);
                if seen.insert(image) {
                    images.push(image);
                }
            }
            at += 1;
        }
        Ok(images)
    }

    /// All transitions of its source that a stored transition represents, beginning with the stored
    /// transition itself.
    pub fn represented(
        &mut self,
        quotient: &Quotient,
        transition: usize,
        cancel: &Cancel,
    ) -> Result<Vec<Step>> {
        let step =
            (quotient.label[transition], quotient.shift[transition], quotient.target[transition]);
        let source = quotient.stabiliser[quotient.source[transition] as usize];
        self.images(step, source, quotient.stabiliser[step.2 as usize], cancel)
    }
}
