//! Unification: the common instances of two left-hand sides.

use crate::data::terms::{Head, NONE, Term, Terms};

/// A most general unifier: values of variables that make two terms equal; `None` if there is none.
/// A variable without a value is `NONE`; values may contain variables that have values.
pub fn unify(terms: &Terms, left: Term, right: Term, variables: usize) -> Option<Vec<Term>> {
    let mut values = vec![NONE; variables];
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
    let mut found = Vec::new();
    terms.variables(term, &mut found);
    let mut next = 0;
    while next < found.len() {
        let v = found[next];
        if v == variable {
            return true;
        }
        if values[v as usize] != NONE {
            terms.variables(values[v as usize], &mut found);
        }
        next += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::terms::{Kind, Symbol};

    /// The most general common instance of two terms; 0 is a constant, 1 has one argument and 2 has
    /// two.
    fn common(left: &[i64], right: &[i64]) -> Option<String> {
        let symbols = [("a", 0), ("s", 1), ("p", 2)];
        let symbols = symbols.map(|(name, n)| Symbol::new(name, &vec![0; n], 0, Kind::Constructor));
        let mut terms = Terms::new(symbols.to_vec(), &[false; 3]);
        let [left, right] = [left, right].map(|code| terms.decode(code).expect("well formed"));
        let values = unify(&terms, left, right, 3)?;
        let [one, other] = [left, right].map(|term| instance(&mut terms, term, &values));
        assert_eq!(one, other);
        Some(String::from_utf8(terms.show(one)).expect("in ASCII"))
    }

    #[test]
    fn no_term_is_a_part_of_itself() {
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
