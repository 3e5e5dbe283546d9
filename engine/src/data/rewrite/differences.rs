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
