//! A permutation of data, lifted to values, labels and states of a linear process.

use super::linear::{Process, Stop};
use crate::data::rewrite::Data;
use crate::data::terms::{Head, NONE, Term};
use crate::symmetry::quotient::lcm;
use rustc_hash::FxHashMap;

/// A sort of arrays that are indexed by permuted values: `(g f)(g d) = g (f(d))`.
pub struct Arrays {
    pub sort: u32,
    pub get: u32,
    pub set: u32,
    /// The permuted values that are indices.
    pub keys: Vec<Term>,
}

/// The generator g of a cyclic group that acts on the states of a linear process.
pub struct Generator {
    /// Least n >= 1 for which g^n is the identity.
    pub order: u32,
    images: FxHashMap<Term, Term>,
    arrays: Vec<Arrays>,
    /// The value of parameter j moves, lifted, to parameter `positions[j]`.
    pub positions: Vec<u32>,
    /// Summand i becomes summand `summands[i]`.
    pub summands: Vec<u32>,
    lifted: Vec<Term>,
}

impl Generator {
    /// The generator that permutes values along `cycles`; `positions` and `summands` must be
    /// permutations.
    pub fn new(
        cycles: &[Vec<Term>],
        arrays: Vec<Arrays>,
        positions: Vec<u32>,
        summands: Vec<u32>,
    ) -> Result<Self, String> {
        let mut images = FxHashMap::default();
        let mut order = 1;
        for cycle in cycles {
            order = lcm(order, cycle.len() as u64);
            for (i, &value) in cycle.iter().enumerate() {
                if images.insert(value, cycle[(i + 1) % cycle.len()]).is_some() {
                    return Err("a value stands twice in the cycles".into());
                }
            }
        }
        for permutation in [&positions, &summands] {
            let mut seen = vec![false; permutation.len()];
            for &image in permutation {
                match seen.get_mut(image as usize) {
                    Some(seen) if !*seen => *seen = true,
                    _ => return Err("positions and summands must be permutations".into()),
                }
            }
            let periods = crate::symmetry::quotient::periods_of(permutation);
            order = periods.iter().fold(order, |order, &p| lcm(order, u64::from(p)));
        }
        let order = u32::try_from(order).map_err(|_| "the order is too large")?;
        Ok(Self { order, images, arrays, positions, summands, lifted: Vec::new() })
    }

    /// g on a value: carrier values by the cycles, arrays index by index, others through their
    /// constructors.
    pub fn lift(&mut self, data: &mut Data, value: Term) -> Result<Term, Stop> {
        if let Some(&known) = self.lifted.get(value as usize)
            && known != NONE
        {
            return Ok(known);
        }
        let image = match self.images.get(&value) {
            Some(&image) => image,
            None => self.lift_outside_carrier(data, value)?,
        };
        if self.lifted.len() <= value as usize {
            self.lifted.resize(data.terms.len().max(value as usize + 1), NONE);
        }
        self.lifted[value as usize] = image;
        Ok(image)
    }

    fn lift_outside_carrier(&mut self, data: &mut Data, value: Term) -> Result<Term, Stop> {
        let sort = match data.terms.head(value) {
            Head::Symbol(_) => data.terms.sort(value),
            Head::Variable(_) => return Ok(value),
        };
        let mut image = self.lift_children(data, value, sort)?;
        let Some(a) = self.arrays.iter().position(|arrays| arrays.sort == sort) else {
            return Ok(image);
        };
        let (get, set) = (self.arrays[a].get, self.arrays[a].set);
        for i in 0..self.arrays[a].keys.len() {
            let key = self.arrays[a].keys[i];
            let element = data.terms.apply(get, &[value, key]);
            let element = normal(data, element)?;
            let (key, element) = (self.lift(data, key)?, self.lift(data, element)?);
            let updated = data.terms.apply(set, &[image, key, element]);
            image = normal(data, updated)?;
        }
        Ok(image)
    }

    /// The constructors of a value around the images of what is inside. Parts of the value's own
    /// sort are not lifted as values, so that the rest of an array is not taken for an array.
    fn lift_children(&mut self, data: &mut Data, value: Term, sort: u32) -> Result<Term, Stop> {
        let Head::Symbol(symbol) = data.terms.head(value) else { return Ok(value) };
        let children = data.terms.children(value).to_vec();
        if children.is_empty() {
            return Ok(value);
        }
        let is_array = self.arrays.iter().any(|arrays| arrays.sort == sort);
        let mut images = Vec::with_capacity(children.len());
        for child in children {
            images.push(if is_array && data.terms.sort(child) == sort {
                self.lift_children(data, child, sort)?
            } else {
                self.lift(data, child)?
            });
        }
        let built = data.terms.apply(symbol, &images);
        normal(data, built)
    }

    /// g on a state.
    pub fn apply(
        &mut self,
        data: &mut Data,
        state: &[u32],
        image: &mut Vec<u32>,
    ) -> Result<(), Stop> {
        image.clear();
        image.resize(state.len(), 0);
        for (parameter, &value) in state.iter().enumerate() {
            image[self.positions[parameter] as usize] = self.lift(data, value)?;
        }
        Ok(())
    }

    /// g on a label key.
    pub fn label(&mut self, process: &mut Process, label: u32) -> Result<u32, Stop> {
        let mut key = process.labels.keys[label as usize].to_vec();
        for argument in &mut key[1..] {
            *argument = self.lift(&mut process.data, *argument)?;
        }
        Ok(process.labels.intern(key, &process.data, &process.actions))
    }
}

fn normal(data: &mut Data, term: Term) -> Result<Term, Stop> {
    let normal = data.normalise(term).map_err(|error| Stop::Evaluation(error.to_string(), None))?;
    if data.terms.is_value(normal) {
        return Ok(normal);
    }
    let shown = String::from_utf8_lossy(&data.terms.show(normal)).into_owned();
    Err(Stop::Evaluation(format!("`{shown}` does not reduce to a value"), None))
}
