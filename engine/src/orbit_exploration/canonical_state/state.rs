//! A state as an object whose canonical image is searched for.

use crate::base::hash::quick;
use crate::data::terms::Term;
use crate::group::canonical_image::Object;
use crate::group::compact_permutation::CompactPermutation;
use crate::orbit_exploration::canonical_state::{Canonical, Missing, Scratch};
use std::cmp::Ordering;

/// For each point the parameters of a state whose value or position depends on it, in columns.
#[derive(Default)]
pub(super) struct Touched {
    starts: Vec<u32>,
    parameters: Vec<u32>,
    /// The parameters that depend on most points.
    everywhere: Vec<u32>,
}

impl Touched {
    /// Collects the parameters of a state with these values.
    fn collect(&mut self, canonical: &Canonical<'_>, values: &[Term]) -> Result<(), Missing> {
        let Self { starts, parameters, everywhere } = self;
        let count = canonical.group.points;
        starts.clear();
        starts.resize(count + 2, 0);
        everywhere.clear();
        for (parameter, &value) in values.iter().enumerate() {
            canonical.values.facts(value).ok_or(Missing::Value(value))?;
            let owners = canonical.positions.owners(parameter);
            let support = canonical.values.support(value);
            if canonical.positions.has_owners(parameter) && 2 * support.len() <= count {
                owners.iter().chain(support).for_each(|&x| starts[x as usize + 2] += 1);
            } else {
                everywhere.push(parameter as u32);
            }
        }
        for point in 2..starts.len() {
            starts[point] += starts[point - 1];
        }
        parameters.clear();
        parameters.resize(starts[count + 1] as usize, 0);
        let mut others = everywhere.iter().peekable();
        for (parameter, &value) in (0..).zip(values) {
            if others.next_if(|&&other| other == parameter).is_some() {
                continue;
            }
            let owners = canonical.positions.owners(parameter as usize);
            for &point in owners.iter().chain(canonical.values.support(value)) {
                let next = &mut starts[point as usize + 1];
                parameters[*next as usize] = parameter;
                *next += 1;
            }
        }
        Ok(())
    }
}

/// A state, with its collected facts.
pub(crate) struct State<'a, 'b> {
    pub(crate) canonical: &'a Canonical<'b>,
    pub(crate) state: &'a [Term],
    pub(crate) scratch: &'a mut Scratch,
    /// Whether `scratch.touched` is that of this state.
    pub(crate) has_touched: bool,
}

impl Object for State<'_, '_> {
    type Image = Vec<Term>;
    type Error = Missing;

    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Missing> {
        let Scratch { facts, points, colours: own, sums, sorted, .. } = &mut *self.scratch;
        for (colour, &own) in colours.iter_mut().zip(&*own) {
            *colour = quick(*colour, own);
        }
        if facts.is_empty() {
            return Ok(());
        }
        let mut classes = 0;
        loop {
            sorted.clear();
            sorted.extend_from_slice(colours);
            sorted.sort_unstable();
            sorted.dedup();
            if sorted.len() == classes || sorted.len() == colours.len() {
                return Ok(());
            }
            classes = sorted.len();
            sums.clear();
            sums.resize(colours.len(), 0);
            for &(relation, begin, end) in &*facts {
                let row = &points[begin as usize..end as usize];
                let all = row.iter().fold(relation, |all, &x| quick(all, colours[x as usize]));
                for (place, &x) in (1..).zip(row) {
                    sums[x as usize] = sums[x as usize].wrapping_add(quick(all, place));
                }
            }
            for (colour, &sum) in colours.iter_mut().zip(&*sums) {
                *colour = quick(*colour, sum);
            }
        }
    }

    fn image(&mut self, element: &[u32], image: &mut Vec<u32>) -> Result<(), Missing> {
        self.canonical.image(self.state, element, self.scratch, image)
    }

    fn is_fixed(
        &mut self,
        element: &[u32],
        moved: &CompactPermutation,
        _own: &mut Option<Vec<u32>>,
    ) -> Result<bool, Missing> {
        let Self { canonical, state, scratch, has_touched } = self;
        let (values, node) = canonical.apart(state);
        if !std::mem::replace(has_touched, true) {
            scratch.touched.collect(canonical, values)?;
        }
        if node.is_some_and(|(nodes, node)| nodes.image(node, element) != node) {
            return Ok(false);
        }
        let Scratch { touched, key, .. } = &mut **scratch;
        let mut factors = None;
        let mut is_fixed = |parameter: u32| {
            let to = canonical.positions.image(canonical.group, element, parameter, &mut factors);
            let image = canonical.value(values[parameter as usize], element, key)?;
            Ok(image == values[to as usize])
        };
        for &parameter in &touched.everywhere {
            if !is_fixed(parameter)? {
                return Ok(false);
            }
        }
        for (point, _) in moved.moved() {
            let [from, to] = [0, 1].map(|next| touched.starts[point as usize + next] as usize);
            for &parameter in &touched.parameters[from..to] {
                if !is_fixed(parameter)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn compare(&self, one: &Vec<u32>, other: &Vec<u32>) -> Result<Ordering, Missing> {
        match one.iter().zip(other).find(|(value, other)| value != other) {
            Some((&value, &other)) if self.canonical.is_after(value, other)? => {
                Ok(Ordering::Greater)
            }
            Some(_) => Ok(Ordering::Less),
            None => Ok(Ordering::Equal),
        }
    }
}
