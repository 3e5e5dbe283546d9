//! Variables of terms: substitution and listing.

use crate::data::terms::{Head, NONE, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of visited subterms from which shared ones are recorded.
const MANY: usize = 256;

impl Terms {
    /// The term with each variable `v` replaced by `values[v]`, unless that is `NONE`.
    pub fn substitute(&mut self, term: Term, values: &[Term]) -> Term {
        self.substitute_by(term, |v| values.get(v as usize).copied().unwrap_or(NONE))
    }

    /// The term with every variable replaced by its `value`, unless that is `NONE`.
    pub fn substitute_by(&mut self, term: Term, value: impl Fn(u32) -> Term) -> Term {
        if self.is_ground(term) {
            return term;
        }
        let of = |v| match value(v) {
            NONE => None,
            value => Some(value),
        };
        // Most terms are small and flat.
        let mut few = [NONE; 4];
        match self.head(term) {
            Head::Variable(v) => return of(v).unwrap_or(term),
            Head::Symbol(symbol) if self.arity(symbol) <= few.len() => {
                let children = self.children(term);
                let flat = few.iter_mut().zip(children).all(|(few, &child)| {
                    *few = match self.head(child) {
                        Head::Variable(v) => of(v).unwrap_or(child),
                        _ => child,
                    };
                    matches!(self.head(child), Head::Variable(_)) || self.is_ground(child)
                });
                if flat {
                    let count = children.len();
                    return self.apply(symbol, &few[..count]);
                }
            }
            _ => {}
        }
        // An explicit stack of terms to visit and terms to build. Shared subterms are recorded once
        // the term turns out to be large.
        let mut tasks = vec![(term, false)];
        let mut results: Vec<Term> = Vec::new();
        let mut known: FxHashMap<Term, Term> = FxHashMap::default();
        let mut work = 0;
        while let Some((term, visited)) = tasks.pop() {
            work += 1;
            match self.head(term) {
                _ if self.is_ground(term) => results.push(term),
                Head::Numeral(_) => unreachable!("a numeral is closed"),
                Head::Variable(v) => match value(v) {
                    NONE => results.push(term),
                    value => results.push(value),
                },
                Head::Symbol(symbol) if visited => {
                    let from = results.len() - self.arity(symbol);
                    let built = self.apply(symbol, &results[from..]);
                    results.truncate(from);
                    results.push(built);
                    if work > MANY {
                        known.insert(term, built);
                    }
                }
                Head::Symbol(_) => match known.get(&term) {
                    Some(&built) => results.push(built),
                    None => {
                        tasks.push((term, true));
                        tasks.extend(self.children(term).iter().rev().map(|&c| (c, false)));
                    }
                },
            }
        }
        self.visited += work;
        results[0]
    }

    /// Appends the variables of a term that are not in `variables` yet, in order of occurrence.
    pub fn variables(&self, term: Term, variables: &mut Vec<u32>) {
        let (mut waiting, mut once) = (vec![term], Once::default());
        // A long list is searched a few times, and then put into a set.
        let (mut known, mut searched) = (None::<FxHashSet<u32>>, 0);
        while let Some(term) = waiting.pop() {
            match self.head(term) {
                _ if self.is_ground(term) => {}
                Head::Variable(v) => {
                    searched += variables.len();
                    if known.is_none() && searched > 16 * MANY {
                        known = Some(variables.iter().copied().collect());
                    }
                    let is_new = match &mut known {
                        Some(known) => known.insert(v),
                        None => !variables.contains(&v),
                    };
                    if is_new {
                        variables.push(v);
                    }
                }
                _ if !once.is_first(term) => {}
                _ => waiting.extend(self.children(term).iter().rev()),
            }
        }
    }
}

/// Records visited subterms, so that a traversal enters each only once. Terms share subterms, and
/// may have exponentially many occurrences of them.
#[derive(Default)]
pub struct Once {
    visited: FxHashSet<Term>,
    parts: usize,
}

impl Once {
    /// Whether a subterm is visited for the first time. The first few are not recorded, since
    /// visiting them again is cheaper.
    #[inline]
    pub fn is_first(&mut self, part: Term) -> bool {
        self.parts += 1;
        self.parts <= MANY || self.visited.insert(part)
    }
}

#[cfg(test)]
mod tests {
    use crate::data::terms::{Kind, Symbol, Terms};

    #[test]
    fn variables_are_listed_once_in_order() {
        let pair = Symbol::new("pair", &[0, 0], 0, Kind::Constructor);
        let mut terms = Terms::new(vec![pair], &[false]);
        let [x, y] = [7, 3].map(|v| terms.variable(v));
        let inside = terms.apply(0, &[y, x]);
        let term = terms.apply(0, &[x, inside]);
        let mut variables = vec![5];
        terms.variables(term, &mut variables);
        assert_eq!(variables, [5, 7, 3]);
    }
}
