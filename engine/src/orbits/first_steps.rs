//! The first of the steps of each orbit under the stabiliser of their source.
//!
//! A step of an orbit's first member leads to k(t), where t is the first member of another orbit.
//! Only the coset of the shift k modulo the stabiliser of t matters. Most stabilisers have all
//! permutations of each of their orbits, the *cells*. Then the coset is determined by the cell of t
//! that each point comes from, the *origin* of the point, and an element that fixes the source
//! permutes the origins. So a step has a canonical image: the points that occur in its label move
//! to the first positions of their cells, all others follow, sorted by their origins. If a cell has
//! several points of the label, all orders of these are compared.
//!
//! Steps with other stabilisers are compared with the whole orbit of each step before.

use crate::base::ids::{Id, NONE};
use crate::data::terms::Term;
use crate::group::permutation::identity;
use crate::group::symmetric_families::{order_of_product, origins};
use crate::orbits::symmetric_process::Numbered;
use crate::process::linear::stop::{MAX_LABELS, Stop};
use crate::symmetry_of_process::action_on::values::Values;
use crate::symmetry_of_process::lifting::Lifting;
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// A step of an orbit's first member: its label key, and the shift, orbit and stabiliser of its
/// target.
#[derive(Clone, Copy)]
pub(crate) struct FirstStep<T> {
    pub(crate) step: u32,
    pub(crate) shift: u32,
    pub(crate) target: T,
    pub(crate) stabiliser: u32,
}

/// The canonical image of a step: text, target, and the origin of each point.
type StepImage<T> = (u32, T, Box<[u32]>);

/// The most orders of the points of a label that are compared.
const MOST_ORDERS: usize = 24;

/// The steps of one orbit's first member so far.
pub(crate) struct FirstSteps<T> {
    /// Text, shift and target of each step, and of those of its orbit if that was enumerated.
    seen: FxHashSet<(u32, u32, T)>,
    images: FxHashSet<StepImage<T>>,
    /// The number of steps in the orbits of these steps.
    count: u64,
    /// The values that occur in labels.
    values: Option<Values>,
    /// The liftings of elements of stabilisers, for moving labels.
    stabilising: FxHashMap<u32, Lifting>,
}

impl<T> Default for FirstSteps<T> {
    fn default() -> Self {
        Self {
            seen: FxHashSet::default(),
            images: FxHashSet::default(),
            count: 0,
            values: None,
            stabilising: FxHashMap::default(),
        }
    }
}

impl<T: Copy + Eq + Hash> FirstSteps<T> {
    /// Begins with the steps of another orbit.
    pub(crate) fn begin(&mut self) {
        self.seen.clear();
        self.images.clear();
        self.count = 0;
    }

    /// Forgets the numbers of elements, for another table of orbits.
    pub(crate) fn forget_elements(&mut self) {
        self.begin();
        self.stabilising.clear();
    }

    /// The number of distinct steps in the orbits of the steps so far.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Whether a step is the first of its orbit under the stabiliser of its source.
    pub(crate) fn is_first(
        &mut self,
        step: FirstStep<T>,
        source: u32,
        numbered: &mut Numbered<'_>,
    ) -> Result<bool, Stop> {
        let text = numbered.process.labels.texts[step.step as usize];
        if !self.seen.insert((text, step.shift, step.target)) {
            return Ok(false);
        }
        if numbered.orbits.stabiliser_of(source).is_trivial() {
            self.count += 1;
            return Ok(true);
        }
        let Some((image, size)) = self.image(step, source, numbered)? else {
            return self.enumerate(step, source, numbered).map(|()| true);
        };
        let is_first = self.images.insert(image);
        if is_first {
            self.count = self.count.saturating_add(size);
        }
        Ok(is_first)
    }

    /// The canonical image of a step, and the size of its orbit. `None` if a stabiliser has not all
    /// permutations of its orbits, or too many points are in the label.
    fn image(
        &mut self,
        FirstStep { step, shift, target, stabiliser }: FirstStep<T>,
        source: u32,
        numbered: &mut Numbered<'_>,
    ) -> Result<Option<(StepImage<T>, u64)>, Stop> {
        let Numbered { process, carrier, generators, action, orbits, .. } = numbered;
        let points = action.group.points;
        let own = orbits.stabiliser_of(source);
        let [Some(cells), Some(targets)] =
            [own, &orbits.stabilisers.list[stabiliser as usize]].map(|it| it.symmetric_orbits())
        else {
            return Ok(None);
        };
        let values = self.values.get_or_insert_with(|| {
            let group = &action.group;
            let moves = |&x: &u32| {
                (0..generators.len()).any(|which| group.generator(which)[x as usize] != x)
            };
            Values::new(carrier, (0..u32::at(points)).filter(moves).collect())
        });
        let label = process.labels.keys.get(step).to_vec();
        for &argument in &label[1..] {
            if values.facts(argument).is_none() {
                values.learn(&mut process.data, generators, argument)?;
            }
        }
        let Some(orders) = Orders::new(cells, points, &label[1..], values) else {
            return Ok(None);
        };

        let origins = origins(targets, orbits.elements.get(shift));
        let mut least: Option<(u32, Box<[u32]>)> = None;
        let mut ties = 0u32;
        let (mut image, mut moved, mut scratch) = (vec![0; points], label.clone(), Vec::new());
        for order in &orders.orders {
            process.data.cancel.check()?;
            let element = orders.element(cells, order, &origins);
            for (&origin, &to) in origins.iter().zip(&element) {
                image[to as usize] = origin;
            }
            for (&argument, to) in label[1..].iter().zip(&mut moved[1..]) {
                *to = loop {
                    match values.image(argument, &element, &mut scratch) {
                        Some(image) => break image,
                        None => values.learn_image(&mut process.data, argument, &element)?,
                    }
                };
            }
            let key = process.labels.intern(&moved, &process.data, &process.actions, MAX_LABELS)?;
            let text = process.labels.texts[key as usize];
            match least.as_ref().map_or(std::cmp::Ordering::Less, |(other, origins)| {
                (text, &image[..]).cmp(&(*other, origins))
            }) {
                std::cmp::Ordering::Less => {
                    least = Some((text, image[..].into()));
                    ties = 1;
                }
                std::cmp::Ordering::Equal => ties += 1,
                std::cmp::Ordering::Greater => {}
            }
        }
        let (text, image) = least.expect("there is at least one order");
        // What fixes the step permutes points of one cell and origin that are not in the label, or
        // maps one of the tying orders to another.
        let size = own.order() / (orders.order_of_others(cells, &origins) * ties);
        Ok(Some(((text, target, image), u64::try_from(size).unwrap_or(u64::MAX))))
    }

    /// Adds all steps of an orbit to those that were seen.
    fn enumerate(
        &mut self,
        FirstStep { step, shift, target, stabiliser }: FirstStep<T>,
        source: u32,
        numbered: &mut Numbered<'_>,
    ) -> Result<(), Stop> {
        let Numbered { process, carrier, action, orbits, .. } = numbered;
        let fixing = orbits.fixing(source);
        self.count += 1;
        let (mut waiting, mut unchecked) = (vec![(step, shift)], 0);
        while let Some((step, shift)) = waiting.pop() {
            process.data.cancel.check_every(&mut unchecked, fixing.len() * action.group.points)?;
            for &fixing in &fixing {
                let lifting = self
                    .stabilising
                    .entry(fixing)
                    .or_insert_with(|| action.lifting(carrier, orbits.elements.get(fixing)));
                let image = lifting.label(process, step)?;
                let moved = orbits.moved(fixing, shift, stabiliser);
                if self.seen.insert((process.labels.texts[image as usize], moved, target)) {
                    self.count += 1;
                    waiting.push((image, moved));
                }
            }
        }
        Ok(())
    }
}

/// The orders of the points of a label, within each cell.
struct Orders {
    /// Whether each point is in the label or in no cell.
    is_chosen: Vec<bool>,
    /// For each point of the label that is in a cell, in each order: the cell and the point.
    orders: Vec<Vec<(u32, u32)>>,
}

impl Orders {
    /// `None` if there are too many.
    fn new(cells: &[Vec<u32>], points: usize, arguments: &[Term], values: &Values) -> Option<Self> {
        let mut cell_of = vec![NONE; points];
        for (number, cell) in (0..).zip(cells) {
            for &point in cell {
                cell_of[point as usize] = number;
            }
        }
        let mut is_chosen: Vec<bool> = cell_of.iter().map(|&cell| cell == NONE).collect();
        let mut chosen = vec![0; cells.len()];
        let mut orders: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
        for &point in arguments.iter().flat_map(|&argument| values.support(argument)) {
            if std::mem::replace(&mut is_chosen[point as usize], true) {
                continue;
            }
            let cell = cell_of[point as usize];
            let positions = &mut chosen[cell as usize];
            *positions += 1;
            if orders.len() * *positions > MOST_ORDERS {
                return None;
            }
            // The point is inserted at each position among those of its cell.
            let insert = |order: &Vec<(u32, u32)>, position: usize| {
                let mut order = order.clone();
                let own = (0..order.len()).filter(|&at| order[at].0 == cell);
                let at = own.clone().nth(position).unwrap_or(order.len());
                order.insert(at, (cell, point));
                order
            };
            orders = (orders.iter())
                .flat_map(|order| (0..*positions).map(move |position| insert(order, position)))
                .collect();
        }
        Some(Self { is_chosen, orders })
    }

    /// The element that moves the points of the label to the first positions of their cells, in
    /// this order, and all others to the positions after these, sorted by their origins.
    fn element(&self, cells: &[Vec<u32>], order: &[(u32, u32)], origins: &[u32]) -> Vec<u32> {
        let mut element = identity(origins.len()).into_vec();
        for (number, cell) in (0..).zip(cells) {
            let first = order.iter().filter(|&&(own, _)| own == number).map(|&(_, point)| point);
            let others = self.others(cell, origins);
            let sorted = others.into_iter().map(|(_, point)| point);
            for (point, &position) in first.chain(sorted).zip(cell) {
                element[point as usize] = position;
            }
        }
        element
    }

    /// The points of a cell that are not in the label, sorted by their origins.
    fn others(&self, cell: &[u32], origins: &[u32]) -> Vec<(u32, u32)> {
        let others = cell.iter().filter(|&&point| !self.is_chosen[point as usize]);
        let mut others: Vec<_> = others.map(|&point| (origins[point as usize], point)).collect();
        others.sort_unstable();
        others
    }

    /// The number of permutations of these points that preserve cells and origins.
    fn order_of_others(&self, cells: &[Vec<u32>], origins: &[u32]) -> BigUint {
        let others: Vec<_> = cells.iter().map(|cell| self.others(cell, origins)).collect();
        let same = others.iter().flat_map(|cell| cell.chunk_by(|left, right| left.0 == right.0));
        order_of_product(&same.collect::<Vec<_>>())
    }
}
