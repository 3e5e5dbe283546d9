//! When two normal forms are surely different.

use crate::data::rewrite::Data;
use crate::data::terms::{Head, Kind, Term};

impl Data {
    /// Whether two different normal forms are different whatever their variables stand for.
    pub(crate) fn differ(&self, left: Term, right: Term) -> bool {
        if self.are_different_values(left, right) {
            return true;
        }
        let mut waiting = vec![(left, right)];
        let mut work = 0;
        while let Some((left, right)) = waiting.pop() {
            work += 1;
            if left == right || work > 10_000 {
                continue;
            }
            if self.are_different_values(left, right)
                || self.terms.numeral_differs(left, right)
                || self.terms.numeral_differs(right, left)
            {
                return true;
            }
            if let (Head::Symbol(l), Head::Symbol(r)) =
                (self.terms.head(left), self.terms.head(right))
                && self.has_one_value(l)
                && self.has_one_value(r)
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

    /// Whether two different normal forms have no variables, and are different values.
    fn are_different_values(&self, left: Term, right: Term) -> bool {
        let terms = &self.terms;
        if terms.loose {
            return terms.is_built(left) && terms.is_built(right);
        }
        terms.is_ground(left) && terms.is_ground(right)
    }

    /// Whether terms with different such symbols outside, or with one such symbol around different
    /// values, are different.
    fn has_one_value(&self, symbol: u32) -> bool {
        let kind = self.terms.symbols[symbol as usize].kind;
        self.terms.is_inert(symbol) && (kind != Kind::Map || !self.terms.loose)
    }
}
