//! Decides whether two normal forms are certainly different.

use crate::data::rewrite::Data;
use crate::data::terms::{Head, Term};
use rustc_hash::FxHashSet;

/// The number of pairs of subterms compared for two terms.
const MOST_COMPARED: usize = 10_000;

impl Data {
    /// Whether two different normal forms are different for all values of their variables.
    pub(crate) fn differ(&self, left: Term, right: Term) -> bool {
        if self.are_different_values(left, right) {
            return true;
        }
        let mut waiting = vec![(left, right)];
        let mut work = 0;
        while let Some((left, right)) = waiting.pop() {
            work += 1;
            if left == right || work > MOST_COMPARED {
                continue;
            }
            if self.are_different_values(left, right)
                || self.terms.numeral_differs(left, right)
                || self.terms.numeral_differs(right, left)
                || self.is_within(left, right)
                || self.is_within(right, left)
            {
                return true;
            }
            if let (Head::Symbol(l), Head::Symbol(r)) =
                (self.terms.head(left), self.terms.head(right))
                && self.terms.is_certain(l)
                && self.terms.is_certain(r)
            {
                if l != r {
                    return true;
                }
                let children = self.terms.children(left).iter().zip(self.terms.children(right));
                waiting.extend(children.map(|(&l, &r)| (l, r)));
            }
        }
        false
    }

    /// Whether `part`, a term blocked by its variables, occurs in `whole` below symbols that are
    /// never rewritten. Then the two differ, since no value is a part of itself.
    fn is_within(&self, part: Term, whole: Term) -> bool {
        let terms = &self.terms;
        let stays = |term| matches!(terms.head(term), Head::Symbol(s) if terms.is_certain(s));
        if terms.is_ground(part) || terms.is_ground(whole) || stays(part) || !stays(whole) {
            return false;
        }
        let mut waiting = terms.children(whole).to_vec();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        while let Some(term) = waiting.pop() {
            if term == part {
                return true;
            }
            if stays(term) && !terms.is_ground(term) && seen.insert(term) {
                waiting.extend(terms.children(term));
            }
        }
        false
    }

    /// Whether two different normal forms are closed and denote different values.
    fn are_different_values(&self, left: Term, right: Term) -> bool {
        self.has_one_form(left) && self.has_one_form(right)
    }

    /// Whether a normal form is closed and the value it denotes has no other normal form.
    #[inline]
    pub(crate) fn has_one_form(&self, term: Term) -> bool {
        let terms = &self.terms;
        terms.is_ground(term) && (!terms.loose || terms.is_built(term))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::terms::{Kind, Symbol};

    /// A constant 2, pairs 3, and a function 4 that maps the constant to a pair and a pair to its
    /// first part.
    fn data() -> Data {
        let symbols = vec![
            Symbol::new("T", &[], 0, Kind::Constructor),
            Symbol::new("F", &[], 0, Kind::Constructor),
            Symbol::new("z", &[], 1, Kind::Constructor),
            Symbol::new("p", &[1, 1], 1, Kind::Constructor),
            Symbol::new("f", &[1], 1, Kind::Map),
        ];
        let rules = [(0, vec![4, 2], vec![3, 2, 2]), (2, vec![4, 3, -1, -2], vec![-1])];
        Data::new(vec![b"Bool".to_vec(), b"D".to_vec()], symbols, &rules, 0, 1).unwrap()
    }

    fn pairs(left: &[Vec<i64>], right: &[Vec<i64>]) -> Vec<Vec<i64>> {
        let pair = |l: &Vec<i64>, r: &Vec<i64>| [&[3], &l[..], &r[..]].concat();
        left.iter().flat_map(|l| right.iter().map(move |r| pair(l, r))).collect()
    }

    /// Whether one term has the constant where the other has a pair.
    fn clash(data: &Data, left: Term, right: Term) -> bool {
        let children = data.terms.children(left).iter().zip(data.terms.children(right));
        match (data.terms.head(left), data.terms.head(right)) {
            (Head::Symbol(l @ (2 | 3)), Head::Symbol(r @ (2 | 3))) => {
                l != r || children.into_iter().any(|(&l, &r)| clash(data, l, r))
            }
            _ => false,
        }
    }

    #[test]
    fn different_terms_have_no_common_instance() {
        let mut data = data();
        let leaves = vec![vec![2], vec![-1], vec![-2], vec![4, -1]];
        let flat = pairs(&leaves, &leaves);
        let nested = pairs(&flat, &leaves);
        let codes = [leaves, flat, nested].concat();
        let values = [&[2][..], &[3, 2, 2], &[3, 2, 3, 2, 2]];
        // The values of each term for all values of its variables.
        let mut terms = Vec::new();
        for code in &codes {
            let mut instances = Vec::new();
            for (x, y) in values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))) {
                let filled = code.iter().flat_map(|c| match c {
                    -1 => x.to_vec(),
                    -2 => y.to_vec(),
                    _ => vec![*c],
                });
                let term = data.terms.decode(&filled.collect::<Vec<_>>()).unwrap();
                instances.push(data.normalise(term).unwrap());
            }
            terms.push((data.terms.decode(code).unwrap(), instances));
        }
        for (left, instances) in &terms {
            for (right, others) in &terms {
                let are_different = instances.iter().zip(others).all(|(left, right)| left != right);
                let are_reported = left != right && data.differ(*left, *right);
                assert!(are_different || !are_reported);
                assert!(are_reported || !clash(&data, *left, *right));
            }
        }
        // No value is a part of itself.
        let [x, around] = [&[-1][..], &[3, 2, 3, -1, 2]].map(|c| data.terms.decode(c).unwrap());
        assert!(data.differ(x, around) && data.differ(around, x));
    }
}
