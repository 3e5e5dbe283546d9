//! Unification: the common instances of two left-hand sides.

use crate::data::terms::{Head, NONE, Term, Terms};
use rustc_hash::FxHashSet;

/// A most general unifier: values of variables that make two terms equal; `None` if there is none.
/// A variable without a value is `NONE`; values may contain variables that have values.
pub fn unify(terms: &Terms, left: Term, right: Term, variables: usize) -> Option<Vec<Term>> {
    let mut values = vec![NONE; variables];
    // Terms share subterms, and pairs of them may have exponentially many occurrences.
    let mut seen: FxHashSet<(Term, Term)> = FxHashSet::default();
    let mut waiting = vec![(left, right)];
    while let Some((left, right)) = waiting.pop() {
        let (left, right) = (walk(terms, left, &values), walk(terms, right, &values));
        if left == right {
            continue;
        }
        match (terms.head(left), terms.head(right)) {
            (Head::Variable(v), _) if !occurs(terms, v, right, &values) => {
                values[v as usize] = right;
            }
            (_, Head::Variable(v)) if !occurs(terms, v, left, &values) => {
                values[v as usize] = left;
            }
            (Head::Symbol(l), Head::Symbol(r)) if l == r => {
                if !seen.insert((left, right)) {
                    continue;
                }
                let children = terms.children(left).iter().zip(terms.children(right));
                waiting.extend(children.map(|(&l, &r)| (l, r)));
            }
            _ => return None,
        }
    }
    Some(values)
}

/// The term after substituting all values.
pub fn instance(terms: &mut Terms, term: Term, values: &[Term]) -> Term {
    // No variable occurs in its own value, so this terminates.
    let mut term = term;
    loop {
        let next = terms.substitute(term, values);
        if next == term {
            return term;
        }
        term = next;
    }
}

fn walk(terms: &Terms, mut term: Term, values: &[Term]) -> Term {
    while let Head::Variable(v) = terms.head(term)
        && values[v as usize] != NONE
    {
        term = values[v as usize];
    }
    term
}

fn occurs(terms: &Terms, variable: u32, term: Term, values: &[Term]) -> bool {
    let mut variables = Vec::new();
    terms.variables(term, &mut variables);
    let mut next = 0;
    while next < variables.len() {
        let v = variables[next];
        if v == variable {
            return true;
        }
        if values[v as usize] != NONE {
            terms.variables(values[v as usize], &mut variables);
        }
        next += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::terms::{Kind, Symbol};

    #[test]
    fn pairs_of_shared_subterms_are_compared_once() {
        const DEPTH: i64 = 60;
        let pair = |width: usize| Symbol::new("p", &vec![0; width], 0, Kind::Constructor);
        let width = 2 * DEPTH as usize + 1;
        let mut terms = Terms::new(vec![pair(2), pair(width)], &[false; 2]);
        // x and y become two full trees of this depth, which are compared last.
        let x = |index: i64| -1 - 2 * index;
        let y = |index: i64| -2 - 2 * index;
        let (mut left, mut right) = (vec![1, x(DEPTH)], vec![1, y(DEPTH)]);
        for index in 1..=DEPTH {
            left.push(x(index));
            right.extend([0, x(index - 1), x(index - 1)]);
        }
        for index in 1..=DEPTH {
            left.extend([0, y(index - 1), y(index - 1)]);
            right.push(y(index));
        }
        let [left, right] = [left, right].map(|code| terms.decode(&code).expect("well formed"));
        assert!(unify(&terms, left, right, width + 1).is_some());
    }

    /// The most general common instance of two terms; 0 is a constant, 1 has one argument and 2 has
    /// two.
    fn common(left: &[i64], right: &[i64]) -> Option<String> {
        let symbols = [("a", 0), ("s", 1), ("p", 2)];
        let symbols = symbols.map(|(name, n)| Symbol::new(name, &vec![0; n], 0, Kind::Constructor));
        let mut terms = Terms::new(symbols.to_vec(), &[false; 3]);
        let [left, right] = [left, right].map(|code| terms.decode(code).expect("well formed"));
        let values = unify(&terms, left, right, 3)?;
        let [a, b] = [left, right].map(|term| instance(&mut terms, term, &values));
        assert_eq!(a, b);
        Some(String::from_utf8(terms.show(a)).expect("in ASCII"))
    }

    #[test]
    fn cyclic_unifiers_are_refused() {
        let (x, y, z) = (-1, -2, -3);
        assert_eq!(common(&[x], &[1, x]), None);
        assert_eq!(common(&[1, x], &[x]), None);
        assert_eq!(common(&[2, x, y], &[2, 1, y, 1, x]), None);
        assert_eq!(common(&[2, x, x], &[2, y, 1, y]), None);
        assert_eq!(common(&[2, x, x], &[2, y, 2, z, y]), None);
        assert_eq!(common(&[2, x, 0], &[2, 1, y, y]).as_deref(), Some("p(s(a),a)"));
        assert!(common(&[2, x, x], &[2, 1, y, z]).is_some());
        assert_eq!(common(&[2, x, 1, 0], &[2, 0, x]), None);
    }
}
