//! The carrier: the permuted values, which may be indices of arrays, and values that are moved by
//! maps.

use crate::base::lock::Locked;
use crate::data::rewrite::Data;
use crate::data::terms::Term;
use crate::process::linear::stop::Stop;
use crate::process::linear::values::unfinished;
use crate::symmetry_of_process::action_on::action_by_maps::MappedValues;
use std::sync::{Arc, Mutex, MutexGuard};

/// A sort of arrays that are indexed by permuted values: `(g f)(g d) = g (f(d))`.
pub struct Arrays {
    pub sort: u32,
    pub get: u32,
    pub set: u32,
    /// If elements are optional: the function that tests for an element, and the one that removes
    /// an index.
    pub partial: Option<(u32, u32)>,
    /// Whether arrays are permuted according to their definition for all values, elements included,
    /// so that no proof is needed that the group acts on them.
    pub free: bool,
    /// The permuted values that are indices.
    pub keys: Vec<Term>,
}

impl Arrays {
    /// The element at an index, if there is one.
    pub fn element(&self, data: &mut Data, array: Term, key: Term) -> Result<Option<Term>, Stop> {
        if let Some((contains, _)) = self.partial {
            let contained = data.terms.apply(contains, &[array, key]);
            if normal(data, contained)? != data.truth {
                return Ok(None);
            }
        }
        let element = data.terms.apply(self.get, &[array, key]);
        normal(data, element).map(Some)
    }
}

/// The permuted values among the parameters of a process, which may be indices of arrays.
#[derive(Clone)]
pub struct Carrier {
    /// The values; the position of a value is its point.
    pub values: Vec<Term>,
    pub arrays: Arc<[Arrays]>,
    /// The sorts whose values are moved by maps, with those values.
    pub mapped: Option<MappedSorts>,
}

impl Carrier {
    /// Whether the values of a sort are moved by maps.
    pub fn is_mapped(&self, sort: u32) -> bool {
        self.mapped.as_ref().is_some_and(|mapped| mapped.sorts.contains(&sort))
    }
}

/// Sorts whose values are moved by maps, with those values.
#[derive(Clone)]
pub struct MappedSorts {
    pub(crate) sorts: Arc<[u32]>,
    pub(crate) values: Arc<Mutex<MappedValues>>,
}

impl MappedSorts {
    /// The mapped values, if `sort` is one of these sorts.
    pub(crate) fn of(&self, sort: u32) -> Option<MutexGuard<'_, MappedValues>> {
        let is_one = self.sorts.contains(&sort);
        is_one.then(|| self.values.locked())
    }
}

pub(crate) fn normal(data: &mut Data, term: Term) -> Result<Term, Stop> {
    let normal = data.normalise(term).map_err(|error| unfinished(&error, None))?;
    if data.terms.is_value(normal) {
        return Ok(normal);
    }
    let shown = data.terms.show_short(normal);
    Err(Stop::Evaluation(format!("`{shown}` does not reduce to a value"), None))
}
