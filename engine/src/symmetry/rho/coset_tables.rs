//! Tables of the images of steps at all members of an orbit.
//!
//! The members of an orbit are the cosets of its stabiliser. The images of a step at the members
//! depend on the stabilisers of both ends and on the step's shift, but not on the orbits: so few
//! tables serve many stored transitions.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::group::element_table::IDENTITY;
use crate::symmetry::annotated_quotient::{Cosets, Quotient, Step};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The most table entries that are stored; other tables are recomputed when needed.
const MOST: usize = if cfg!(test) { 8 } else { 1 << 24 };

/// The numbered cosets of a stabiliser.
struct Numbered {
    /// The least element of each, the stabiliser itself first.
    elements: Rc<[u32]>,
    numbers: FxHashMap<u32, u32>,
}

/// The images of a representative's step at all members of its orbit.
pub struct Images {
    pub labels: Rc<[u32]>,
    /// The orbit of the targets, and their positions in it.
    pub orbit: u32,
    pub targets: Rc<[u32]>,
}

/// The tables of a quotient, made on demand.
pub struct CosetTables<'a> {
    quotient: &'a Quotient,
    pub cosets: Cosets,
    generators: Vec<u32>,
    members: Vec<Option<Numbered>>,
    /// By the stabiliser of the source, and the label.
    labels: FxHashMap<(u32, u32), Rc<[u32]>>,
    /// By the stabilisers of source and target, and the shift.
    targets: FxHashMap<(u32, u32, u32), Rc<[u32]>>,
    stored: usize,
    unchecked: usize,
}

impl<'a> CosetTables<'a> {
    /// No tables yet.
    pub fn new(quotient: &'a Quotient) -> Self {
        let mut cosets = Cosets::new(quotient);
        let group = &quotient.group;
        let generators = (0..group.generators.len())
            .map(|i| cosets.elements.intern(group.generator(i)))
            .collect();
        Self {
            quotient,
            cosets,
            generators,
            members: quotient.stabilisers.list.iter().map(|_| None).collect(),
            labels: FxHashMap::default(),
            targets: FxHashMap::default(),
            stored: 0,
            unchecked: 0,
        }
    }

    /// The first state of every orbit if the orbits' states are numbered consecutively, and the
    /// number of states, which must be below 2^32.
    pub fn bases(&mut self, cancel: &Cancel) -> Result<Vec<u32>> {
        let mut bases = Vec::with_capacity(self.quotient.orbits() + 1);
        let mut end = 0;
        bases.push(end);
        for &stabiliser in &self.quotient.stabiliser {
            end += u32::at(self.members(stabiliser, cancel)?.elements.len());
            bases.push(end);
        }
        Ok(bases)
    }

    /// For every member of an orbit with this stabiliser the least element that maps the
    /// representative there; the identity for the representative.
    pub fn elements(&mut self, stabiliser: u32, cancel: &Cancel) -> Result<Rc<[u32]>> {
        Ok(Rc::clone(&self.members(stabiliser, cancel)?.elements))
    }

    /// The images of all transitions of the representative that a stored transition represents,
    /// beginning with those of the stored transition itself.
    pub fn represented(&mut self, transition: usize, cancel: &Cancel) -> Result<Vec<Images>> {
        let steps = self.cosets.represented(self.quotient, transition, cancel)?;
        let source = self.quotient.stabiliser[self.quotient.source[transition] as usize];
        steps.into_iter().map(|step| self.images(source, step, cancel)).collect()
    }

    fn images(
        &mut self,
        source: u32,
        (label, shift, orbit): Step,
        cancel: &Cancel,
    ) -> Result<Images> {
        let target = self.quotient.stabiliser[orbit as usize];
        let labels = match self.labels.get(&(source, label)) {
            Some(labels) => Rc::clone(labels),
            None => self.make_labels(source, label, cancel)?,
        };
        let targets = match self.targets.get(&(source, target, shift)) {
            Some(targets) => Rc::clone(targets),
            None => self.make_targets(source, target, shift, cancel)?,
        };
        Ok(Images { labels, orbit, targets })
    }

    fn make_labels(&mut self, source: u32, label: u32, cancel: &Cancel) -> Result<Rc<[u32]>> {
        let elements = self.elements(source, cancel)?;
        let labels =
            self.fill(elements.len(), |this, i| this.cosets.label(elements[i], label), cancel)?;
        if self.has_room(labels.len()) {
            self.labels.insert((source, label), Rc::clone(&labels));
        }
        Ok(labels)
    }

    fn make_targets(
        &mut self,
        source: u32,
        target: u32,
        shift: u32,
        cancel: &Cancel,
    ) -> Result<Rc<[u32]>> {
        let elements = self.elements(source, cancel)?;
        self.members(target, cancel)?;
        let number = |this: &mut Self, i: usize| {
            let least = this.cosets.least_of_product(elements[i], shift, target);
            let members = this.members[target as usize].as_ref().expect("numbered just now");
            members.numbers[&least]
        };
        let targets = self.fill(elements.len(), number, cancel)?;
        if self.has_room(targets.len()) {
            self.targets.insert((source, target, shift), Rc::clone(&targets));
        }
        Ok(targets)
    }

    fn fill(
        &mut self,
        count: usize,
        entry: impl Fn(&mut Self, usize) -> u32,
        cancel: &Cancel,
    ) -> Result<Rc<[u32]>> {
        let mut table = Vec::with_capacity(count);
        for i in 0..count {
            cancel.check_every(&mut self.unchecked, 1)?;
            table.push(entry(self, i));
        }
        Ok(table.into())
    }

    /// Whether a table with this many entries may be stored; counts it if so.
    fn has_room(&mut self, entries: usize) -> bool {
        let has_room = self.stored + entries <= MOST;
        self.stored += if has_room { entries } else { 0 };
        has_room
    }

    /// The cosets of a stabiliser, in the order in which the generators reach them.
    fn members(&mut self, stabiliser: u32, cancel: &Cancel) -> Result<&Numbered> {
        if self.members[stabiliser as usize].is_none() {
            let mut elements = vec![IDENTITY];
            let mut numbers: FxHashMap<u32, u32> = [(IDENTITY, 0)].into_iter().collect();
            let mut at = 0;
            while at < elements.len() {
                cancel.check_every(&mut self.unchecked, 1)?;
                for &generator in &self.generators {
                    let image = self.cosets.least_of_product(generator, elements[at], stabiliser);
                    let next = u32::at(elements.len());
                    if *numbers.entry(image).or_insert(next) == next {
                        elements.push(image);
                    }
                }
                at += 1;
            }
            self.members[stabiliser as usize] =
                Some(Numbered { elements: elements.into(), numbers });
        }
        Ok(self.members[stabiliser as usize].as_ref().expect("just made"))
    }
}
