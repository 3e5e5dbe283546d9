//! A state as an object whose canonical image is searched for.

use crate::base::cancel::Cancel;
use crate::base::hash::quick;
use crate::data::terms::Term;
use crate::group::canonical_image::{Least, Object};
use crate::group::compact_permutation::CompactPermutation;
use crate::group::permutation::identity;
use crate::orbits::canonical_state::{Canonical, Missing, Scratch};
use std::cmp::Ordering;

impl Canonical<'_> {
    /// The canonical image of a state.
    pub fn find(
        &self,
        state: &[Term],
        scratch: &mut Scratch,
        cancel: &Cancel,
    ) -> Result<Least, Missing> {
        if self.group.generators.is_empty() {
            let element = identity(self.group.points);
            let image = state.to_vec();
            return Ok(Least { image, element, stabiliser: Vec::new(), is_exact: true });
        }
        if !self.elements.is_empty() {
            return self.least(self.choices, state, scratch, cancel);
        }
        self.gather(state, scratch)?;
        let mut state = State { canonical: self, state, scratch, cancel, has_touched: false };
        self.searcher.find_within(self.choices, &[], &mut state)
    }
}

/// A state, with its collected facts.
pub(crate) struct State<'a, 'b> {
    pub(crate) canonical: &'a Canonical<'b>,
    pub(crate) state: &'a [Term],
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) cancel: &'a Cancel,
    /// Whether `scratch.touched` is that of this state.
    pub(crate) has_touched: bool,
}

impl Object for State<'_, '_> {
    type Image = Vec<Term>;
    type Error = Missing;

    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Missing> {
        self.cancel.check()?;
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
                let occurrence = &points[begin as usize..end as usize];
                let all =
                    occurrence.iter().fold(relation, |all, &x| quick(all, colours[x as usize]));
                for (position, &x) in (1..).zip(occurrence) {
                    sums[x as usize] = sums[x as usize].wrapping_add(quick(all, position));
                }
            }
            for (colour, &sum) in colours.iter_mut().zip(&*sums) {
                *colour = quick(*colour, sum);
            }
        }
    }

    fn image(&mut self, element: &[u32], image: &mut Vec<u32>) -> Result<(), Missing> {
        self.cancel.check()?;
        self.canonical.image(self.state, element, self.scratch, image)
    }

    fn is_fixed(
        &mut self,
        element: &[u32],
        moved: &CompactPermutation,
        _own: &mut Option<Vec<u32>>,
    ) -> Result<bool, Missing> {
        let Self { canonical, state, scratch, has_touched, .. } = self;
        let (values, node) = canonical.apart(state);
        if !std::mem::replace(has_touched, true) {
            let Canonical { group, positions, values: known, .. } = canonical;
            let touched = &mut scratch.touched;
            touched.collect(group.points, positions, known, values).map_err(Missing::Value)?;
        }
        if node.is_some_and(|(nodes, node)| nodes.image(node, element) != node) {
            return Ok(false);
        }
        let Scratch { touched, key, .. } = &mut **scratch;
        let mut factors = None;
        let mut is_fixed = |parameter: u32| {
            let to = canonical.positions.image(canonical.group, element, parameter, &mut factors);
            let image = canonical.value(values[parameter as usize], element, key)?;
            Ok::<_, Missing>(image == values[to as usize])
        };
        for &parameter in &touched.everywhere {
            if !is_fixed(parameter)? {
                return Ok(false);
            }
        }
        for (point, _) in moved.moved() {
            for &parameter in touched.at(point) {
                if !is_fixed(parameter)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn compare(&self, left: &Vec<u32>, right: &Vec<u32>) -> Result<Ordering, Missing> {
        match left.iter().zip(right).find(|(value, right)| value != right) {
            Some((&value, &right)) if self.canonical.is_after(value, right)? => {
                Ok(Ordering::Greater)
            }
            Some(_) => Ok(Ordering::Less),
            None => Ok(Ordering::Equal),
        }
    }
}
