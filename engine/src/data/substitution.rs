//! Variables in terms: replacing them, and listing them.

use crate::data::terms::{Head, NONE, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Parts of a term that are visited before shared ones are told apart.
const MANY: usize = 256;

impl Terms {
    /// The term with variable `v` replaced by `values[v]`, where that is not `NONE`.
    pub fn substitute(&mut self, term: Term, values: &[Term]) -> Term {
        self.substitute_by(term, |v| values.get(v as usize).copied().unwrap_or(NONE))
    }

    /// The term with every variable replaced by its `value`, where that is not `NONE`.
    pub fn substitute_by(&mut self, term: Term, value: impl Fn(u32) -> Term) -> Term {
        if self.is_ground(term) {
            return term;
        }
        let of = |v| match value(v) {
            NONE => None,
            value => Some(value),
        };
        // Most terms are flat, and small.
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
        // An explicit stack of terms to visit and terms to build. Parts that are shared are looked
        // up once the term turns out to be large.
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

    /// Adds the variables of a term to `found`, each once, in order of occurrence.
    pub fn variables(&self, term: Term, found: &mut Vec<u32>) {
        let (mut waiting, mut once) = (vec![term], Once::default());
        while let Some(term) = waiting.pop() {
            match self.head(term) {
                _ if self.is_ground(term) => {}
                Head::Variable(v) if found.contains(&v) => {}
                Head::Variable(v) => found.push(v),
                _ if !once.is_first(term) => {}
                _ => waiting.extend(self.children(term).iter().rev()),
            }
        }
    }
}

/// What a walk through the parts of a term has met, so that it goes into each once: terms share their
/// parts, and may have more of them than can be counted.
#[derive(Default)]
pub struct Once {
    visited: FxHashSet<Term>,
    parts: usize,
}

impl Once {
    /// Whether a part has not been met before; of the first few nothing is noted, since that takes longer
    /// than to go into them again.
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
    fn variables_come_once_each_in_order() {
        let pair = Symbol::new("pair", &[0, 0], 0, Kind::Constructor);
        let mut terms = Terms::new(vec![pair], &[false]);
        let [x, y] = [7, 3].map(|v| terms.variable(v));
        let inside = terms.apply(0, &[y, x]);
        let term = terms.apply(0, &[x, inside]);
        let mut found = vec![5];
        terms.variables(term, &mut found);
        assert_eq!(found, [5, 7, 3]);
    }
}
