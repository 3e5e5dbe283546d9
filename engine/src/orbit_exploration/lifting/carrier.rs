//! What is permuted: values, which may be indices of arrays, or moved by maps.

use crate::data::rewrite::Data;
use crate::data::terms::Term;
use crate::lpe::process::stop::Stop;
use crate::lpe::process::values::unfinished;
use crate::orbit_exploration::action_on::action_by_maps::MappedValues;
use std::sync::{Arc, Mutex, MutexGuard};

/// A sort of arrays that are indexed by permuted values: `(g f)(g d) = g (f(d))`.
pub struct Arrays {
    pub sort: u32,
    pub get: u32,
    pub set: u32,
    /// Whether there is an element, and what leaves an index without one; if not all have one.
    pub partial: Option<(u32, u32)>,
    /// Whether they are permuted as their definition says for all values, elements included, so that
    /// it need not be proven that the group acts on them.
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

/// What is permuted: values, which may be indices of arrays, among the parameters of a process.
#[derive(Clone)]
pub struct Carrier {
    /// The values, in the order of their points.
    pub values: Vec<Term>,
    pub arrays: Arc<[Arrays]>,
    /// The sorts whose values are moved by maps, and those values.
    pub mapped: Option<MappedSorts>,
}

impl Carrier {
    /// Whether values of a sort are moved by maps.
    pub fn is_mapped(&self, sort: u32) -> bool {
        self.mapped.as_ref().is_some_and(|mapped| mapped.sorts.contains(&sort))
    }
}

/// Sorts whose values are moved by maps, and those values.
#[derive(Clone)]
pub struct MappedSorts {
    pub(crate) sorts: Arc<[u32]>,
    pub(crate) values: Arc<Mutex<MappedValues>>,
}

impl MappedSorts {
    /// The values, for somebody who asks of one whose sort is among these.
    pub(crate) fn of(&self, sort: u32) -> Option<MutexGuard<'_, MappedValues>> {
        let is_one = self.sorts.contains(&sort);
        is_one.then(|| self.values.lock().expect("no panic while locked"))
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
